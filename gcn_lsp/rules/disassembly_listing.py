"""disassembly-listing: the file is a disassembler's listing, which assemblers do not read.

What it checks

Lines as `llvm-objdump -d` writes them: labels with addresses, such as `0000000000001c00 <name>:`, and the names of the
file and the section before the code. They are read as the assembly that they show, so the kernel is checked as usual.
The rule reports the first such line; its fix converts all of them to assembly.

Why it matters

If a kernel exists only as a code object, changing it means assembling its listing again, and assemblers reject these
lines.

Example

    ; gcn-lsp: target=gfx90a
    Disassembly of section .text:

    0000000000001c00 <wait_for_nothing>:
        s_waitcnt lgkmcnt(0)                                       // 000000001C00: BF8CC07F
        s_endpgm                                                   // 000000001C04: BF810000

Use instead

    ; gcn-lsp: target=gfx90a
    .text

    wait_for_nothing:
        s_waitcnt lgkmcnt(0)                                       // 000000001C00: BF8CC07F
        s_endpgm                                                   // 000000001C04: BF810000

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.program import Program
from gcn_lsp.syntax import listing
from gcn_lsp.text import Location, TextEdit

_MESSAGE = "this is a disassembler's listing: it is read as assembly here, but assemblers reject such lines"
_TITLE = "Convert the listing to assembly"


def check(program: Program) -> Iterator[Finding]:
    """A finding at the first line of the main file that only a listing has; its fix rewrites all such lines."""
    # Every listing has a label, and looking at labels alone is the quickest way to see that a file is not one.
    if not any(map(_has_listed_label, program.chunks)):
        return
    edits = tuple(
        TextEdit(Location(program.path, base + number, 0, len(text)), written.decode("utf-8", "surrogateescape"))
        for chunk, base in zip(program.chunks, program.bases, strict=False)
        for number, text in enumerate(chunk.lines)
        if number not in chunk.commented and number not in chunk.raw
        if (written := listing.as_assembly(text)) is not None
    )
    if not edits:
        return
    line = edits[0].where.line
    text = program.source.lines[line]
    where = Location(program.path, line, len(text) - len(text.lstrip()), len(text.rstrip()))
    yield RULE.at(where, _MESSAGE, fixes=(Fix(_TITLE, edits),))


RULE = Rule("disassembly-listing", Severity.INFORMATION, __doc__, Stage.TEXT, check=check, any_target=True)


def _has_listed_label(chunk: Chunk) -> bool:
    """Whether a label of the main file is written as disassemblers write it."""
    for _, _, _, index in chunk.labels:
        item = chunk.items[index] if index < len(chunk.items) else None
        if item is not None and item.kind == "label" and item.written.container is None:
            statement = item.statement
            if listing.is_label(statement):
                return True
    return False
