"""portability: a line assembles for the file's target, but not for another of its targets.

What it checks

A file with several targets (`targets = ["gfx90a", "gfx942"]` in the configuration, `--targets`, or a comment as below)
is checked for the first as usual, and interpreted once more for each of the others. Predefined symbols such as
`.amdgcn.gfx_generation_number` have that target's values, so each conditional takes the branch that it takes there. A
line that another target rejects, in a macro body too, is reported once, with the targets that reject it and the first
one's reason. Lines that the first target rejects are reported by their own rules.

Why it matters

A shared file breaks on the other processors as soon as someone uses an instruction that only their own has.

Example

    ; gcn-lsp: targets=gfx90a,gfx942
    v_mfma_f32_32x32x4bf16 v[0:15], v32, v33, v[0:15]

Use instead

    ; gcn-lsp: targets=gfx90a,gfx942
    v_mfma_f32_32x32x8bf16_1k v[0:15], v[32:33], v[34:35], v[0:15]

Targets

All. A file with one target is not checked.
"""

from collections.abc import Iterator

from gcn_lsp.findings import expansion
from gcn_lsp.findings.rule import Finding, Rule, RuleReport, Severity, Stage
from gcn_lsp.program import problems
from gcn_lsp.program.problems import PlacedProblem
from gcn_lsp.program.program import Program
from gcn_lsp.text import message

_Line = tuple[str, int]


def check(program: Program, report: RuleReport) -> Iterator[Finding]:
    """A finding for each line that one of the other targets rejects and this one does not."""
    wrong_here = _rejected(program, report) if program.options.others else {}
    rejecting: dict[_Line, list[tuple[Program, PlacedProblem]]] = {}
    for other in program.others:
        for line, placed in _rejected(other, report).items():
            if line not in wrong_here:
                rejecting.setdefault(line, []).append((other, placed))
    for found in rejecting.values():
        other, placed = found[0]
        names = [_name(each) for each, _ in found]
        listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        why = placed.said if len(names) == 1 else message("{}: {}", names[0], placed.said)
        said = message("{} {} this line; {}", listed, "rejects" if len(names) == 1 else "reject", why)
        yield RULE.at(placed.where, said, expansion.related(placed.steps))


RULE = Rule("portability", Severity.WARNING, __doc__, Stage.PROGRAM, check_report=check)


def _rejected(program: Program, report: RuleReport) -> dict[_Line, PlacedProblem]:
    """The lines with an error, each with its first."""
    found: dict[_Line, PlacedProblem] = {}
    for placed in problems.of(program):
        if report.rules.kind(placed.problem.rule).severity is Severity.ERROR:
            found.setdefault((placed.where.path, placed.where.line), placed)
    return found


def _name(program: Program) -> str:
    return f"{program.options.target} {program.options.mattr}".rstrip()
