"""Describes a builtin of clang: its type, and what it becomes on the targets at hand."""

from collections.abc import Sequence

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown, targets
from gcn_lsp.isa import builtins, documentation
from gcn_lsp.isa.builtins import SEVERAL, Builtin
from gcn_lsp.isa.versions import VERSIONS


def describe(name: str, for_: Sequence[isa.Target]) -> str | None:
    """What a builtin becomes on each target; on those that have it if there is none. None for an unknown name."""
    versions = builtins.versions_with(name)
    if not versions:
        return None
    rows = builtins.named(name, versions[0])
    head = markdown.block(declaration(rows[0]), "cpp")
    if not for_:
        having: dict[tuple[str, ...], list[str]] = {}
        for row in rows:
            having.setdefault(row.instructions, []).extend(each for each in isa.target_names() if row.is_on(each))
        said = [f"- {targets.summary(members)}: {becomes(mnemonics)}" for mnemonics, members in having.items()]
        return markdown.join(head, _only(versions), "\n".join(said))
    return markdown.join(head, *list(dict.fromkeys(_on(name, target) for target in for_)))


def becomes(instructions: Sequence[str]) -> str:
    """What clang makes of a builtin, as the end of a sentence."""
    if SEVERAL in instructions:
        return "several instructions"
    return markdown.listing(instructions) if instructions else "no instruction of its own"


def declaration(row: Builtin) -> str:
    """The builtin's declaration, with vectors as `float4`."""
    found = row.declaration
    for count in (2, 3, 4, 6, 8, 10, 16, 32):
        found = found.replace(f"_ExtVector<{count}, ", f"vector<{count}, ")
    return found.replace("_Constant ", "constant ")


def _only(versions: Sequence[int]) -> str:
    """A sentence about a builtin that not every version of clang has; empty for others."""
    return "" if len(versions) == len(VERSIONS) else f"Only clang {' or '.join(map(str, versions))} has it."


def _on(name: str, target: isa.Target) -> str:
    row = builtins.on(name, target)
    if row is None:
        rows = builtins.named(name, target.llvm)
        if not rows:
            return f"clang {target.llvm} does not have it. {_only(builtins.versions_with(name))}"
        having = [each for each in isa.target_names() if any(one.is_on(each) for one in rows)]
        return f"{target.name} does not have it; targets that do: {targets.summary(having)}."
    said = f"On {target.name} it becomes {becomes(row.instructions)}."
    if len(row.instructions) != 1:
        return said
    entry = documentation.entry(row.instructions[0], target)
    return markdown.join(said, entry.summary if entry is not None else "")
