"""The contents of the tables as values: instruction forms, their operands and bits, registers, targets' facts.

Everything here is immutable and made by `gcn_lsp.isa.tables.reader` from the generated text under `data/`. Names are
LLVM's own (record names, feature names, operand types), so that a value can be found in LLVM's sources.
"""

from functools import cached_property
from typing import Literal

import msgspec


class RegisterRange(msgspec.Struct, frozen=True):
    """Register tuples of one width in one file: those that start at `first`, `first + step`, ... `last`.

    file: `v`, `s`, `a`, `ttmp`. dwords: registers in the tuple (1 for a single one). step: alignment of the start.
    half: empty for whole registers; `lo` and `hi` are 16-bit halves (`v0.l`, `v0.h`).
    """

    file: str
    first: int
    last: int
    dwords: int
    step: int
    half: str = ""

    def holds(self, file: str, first: int, dwords: int, half: str = "") -> bool:
        """Whether this tuple is in the range."""
        return (
            self.file == file
            and self.dwords == dwords
            and self.first <= first <= self.last
            and (first - self.first) % self.step == 0
            and self.half == half
        )


class RegisterClass(msgspec.Struct, frozen=True, dict=True):
    """A set of registers that an operand may name.

    bits: width of each member. ranges: numbered ones. specials: others, by their main spelling (`vcc`, `m0`).
    """

    name: str
    bits: int
    ranges: tuple[RegisterRange, ...]
    specials: frozenset[str]

    def holds(self, file: str, first: int, dwords: int, half: str = "") -> bool:
        """Whether a numbered register or tuple belongs to the class."""
        return any(part.holds(file, first, dwords, half) for part in self.ranges)

    @cached_property
    def files(self) -> frozenset[str]:
        """The files of its numbered registers."""
        return frozenset(part.file for part in self.ranges)


class OperandKind(msgspec.Struct, frozen=True):
    """What an operand accepts.

    name: LLVM's operand record; where LLVM's is anonymous, what it is: `VDst.VReg_64_AlignTarget`.
    registers: the class accepted on this target, None when it takes no register.
    type: LLVM's OperandType: `OPERAND_REGISTER`, `OPERAND_REG_IMM_FP32`, `OPERAND_REG_INLINE_C_INT16`,
    `OPERAND_KIMM32`, `OPERAND_INPUT_MODS`, `OPERAND_IMMEDIATE`, ...
    match: name of the parser's operand class; parser: its method by name, or the function that its C++ calls.
    optional: may be left out. default: value when left out.
    prefix: keyword of a modifier (`offset` of `offset:16`, `glc`), empty when it has none or several.
    bits, signed: width of an immediate as LLVM's value type gives it (0 when it gives none).
    encoder: LLVM's EncoderMethod, empty for the plain number of the register or the value.
    """

    name: str
    registers: RegisterClass | None
    type: str
    match: str
    parser: str
    optional: bool
    default: int
    prefix: str
    bits: int
    signed: bool
    encoder: str

    @property
    def value_type(self) -> str:
        """LLVM's type of the values: `FP32`, `V2INT16`."""
        return self.type.rpartition("_")[2]

    @property
    def is_float(self) -> bool:
        """Whether a source of this kind is a float to its instruction."""
        return "FP" in self.type

    @property
    def is_double(self) -> bool:
        """Whether a value in a source operand of this kind is a 64-bit float."""
        return self.value_type == "FP64"

    @property
    def value_bits(self) -> int:
        """Bits of a value in a source operand of this kind: 16, 32 or 64."""
        name = self.value_type
        return int(name[-2:]) if name.endswith(("16", "64")) and not name.startswith("V2") else 32

    @property
    def float_bits(self) -> int:
        """Bits of a float in a source operand of this kind; of packed operands, those of one half. 0 for bfloat."""
        name = self.value_type
        return 0 if "BF16" in name else 16 if name == "V2FP16" else self.value_bits


class Operand(msgspec.Struct, frozen=True):
    """An operand of the instruction in LLVM's MCInst, outputs first; not every one is written."""

    name: str
    kind: OperandKind
    is_def: bool


SlotRole = Literal["operand", "modifier", "token"]


class Slot(msgspec.Struct, frozen=True):
    """A place in the written operand list, in order.

    role: `operand` (positional: register, immediate, helper such as hwreg), `modifier` (a keyword or `name:value`),
    `token` (exactly the text in `text`: `off`, `vcc`, `offen`, `lds`, `::`, `[`). name: of the operand (`vdst`,
    `src0`), empty for a token. required: must be written. kind: what it accepts. modifiers: kind of its source
    modifiers (`-`, `|x|`, `sext`), None if they are not allowed. is_def: written by the instruction.
    """

    role: SlotRole
    name: str
    required: bool
    text: str = ""
    kind: OperandKind | None = None
    modifiers: OperandKind | None = None
    is_def: bool = False


class BitPiece(msgspec.Struct, frozen=True):
    """`width` bits of a value, from its bit `source`, in the encoding from bit `bit`."""

    source: int
    bit: int
    width: int


