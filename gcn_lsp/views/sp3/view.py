"""The view of an SP3 file: its lines as LLVM's assembler reads them, with places in the original."""

import re
from collections.abc import Sequence

import msgspec

from gcn_lsp import isa
from gcn_lsp.text import Location
from gcn_lsp.views.map import Derived, LineRun, MappedBytes, Origin, Translated
from gcn_lsp.views.sp3.interpreter import Interpreter

_SHADER = re.compile(rb"^[ \t]*shader[ \t]+\w+")
_PART = re.compile(rb"^[ \t]*(?:shader[ \t]+\w|function[ \t]+\w+[ \t]*\(|(?:for[ \t]+)?var[ \t]+\w)")
_SETTING = re.compile(rb"^[ \t]*(?:asic|type|wave_size)[ \t]*\(")


def is_sp3(lines: Sequence[bytes], *, is_named_so: bool = False) -> bool:
    """Whether a file is SP3: it has a shader with its settings, or, if its name says so, a part of one."""
    if is_named_so and any(_PART.match(line) for line in lines):
        return True
    return any(_SHADER.match(line) for line in lines) and any(_SETTING.match(line) for line in lines)


def of(behind: Derived, target: "isa.Target", limit: int) -> Translated:
    """The view of an SP3 text behind the preprocessor. limit: of lines."""
    source, original = behind.source, behind.original
    made = Interpreter(source, target, limit)
    made.run()
    places = [behind.origin(line) for line in range(len(source.lines))]
    origins = tuple(_composed(origin, behind, places) for origin in made.origins)
    mistakes = (
        *(msgspec.structs.replace(each, where=_relative(each.where, original.path)) for each in behind.mistakes),
        *(msgspec.structs.replace(each, where=_moved(each.where, behind)) for each in made.mistakes),
    )
    block = LineRun(len(original.lines), tuple(made.lines) or (b"",), origins or (Origin("", 0, ()),), mistakes)
    return Translated(original, (block,), behind)


def _composed(origin: Origin, behind: Derived, places: Sequence[Origin]) -> Origin:
    """The origin in the original of a line with an origin in the preprocessed text. places: of that text's lines."""
    pieces: list[MappedBytes] = []
    path, line = "", 0
    for piece in origin.pieces or ():
        kept = places[piece.line]
        if kept.pieces is None and not kept.steps and kept.path == behind.original.path:
            # The preprocessor leaves the line as it is.
            pieces.append(piece if piece.line == kept.line else msgspec.structs.replace(piece, line=kept.line))
            if len(pieces) == 1:
                line = kept.line
            continue
        place = Location(behind.source.path, piece.line, piece.source_start, piece.source_end)
        there = _relative(behind.to_original(place), behind.original.path)
        if not pieces:
            path, line = there.path, there.line
        same = piece.copied and behind.is_copied(place)
        pieces.append(MappedBytes(piece.start, piece.end, there.line, there.start, there.end, same))
    return Origin(path, line, tuple(pieces), tuple((_moved(at, behind), said) for at, said in origin.steps))


def _moved(where: Location, behind: Derived) -> Location:
    """A place of the preprocessed text, whose path is empty, in the original."""
    there = behind.to_original(msgspec.structs.replace(where, path=behind.source.path))
    return _relative(there, behind.original.path)


def _relative(where: Location, original: str) -> Location:
    return msgspec.structs.replace(where, path="") if where.path == original else where
