"""Instruction forms and what they share with others: shapes, the layouts in these, and traits."""

import re
from typing import Any

from gcn_lsp.isa.generation import encodings
from gcn_lsp.isa.generation.dump import Dump, DumpError, Record, number, reference, references
from gcn_lsp.isa.generation.features import Clauses, condition
from gcn_lsp.isa.generation.operands import Kinds
from gcn_lsp.records import NamedTuple

# The bits of TSFlags by number. Records of real instructions copy TSFlags, but not always the underlying fields.
_TS_FLAGS = (
    "SALU VALU SOP1 SOP2 SOPC SOPK SOPP VOP1 VOP2 VOPC VOP3 - VOP3P VINTRP SDWA DPP TRANS MUBUF MTBUF SMRD MIMG VIMAGE "
    "VSAMPLE EXP FLAT DS Spill - LDSDIR VINTERP - - VM_CNT EXP_CNT LGKM_CNT WQM DisableWQM Gather4 TENSOR_CNT "
    "ScalarStore FixedSize ASYNC_CNT VOP3_OPSEL maybeAtomic - FPClamp IntClamp ClampLo ClampHi IsPacked D16Buf "
    "FlatGlobal FPDPRounding FPAtomic IsMAI IsDOT FlatScratch IsAtomicNoRet IsAtomicRet IsWMMA TiedSourceNotRead "
    "IsNeverUniform GWS IsSWMMAC"
)
# Further fields of a record that are flags; a real instruction also has those of the pseudo instruction it encodes.
_FLAGS = (
    "mayLoad mayStore isBranch isTerminator isBarrier isCall isReturn isIndirectBranch isTrap isConvergent isCompare "
    "isMoveImm mayRaiseFPException hasSideEffects ReadsModeReg VOPD3 IsDPMACCInstruction"
)
_SUFFIX = re.compile(r"_(?:e64_dpp|e32|e64|dpp|sdwa)$")
_ENCODINGS = "VINTERP VINTRP LDSDIR EXP SOP1 SOP2 SOPC SOPK SOPP SMRD DS MTBUF MUBUF VSAMPLE VIMAGE MIMG VOP3P"
_REGISTERS = {"EXEC": "exec", "EXEC_LO": "exec_lo", "VCC": "vcc", "SCC": "scc", "M0": "m0", "MODE": "mode"}


class Shape(NamedTuple):
    """The syntax and encoding of forms, without mnemonic and opcode; a cell each, as in `shapes.tsv`."""

    family: str
    variant: str
    syntax: str
    operands: str
    layout: str
    constraints: str
    converter: str
    presets: str
    image: str


class FormRow(NamedTuple):
    """One line of a forms table. predicates: how many conditions LLVM counts; each may have several clauses."""

    condition: Clauses
    mnemonic: str
    order: int
    record: str
    shape: Shape
    traits: str
    opcode: str
    pseudo: str
    base: str
    is_alias: bool
    predicates: int


