"""Finds the files in a folder that may be checked, by their names."""

import os
from collections.abc import Iterator

from gcn_lsp.project import inline, signs
from gcn_lsp.project.files import Files

# A file that others include is checked as a part of these.
_ENDINGS = frozenset((*signs.SURE_ENDINGS, *signs.SHARED_ENDINGS)) - frozenset(signs.INCLUDED_ENDINGS)


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
    if signs.ending(path) not in signs.SHARED_ENDINGS:
        return False
    source = Files().readable(path)
    return source is not None and signs.is_foreign(source.to_bytes())


def is_assembly(name: str) -> bool:
    """Whether a file's name is one of assembly."""
    return signs.ending(name) in _ENDINGS
