"""The 64 bytes of a kernel descriptor as `.amdhsa_` directives that give them again."""

from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.isa import allocation
from gcn_lsp.isa import descriptor as fields
from gcn_lsp.program.kernels import descriptor

_ENTRY = slice(16, 24)  # the offset to the kernel, which the assembler finds
_RESERVING = ("reserve_vcc", "reserve_flat_scratch")


def directives(target: isa.Target, data: bytes) -> "list[tuple[str, int]] | None":
    """Names (without `.amdhsa_`) and values of the directives for a descriptor; None when none give its bytes."""
    if len(data) != fields.SIZE:
        return None
    known = fields.directives(target.features)
    wanted = data[: _ENTRY.start] + bytes(8) + data[_ENTRY.stop :]
    values = {}
    for name, field in known.items():
        if field.word:
            offset, size = fields.WORDS[field.word]
            word = int.from_bytes(data[offset : offset + size], "little")
            values[name] = word >> field.shift & (1 << field.bits) - 1
    if "accum_offset" in values:
        values["accum_offset"] = (values["accum_offset"] + 1) * descriptor.ACCUM_STEP
    if "wavefront_size32" in known and bool(values["wavefront_size32"]) != (target.wavefront_size == 32):
        return None  # the caller reads the code for the other size
    for more in _register_counts(target, data, values):
        found = values | more
        if descriptor.encode(target, found) == wanted and not list(descriptor.mistakes(target, found)):
            return [(name, found[name]) for name in known if name in found and _is_told(target, name, found[name])]
    return None


def _is_told(target: isa.Target, name: str, value: int) -> bool:
    field = fields.directives(target.features)[name]
    return field.default_on(target.features) != value or name == "user_sgpr_count"


def _register_counts(target: isa.Target, data: bytes, values: dict[str, int]) -> Iterator[dict[str, int]]:
    """What `next_free_vgpr` and the like may have been, the likeliest first."""
    word = int.from_bytes(data[48:52], "little")
    units = allocation.units(target.features, wave32=target.wavefront_size == 32)
    vgprs = ((word & 0x3F) + 1) * units.vgpr_encoding
    blocks = (word >> 6 & 0xF) + 1
    known = fields.directives(target.features)
    reserving = [name for name in _RESERVING if name in known]
    for on in ((1,) * len(reserving), (1,) + (0,) * (len(reserving) - 1), (0,) * len(reserving)):
        more = dict(zip(reserving, on, strict=True))
        reserved = descriptor.reserved_sgprs(target, more) or 0
        sgprs = blocks * units.sgpr_encoding - reserved if units.sgpr else 0
        # The last block may go beyond what may be asked for.
        yield more | {"next_free_vgpr": vgprs, "next_free_sgpr": max(min(sgprs, units.sgprs), 0)}
