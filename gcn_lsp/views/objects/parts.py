"""Paths of what is in a file with code objects: `FILE(NAME)`, as LLVM's tools name the members of an archive."""

import os
import re

from gcn_lsp.patterns import regex

_PART = regex(r"(.+)\(([^()]+)\)", re.DOTALL)


def divided(path: str) -> tuple[str, str]:
    """`FILE` and `NAME` of `FILE(NAME)`; no name for another path."""
    match = _PART.fullmatch(path)
    return (match[1], match[2]) if match is not None else (path, "")


def file_of(path: str) -> tuple[str, list[str]]:
    """The file that holds what a path names, and the names in it, the outermost first."""
    holder, name = divided(path)
    if not name or os.path.exists(path):
        return path, []
    file, names = file_of(holder)
    return file, [*names, name]
