"""Lines that disassemblers write and assemblers do not read: labels with their addresses, and what says what follows.

`llvm-objdump -d` of a code object gives `0000000000001c00 <name>:` for a label, `name.co: file format elf64-amdgpu` and
`Disassembly of section .text:` before the code, and `...` for zeros that it leaves out. All else in such a listing is
assembly, the addresses and bytes after it are comments. The grammar reads them as labels and comments.
"""

import re

from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Kind, Statement

_NAME = re.compile(rb"[A-Za-z_.$][A-Za-z0-9_.$@]*")
_SECTION = b"Disassembly of section "
_COMMENT_SIGNS = (b";", b"//", b"/*", b"#")


def is_label(statement: Statement) -> bool:
    """Whether `statement` is a label as only listings have it: `<name>:`."""
    return statement.kind is Kind.LABEL and statement.line[statement.name_start - 1 : statement.name_start] == b"<"


def as_assembly(text: bytes) -> bytes | None:
    """A line of a listing as assemblers read it; None where `text` is one that they read.

    A section's title names the section. A name that needs quotes gets them.
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
