"""How instructions access LDS: where the address is, how wide the access of a lane is, and whether the wave waits.

Facts: the chapters on LDS and on loads to LDS of the CDNA3, CDNA4 and CDNA5 ISA documents, and LLVM's "AMDGPU DMA
Operations". Loads of a wave to LDS put the data of lane n at M0 plus the offset plus n times 4, or n times 16 for those
of 12 and 16 bytes. The loads of gfx1250 name a VGPR with the address of each lane. A copy of a tensor has the address
in the second word of its descriptor.
"""

from typing import Literal

import msgspec

from gcn_lsp.isa.schema import Form
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.patterns import regex

Base = Literal["vgpr", "m0", "descriptor"]


class LdsAccess(msgspec.Struct, frozen=True):
    """An access of LDS by each lane, or by a wave as a whole if `base` is a descriptor.

    reads, writes: what it does to LDS. width: bytes of a lane, of a tensor those that are certain. stride: bytes from a
    lane to the next in addition to the address. slot: of the register with the address, empty for M0. is_copy: whether
    it goes on beside the wave, between LDS and memory. is_atomic: whether it reads and writes at once, undivided.
    """

    base: Base
    reads: bool
    writes: bool
    width: int
    slot: str = ""
    stride: int = 0
    is_copy: bool = False
    is_atomic: bool = False


# The width of an access in a mnemonic: `ds_read2_b64`, `ds_write_b8_d16_hi`, `ds_read_b64_tr_b16`, `ds_pk_add_f16`.
_WIDTH = regex(r"_(?:b|u|i|f|bf)(8|16|32|64|96|128)(?=_|$)")
_PAIR = "_pk_"
# Instructions whose address has another part than the register, or that keep a stack.
_NOT_AT_ADDRESS = regex(r"addtid|_src2_|_gs_reg|bvh_stack|ordered_count")
_STRIDE_64 = regex(r"st64|stride64")
_DWORDS = regex(r"dword(?:x([234]))?$|_b(32|64|96|128)$")
READS, WRITES = ("ds_read", "ds_load"), ("ds_write", "ds_store")
"""The starts of the mnemonics that only read, and that only write."""
MOST_ALIGNED = 8
"""Bytes of which addresses of atomics have to be multiples, at most: the ISA documents, "LDS Alignment"."""
_ADDRESS_OF_TENSOR = "vaddr0"
_ELEMENT = 1  # bytes of the smallest element of a tensor
_TO_LDS, _FROM_LDS = "vdst", "vdata"


def of(form: Form, rows: "frozenset[str]", kinds: "frozenset[str]") -> "LdsAccess | None":
    """The access of instructions of a form; None if it is none whose address and width are known.

    rows, kinds: of the events that the instruction raises, see `wait_events`.
    """
    if kinds & wait_events.LDS_FILLS or kinds & wait_events.LDS_COPIES:
        return _copy(form, kinds)
    if wait_events.LDS_ROW not in rows or form.mnemonic in wait_events.LANE_EXCHANGES:
        return None
    each = width(form.mnemonic)
    if not each or _NOT_AT_ADDRESS.search(form.mnemonic):
        return None
    if form.mnemonic.startswith((*READS, *WRITES)):
        return LdsAccess("vgpr", form.may_load, form.may_store and not form.may_load, each, "addr")
    if form.may_load and form.may_store:
        return LdsAccess("vgpr", reads=True, writes=True, width=each, slot="addr", is_atomic=True)
    return None


def width(mnemonic: str) -> int:
    """Bytes that each lane reads or writes at once; 0 if the name does not say."""
    found = _WIDTH.search(mnemonic)
    return int(found[1]) // 8 * (2 if _PAIR in mnemonic else 1) if found is not None else 0


def offset_step(mnemonic: str) -> int:
    """Bytes that an instruction with two offsets adds for each unit of them."""
    return width(mnemonic) * (64 if _STRIDE_64.search(mnemonic) else 1)


# Atomics whose result depends on all bits of what is there. `ds_and_b32` with 0 and a minimum may be the first write.
_ADDS = regex(r"ds_(?:pk_)?(?:add|sub|rsub|inc|dec|xor)_\w+")


def adds(mnemonic: str) -> bool:
    """Whether an atomic operation adds to what is in LDS, so that something has to be there."""
    return _ADDS.fullmatch(mnemonic) is not None


def _copy(form: Form, kinds: "frozenset[str]") -> LdsAccess:
    fills = bool(kinds & wait_events.LDS_FILLS)
    if not kinds.isdisjoint(("tensor_to_lds", "tensor_from_lds")):
        return LdsAccess("descriptor", not fills, fills, _ELEMENT, _ADDRESS_OF_TENSOR, is_copy=True)
    if wait_events.LDS_DMA not in kinds:
        slot = _TO_LDS if fills else _FROM_LDS
        return LdsAccess("vgpr", not fills, fills, width(form.mnemonic), slot, is_copy=True)
    words = _words(form.mnemonic)
    stride = copy_stride(form.mnemonic)
    return LdsAccess("m0", reads=False, writes=True, width=4 * words, stride=stride, is_copy=True)


def loads_to_lds(form: Form) -> bool:
    """Whether an instruction copies from memory to LDS at M0, past the registers."""
    return {"VM_CNT", "VALU"} <= form.flags


def copy_stride(mnemonic: str) -> int:
    """Bytes from the data of a lane to those of the next where a load puts them into LDS from M0 on."""
    return 16 if _words(mnemonic) > 1 else 4


def _words(mnemonic: str) -> int:
    """Dwords that each lane loads to LDS."""
    found = _DWORDS.search(mnemonic)
    return 1 if found is None else int(found[1] or 1) if found[2] is None else int(found[2]) // 32
