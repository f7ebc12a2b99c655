"""The functions of expressions in each version of LLVM: which there are, with how many arguments, and their values."""

import itertools

import pytest

from gcn_lsp.program import problems
from gcn_lsp.program.program import Options, build
from gcn_lsp.text import SourceText
from tests.support import llvm, llvm_object

BOTH = (
    "max(1, 2)", "or(1, 2, 4)", "alignto(13, 8)", "extrasgprs(1, 1, 0)", "totalnumvgprs(5, 9)", "max(1, alignto(5, 4))",
    "occupancy(10, 4, 256, 10, 800, 16, 16, 96, 40)",
    "alignto(3)", "alignto(3, 4, 5)", "extrasgprs(1)", "totalnumvgprs(3)", "max()", "or()", "other(1)", "MAX(1, 2)",
)  # fmt: skip
FORMER = ("occupancy(10, 4, 256, 7, 10, 96, 40)", "occupancy(8, 4, 512, 8, 8, 1, 1)")
NEWER = ("min(3, 2)", "min(1, max(2, 3))", "instprefsize(640)")
WRONG = ("min()", "instprefsize()", "instprefsize(1, 2)", "occupancy(1)", "occupancy()")


def value(expression: str, version: int) -> int | None:
    """The value as `.long` has it; None where the expression is refused."""
    source = SourceText.from_bytes("k.s", f".data\n.long {expression}\n".encode())
    program = build(source, Options(target="gfx1100", mattr=f"+llvm{version}"))
    if any(True for _ in problems.of(program)):
        return None
    return int.from_bytes(program.section_bytes(".data"), "little")


@pytest.mark.parametrize("version", [22, 23])
@pytest.mark.parametrize("expression", [*BOTH, *FORMER, *NEWER, *WRONG])
def test_as_the_reference_has_them(expression: str, version: int) -> None:
    if not llvm.available(version):
        pytest.skip(f"llvm-mc-{version} is not installed")
    reference = llvm_object.assemble(f".data\n.long {expression}\n".encode(), "gfx1100", version=version)
    expected = reference.sections[".data"] if reference.sections is not None else None
    assert value(expression, version) == (int.from_bytes(expected, "little") if expected is not None else None)


@pytest.mark.parametrize(("known", "unknown"), [(FORMER, 23), (NEWER, 22)])
def test_only_in_one_version(known: tuple[str, ...], unknown: int) -> None:
    for expression in known:
        assert value(expression, 45 - unknown) is not None
        assert value(expression, unknown) is None


def test_the_message_names_the_version() -> None:
    program = build(SourceText.from_bytes("k.s", b"x = min(1, 2)"), Options(target="gfx900", mattr="+llvm22"))
    (found,) = problems.of(program)
    assert found.problem.message.endswith("`min` is a function only from LLVM 23")


@pytest.mark.parametrize("target", ["gfx700", "gfx803", "gfx90a", "gfx942", "gfx1010", "gfx1100"])
def test_the_registers_that_the_hardware_adds_on_each_generation(target: str) -> None:
    if not llvm.available(23):
        pytest.skip("llvm-mc-23 is not installed")
    uses = itertools.product((0, 1), repeat=3)
    text = b".data\n" + b"".join(b".long extrasgprs(%d, %d, %d)\n" % each for each in uses)
    reference = llvm_object.assemble(text, target)
    assert reference.sections is not None
    program = build(SourceText.from_bytes("k.s", text), Options(target=target))
    assert program.section_bytes(".data") == reference.sections[".data"]
