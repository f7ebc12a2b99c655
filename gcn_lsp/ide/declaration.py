"""Where a label is declared: the directives that export or describe it, its kernel's descriptor, its metadata."""

from typing import TYPE_CHECKING

from gcn_lsp.ide.definition import definition
from gcn_lsp.ide.reading import cursors, mentions, metadata_names, scope
from gcn_lsp.syntax import directives
from gcn_lsp.syntax.directives import Family
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_DECLARING = directives.words(Family.LINKAGE) | {".type", ".amdhsa_kernel", ".amdgpu_hsa_kernel"}


def declaration(program: "Program", line: int, column: int) -> list[Location]:
    """The declarations of the label at byte `column` of `line`, in the order of the text.

    A name without one, such as a macro's, is declared where it is defined.
    """
    name = label_at(program, line, column)
    found = [
        *(each.where for each in mentions.mentions(program, name) if _declares(program, each.where)),
        *(each.where for each in mentions.mentions(program, f"{name}.kd") if _declares(program, each.where)),
        *metadata_names.places(program, name),
    ]
    return sorted(found) if name and found else definition(program, line, column)


def label_at(program: "Program", line: int, column: int) -> str:
    """The label or kernel that is named at a place, in code, a directive or metadata; empty if none is."""
    if not 0 <= line < len(program.source.lines):
        return ""
    if scope.in_metadata(program, line):
        return metadata_names.name_at(program, line, column)
    cursor = cursors.locate(program.line(line), column)
    name = cursor.word.text.partition("@")[0].removesuffix(".kd")
    if cursor.place == "comment" or name[:1].isdigit() or cursors.is_register(cursor, program.target):
        return ""
    return name if name in program.layout.labels or _is_declared(program, name) else ""


def _is_declared(program: "Program", name: str) -> bool:
    """Whether a directive names what another file may define."""
    return bool(name) and any(_declares(program, each.where) for each in mentions.mentions(program, name))


def _declares(program: "Program", where: Location) -> bool:
    statements = parse_line(program.line_text(where.path, where.line)).statements
    return any(each.rest_start <= where.start < each.end and each.word in _DECLARING for each in statements)
