"""Files of which LLVM's assembler for AMD GPUs reads only a part, or nothing; the rest is left out line by line.

The output of `clang -S` or `hipcc -S` for HIP is one text for the host and for each GPU, divided by comments
(`clang-offload-bundler`). CLRX has an assembler of its own, with directives that LLVM does not have. AMD's CodeXL lists
the code of its shader compiler, with an address and words after each instruction, in the spelling of that compiler.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.syntax.directives import DIRECTIVES
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.map import Derived, LineRun, Mistake

_PART = regex(rb"#\s*__CLANG_OFFLOAD_BUNDLE____(START|END)__\s+(\S+)")
_DEVICE = regex(r"amdgcn\b.*?-(gfx[0-9a-z-]+)")
_WORD = regex(rb"\s*(\.\w+)(?![\w$.:])(?!\s*=)")

_ASSIGNMENT = regex(rb"\s*[\w.$]+\s*=")

# The directives with which a file for CLRX begins: the formats of its output.
_FORMATS = frozenset((b".amd", b".amdcl2", b".gallium", b".rocm", b".rawcode"))
_PREFIX = b".amd"  # which `.amdhsa_kernel` and others pass through while they are typed: the next directive decides
_COMMENTS = (b"#", b";", b"//", b"/*", b"*")
_HEAD = 64  # lines; `clrxdisasm` writes the format on the first or second


class OfAnotherTool(Derived, frozen=True, dict=True):
    """A file of another assembler or disassembler: nothing in it is judged, since its operands are not LLVM's."""

    @property
    def is_judged(self) -> bool:
        """Never: LLVM's assembler would reject correct code."""
        return False


class BundlePart(msgspec.Struct, frozen=True):
    """A part of a bundle: its name, its processor (empty for a host), its lines without the two that enclose it."""

    name: str
    processor: str
    first: int
    end: int


def is_bundle(lines: Sequence[bytes]) -> bool:
    """Whether a text is a bundle: its first line of text says so."""
    first = next((line for line in lines[:_HEAD] if line.strip()), b"")
    return _PART.match(first) is not None


def is_clrx(lines: Sequence[bytes]) -> bool:
    """Whether a text is for CLRX's assembler: a format comes before all code, alone on its line."""
    statements = [line for line in lines[:_HEAD] if line.strip() and not line.lstrip().startswith(_COMMENTS)]
    for line, following in pairwise((*statements, b"")):
        if not _word(line) and not _ASSIGNMENT.match(line):
            return False
        if names_format(line) and (_word(line) != _PREFIX or _is_unknown(following)):
            return True
    return False


def is_listing(lines: Sequence[bytes]) -> bool:
    """Whether a text is CodeXL's listing: all instructions at its head have an address of eight digits and words."""
    indented = [line for line in lines[:_HEAD] if line[:1].isspace() and not line.lstrip().startswith(_COMMENTS)]
    code = [line for line in indented if line.strip()]
    return len(code) >= _FEWEST_LISTED and all(map(_LISTED.search, code))


_LISTED = regex(rb"[a-z].*// [0-9A-F]{8}: [0-9A-F]{8}(?: [0-9A-F]{8})*\s*$")  # LLVM's listings have twelve digits
_FEWEST_LISTED = 4


def names_format(line: bytes) -> bool:
    """Whether a line names a format of CLRX's output, and nothing else."""
    word, _, rest = line.strip().partition(b" ")
    return word in _FORMATS and (not rest.strip() or rest.lstrip().startswith(_COMMENTS))


def _is_unknown(line: bytes) -> bool:
    """Whether a line begins with a directive that LLVM does not have."""
    word = _word(line)
    return bool(word) and word.decode("utf-8", "replace") not in DIRECTIVES


def part_of(source: SourceText, processor: str | None, rule: str = "") -> Derived:
    """The part of a bundle for a processor, or else the first for a GPU, at its own lines.

    rule: the one that reports the other parts.
    """
    parts = tuple(_parts(source.lines))
    devices = [part for part in parts if part.processor]
    chosen = next((part for part in devices if part.processor == processor), devices[0] if devices else None)
    mistakes = (_unread(part, source, rule) for part in devices if part is not chosen)
    kept = range(chosen.first, chosen.end) if chosen is not None else range(0)
    return Derived(source, (_block(source, (kept,), mistakes),))


def listing(source: SourceText, rule: str) -> OfAnotherTool:
    """A listing of CodeXL as it is. rule: the one that reports it."""
    first = next(number for number, line in enumerate(source.lines) if _LISTED.search(line))
    message = (
        "this is a listing of AMD's shader compiler as CodeXL prints it, not LLVM's assembly: "
        "its instructions are explained, but nothing is checked"
    )
    return OfAnotherTool(
        source, (_block(source, (range(len(source.lines)),), (Mistake(rule, _whole(source, first), message),)),)
    )


def clrx(source: SourceText, rule: str) -> OfAnotherTool:
    """A text for CLRX without the directives that LLVM does not have. rule: the one that reports it."""
    known = frozenset(name.encode() for name in DIRECTIVES)
    kept = [range(number, number + 1) for number, line in enumerate(source.lines) if _word(line) in (b"", *known)]
    first = next(number for number, line in enumerate(source.lines) if names_format(line))
    message = "this is written for CLRX's assembler, not LLVM's: its instructions are explained, but nothing is checked"
    mistake = Mistake(rule, _whole(source, first), message)
    return OfAnotherTool(source, (_block(source, kept, (mistake,)),))


def _word(line: bytes) -> bytes:
    """The directive that a line begins with; empty for any other line."""
    found = _WORD.match(line)
    return found[1] if found is not None else b""


def _parts(lines: Sequence[bytes]) -> Iterator[BundlePart]:
    marks = [(number, found) for number, line in enumerate(lines) if (found := _PART.match(line))]
    for (number, found), (end, _) in zip(marks, (*marks[1:], (len(lines), None)), strict=True):
        if found[1] == b"START":
            name = found[2].decode("utf-8", "replace")
            device = _DEVICE.search(name)
            yield BundlePart(name, device[1].rstrip("-") if device is not None else "", number + 1, end)


def _unread(part: BundlePart, source: SourceText, rule: str) -> Mistake:
    message = f"the bundle's part for {part.processor} is not checked here; `--target {part.processor}` checks it"
    return Mistake(rule, _whole(source, part.first - 1), message)


def _whole(source: SourceText, line: int) -> Location:
    text = source.lines[line]
    return Location("", line, len(text) - len(text.lstrip()), len(text.rstrip()))


def _block(source: SourceText, kept: Iterable[range], mistakes: Iterable[Mistake]) -> LineRun:
    """The lines of a text, those that are not kept empty."""
    lines = [b""] * len(source.lines)
    for rows in kept:
        lines[rows.start : rows.stop] = source.lines[rows.start : rows.stop]
    return LineRun(len(lines), tuple(lines), None, tuple(mistakes))
