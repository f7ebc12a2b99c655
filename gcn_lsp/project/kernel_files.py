"""Finds the files in a folder that may be checked, by their names."""

import os
from collections.abc import Iterator

from gcn_lsp.project import inline, signs
from gcn_lsp.project.files import Files

# Endings of AMD GPU assembly, certain or possible. `.inc` is left out: such a file is part of those that include it.
SUFFIXES = frozenset({".s", ".asm", ".gcn", ".amdgcn", ".isa"})

_SHARED = frozenset({".s", ".asm"})

# Endings that consist of one of these and a generation, as in `.rdna3`.
PREFIXES = (".rdna", ".cdna")


def walk(directory: str) -> Iterator[str]:
    """The assembly files, and the sources that may have inline assembly, in a folder and below, sorted by folder.

    Hidden folders are skipped, and assembly that shows signs of another processor only.
    """
    for folder, folders, files in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.normpath(os.path.join(folder, name))
            if inline.is_source(path) or (is_assembly(name) and not _is_foreign(path)):
                yield path


def _is_foreign(path: str) -> bool:
    """Whether a file whose name any processor's assembly may have is for another one."""
    if os.path.splitext(path)[1].lower() not in _SHARED:
        return False
    source = Files().readable(path)
    return source is not None and signs.is_foreign(source.to_bytes())


def is_assembly(name: str) -> bool:
    """Whether a file's name is one of assembly."""
    ending = os.path.splitext(name)[1].lower()
    return ending in SUFFIXES or ending.startswith(PREFIXES)
