"""Programs for the tests of the machine: sources that are assembled in memory."""

from gcn_lsp.machine.image import Image
from gcn_lsp.program import program
from gcn_lsp.program.incremental import Options
from gcn_lsp.text import SourceText


def image(text: str, target: str, mattr: str = "") -> Image:
    """The image of a source."""
    source = SourceText.from_bytes("kernel.s", text.encode())
    return Image(program.build(source, Options(target=target, mattr=mattr, is_edited=False)))
