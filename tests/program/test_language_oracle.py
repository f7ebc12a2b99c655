"""Random programs over the directive and macro language: accepted, rejected and assembled as LLVM does.

A slice runs by default; `-m slow` runs all 20,000. What is not compared, because we differ on purpose:

- A branch to an address that is no multiple of four: LLVM rounds it and says nothing, we call it a mistake.
- Bytes in `.bss`: LLVM misses them when an alignment comes last.
- A `.endr` without its `.rept`, in a macro: for LLVM it leaves the macro without a word, as `.exitm` does.
- A value that no relocation can express, of a name that nothing in the file defines: the build may define it.
- Sections that hold remarks about the file (`.comment`, `.debug_line`, call frames): nothing of the program is in them.
- Programs on which the reference itself crashes or comes to no end (padding of code by an odd number of bytes,
  `.size` of an expression over two sections, `alignto` without its second argument), or which it gets
  wrong (padding by a pattern of two or four bytes that does not fit a whole number of times is left out).
- What depends on the operating system in the triple, which is amdhsa for us: `.amd_kernel_code_t`, PAL's metadata and
  `.amd_amdgpu_isa` are read although LLVM has them for others only, `.option.machine_version_*` and `.kernel.*_count`
  have no values (files ask with `.ifdef` for them), and fields of relocations are zero (without amdhsa LLVM puts the
  addend there).
- A field that a kernel descriptor lacks is told where the block opens, by LLVM where it ends.
- Fields of `.amd_kernel_code_t` that LLVM wants to know at once may come late.
- On gfx1010, where branches may grow, differences of labels have a value in conditions, too; LLVM refuses them.

And what the generator leaves out: a block comment before a word that opens or closes a block, or behind `.endm` (LLVM
does not see the word, which helps nobody); labels with the name of a symbol that has a value (LLVM forgets the value);
names that nothing defines where a value is needed (we take them for the build's and do not judge); recursion that
branches (we stop at the first call that is too deep); a string without its closing quote (it ends with the line for
us, and with the next quote, wherever that is, for LLVM); differences across a number in LEB128 whose
size follows from the layout, in the section of that number; a block comment behind the arguments of a vararg, which
LLVM takes for a part of it.
"""

import pytest

from gcn_lsp.findings.model import Severity
from gcn_lsp.program import problems
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.rules import RULES
from gcn_lsp.text import SourceText
from tests.program.language import program
from tests.support import llvm, llvm_object

TARGET = "gfx900"
SLICE = 200
ALL = 20_000
BATCH = 1_000
IGNORED_SECTIONS = frozenset((".comment", ".debug_line", ".debug_frame", ".eh_frame"))
# Values with names that only the build can define: lines that depend on them are not judged.
NOT_LINKABLE = (
    "expected relocatable expression",
    "could not be evaluated",
    "expected absolute expression",
    "expression is not absolute",
    "can not be undefined in a subtraction expression",
)
STRICTER = ("not a multiple of 4", "can hold only zeros", "`.endr` ends nothing")

pytestmark = pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)


def mistakes(built: Program) -> list[str]:
    """Why we reject a program: errors, and names whose value only a build could give."""
    found = [
        f"{problem.where.line + 1}: {problem.problem.rule}: {problem.problem.message}"
        for problem in problems.of(built)
        if RULES[problem.problem.rule].severity is Severity.ERROR
    ]
    return found + [f"`{name}` has no value" for name in built.build_defined]


def difference(text: bytes) -> str:
    """How our result differs from the reference's; empty when it does not."""
    reference = llvm_object.assemble(text, TARGET)
    if reference.message in (llvm_object.GAVE_UP, llvm_object.CRASHED):
        return ""
    built = build(SourceText.from_bytes("k.s", text), Options(target=TARGET))
    wrong = mistakes(built)
    if reference.sections is None:
        excused = wrong or any(part in reference.message for part in NOT_LINKABLE)
        return "" if excused else f"accepted, but line {reference.line}: {reference.message}"
    if wrong:
        return "" if all(any(part in message for part in STRICTER) for message in wrong) else f"rejected: {wrong[0]}"
    ours = {name: data for name in built.layout.sizes if (data := built.section_bytes(name))}
    for name in sorted({*ours, *reference.sections} - IGNORED_SECTIONS):
        mine, other = ours.get(name, b""), reference.sections.get(name, b"")
        if mine != other:
            return f"{name}: {mine.hex()} instead of {other.hex()}"
    return ""


def differences(first: int, count: int) -> list[str]:
    found = ((seed, difference(program(seed))) for seed in range(first, first + count))
    return [f"seed {seed}: {what}" for seed, what in found if what]


def test_a_slice() -> None:
    assert differences(0, SLICE) == []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, ALL, BATCH))
def test_all(first: int) -> None:
    assert differences(first, BATCH) == []
