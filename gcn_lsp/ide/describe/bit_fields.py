"""Bit fields drawn as boxes, a row of boxes for each dword, the highest bit at the left."""

from collections.abc import Iterable, Sequence

from gcn_lsp.records import NamedTuple


class Bits(NamedTuple):
    """`width` bits from bit `low`: their name and contents."""

    low: int
    width: int
    name: str
    value: str


_DWORD = 32


def draw(fields: Iterable[Bits], size: int) -> str:
    """The drawing of `size` bits; bits without a field are blank, fields across dwords are drawn in parts."""
    parts = [part for field in fields for part in _split(field)]
    return "\n".join(_dword(parts, low) for low in range(0, size, _DWORD))


def _split(field: Bits) -> Iterable[Bits]:
    low, end = field.low, field.low + field.width
    while low < end:
        stop = min(end, (low // _DWORD + 1) * _DWORD)
        yield Bits(low, stop - low, field.name, field.value)
        low = stop


def _dword(parts: Sequence[Bits], low: int) -> str:
    boxes: list[Bits] = []
    at = low
    for part in sorted(part for part in parts if low <= part.low < low + _DWORD):
        if part.low > at:
            boxes.append(Bits(at, part.low - at, "", ""))
        boxes.append(part)
        at = part.low + part.width
    if at < low + _DWORD:
        boxes.append(Bits(at, low + _DWORD - at, "", ""))
    boxes.reverse()
    columns = [(_range(box), box.name, box.value) for box in boxes]
    widths = [max(map(len, column)) for column in columns]
    edge = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    bits, names, values = (
        " ".join(f" {cell:<{width}} " for cell, width in zip(row, widths, strict=True))
        if number == 0
        else "|".join(f" {cell:<{width}} " for cell, width in zip(row, widths, strict=True))
        for number, row in enumerate(zip(*columns, strict=True))
    )
    return "\n".join((f" {bits}".rstrip(), edge, f"|{names}|", f"|{values}|", edge))


def _range(box: Bits) -> str:
    return str(box.low) if box.width == 1 else f"{box.low + box.width - 1}:{box.low}"
