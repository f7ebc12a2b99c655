"""former-directive: a directive that LLVM has dropped.

What it checks

Directives of older code objects: `.hsa_code_object_version`, `.hsa_code_object_isa` and `.amd_amdgpu_hsa_metadata` of
version 2, which LLVM 18 dropped, and `.hsatext` and two forms of metadata, which were dropped earlier. A file has one
finding, at the first of them; the related places are the others.

The fix replaces them all. There is none for metadata, whose keys differ, nor beside `.amd_kernel_code_t`, whose
successor is `.amdhsa_kernel`: there an editor offers *Write `.amdhsa_kernel` in place of the header*. That replaces the
others too, and makes comments of the metadata; *Write the metadata of this descriptor* follows.

Why it matters

Current assemblers stop at such a line, and current runtimes load no code object of version 2.

Example

    ; gcn-lsp: target=gfx900
    .hsa_code_object_version 2, 1
    .hsa_code_object_isa 9, 0, 0, "AMD", "AMDGPU"
    s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
    s_endpgm

Targets

All.
"""

from collections.abc import Iterator

import msgspec

from gcn_lsp.findings import expansion, sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.syntax.directives import FORMER
from gcn_lsp.text import Location


class _Dropped(msgspec.Struct, frozen=True):
    """A dropped directive and its place. opens_block: lines of metadata follow it."""

    word: str
    place: sites.WrittenPlace
    opens_block: bool = False


def check(program: Program) -> Iterator[Finding]:
    """A finding at the first dropped directive; the others are its related places."""
    found = sorted(_directives(program), key=lambda each: each.place.where)
    if not found:
        return
    first, *others = found
    since = FORMER[first.word].until
    message = f"LLVM {since} dropped" if since else "LLVM no longer knows"
    message += f" `{first.word}`: {_instead(first.word)}"
    if _has_header(program):
        message += "; the successor of `.amd_kernel_code_t` is `.amdhsa_kernel`"
    related = [Related(each.place.where, f"`{each.word}`: {_instead(each.word)}") for each in others]
    yield RULE.at(first.place.where, message, (*first.place.related, *related), _fixes(program, found))


RULE = Rule("former-directive", Severity.ERROR, __doc__, Stage.PROGRAM, check=check, any_target=True)


def _instead(word: str) -> str:
    instead = FORMER[word].instead
    return f"use `{instead}`" if instead else "leave it out"


def _has_header(program: Program) -> bool:
    return any(chunk.headers for chunk in program.chunks)


def _directives(program: Program) -> Iterator[_Dropped]:
    for number, chunk in enumerate(program.chunks):
        for noted in chunk.former:
            statement = noted.statement
            where, own = program.locate(number, noted.written, statement.line, statement.name_start, statement.end)
            related = expansion.related(program.steps(number, noted.written.frame))
            yield _Dropped(noted.name, sites.WrittenPlace(where, related, own))
        for block in chunk.metadata:
            if block.word in FORMER:
                path, line = program.line_place(number, block.container, block.first_line - 1)
                start = max(program.line_text(path, line).find(block.word.encode()), 0)
                where = Location(path, line, start, start + len(block.word))
                yield _Dropped(block.word, sites.WrittenPlace(where, (), False), opens_block=True)


def _fixes(program: Program, found: list[_Dropped]) -> tuple[Fix, ...]:
    """The fix that replaces all of them; none if more than these lines has to change."""
    if _has_header(program) or any(each.opens_block or each.place.related or not each.place.own for each in found):
        return ()
    target = program.target if program.candidates is None else None
    if any(b".amdgcn_target" in line for line in program.source.lines):
        target = None
    edits = []
    for each in found:
        instead = FORMER[each.word].instead
        if instead == ".amdgcn_target":
            instead = f'{instead} "amdgcn-amd-amdhsa--{target.name}"' if target is not None else ""
            target = None  # one is enough
        edits.append(sites.replacement(each.place, instead) if instead else sites.removal(program, each.place))
    return (Fix("Change to what current assemblers take", tuple(edit for edit in edits if edit is not None)),)
