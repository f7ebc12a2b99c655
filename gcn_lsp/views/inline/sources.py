"""The statements of a source in any of the languages that have inline assembly."""

import os

from gcn_lsp.views.inline import scan
from gcn_lsp.views.inline.statement import Statement

C_SUFFIXES = frozenset((
    ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".inl", ".hip", ".cu", ".cuh", ".cl", ".clh",
))  # fmt: skip
PYTHON_SUFFIXES = frozenset((".py",))
SUFFIXES = C_SUFFIXES | PYTHON_SUFFIXES

_C_LANGUAGES = frozenset(("c", "cpp", "hip", "opencl", "opencl-c", "openclc", "cuda", "cuda-cpp"))
_PYTHON = "python"


def is_source(path: str, language: str = "") -> bool:
    """Whether a file may have inline assembly: by its language as editors name it, or else by the file's name."""
    if language:
        return language in _C_LANGUAGES or language == _PYTHON
    return os.path.splitext(path)[1].lower() in SUFFIXES


def statements(path: str, data: bytes, language: str = "") -> tuple[Statement, ...]:
    """The inline assembly statements of a source; its language as editors name it, or else by the file's name."""
    if not scan.mentions_assembly(data):
        return ()
    suffix = os.path.splitext(path)[1].lower()
    if language in _C_LANGUAGES or (not language and suffix in C_SUFFIXES):
        from gcn_lsp.views.inline import cpp  # late: few files need it, and its grammar takes a while to load

        return cpp.statements(data)
    if language == _PYTHON or (not language and suffix in PYTHON_SUFFIXES):
        from gcn_lsp.views.inline import python  # late: as above

        return python.statements(data)
    return ()
