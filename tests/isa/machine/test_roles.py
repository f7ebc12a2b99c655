"""The roles of instructions against the generated tables."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.machine import barriers, control_flow, register_results, roles
from gcn_lsp.isa.operands import limits

FLAGS = {"isBranch", "isCall", "isIndirectBranch", "isReturn"}
SAMPLE = ["gfx600", "gfx704", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100"]
SAMPLE += ["gfx1150", "gfx1200", "gfx1250", "gfx1310"]
ALL = frozenset(name for target in SAMPLE for name in isa.load_target(target).mnemonics)
VERBS = {
    "isReturn": {"end", "end padding"},
    "isCall": {"call"},
    "isIndirectBranch": {"jump", "jump by", "resume"},
    "isBranch": {"jump", "jump by", "branch", "branch always", "test debugger", "loop", "resume"},
}


@pytest.mark.parametrize("name", SAMPLE)
def test_what_writes_the_program_counter_has_a_role(name: str) -> None:
    target = isa.load_target(name)
    wrong = [
        (mnemonic, flag)
        for mnemonic in target.mnemonics
        if mnemonic.startswith("s_")
        for form in target.forms(mnemonic)
        for flag in FLAGS & form.flags
        if (role := roles.of(form.mnemonic)) is None or role.verb not in VERBS[flag]
    ]
    assert wrong == []


def test_every_mnemonic_has_one_role_and_exists() -> None:
    names = [name for role in roles.ROLES for name in role.mnemonics]
    assert len(names) == len(set(names))
    natives = {name for target in SAMPLE for name in isa.load_target(target).mnemonics}
    assert [name for name in names if name not in natives] == []


@pytest.mark.parametrize(
    ("mnemonic", "verb", "file", "bits"),
    [("s_set_pc_i64", "jump", "", 0), ("s_add_nc_u64", "add", "s", 64), ("s_movk_i32", "move", "s", 32)],
)
def test_role(mnemonic: str, verb: str, file: str, bits: int) -> None:
    role = roles.of(mnemonic)
    assert role is not None
    assert role[:3] == (verb, file, bits)


def test_mnemonics_of_roles() -> None:
    assert roles.mnemonics("jump", "read pc") == {"s_setpc_b64", "s_set_pc_i64", "s_getpc_b64", "s_get_pc_i64"}
    assert roles.mnemonics("move", file="s", bits=64) == {"s_mov_b64"}
    assert roles.of("s_sleep") is None


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        (roles.NOP, "idle"),
        (roles.END, "end"),
        (roles.CLAUSE, "clause"),
        (roles.DELAY, "delay"),
        (roles.WRITE_BACK, "write back"),
    ],
)
def test_what_fixes_write_has_a_role(name: str, verb: str) -> None:
    role = roles.of(name)
    assert role is not None
    assert role.verb == verb


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("s_setreg", roles.mnemonics("set state", "set constant state")),
        ("s_getreg", roles.mnemonics("get state")),
        ("s_dcache_wb", roles.mnemonics("write back")),
        ("s_barrier_", barriers.NUMBERED),
        ("s_movrel", register_results.counted_from("s")),
        ("v_movrel", register_results.counted_from("v") & {name for name in ALL if name.startswith("v_movrel")}),
        ("s_set_gpr_idx", {name for name in register_results.counted_from("v") if name.startswith("s_set_gpr")}),
    ],
)
def test_a_family_is_whole(start: str, expected: frozenset[str]) -> None:
    assert {name for name in ALL if name.startswith(start)} == expected


def test_instructions_of_barriers_and_those_that_give_lanes() -> None:
    assert {name for name in ALL if barriers.concerns(name)} == {name for name in ALL if name.startswith("s_barrier")}
    assert control_flow.RESTORES_EXEC <= ALL
    assert not [name for name in control_flow.GIVES_LANES if control_flow.NARROWS_EXEC.fullmatch(name)]


@pytest.mark.parametrize(
    "start",
    sorted({*limits.SCALAR_LOADS, *limits.SCALAR_ACCESSES, *limits.BY_ADDRESS, limits.SCALAR_DISCARDS}),
)
def test_a_start_of_mnemonics_has_some(start: str) -> None:
    assert any(name.startswith(start) for name in ALL)


@pytest.mark.parametrize(
    "names",
    [
        limits.ONE_SCALAR_SHIFTS,
        limits.EVEN_GWS,
        limits.AS_DOUBLES,
        limits.PACKED_SINGLES,
        limits.TWO_BITS_OF_SOURCE,
    ],
)
def test_rows_of_limits_name_instructions(names: frozenset[str]) -> None:
    assert names <= ALL
