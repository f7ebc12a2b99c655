import pytest

from gcn_lsp import isa
from gcn_lsp.instruction.registers import BadRegister, RegisterNames, RegisterRef
from tests.instruction.support import code_of, problem_of


def names(cpu: str = "gfx900") -> RegisterNames:
    return RegisterNames(isa.load_target(cpu))


@pytest.mark.parametrize(
    ("name", "file", "first", "code"),
    [("v7", "v", 7, 256 + 7), ("s101", "s", 101, 101), ("ttmp3", "ttmp", 3, 111), ("m0", "m0", 124, 124)],
)
def test_names(name: str, file: str, first: int, code: int) -> None:
    found = names().named(name)
    assert isinstance(found, RegisterRef)
    assert (found.file, found.first, found.code) == (file, first, code)


@pytest.mark.parametrize("name", ["foo", "v", "vx", "v99999999999", "s_mov", "vcc_high"])
def test_other_names_are_no_registers(name: str) -> None:
    assert names().named(name) is None


@pytest.mark.parametrize(
    ("file", "first", "count", "rule"),
    [
        ("s", 1, 2, "misaligned-register"),
        ("s", 2, 4, "misaligned-register"),
        ("s", 4, 3, ""),
        ("s", 6, 3, "misaligned-register"),
        ("v", 1, 2, ""),
        ("v", 255, 2, "register-out-of-range"),
        ("s", 102, 2, "register-out-of-range"),
        ("v", 0, 13, "wrong-register-width"),
        ("ttmp", 12, 4, ""),
        ("ttmp", 0, 3, "wrong-register-width"),
        ("a", 0, 1, "register-not-available"),
    ],
)
def test_tuples(file: str, first: int, count: int, rule: str) -> None:
    found = names().numbered(file, first, count)
    assert rule == (found.rule if isinstance(found, BadRegister) else "")


def test_acc_is_another_spelling_of_the_accumulation_file() -> None:
    found = names("gfx908").named("acc5")
    assert isinstance(found, RegisterRef)
    assert found.text == "a5"


def test_special_registers_depend_on_the_target() -> None:
    missing = names().named("null")
    assert isinstance(missing, BadRegister)
    assert missing.rule == "register-not-available"
    assert isinstance(names("gfx1030").named("null"), RegisterRef)


def test_equal_shapes_for_registers_that_no_class_tells_apart() -> None:
    target = names()
    first, second, odd = (target.numbered("v", start, 2) for start in (2, 4, 5))
    assert isinstance(first, RegisterRef)
    assert isinstance(second, RegisterRef)
    assert isinstance(odd, RegisterRef)
    assert first.shape == second.shape != odd.shape


def test_tuples_may_go_on_where_the_names_of_vgprs_end() -> None:
    assert code_of("buffer_load_b128 v[254:257], off, s[44:47], s85", "gfx1250") == "55c005c4fe58800000000000"
    assert problem_of("buffer_load_b32 v256, off, s[44:47], s85", "gfx1250")[0] == "register-out-of-range"
    assert problem_of("buffer_load_b96 [v254,v255,v256], off, s[44:47], s85", "gfx1250")[0] == "register-out-of-range"
    assert problem_of("buffer_load_b128 v[254:257], off, s[44:47], s85", "gfx1200")[0] == "register-out-of-range"


@pytest.mark.parametrize(
    ("cpu", "one", "other", "overlap"),
    [
        ("gfx900", "v1", "v1", True),
        ("gfx900", "v[0:1]", "v1", True),
        ("gfx900", "v[0:1]", "v2", False),
        ("gfx900", "s[0:1]", "v[0:1]", False),
        ("gfx90a", "a[0:3]", "v[0:3]", False),
        ("gfx900", "vcc", "vcc_hi", True),
        ("gfx900", "exec_lo", "vcc", False),
        ("gfx900", "ttmp[0:3]", "ttmp2", True),
    ],
)
def test_registers_overlap_in_a_common_dword(cpu: str, one: str, other: str, overlap: bool) -> None:
    left, right = written(cpu, one), written(cpu, other)
    assert left.overlaps(right) == right.overlaps(left) == overlap


def written(cpu: str, text: str) -> RegisterRef:
    """The register or tuple of a text such as `v[0:1]`."""
    file, _, numbers = text.partition("[")
    if not numbers:
        found = names(cpu).named(text)
    else:
        first, last = map(int, numbers.rstrip("]").split(":"))
        found = names(cpu).numbered(file, first, last - first + 1)
    assert isinstance(found, RegisterRef)
    return found
