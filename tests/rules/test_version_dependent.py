"""Lines that older versions of LLVM read otherwise."""

from tests.instruction.support import assemble
from tests.rules.test_unsigned_dot_product import LINE, fixed


def test_the_newer_version_says_what_the_older_ones_do() -> None:
    instruction = assemble(LINE, "gfx1200:+llvm23")
    (problem,) = instruction.problems
    assert problem.rule == "version-dependent"
    assert assemble(fixed(LINE, problem), "gfx1200:+llvm23").code == instruction.code


def test_a_line_that_says_it_is_silent() -> None:
    assert not assemble(f"{LINE} neg_lo:[1,1,0]", "gfx1200:+llvm23").problems
    assert not assemble(LINE, "gfx1030:+llvm23").problems
