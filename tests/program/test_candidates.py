"""Which target a file is taken for when nothing names one."""

import gc

import pytest

from gcn_lsp import isa
from gcn_lsp.flow.steps import finish
from gcn_lsp.program.candidates import LIKELY
from gcn_lsp.program.program import Options, Program, build, settled
from gcn_lsp.text import SourceText


def built(text: str, *names: str, previous: "Program | None" = None) -> Program:
    return build(SourceText.from_bytes("k.s", text.encode()), Options(candidates=names), previous)


def assumed(program: Program) -> tuple[str, str]:
    assert program.candidates is not None
    assert program.target is not None
    assert program.candidates.name == program.target.name
    return program.candidates.name, program.candidates.mattr


def rivals(program: Program) -> list[str]:
    assert program.candidates is not None
    targets = [each.target for each in program.candidates.rivals() if each is not None]
    return [f"{target.name} {target.mattr}".rstrip() for target in targets if target]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s_nop 0", ("gfx942", "-xnack")),
        ("ds_read_b64 v[1:2], v0", ("gfx908", "-xnack")),  # later ones want even pairs
        ("s_wait_loadcnt 0", ("gfx1200", "")),
        ("s_wait_loadcnt 0\nv_cmp_eq_u32_e64 s[0:1], v0, v1", ("gfx1200", "+wavefrontsize64")),
        ('.if .amdgcn.gfx_generation_number != 10\n.error "gfx10 only"\n.endif', ("gfx1030", "")),
        ("v_nonsense\nds_read_b64 v[1:2], v0", ("gfx908", "-xnack")),
        ("s_wait_loadcnt 0\nv_cvt_f16_i16 v15.l, v16.h", ("gfx1200", "")),
        ("s_wait_loadcnt 0\nv_cvt_f16_i16 v15, v16", ("gfx1200", "-real-true16")),
        ('.if .amdgcn.gfx_generation_number != 10\n.error "gfx10 only"\n.else\nv_a\nv_b\n.endif', ("gfx1030", "")),
    ],
)
def test_it_is_the_likeliest_that_rejects_the_fewest(text: str, expected: tuple[str, str]) -> None:
    assert assumed(built(text)) == expected


def test_of_those_that_it_can_be() -> None:
    assert assumed(built("s_nop 0", "gfx900", "gfx803")) == ("gfx900", "-xnack")


def test_features_that_are_known_are_taken() -> None:
    source = SourceText.from_bytes("k.s", b"s_nop 0")
    assert assumed(build(source, Options(mattr="+xnack"))) == ("gfx942", "+xnack")


def test_rivals_reject_no_more() -> None:
    assert rivals(built("ds_read_b64 v[1:2], v0", "gfx90a", "gfx908", "gfx900")) == ["gfx900 -xnack", "gfx908 +xnack"]
    assert rivals(built("s_nop 0", "gfx900", "gfx803")) == ["gfx803", "gfx900 +xnack"]


def test_rivals_differ_in_more_than_how_registers_are_written() -> None:
    assert rivals(built("s_wait_loadcnt 0", "gfx1200")) == ["gfx1200 +wavefrontsize64"]
    half = rivals(built("v_cvt_f16_i16 v15, v16", "gfx1200"))
    assert half == ["gfx1200 +wavefrontsize64,-real-true16"]


def test_rivals_have_the_mnemonics() -> None:
    assert rivals(built("v_dot2_f32_f16 v0, v1, v2, v3", "gfx908", "gfx900", "gfx906")) == [
        "gfx906 -xnack",
        "gfx908 +xnack",
    ]


def test_an_edit_changes_the_choice_as_a_fresh_start_does() -> None:
    first = built("s_nop 0\n", "gfx942", "gfx908")
    second = built("ds_read_b64 v[1:2], v0\n", "gfx942", "gfx908", previous=first)
    third = built("s_nop 1\n", "gfx942", "gfx908", previous=second)
    assert [assumed(each)[0] for each in (first, second, third)] == ["gfx942", "gfx908", "gfx942"]


def test_until_it_is_settled_it_is_that_of_the_version_before() -> None:
    names = ("gfx942", "gfx908")
    options, odd = Options(candidates=names), SourceText.from_bytes("k.s", b"ds_read_b64 v[1:2], v0\n")
    first = build(odd, options, settle=False)
    assert assumed(first)[0] == "gfx942"
    second = finish(settled(first))
    assert assumed(second)[0] == "gfx908"
    assert first.candidates is None
    third = build(SourceText.from_bytes("k.s", b"s_nop 0\n"), options, second, settle=False)
    assert assumed(third)[0] == "gfx908"
    assert assumed(finish(settled(third)))[0] == "gfx942"


def test_versions_do_not_hold_one_another() -> None:
    before = _programs()  # what other tests have kept
    program = built("s_nop 0\n", "gfx942", "gfx908")
    for number in range(6):
        program = built(
            f"s_nop {number}\nv_nonsense{number}\nds_read_b64 v[1:2], v0", "gfx942", "gfx908", previous=program
        )
        assert len(rivals(program)) == 1
    assert _programs() - before < 12


def _programs() -> int:
    """How many programs are alive."""
    gc.collect()
    return sum(isinstance(each, Program) for each in gc.get_objects())


# Every target, by the likely one that has the most similar set of mnemonics.
REPRESENTED = {
    "gfx600": "gfx600 gfx601 gfx602",
    "gfx700": "gfx700 gfx701 gfx702 gfx703 gfx704 gfx705",
    "gfx803": "gfx801 gfx802 gfx803 gfx805 gfx810",
    "gfx900": "gfx9-generic gfx900 gfx902 gfx904 gfx909 gfx90c",
    "gfx906": "gfx906",
    "gfx908": "gfx908",
    "gfx90a": "gfx90a",
    "gfx942": "gfx9-4-generic gfx942",
    "gfx950": "gfx950",
    "gfx1010": "gfx10-1-generic gfx1010 gfx1011 gfx1012 gfx1013",
    "gfx1030": "gfx10-3-generic gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036",
    "gfx1100": "gfx11-generic gfx1100 gfx1101 gfx1102 gfx1103",
    "gfx1150": "gfx11-7-generic gfx1150 gfx1151 gfx1152 gfx1153 gfx1154 gfx1170 gfx1171 gfx1172",
    "gfx1200": "gfx12-generic gfx1200 gfx1201 gfx13-generic gfx1310",
    "gfx1250": "gfx12-5-generic gfx1250 gfx1251",
}


def test_each_target_has_a_likely_one_with_similar_mnemonics() -> None:
    mnemonics = {name: set(isa.load_target(name).mnemonics) for name in isa.target_names()}
    found: dict[str, list[str]] = {name: [] for name in LIKELY}
    for name, own in mnemonics.items():
        found[min(LIKELY, key=lambda likely: len(own ^ mnemonics[likely]))].append(name)
    assert {likely: " ".join(names) for likely, names in found.items()} == REPRESENTED
