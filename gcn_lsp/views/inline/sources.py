"""The statements of a source in any of the languages that have inline assembly."""

import os

from gcn_lsp.views.inline import scan
from gcn_lsp.views.inline.languages import C_LANGUAGES, C_SUFFIXES, PYTHON, PYTHON_SUFFIXES
from gcn_lsp.views.inline.statement import Statement


def statements(path: str, data: bytes, language: str = "") -> tuple[Statement, ...]:
    """The inline assembly statements of a source; its language as editors name it, or else by the file's name."""
    if not scan.mentions_assembly(data):
        return ()
    suffix = os.path.splitext(path)[1].lower()
    if language in C_LANGUAGES or (not language and suffix in C_SUFFIXES):
        from gcn_lsp.views.inline import cpp  # late: few files need it, and its grammar takes a while to load

        return cpp.statements(data)
    if language == PYTHON or (not language and suffix in PYTHON_SUFFIXES):
        from gcn_lsp.views.inline import python  # late: as above

        return python.statements(data)
    return ()
