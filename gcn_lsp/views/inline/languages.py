"""The languages that have inline assembly: asked of every file, so it imports nothing."""

import os

C_SUFFIXES = frozenset((
    ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".inl", ".hip", ".cu", ".cuh", ".cl", ".clh",
))  # fmt: skip
PYTHON_SUFFIXES = frozenset((".py",))
SUFFIXES = C_SUFFIXES | PYTHON_SUFFIXES

C_LANGUAGES = frozenset(("c", "cpp", "hip", "opencl", "opencl-c", "openclc", "cuda", "cuda-cpp"))
PYTHON = "python"


def is_source(path: str, language: str = "") -> bool:
    """Whether a file may have inline assembly: by its language as editors name it, or else by the file's name."""
    if language:
        return language in C_LANGUAGES or language == PYTHON
    return os.path.splitext(path)[1].lower() in SUFFIXES
