"""Describes data among the code: the instructions that the hardware reads there."""

from typing import TYPE_CHECKING

from gcn_lsp.ide.describe import markdown, page, subject
from gcn_lsp.ide.reading import data_lines

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_MOST = 8  # instructions of one line


def describe(program: "Program", line: int) -> str | None:
    """The instructions that begin in the data on a line, and the page of the only one; None if there are none."""
    decoded = [read.decoded for read in data_lines.on_line(program, line) if read.decoded is not None]
    if not decoded:
        return None
    texts = [one.text for one in decoded[:_MOST]]
    shown = markdown.block("\n".join([*texts, "..."] if len(decoded) > _MOST else texts))
    said = markdown.join("Among the code, these data are:", shown)
    if len(decoded) > 1:
        return said
    form = decoded[0].form
    return markdown.join(said, markdown.RULE, page.text(subject.of(form.mnemonic, program.target, form)))