class Forms:
    """Collects the forms of all instructions and of the aliases that are further syntaxes for them."""

    def __init__(self, dump: Dump, kinds: Kinds) -> None:
        self.dump = dump
        self.kinds = kinds
        self.rows: list[FormRow] = []
        self.pseudos: dict[str, str] = {}
        for name in dump.named("Instruction"):
            if dump[name]["isPseudo"] and dump[name].get("PseudoInstr"):
                self.pseudos.setdefault(dump[name]["PseudoInstr"], name)
        self.images: dict[str, str] = {}
        methods = {dump[name].get("PostEncoderMethod") or "" for name in dump.named("Instruction")}
        self.fills = encodings.fills_sources(methods)

    def collect(self) -> None:
        """Read every instruction and every alias of one."""
        names = self.dump.instructions()
        seen = set()
        for name in names:
            record = self.dump[name]
            written, variant = record["AsmString"], _variant(record)
            row = self._row(name, record, written, variant, {}, record["Predicates"], {}, is_alias=False)
            seen.add((row.condition, row.record, row.mnemonic, row.shape))
            self.rows.append(row)
        real = set(names)
        for alias_name in self.dump.named("InstAlias"):
            alias = self.dump[alias_name]
            name = reference(alias["ResultInst"]["operator"])
            if name not in real:
                continue
            record = self.dump[name]
            written, presets, narrower = _renamed(record, alias)
            variant = alias["AsmVariantName"] or _variant(record)
            row = self._row(name, record, written, variant, presets, alias["Predicates"], narrower, is_alias=True)
            plain = (row.condition, row.record, row.mnemonic, row.shape)
            if plain not in seen:
                seen.add(plain)
                self.rows.append(row)

    def _row(
        self,
        name: str,
        record: Record,
        written: str,
        variant: str,
        presets: dict[str, int],
        predicates: list[Any],
        narrower: dict[str, str],
        *,
        is_alias: bool,
    ) -> FormRow:
        match = re.match(r"([\w]+)(?:\{[^}]*\})?(.*)", written, re.S)
        if not match:
            raise DumpError(f"{name}: no mnemonic in {written!r}")
        mnemonic = _SUFFIX.sub("", match[1].lower())
        syntax = " ".join(match[2].split())
        bits = _bits(name, record)
        flags = self._flags(record)
        family = _family(record, flags, encodings.number(bits))
        layout, opcode = encodings.written(name, record, family, bits, fills=self.fills)
        base, image = self._image(record)
        shape = Shape(
            family,
            variant,
            syntax,
            self._operands(record, narrower),
            layout,
            record["Constraints"],
            record["AsmMatchConverter"],
            " ".join(f"{key}={value}" for key, value in sorted(presets.items())),
            image,
        )
        return FormRow(
            condition(self.dump, references(predicates)),
            mnemonic,
            0,
            name,
            shape,
            self._traits(record, flags),
            opcode,
            record.get("PseudoInstr") or "",
            base,
            is_alias,
            sum(bool(condition(self.dump, [predicate])) for predicate in references(predicates)),
        )

    def _operands(self, record: Record, narrower: dict[str, str]) -> str:
        """The operand list; `narrower`: the classes of an alias's operands."""
        parts = []
        for mark, field in (("=", "OutOperandList"), ("", "InOperandList")):
            for value, operand_name in record[field]["args"]:
                kind = narrower.get(operand_name) or reference(value)
                parts.append(f"{mark}{operand_name}:{self.kinds.name(kind)}")
        return " ".join(parts)

    def _traits(self, record: Record, flags: frozenset[str]) -> str:
        implicit = (
            " ".join(_REGISTERS.get(register, register.lower()) for register in references(record[field]))
            for field in ("Uses", "Defs")
        )
        return "\t".join((" ".join(sorted(flags)), *implicit, " ".join(references(record["SchedRW"]))))

    def _flags(self, record: Record) -> frozenset[str]:
        names = zip(_TS_FLAGS.split(), record["TSFlags"], strict=True)
        flags = {name for name, value in names if value} - {"maybeAtomic", "-"}
        sources = [record]
        pseudo = self.pseudos.get(record.get("PseudoInstr") or "")
        if pseudo:
            sources.append(self.dump[pseudo])
            if _ties(sources[1]["Constraints"]) and not _ties(record["Constraints"]):
                flags.add("ReadsDestination")
        return frozenset(flags | {flag for flag in _FLAGS.split() for source in sources if source.get(flag) == 1})

    def _image(self, record: Record) -> tuple[str, str]:
        """The base opcode of an image instruction; its encoding and numbers of registers and address operands."""
        base = reference(record.get("BaseOpcode"))
        if not base:
            return "", ""
        operands = sum(bool(re.fullmatch(r"vaddr\d+", name)) for _, name in record["InOperandList"]["args"])
        self.images.setdefault(base, _image_flags(self.dump[base]))
        sizes = (number(record["VDataDwords"]), number(record["VAddrDwords"]), operands)
        return base, " ".join((reference(record["MIMGEncoding"]), *map(str, sizes)))


