"""Encodings that shipped kernels have and LLVM's tables lack: bytes of code that are not an instruction for LLVM."""

from gcn_lsp.isa.conditions import holds
from gcn_lsp.records import NamedTuple


class Encoding(NamedTuple):
    """The bits of its first word under `mask` are `bits`. size: bytes. needs: features, see `conditions`."""

    bits: int
    mask: int
    size: int
    needs: str
    about: str


_SHIPPED = "; in AMD's kernels for gfx1250 in aiter"
ROWS = (
    Encoding(
        0xD0310000, 0xFFFF0000, 12, "gfx125",
        "tensor_load_to_lds and tensor_store_from_lds without bit 22, which LLVM always sets" + _SHIPPED,
    ),
    Encoding(
        0xCC350000, 0xFFFF0000, 16, "gfx125",
        "v_wmma_scale and what it scales, with other bits in the unused fields than LLVM 22 sets" + _SHIPPED,
    ),
    Encoding(
        0xCC880000, 0xFFFF0000, 8, "gfx125",
        "v_wmma_f32_32x16x128_f4 after a scale, without bit 14, which LLVM always sets" + _SHIPPED,
    ),
)  # fmt: skip


def size(word: int, features: frozenset[str]) -> int:
    """The bytes of the encoding that begins with a word; 0 for none."""
    return next((row.size for row in ROWS if word & row.mask == row.bits and holds(row.needs, features)), 0)
