"""The lines of the sources that a kernel was compiled from, for those who show a run there."""

import os
from collections.abc import Callable

from gcn_lsp.running.opened import RunnableFile
from gcn_lsp.text import Location
from gcn_lsp.views import source_lines
from gcn_lsp.views.view import SourcePlace


def of(file: RunnableFile) -> "Callable[[int], tuple[Location, ...]]":
    """A function that gives the place of the source behind a line of the program, then the calls that it is inlined at.

    It gives none where neither `.loc` nor the debug information of a code object says one.
    """
    program = file.image.program
    view = file.file.view
    written = {} if view is not None else dict(source_lines.places(program))
    folder = os.path.dirname(os.path.abspath(file.path))

    def located(place: SourcePlace) -> Location:
        found = program.options.include(program.path, place.file)
        path = found.path if found is not None else os.path.normpath(os.path.join(folder, place.file))
        column = max(place.column - 1, 0)
        return Location(path, place.line - 1, column, column)

    def places(line: int) -> "tuple[Location, ...]":
        place = view.place(line) if view is not None else written.get(line)
        return () if place is None else tuple(located(each) for each in (place, *place.inlined_at))

    return places
