"""Findings of a program at the places that people look at: of the file as it is written, or of its source."""

from collections.abc import Iterable
from functools import partial

from gcn_lsp.findings.compiled_source import at_source
from gcn_lsp.findings.model import Finding
from gcn_lsp.ide import source_lines as sources
from gcn_lsp.program.program import Program
from gcn_lsp.project import dialects
from gcn_lsp.project.settings import Settings
from gcn_lsp.views import source_lines
from gcn_lsp.views.view import View


def at_places(
    made: Program, text: dialects.Derived, settings: Settings, found: Iterable[Finding], view: View | None = None
) -> Iterable[Finding]:
    """What is wrong with a text, then what was found in its program, where the settings want it. view: of an object."""
    found = dialects.in_original(text, (*dialects.mistakes(text), *found))
    if settings.report_at != "source" or not text.is_written:
        return found
    find = partial(source_lines.at, made) if view is None else view.place
    return at_source(made.path, found, find, partial(sources.location, made))
