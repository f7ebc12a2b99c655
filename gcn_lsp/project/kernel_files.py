"""Finds the files in a folder that may be checked, by their names."""

import os
from collections.abc import Iterator

from gcn_lsp.project import inline

# Endings of AMD GPU assembly, certain or possible. `.inc` is left out: such a file is part of those that include it.
SUFFIXES = frozenset({".s", ".asm", ".gcn", ".amdgcn", ".isa"})

# Endings that consist of one of these and a generation, as in `.rdna3`.
PREFIXES = (".rdna", ".cdna")


def walk(directory: str) -> Iterator[str]:
    """The assembly files, and the sources that may have inline assembly, in a folder and below, sorted by folder.

    Hidden folders are skipped.
    """
    for folder, folders, files in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = os.path.normpath(os.path.join(folder, name))
            if is_assembly(name) or inline.is_source(path):
                yield path


def is_assembly(name: str) -> bool:
    """Whether a file's name is one of assembly."""
    ending = os.path.splitext(name)[1].lower()
    return ending in SUFFIXES or ending.startswith(PREFIXES)
