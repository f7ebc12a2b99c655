"""Finds the files that a command line means: files as named, directories searched for assembly."""

import os
from collections.abc import Iterable, Iterator

STDIN = "-"

# Endings that mean AMD GPU assembly or may. `.inc` is left out: such a file is part of those which include it.
SUFFIXES = frozenset({".s", ".asm", ".gcn", ".amdgcn", ".isa"})

# Endings that begin so are followed by a generation, as in `.rdna3`.
PREFIXES = (".rdna", ".cdna")


def expand(paths: Iterable[str]) -> Iterator[str]:
    """The files of `paths`, each once: named ones whatever their ending, those in directories by their ending."""
    seen = set()
    for path in paths:
        for file in walk(path) if path != STDIN and os.path.isdir(path) else (path,):
            key = os.path.abspath(file)
            if key not in seen:
                seen.add(key)
                yield file


def walk(directory: str) -> Iterator[str]:
    """The assembly files under `directory`, sorted; hidden directories are passed over."""
    for folder, folders, files in os.walk(directory):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            ending = os.path.splitext(name)[1].lower()
            if ending in SUFFIXES or ending.startswith(PREFIXES):
                yield os.path.normpath(os.path.join(folder, name))