def _image_flags(record: Record) -> str:
    flags = sorted(key for key, value in record.items() if value == 1 and type(value) is int and key[0] != "!")
    extra = number(record["NumExtraArgs"]) if isinstance(record["NumExtraArgs"], list) else record["NumExtraArgs"]
    return "\t".join((" ".join(flag for flag in flags if flag != "NumExtraArgs"), str(extra)))


def _variant(record: Record) -> str:
    """The variant of a record: one without a variant is in all of them, and the default one is tried first."""
    return record["AsmVariantName"] or "Default"


def _renamed(record: Record, alias: Record) -> tuple[str, dict[str, int], dict[str, str]]:
    """An alias's text in the record's operand names, the operands that it sets, and their classes in the alias."""
    operands = [name for field in ("OutOperandList", "InOperandList") for _, name in record[field]["args"]]
    tied = {name for name, _ in _ties(record["Constraints"])}
    names: dict[str, str] = {}
    presets: dict[str, int] = {}
    narrower: dict[str, str] = {}
    given = list(alias["ResultInst"]["args"])
    targets = operands if len(operands) == len(given) else [name for name in operands if name not in tied]
    if len(targets) != len(given):
        raise DumpError(f"alias {alias['AsmString']!r}: {len(given)} operands for {operands}")
    for target, (value, name) in zip(targets, given, strict=True):
        if name:
            names[name] = target
            narrower[target] = reference(value)
        else:
            presets[target] = value if isinstance(value, int) else number(value)
    text = re.sub(r"\$(\w+)", lambda match: "$" + names.get(match[1], match[1]), alias["AsmString"])
    return text, presets, narrower


def _ties(constraints: str) -> list[list[str]]:
    return [[name.strip(" $") for name in pair.split("=")] for pair in constraints.split(",") if "=" in pair]


def _family(record: Record, flags: frozenset[str], fixed: int) -> str:
    if record["!name"].startswith("V_DUAL_"):
        return "VOPD"
    if "FLAT" in flags:
        return "GLOBAL" if "FlatGlobal" in flags else "SCRATCH" if "FlatScratch" in flags else "FLAT"
    if "IsMAI" in flags:
        return "MAI"
    for encoding in _ENCODINGS.split():
        if encoding in flags:
            is_smem = encoding == "SMRD" and record["DecoderNamespace"] not in ("GFX6", "GFX7", "GFX6GFX7")
            return "SMEM" if is_smem else encoding
    if "VOP3" in flags or fixed >> 31 & 1:
        return "VOP3"
    return {0x3F: "VOP1", 0x3E: "VOPC"}.get(fixed >> 25 & 0x3F, "VOP2")


def _bits(name: str, record: Record) -> list[encodings.Bit]:
    """The bits of the encoding, lowest first."""
    size = record["Size"] * 8
    if any(bit is not None for bit in record["Inst"][size:]):
        # 64-bit layouts of 32-bit instructions have the literal in their upper half.
        raise DumpError(f"{name}: bits beyond its size of {record['Size']} bytes")
    return [_resolve(record, bit) for bit in record["Inst"][:size]]


def _resolve(record: Record, bit: Any) -> encodings.Bit:
    if not isinstance(bit, dict):
        return None if bit is None else int(bit)
    if bit["kind"] == "complex":
        match = re.fullmatch(r"!if\(!and\(IsGFX9SpecificEncoding, (\d)\), \{ (.*) \}, \?\)\{(\d+)\}", bit["printable"])
        if not match:
            raise DumpError(f"{record['!name']}: bit {bit['printable']}")
        if not (record["IsGFX9SpecificEncoding"] and int(match[1])):
            return None
        name, _, index = match[2].split(", ")[::-1][int(match[3])].rstrip("}").partition("{")
        return name, int(index)
    name, index = bit["var"], bit.get("index", 0)
    operands = {operand for field in ("OutOperandList", "InOperandList") for _, operand in record[field]["args"]}
    if name in operands:
        return name, int(index)
    value = record[name]
    return _resolve(record, value[index] if isinstance(value, list) else value)
