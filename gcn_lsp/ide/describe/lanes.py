"""Draws the lane that each lane reads from: the controls of DPP and the patterns of `ds_swizzle_b32`.

A row is 16 lanes. With `row_shr:1`, lane n reads lane n - 1, so data moves to higher lanes; a lane whose source is
outside reads nothing (`-`): it keeps its value, or reads zero with `bound_ctrl:0`.
"""

from collections.abc import Callable, Mapping, Sequence

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown
from gcn_lsp.ide.describe.hovered import Hovered
from gcn_lsp.isa.modifiers import dpp
from gcn_lsp.isa.operands import swizzle

_ROW, _WAVE, _SWIZZLED = 16, 64, 32

# The source lane, None for none.
_Source = Callable[[int, int], "int | None"]


def _inside(lane: int, low: int, size: int) -> int | None:
    return lane if low <= lane < low + size else None


def _in_row(lane: int, place: int) -> int:
    return lane - lane % _ROW + place % _ROW


def _broadcast(lane: int, value: int) -> int | None:
    """`row_bcast:15` sends the last lane of a row to the next row; `row_bcast:31` sends lane 31 to the upper half."""
    size = value + 1
    return lane // size * size - 1 if lane >= size else None


# By keyword: the source of a lane, as a function of the keyword's value.
_CONTROLS: Mapping[str, _Source] = {
    "row_shl": lambda lane, value: _inside(lane + value, lane - lane % _ROW, _ROW),
    "row_shr": lambda lane, value: _inside(lane - value, lane - lane % _ROW, _ROW),
    "row_ror": lambda lane, value: _in_row(lane, lane % _ROW - value),
    "wave_shl": lambda lane, value: _inside(lane + value, 0, _WAVE),
    "wave_shr": lambda lane, value: _inside(lane - value, 0, _WAVE),
    "wave_rol": lambda lane, value: (lane + value) % _WAVE,
    "wave_ror": lambda lane, value: (lane - value) % _WAVE,
    "row_mirror": lambda lane, value: _in_row(lane, _ROW - 1 - lane % _ROW),
    "row_half_mirror": lambda lane, value: lane - lane % 8 + 7 - lane % 8,
    "row_bcast": _broadcast,
    "row_newbcast": _in_row,
    "row_share": _in_row,
    "row_xmask": lambda lane, value: _in_row(lane, lane % _ROW ^ value),
}
_ACROSS_ROWS = frozenset(("wave_shl", "wave_shr", "wave_rol", "wave_ror", "row_bcast"))


def pattern(at: Hovered) -> str:
    """The lanes that a DPP instruction or a swizzle reads; empty for others, and if expansions differ."""
    form, target = at.only_form, at.target
    if not at.code or form is None or target is None:
        return ""
    word = int.from_bytes(at.code[: form.size], "little")
    control = _field(form, "dpp_ctrl", word)
    if control is not None:
        return dpp_control(target, control)
    eight = _field(form, "dpp8", word)
    if eight is not None:
        return dpp8(eight)
    offset = _field(form, "offset", word)
    return swizzle_pattern(target, offset) if form.mnemonic == swizzle.MNEMONIC and offset is not None else ""


def _field(form: isa.Form, name: str, word: int) -> int | None:
    """The value of a field in an encoding; None if the form does not have it."""
    field = form.field(name)
    if field is None:
        return None
    return sum((word >> piece.bit & (1 << piece.width) - 1) << piece.source for piece in field.pieces)


def dpp_control(target: isa.Target, code: int) -> str:
    """The pattern of a `dpp_ctrl`; empty if the target does not have it."""
    if code <= 0xFF:
        lanes = tuple(code >> 2 * lane & 3 for lane in range(4))
        return _drawn([lane - lane % 4 + lanes[lane % 4] for lane in range(_ROW)])
    found = dpp.read(target.features, code)
    if found is None:
        return ""
    name, value = found
    return _drawn([_CONTROLS[name](lane, value) for lane in range(_WAVE if name in _ACROSS_ROWS else _ROW)])


def dpp8(code: int) -> str:
    """The pattern of `dpp8`, within each group of eight lanes."""
    return _drawn([code >> 3 * lane & 7 for lane in range(8)])


def swizzle_pattern(target: isa.Target, offset: int) -> str:
    """The pattern of the offset of `ds_swizzle_b32`, within 32 lanes or, if it repeats, within a row."""
    lanes = [swizzle.source_lane(target.features, offset, lane) for lane in range(_SWIZZLED)]
    return markdown.join(_swizzle_formula(target, offset), _drawn(lanes[:_ROW] if _repeats(lanes) else lanes))


def _swizzle_formula(target: isa.Target, offset: int) -> str:
    """A swizzle in words; empty for a permutation of four lanes, which the drawing shows."""
    modes = swizzle.modes(target.features)
    kept = offset & swizzle.MASK
    staying = f"; bits {kept:#x} of the lane number stay" if kept else ""
    if offset < swizzle.QUAD_PERM_CODE:
        masks = swizzle.masks(offset)
        return f"lane n reads lane ((n & {masks[0]:#x}) | {masks[1]:#x}) ^ {masks[2]:#x}"
    if "FFT" in modes and offset >= swizzle.FFT_CODE:
        order = f", shifted down by {kept.bit_count()}" if kept else ""
        return f"FFT order: lane n reads the lane with the five bits of n mirrored{order}{staying}"
    if "ROTATE" in modes and offset >= swizzle.ROTATE_CODE:
        way = "-" if offset >> swizzle.ROTATE_DIRECTION_SHIFT & 1 else "+"
        return f"rotated: lane n reads lane n {way} {offset >> swizzle.ROTATE_SIZE_SHIFT & swizzle.MASK}{staying}"
    return ""


def _repeats(lanes: Sequence[int]) -> bool:
    return all(lanes[lane + _ROW] == source + _ROW for lane, source in enumerate(lanes[:_ROW]))


def _drawn(sources: "Sequence[int | None]") -> str:
    """Lanes and their sources, a row of lanes at a time."""
    lines: list[str] = []
    for first in range(0, len(sources), _ROW):
        part = sources[first : first + _ROW]
        lines.append("lane  " + " ".join(f"{lane:2}" for lane in range(first, first + len(part))))
        lines.append("reads " + " ".join(" -" if source is None else f"{source:2}" for source in part))
    return markdown.block("\n".join(lines), "text")
