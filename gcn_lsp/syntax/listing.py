"""Lines that disassemblers write and assemblers do not read: labels with addresses, and headings.

`llvm-objdump -d` of a code object writes `0000000000001c00 <name>:` for a label, `name.co: file format elf64-amdgpu`
and `Disassembly of section .text:` before the code, and `...` for zeros that it leaves out. The rest of such a listing
is assembly; the addresses and bytes after it are comments. The grammar reads those lines as labels and comments.
"""

from gcn_lsp.patterns import regex
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Statement, StatementKind

_NAME = regex(rb"[A-Za-z_.$][A-Za-z0-9_.$@]*")
_SECTION = b"Disassembly of section "
_COMMENT_SIGNS = (b";", b"//", b"/*", b"#")


def is_label(statement: Statement) -> bool:
    """Whether `statement` is a label that only listings have: `<name>:`."""
    return (
        statement.kind is StatementKind.LABEL
        and statement.line[statement.name_start - 1 : statement.name_start] == b"<"
    )


def as_assembly(text: bytes) -> bytes | None:
    """A listing's line as assemblers read it; None for a line that they read anyway.

    A section's heading names the section. A name that needs quotes gets them.
    """
    line = parse_line(text)
    if not line.statements and line.comment_start is not None:
        comment = text[line.comment_start :]
        if comment.startswith(_COMMENT_SIGNS):
            return None
        if not comment.startswith(_SECTION):
            return b"// " + comment
        section = comment[len(_SECTION) : -1]
        return b".text" if section == b".text" else b".section " + section
    if not line.statements or not is_label(line.statements[0]):
        return None
    label = line.statements[0]
    name = text[label.name_start : label.name_end]
    return (name if _NAME.fullmatch(name) else b'"' + name + b'"') + b":"
