"""Recognises files that are no assembly, so that one sentence says what they are in place of an error for each line."""

import os
import re

from gcn_lsp.patterns import regex
from gcn_lsp.project import file_signs
from gcn_lsp.text import SourceText

_COMPILED = "{} and not assembly: `clang -S` makes assembly of it"
OBJECT_ENDINGS = (".co", ".hsaco", ".hipfb", ".o")
"""How the names of code objects end."""

_SUFFIXES = {
    **dict.fromkeys((".c",), _COMPILED.format("C")),
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".c++"), _COMPILED.format("C++")),
    **dict.fromkeys((".hh", ".hpp", ".hxx"), "C++ and not assembly"),
    ".hip": _COMPILED.format("HIP C++"),
    **dict.fromkeys((".cu", ".cuh"), "CUDA C++ and not assembly"),
    **dict.fromkeys((".cl", ".clh"), _COMPILED.format("OpenCL C")),
    ".ll": "LLVM's representation and not assembly: `llc` makes assembly of it",
    ".mlir": "MLIR and not assembly",
    ".py": "Python and not assembly",
}
# Headers with these names may have macros for `.S` files; a declaration says that one is of C or C++.
_HEADERS = frozenset((".h", ".inl"))
_DECLARATION = regex(rb"^\s*(?:typedef|template|namespace|extern|struct|class|enum|using|static|inline)\b", re.M)
_LOOKED_AT = 4096  # bytes
_SIGNIFICANT = 4000  # lines that are searched for signs of a processor
_FEW = 0.1  # of the bytes; assembly has hardly any that are no text


def what_else(source: SourceText) -> str:
    """What a file is if it is not assembly, as the end of a sentence; empty for assembly."""
    suffix = os.path.splitext(source.path)[1].lower()
    start = b"\n".join(source.lines[:64])[:_LOOKED_AT]
    if suffix in _HEADERS and _DECLARATION.search(start):
        return "C or C++ and not assembly"
    if _is_binary(start):
        return "binary and not a code object that can be read"
    if suffix in OBJECT_ENDINGS:  # what is an object has been read as one
        return "text and not a code object"
    return _SUFFIXES.get(suffix, "")


def for_another_processor(source: SourceText) -> str:
    """The end of a sentence about assembly for another processor; empty for any other file."""
    if file_signs.is_foreign_file(source.path, b"\n".join(source.lines[:_SIGNIFICANT])):
        return "assembly for another processor; `--target` checks it all the same"
    return ""


def _is_binary(start: bytes) -> bool:
    text = start.decode("utf-8", "replace")
    strange = sum(not (letter.isprintable() or letter in "\t\n\f\v") or letter == "\ufffd" for letter in text)
    return "\0" in text and strange > len(text) * _FEW
