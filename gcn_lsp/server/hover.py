"""`textDocument/hover`."""

from lsprotocol import types

from gcn_lsp.ide import hover as ide
from gcn_lsp.ide import source_lines
from gcn_lsp.ide.describe.hovered import HoverResult
from gcn_lsp.ide.describe.markdown import join
from gcn_lsp.ide.reading import cursors
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import FileSnapshot, Snapshot


def hover(snapshot: Snapshot, params: types.HoverParams) -> wire.Hover | None:
    """The hover at the cursor."""
    own = snapshot.words.hover(*convert.position_to_place(snapshot, params.position))
    if own is not None:
        return shown(snapshot, own)
    line, column = convert.position_to_program(snapshot, params.position)
    found = ide.hover(snapshot.program, line, column)
    place = snapshot.compiled_from(line) if found is not None else None
    if found is not None and place is not None:
        found = HoverResult(found.where, join(found.said, source_lines.describe_place(snapshot.program, place)))
    return shown(snapshot, found)


def before_analysis(snapshot: FileSnapshot, params: types.HoverParams) -> wire.Hover | None:
    """The hover from the program if it is built, else from the line and the tables alone; None to wait for more.

    It runs in the middle of a document's first analysis, and so follows no control.
    """
    line, column = convert.position_to_place(snapshot, params.position)
    program = snapshot.built_so_far
    if program is not None:
        return shown(snapshot, ide.hover(program.without_flow(), line, column))
    program = snapshot.program_of_line(line)
    if program is None:
        return None
    cursor = cursors.locate(program.line(0), column)
    if not cursors.is_command(cursor) and not cursors.is_register(cursor, program.target):
        return None  # the line alone does not say what a symbol or a label is
    found = ide.hover(program, 0, column)
    if found is None:
        return None
    # Not by its location, since that asks for the program.
    where = convert.span_to_range(snapshot.source.lines[line], line, found.where.start, found.where.end, snapshot)
    return wire.Hover(convert.markup(snapshot, found.markdown), where)


def shown(snapshot: Snapshot, found: HoverResult | None) -> wire.Hover | None:
    """A hover as a client takes it."""
    if found is None:
        return None
    markdown = convert.markdown(snapshot, found.said)
    return wire.Hover(convert.markup(snapshot, markdown), convert.location_to_range(snapshot, found.where))