class Field(msgspec.Struct, frozen=True):
    """The place of an operand's value in the encoding."""

    name: str
    pieces: tuple[BitPiece, ...]


class Image(msgspec.Struct, frozen=True):
    """The facts about an image instruction besides its bits.

    base: LLVM's base opcode (`IMAGE_SAMPLE_B`). encoding: `MIMGEncGfx10NSA` and the like. vdata_dwords and
    vaddr_dwords: registers of this form; vaddr_operands: how many address operands it writes out (NSA).
    flags: of the base opcode: `Store`, `Atomic`, `AtomicX2`, `Sampler`, `Gather4`, `Gradients`, `G16`, `Coordinates`,
    `LodOrClampOrMip`, `HasD16`, `MSAA`, `BVH`, `A16`, `NoReturn`, `PointSampleAccel`. extra_arguments: `NumExtraArgs`.
    """

    base: str
    encoding: str
    vdata_dwords: int
    vaddr_dwords: int
    vaddr_operands: int
    flags: frozenset[str]
    extra_arguments: int


class Form(msgspec.Struct, frozen=True):
    """One syntax and encoding of one instruction on one target.

    name: LLVM's record. mnemonic: without encoding suffix. variant: `Default`, `VOP3`, `SDWA`, `SDWA9`, `DPP`,
    `VOP3_DPP`: the assembler looks in these in turn, or in the one which a suffix names.
    family: the encoding: SOP1 SOP2 SOPC SOPK SOPP SMRD SMEM VOP1 VOP2 VOPC VOP3 VOP3P MAI VOPD VINTRP VINTERP DS LDSDIR
    MUBUF MTBUF MIMG VIMAGE VSAMPLE FLAT GLOBAL SCRATCH EXP; DPP and SDWA forms have that of the encoding they extend.
    size: bytes, without a literal. syntax: the text after the mnemonic as LLVM has it. slots: the same, parsed.
    operands: LLVM's operand order, outputs first. fields: where values go; fixed: the constant bits;
    fixed_mask: which bits are constant; free_mask: which are unspecified, and may be anything in code that others
    wrote; filler: what the assembler writes there.
    ties: pairs of operands with one register, (`src2`, `vdst`). early_clobber: the output overlaps no input.
    presets: operands which this syntax leaves out, with their value. converter: LLVM's AsmMatchConverter.
    pseudo: the pseudo instruction that it encodes; '' when it has none. is_alias: one more syntax of the record.
    flags: everything that is 1 in LLVM's record: `VM_CNT`, `IsMAI`, `FPClamp`, `mayLoad`, `isBranch`, ...
    uses, defs: implicit registers (`exec`, `vcc`, `scc`, `m0`, `mode`). schedule: SchedRW. predicate: the features it
    needs, clauses of alternatives: every clause needs one of its names; `!` negates.
    """

    name: str
    mnemonic: str
    variant: str
    family: str
    size: int
    syntax: str
    slots: tuple[Slot, ...]
    operands: tuple[Operand, ...]
    fields: tuple[Field, ...]
    fixed: int
    fixed_mask: int
    free_mask: int
    filler: int
    ties: tuple[tuple[str, str], ...]
    early_clobber: bool
    presets: tuple[tuple[str, int], ...]
    converter: str
    pseudo: str
    is_alias: bool
    flags: frozenset[str]
    uses: tuple[str, ...]
    defs: tuple[str, ...]
    schedule: tuple[str, ...]
    predicate: tuple[tuple[str, ...], ...]
    image: Image | None

    def field(self, name: str) -> Field | None:
        """The field of an operand, None if it is not encoded."""
        return next((field for field in self.fields if field.name == name), None)

    @property
    def counters(self) -> tuple[str, ...]:
        """Counters that it increments, in LLVM's names: `VM_CNT`, `LGKM_CNT`, `EXP_CNT`, `ASYNC_CNT`, `TENSOR_CNT`."""
        return tuple(name for name in COUNTERS if name in self.flags)

    @property
    def may_load(self) -> bool:
        """Reads memory."""
        return "mayLoad" in self.flags

    @property
    def may_store(self) -> bool:
        """Writes memory."""
        return "mayStore" in self.flags


COUNTERS = ("VM_CNT", "LGKM_CNT", "EXP_CNT", "ASYNC_CNT", "TENSOR_CNT")


class Register(msgspec.Struct, frozen=True):
    """A register with its own name: `vcc`, `m0`, `src_shared_base`.

    name: main spelling. file: `vcc`, `exec`, ...: the name of the 32- or 64-bit register without `_lo`/`_hi`.
    number: hardware number in an operand field. dwords: width. spellings: everything the assembler accepts for it.
    """

    name: str
    file: str
    number: int
    dwords: int
    spellings: tuple[str, ...]


class Processor(msgspec.Struct, frozen=True):
    """A processor of LLVM: name (`gfx90a`), other names, features as listed (without implied ones)."""

    name: str
    aliases: tuple[str, ...]
    features: tuple[str, ...]
