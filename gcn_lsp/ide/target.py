"""The target of a file and the reason for it, as a label for the status line and as a page for its hover."""

from typing import TYPE_CHECKING

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown
from gcn_lsp.text import Location, SourceText, TextEdit

if TYPE_CHECKING:
    from gcn_lsp.program.candidates import Candidates
    from gcn_lsp.program.program import Program


class TargetInfo(msgspec.Struct, frozen=True):
    """label: for a status line. markdown: the target, its features, and the source that named it."""

    label: str
    markdown: str


def target_info(name: str, mattr: str, reason: str, candidates: "Candidates[Program] | None" = None) -> TargetInfo:
    """The target `name` with features `mattr` as the project chose it; `reason` says which source named it.

    candidates: where nothing named it, those that it is assumed from.
    """
    target = isa.load_target(name, mattr)
    features = f" with {markdown.code(mattr)}" if mattr else ""
    facts = f"{target.generation}, waves of {target.wavefront_size} lanes, {len(target.mnemonics)} mnemonics."
    label = f"{name} {mattr}".rstrip()
    if candidates is None:
        return TargetInfo(label, markdown.join(f"**{name}**{features}: {markdown.sentence(reason)}.", facts))
    said = f"**{name}**{features} is assumed: {markdown.sentence(assumption(candidates, reason).partition(': ')[2])}."
    ways = "\n".join(f"- {way.format(name)}" for way in _WAYS)
    return TargetInfo(f"{label}?", markdown.join(said, facts, "Name the target with", ways))


def assumption(candidates: "Candidates[Program]", reason: str) -> str:
    """The target that a file is taken for and why: `gfx942 assumed: ...`."""
    others = [name for name in candidates.names if name != candidates.name]
    if not others:
        return f"{candidates.name} assumed: {reason}; no other target takes all mnemonics of the file"
    listed = others[0] if len(others) == 1 else f"{', '.join(others[:-1])} or {others[-1]}"
    said = f"{reason}; it may also be for {listed}, and findings are those that all of these share"
    return f"{candidates.name} assumed: {said}"


def configuration(program: "Program") -> str:
    """What a status line says of a file whose build defines symbols; empty if it defines none."""
    names = program.build_defined
    if not names:
        return ""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return (
        f"The configuration is unknown: only the build can define {markdown.listing(names[:_LISTED])}{more}. "
        "Lines that depend on them are not checked. Give values with `defines` in `gcn-lsp.toml` or with `--defsym`."
    )


def naming(source: SourceText, name: str) -> TextEdit:
    """The edit that names the target of a file in a comment before its first line."""
    comment = "// gcn-lsp: target="
    stop = (len(comment), len(comment) + len(name))
    return TextEdit(Location(source.path, 0, 0, 0), f"{comment}{name}\n", stops=(stop,))


_LISTED = 8  # names in a text

_WAYS = (
    "a comment in the file: `; gcn-lsp: target={}`",
    '`target = "{}"` in `gcn-lsp.toml`, or under `[tool.gcn-lsp]` in `pyproject.toml`',
    "the editor's setting, or the option `--target`",
)
