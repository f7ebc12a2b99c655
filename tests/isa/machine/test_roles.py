"""The roles of instructions against the generated tables."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.machine import roles

FLAGS = {"isBranch", "isCall", "isIndirectBranch", "isReturn"}
SAMPLE = ["gfx600", "gfx704", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100"]
SAMPLE += ["gfx1150", "gfx1200", "gfx1250", "gfx1310"]
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
    assert roles.of("s_nop") is None
