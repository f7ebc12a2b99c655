"""The 64 bytes of a kernel descriptor as `.amdhsa_` directives that give them again."""

from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.isa.kernels import descriptor as fields
from gcn_lsp.program.kernels import descriptor

_ENTRY = slice(16, 24)  # the offset to the kernel, which the assembler finds
_RESERVING = ("reserve_vcc", "reserve_flat_scratch")


def directives(
    target: isa.Target, data: bytes, vgprs: "int | None" = None, sgprs: "int | None" = None
) -> "list[tuple[str, int]] | None":
    """Names (without `.amdhsa_`) and values of the directives for a descriptor; None when none give its bytes.

    vgprs, sgprs: the counts in the kernel's metadata; the descriptor has them in whole blocks only.
    """
    if len(data) != fields.SIZE:
        return None
    known = fields.directives(target.features)
    wanted = data[: _ENTRY.start] + bytes(8) + data[_ENTRY.stop :]
    values = descriptor.decode(target, data)
    if _WAVES in known and bool(values[_WAVES]) != (target.wavefront_size == 32):
        return None  # the caller reads the code for the other size
    for more in _register_counts(target, data, vgprs, sgprs):
        found = values | more
        if descriptor.encode(target, found) == wanted and not list(descriptor.mistakes(target, found)):
            return [(name, found[name]) for name in known if name in found and _is_told(target, name, found[name])]
    return None


def _is_told(target: isa.Target, name: str, value: int) -> bool:
    field = fields.directives(target.features)[name]
    # Waves of 64 lanes are the default only with a feature, which the text of the object does not have elsewhere.
    return field.default_on(target.features) != value or name == "user_sgpr_count" or (name == _WAVES and not value)


_WAVES = "wavefront_size32"


def _register_counts(
    target: isa.Target, data: bytes, vgprs: "int | None", sgprs: "int | None"
) -> Iterator[dict[str, int]]:
    """What `next_free_vgpr` and the like may have been, the likeliest first."""
    word = int.from_bytes(data[48:52], "little")
    units = allocation.units(target.features, wave32=target.wavefront_size == 32)
    all_vgprs = ((word & 0x3F) + 1) * units.vgpr_encoding
    all_sgprs = ((word >> 6 & 0xF) + 1) * units.sgpr_encoding if units.sgpr else 0
    known = fields.directives(target.features)
    reserving = [name for name in _RESERVING if name in known]
    settings = ((1,) * len(reserving), (1,) + (0,) * (len(reserving) - 1), (0,) * len(reserving))
    reservations = [dict(zip(reserving, on, strict=True)) for on in settings]
    for count in dict.fromkeys((all_vgprs if vgprs is None else vgprs, all_vgprs)):
        for more in reservations:
            reserved = descriptor.reserved_sgprs(target, more) or 0
            # The metadata counts those that are reserved, or does not. The last block may go beyond what there is.
            given = () if sgprs is None else (sgprs - reserved, sgprs)
            for free in (*given, min(all_sgprs - reserved, units.sgprs), 0):
                if free >= 0:
                    yield more | {"next_free_vgpr": count, "next_free_sgpr": free}
