"""Lines for the comparison with the reference assembler: every form with the values of every slot, good and broken."""

import random
from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.instruction import assembler, image_checks, operands, slots
from gcn_lsp.instruction.match import Matcher, Step
from gcn_lsp.instruction.registers import tuple_text
from gcn_lsp.isa.modifiers import cache_policy, dimensions
from gcn_lsp.isa.modifiers import table as modifier_table
from gcn_lsp.isa.operands import exports, formats, hwreg, sendmsg

INTEGERS = (
    "0", "1", "7", "64", "65", "-1", "-16", "-17", "0x7f", "255", "256", "0x1234", "0x7fff", "0x8000", "0xffff",
    "65531", "-32768", "-32769", "0x10000", "0xfffff", "0x100000", "-0x100000", "-0x100001", "0x12345678", "0x7fffffff",
    "0x80000000", "0xfffffff0", "0xffffffff", "-0x80000000", "-0x80000001", "0x100000000", "0x3f800000", "0x3c00",
    "0x3118", "0x3e22f983", "0x3ff0000000000000", "0x3fc45f306dc9c882", "0xffffffffffffffff", "1+2", "(3<<4)|1",
)  # fmt: skip
FLOATS = (
    "0.5", "1.0", "-1.0", "2.0", "-4.0", "0.0", "-0.0", "1.5", "0.1", "0.15915494", "0.15915494309189532", "0.1592",
    "3.4e38", "1.0e39", "1.0e-40", "1.0e-45", "65504.0", "65520.0", "6.0e-5", "1.0e-8", "100000.0", "1.0e300",
)  # fmt: skip
WRAPPED = ("lit(1)", "lit(0x1234)", "lit(1.0)", "neg(1.0)", "abs(-2.0)", "|1.5|", "-|v1|", "neg(1)", "undefined_name")
JUNK = (
    "v0",
    "s0",
    "a0",
    "v[0:1]",
    "s[0:1]",
    "s[2:3]",
    "s[0:3]",
    "v[0:3]",
    "vcc",
    "m0",
    "exec",
    "1",
    "0x12345",
    "1.0",
    "glc",
)

HALVES = {"": "", "lo": ".l", "hi": ".h"}
SUFFIXES = {"Default": "_e32", "VOP3": "_e64", "SDWA": "_sdwa", "SDWA9": "_sdwa", "DPP": "_dpp", "VOP3_DPP": "_e64_dpp"}


class FormLines:
    """The lines of one form: a plain one, and one for each value of each slot."""

    def __init__(self, target: isa.Target, matcher: Matcher, seed: int) -> None:
        self.target = target
        self.matcher = matcher
        self.form = matcher.form
        self.random = random.Random(f"{self.form.name}{seed}")
        suffix = SUFFIXES[self.form.variant] if self.form.variant != "Default" else ""
        if self.form.variant == "Default" and self.form.family in ("VOP1", "VOP2", "VOPC"):
            suffix = self.random.choice(("", "_e32"))
        self.word = self.form.mnemonic + suffix
        self.base = [self._plain(step) for step in matcher.steps]

    def good(self) -> Iterator[str]:
        """The plain line and every line with one slot changed."""
        yield self.line(self.base)
        if self.form.variant == "VOP3":
            yield self.line(self.base, self.form.mnemonic)
        for index, step in enumerate(self.matcher.steps):
            for text in self._values(step):
                changed = list(self.base)
                changed[index] = text
                yield self.line(changed)

    def varied(self, count: int) -> Iterator[str]:
        """Lines with all slots chosen at random."""
        for _ in range(count):
            yield self.line(
                [
                    self.random.choice([*self._values(step), plain])
                    for step, plain in zip(self.matcher.steps, self.base, strict=True)
                ]
            )

    def broken(self) -> Iterator[str]:
        """Lines with one mistake."""
        parts = [part for part in self.base if part]
        for index in range(len(parts)):
            yield self.line(parts[:index] + parts[index + 1 :])
        yield self.line([*parts, "v0"])
        yield self.line([*parts, "s3"])
        yield self.line([*parts, "7"])
        yield self.line([*parts, "unknown_flag"])
        yield self.line([*parts, "unknown:1"])
        for flag in (
            "glc",
            "clamp",
            "mul:2",
            "offen",
            "offset:4",
            "gds",
            "row_mirror",
            "op_sel:[0,1]",
            "dst_sel:WORD_0",
            "lds",
            "slc glc",
            "dlc",
            "tfe",
        ):
            yield self.line([*parts, flag])
        for index, step in enumerate(self.matcher.steps):
            for text in self._broken_values(step):
                changed = list(self.base)
                changed[index] = text
                yield self.line(changed)

    def line(self, parts: list[str], word: str = "") -> str:
        """The statement with these operands; '' for one that is left out."""
        text = (word or self.word) + " "
        written = [part for part in parts if part]
        if "::" in written:
            split = written.index("::")
            halves = written[:split], written[split + 2 :]
            return f"{text}{', '.join(halves[0])} :: {' '.join(written[split + 1 : split + 2])} {', '.join(halves[1])}"
        chosen = next((place for place, part in enumerate(written[:-1]) if part.startswith("format:")), None)
        if chosen is not None:  # the format of a typed buffer follows the offset
            form = written.pop(chosen)
            written[chosen] += f" {form}"
        position = [part for part in written if not _is_keyword(part)]
        if position == written[: len(position)]:
            text += ", ".join(position) + " " + " ".join(written[len(position) :])
        else:
            text += " ".join(part if _is_keyword(part) else part + "," for part in written).rstrip(",")
        return text.replace("[, ", "[").replace(", ]", "]").strip()

    def _plain(self, step: Step) -> str:
        slot, rule = step.slot, step.rule
        if rule.token:
            return rule.token
        if step.optional:
            return self._needed(slot)
        if rule.merged == operands.CHANNEL:
            return ""
        if rule.registers is not None:
            ranges = rule.registers.ranges
            if slot.name.startswith(("vdstY", "src0Y", "vsrc1Y")) and ranges and ranges[0].dwords == 1:
                return "v" + str({"vdstY": 41, "src0Y": 33, "vsrc1Y": 34}.get(slot.name, 35))
            if slot.name.startswith(("vdstX", "src0X", "vsrc1X")) and ranges and ranges[0].dwords == 1:
                return "v" + str({"vdstX": 40, "src0X": 4, "vsrc1X": 5}.get(slot.name, 6))
            if not ranges:
                return sorted(rule.registers.specials)[0]
            best = next((part for part in ranges if part.file == "v"), ranges[0])
            step_size = 2 if best.file in "va" and best.dwords > 1 else best.step
            top = (100 if best.file in "va" else 16 if best.file == "ttmp" else 96) - best.dwords
            first = best.first + step_size * self.random.randrange(max(1, top // step_size))
            return tuple_text(best.file, first, best.dwords) + HALVES[best.half]
        return next(iter(self._values(step)), "0") if not (rule.inline or rule.literals) else "1"

    def _needed(self, slot: isa.Slot) -> str:
        """Keywords that LLVM calls optional but that the form needs to be valid."""
        form = self.form
        if slot.name == "dmask" and form.image is not None:
            count = form.image.vdata_dwords
            if "Gather4" in form.flags:
                return "dmask:0x1"
            return f"dmask:{(1 << min(count, 4)) - 1:#x}"
        if (
            slot.name == "d16"
            and form.image is not None
            and "Gather4" in form.flags
            and form.image.vdata_dwords in (2, 3)
        ):
            return "d16"
        if slot.name == "dim" and form.image is not None:
            return f"dim:{self._dimension()}"
        if slot.name == "tfe" and form.image is not None and form.image.vdata_dwords == 5:
            return "tfe"
        if slot.name == "cpol" and "IsAtomicRet" in form.flags and "MIMG" not in form.flags:
            if self.target.generation_number >= 12:
                return "th:TH_ATOMIC_RETURN"
            return "sc0" if self.target.has("FeatureGFX940Insts") and not form.mnemonic.startswith("s_") else "glc"
        return ""

    def _dimension(self) -> str:
        """A dimension whose address has the size of this form's."""
        image = self.form.image
        assert image is not None
        for dimension in dimensions.DIMENSIONS:
            if image_checks.address_dwords(image, dimension, False, True) == image.vaddr_dwords:
                return dimension.name
        return "2D"

    def _values(self, step: Step) -> list[str]:
        slot, rule = step.slot, step.rule
        if rule.token:
            return [rule.token]
        found: list[str] = []
        if rule.merged:
            return self._merged_values(rule.merged, slot)
        if rule.names is not None and rule.registers is None:
            return self._keyword_values(slot, rule.names)
        if rule.registers is not None:
            found += self._register_values(rule.registers)
        if rule.names is not None:
            found += sorted(rule.names)
        if rule.source_modifiers == slots.FLOAT_MODIFIERS and found:
            one = found[0]
            found += [f"-{one}", f"|{one}|", f"-|{one}|", f"neg({one})", f"abs({one})", f"neg(abs({one}))"]
        if rule.source_modifiers == slots.SEXT_MODIFIER and found:
            found.append(f"sext({found[0]})")
        if rule.inline or rule.literals:
            found += [*INTEGERS, *FLOATS, *WRAPPED]
        if rule.integer and rule.integer != "helper":
            found += INTEGERS
        if rule.any_expression:
            found += self._helper_values(slot)
        return found

    def _register_values(self, register_class: isa.RegisterClass) -> list[str]:
        found = []
        for part in register_class.ranges:
            last = min(part.last, self.target.file_sizes[part.file] - part.dwords)
            last -= (last - part.first) % part.step
            middle = part.first + part.step * self.random.randrange(max(1, (last - part.first) // part.step))
            for first in (part.first, middle, last):
                found.append(tuple_text(part.file, first, part.dwords) + HALVES[part.half])
            if part.half:
                continue
            found.append(f"{part.file}[{middle}:{middle + part.dwords - 1}]")
            if part.dwords <= 4:
                found.append("[" + ",".join(f"{part.file}{middle + i}" for i in range(part.dwords)) + "]")
        return found + sorted(register_class.specials & set(self.target.registers))

    def _merged_values(self, merged: str, slot: isa.Slot) -> list[str]:
        if merged.startswith(operands.CACHE):
            if self.target.generation_number >= 12:
                return [
                    "th:TH_LOAD_NT",
                    "th:TH_STORE_NT scope:SCOPE_SYS",
                    "th:TH_ATOMIC_RETURN",
                    "scope:SCOPE_SE",
                    "nv",
                    "th:TH_LOAD_RT_NT",
                    "th:TH_LOAD_BYPASS scope:SCOPE_SYS",
                    "th:TH_STORE_BYPASS",
                    "th:TH_STORE_WB",
                    "th:TH_ATOMIC_CASCADE_NT scope:SCOPE_DEV",
                    "scope:2 th:TH_LOAD_HT",
                    "scope:4",
                    "th:TH_FOO",
                    "th:TH_DEFAULT",
                    "th:TH_LOAD_LU",
                    "scale_offset",
                    "scale_offset nv",
                    "glc",
                ]
            bits = list(cache_policy.vocabulary(self.target.features, self.form.mnemonic.startswith("s_")))
            return [
                *bits,
                *("no" + bit for bit in bits),
                " ".join(bits[:2]),
                " ".join(bits[1::-1]),
                f"{bits[0]} {bits[0]}",
            ]
        if merged == operands.FORMAT:
            if self.target.generation_number >= 10:
                names = sorted(formats.unified_formats(self.target.features))
                return [
                    *(f"format:[{name}]," for name in self.random.sample(names, 4)),
                    "format:22", "format:127", "format:128", "format:[BUF_FMT_10_11_11_UNORM],",
                    "format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT],", "dfmt:1, nfmt:2,",
                ]  # fmt: skip
            return [
                "dfmt:1, nfmt:2,", "nfmt:7 dfmt:15", "dfmt:4", "nfmt:1,", "dfmt:16", "nfmt:8", "format:1",
            ]  # fmt: skip
        if merged == operands.ATTRIBUTE:
            return ["attr0.x", "attr1.y", "attr31.z", "attr32.w", "attr33.x", "attr0", "attr0.q", "attrx.x"]
        if merged == operands.CHANNEL:
            return [""]
        if slot.kind is not None and slot.kind.match in _WHOLE:
            return list(_WHOLE[slot.kind.match])
        return [
            "vmcnt(0)", "vmcnt(15)", "vmcnt(16)", "vmcnt(63)", "vmcnt(64)", "expcnt(7)", "expcnt(8)", "lgkmcnt(15)",
            "lgkmcnt(16)", "vmcnt(1) & expcnt(2) & lgkmcnt(3)", "vmcnt(1) lgkmcnt(0)", "vmcnt_sat(99)", "0", "0xffff",
            "0x1ffff", "-1", "foo(1)", "vmcnt(0), lgkmcnt(0)", "vmcnt(-1)", "vmcnt(v0)",
        ]  # fmt: skip

    def _keyword_values(self, slot: isa.Slot, names: frozenset[str]) -> list[str]:
        found: list[str] = []
        for name in sorted(names):
            if not name.endswith(":"):
                found.append(name)
                continue
            found += [name + value for value in _keyword_numbers(name[:-1])]
        return found

    def _helper_values(self, slot: isa.Slot) -> list[str]:
        kind = slot.kind
        assert kind is not None
        names = {
            "Hwreg": [f"hwreg({name})" for name in sorted(hwreg.all_names())],
            "SendMsg": [f"sendmsg({name})" for name in sorted(sendmsg.all_names())],
            "ExpTgt": sorted(exports.all_names()),
        }
        return [*_HELPERS.get(kind.match, INTEGERS), *names.get(kind.match, ())]

    def _broken_values(self, step: Step) -> list[str]:
        rule = step.rule
        if rule.token:
            return ["off", "v0", "vcc", "s[0:1]", "nonsense"]
        found: list[str] = []
        if rule.registers is not None:
            for part in rule.registers.ranges[:2]:
                for dwords in (part.dwords - 1, part.dwords + 1, part.dwords * 2):
                    if dwords:
                        found.append(tuple_text(part.file, 4, dwords))
                size = self.target.file_sizes[part.file]
                found += [
                    tuple_text(part.file, size - part.dwords + 1, part.dwords),
                    tuple_text(part.file, size, part.dwords),
                ]
                found += [
                    tuple_text(part.file, 1, part.dwords),
                    tuple_text(part.file, 2, part.dwords),
                    tuple_text(part.file, 3, part.dwords),
                ]
                found += [
                    f"{part.file}[5:4]",
                    f"{part.file}[foo]",
                    f"{part.file}[0:{part.dwords - 1}",
                    f"{part.file}[-1]",
                ]
            if rule.source_modifiers == slots.NO_MODIFIERS:
                found += [
                    f"-{tuple_text(rule.registers.ranges[0].file, 4, rule.registers.ranges[0].dwords)}"
                    if rule.registers.ranges
                    else "-vcc",
                    "|v0|",
                    "sext(v0)",
                ]
        found += JUNK
        found += sorted(set(self.target.registers))[:: self.random.choice((3, 4, 5))]
        if rule.names is not None:
            for name in sorted(rule.names)[:2]:
                found += [
                    name.rstrip(":") + ":",
                    name.rstrip(":") + ":v0",
                    name.rstrip(":") + ":99999999",
                    name.rstrip(":") + ":-1",
                    name.rstrip(":"),
                    f"{name.rstrip(':')}:1 {name.rstrip(':')}:1",
                ]
        return found


def _is_keyword(text: str) -> bool:
    first = text.split("(")[0].split(" format:")[0]
    return ":" in first.split("[")[0] or first.rstrip(",") in _FLAGS or (first.startswith("no") and first[2:] in _FLAGS)


_FLAGS = frozenset(
    [
        "clamp",
        "gds",
        "tfe",
        "unorm",
        "da",
        "d16",
        "lwe",
        "compr",
        "vm",
        "high",
        "a16",
        "r128",
        "glc",
        "slc",
        "dlc",
        "scc",
        "sc0",
        "sc1",
        "nt",
        "lds",
        "offen",
        "idxen",
        "row_mirror",
        "row_half_mirror",
        "done",
        "unknown_flag",
        "row_en",
    ]
) | {"slc glc"}


def _keyword_numbers(name: str) -> tuple[str, ...]:
    found = _KEYWORD_VALUES.get(name)
    if found is not None:
        return found
    if name.endswith("_sel") and name.startswith(("dst", "src")):
        return ("BYTE_0", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "WORD_2", "1")
    return (
        "0",
        "1",
        "2",
        "3",
        "7",
        "8",
        "15",
        "16",
        "255",
        "256",
        "4095",
        "4096",
        "65535",
        "65536",
        "-1",
        "1+1",
        "0x1000000",
    )


_LISTS = (
    "[0]",
    "[1]",
    "[0,1]",
    "[1,0]",
    "[1,1,1]",
    "[0,0,1]",
    "[1,1,1,1]",
    "[0,0,0,1]",
    "[0,0,0,0,1]",
    "[2]",
    "1",
    "[]",
)
_KEYWORD_VALUES: dict[str, tuple[str, ...]] = {
    "op_sel": _LISTS,
    "op_sel_hi": _LISTS,
    "neg_lo": _LISTS,
    "neg_hi": _LISTS,
    "neg": _LISTS,
    "mul": ("1", "2", "4", "3", "0"),
    "div": ("1", "2", "4"),
    "dst_unused": ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "UNUSED"),
    "quad_perm": ("[0,1,2,3]", "[3,3,3,3]", "[0,0,0,4]", "[0,1,2]", "1"),
    "row_shl": ("1", "15", "0", "16"),
    "row_shr": ("1", "15", "0", "16"),
    "row_ror": ("1", "15", "0", "16"),
    "wave_shl": ("1", "0", "2"),
    "wave_shr": ("1", "2"),
    "wave_rol": ("1",),
    "wave_ror": ("1", "-1"),
    "row_bcast": ("15", "31", "0"),
    "row_newbcast": ("0", "15", "16"),
    "row_share": ("0", "15"),
    "row_xmask": ("1",),
    "offset": (
        "0", "1", "255", "2047", "2048", "4095", "4096", "-1", "-2048", "-2049", "-4096", "-4097", "65535", "65536",
        "0xfffff", "0x100000", "-0x100000", "-0x100001", "foo", "swizzle(QUAD_PERM, 0, 1, 2, 3)",
        "swizzle(QUAD_PERM, 0, 1, 2, 4)", 'swizzle(BITMASK_PERM, "01pi0")', 'swizzle(BITMASK_PERM, "01pi")',
        "swizzle(BROADCAST, 8, 7)", "swizzle(BROADCAST, 8, 8)", "swizzle(BROADCAST, 6, 1)", "swizzle(SWAP, 16)",
        "swizzle(SWAP, 32)", "swizzle(REVERSE, 32)", "swizzle(REVERSE, 1)", "swizzle(FFT, 31)",
        "swizzle(ROTATE, 1, 31)", "swizzle(FOO)",
    ),
}  # fmt: skip
_KEYWORD_VALUES |= {
    name: (*row.values, "0", "1", "2", "3", "4", "5", "FOO")
    for name, row in modifier_table.modifiers(isa.load_target("gfx1250").features).items()
    if name.startswith("matrix_") and row.values
}
_KEYWORD_VALUES |= {
    "dpp8": ("[0,1,2,3,4,5,6,7]", "[7,6,5,4,3,2,1,0]", "[0,1,2,3,4,5,6,8]", "[0,1,2,3]", "1"),
    "dim": (
        "1D", "2D", "SQ_RSRC_IMG_3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "SQ_RSRC_IMG_2D_MSAA_ARRAY", "0",
        "FOO", "4D",
    ),
}  # fmt: skip
_WHOLE = {
    "SDelayALU": (
        "instid0(VALU_DEP_1)", "instid0(VALU_DEP_4) | instskip(NEXT) | instid1(TRANS32_DEP_1)",
        "instid0(SALU_CYCLE_3)|instskip(SKIP_4)|instid1(FMA_ACCUM_CYCLE_1)", "instid1(VALU_DEP_2)",
        "instskip(SAME)", "0", "0xfff", "0x10000", "-1", "instid0(FOO)", "foo(VALU_DEP_1)", "instid0(1)",
        "instid0(VALU_DEP_1), instid1(VALU_DEP_1)", "instid0(VALU_DEP_1) | instid0(VALU_DEP_2)",
        "instskip(VALU_DEP_1)", "instid0(NEXT)",
    ),
    "DepCtr": (
        "depctr_va_vdst(0)", "depctr_va_vdst(15) depctr_vm_vsrc(0)", "depctr_va_vdst(1) & depctr_vm_vsrc(0)",
        "depctr_va_sdst(7), depctr_sa_sdst(0)", "depctr_hold_cnt(0)", "depctr_va_ssrc(0)", "depctr_va_vcc(0)",
        "depctr_vm_vsrc(7)", "depctr_vm_vsrc(8)", "depctr_va_vdst(16)", "depctr_va_vdst(-1)", "depctr_foo(0)",
        "depctr_va_vdst_sat(99)", "0xfffe", "0x10000", "-1", "-32768", "-32769",
        "depctr_va_vdst(0) depctr_va_vdst(1)", "depctr_va_vdst(foo)",
    ),
}  # fmt: skip
_HELPERS = {
    "Hwreg": (
        "hwreg(HW_REG_MODE)", "hwreg(HW_REG_MODE, 0, 32)", "hwreg(HW_REG_HW_ID, 4, 2)", "hwreg(5, 31, 1)",
        "hwreg(63)", "hwreg(64)", "hwreg(1, 32, 1)", "hwreg(1, 0, 33)", "hwreg(1, 0, 0)", "hwreg(1, 2)",
        "hwreg(HW_REG_FOO)", "0", "0xffff", "0x10000", "-1", "hwreg(HW_REG_SH_MEM_BASES)",
        "hwreg(HW_REG_TRAPSTS, 1, 2)", "hwreg(HW_REG_IB_STS)", "hwreg(HW_REG_TBA_LO)", "hwreg(HW_REG_XNACK_MASK)",
        "hwreg(HW_REG_HW_ID1)", "hwreg(HW_REG_FLAT_SCR_LO)", "hwreg(HW_REG_XCC_ID)", "hwreg(HW_REG_GPR_ALLOC)",
        "hwreg(HW_REG_LDS_ALLOC)", "hwreg(HW_REG_STATUS)", "hwreg(HW_REG_TMA_HI)", "hwreg(HW_REG_SHADER_CYCLES)",
        "hwreg(HW_REG_POPS_PACKER)", "{id: 1}", "{size: 3, id: 5, offset: 31}", "{}", "{id: 1, size: 33}",
        "{offset: 32}",
    ),
    "SendMsg": (
        "sendmsg(MSG_INTERRUPT)", "sendmsg(MSG_GS, GS_OP_EMIT)", "sendmsg(MSG_GS, GS_OP_EMIT, 1)",
        "sendmsg(MSG_GS, GS_OP_NOP)", "sendmsg(MSG_GS_DONE, GS_OP_NOP)", "sendmsg(MSG_GS_DONE, GS_OP_NOP, 1)",
        "sendmsg(MSG_GS)", "sendmsg(MSG_SYSMSG, SYSMSG_OP_REG_RD)", "sendmsg(MSG_SYSMSG, SYSMSG_OP_REG_RD, 0)",
        "sendmsg(MSG_INTERRUPT, GS_OP_NOP)", "sendmsg(2, 3, 3)", "sendmsg(15, 7, 3)", "sendmsg(16)", "sendmsg(2, 8)",
        "sendmsg(2, 3, 4)", "sendmsg(MSG_FOO)", "sendmsg(MSG_SAVEWAVE)", "sendmsg(MSG_STALL_WAVE_GEN)",
        "sendmsg(MSG_HALT_WAVES)", "sendmsg(MSG_ORDERED_PS_DONE)", "sendmsg(MSG_GS_ALLOC_REQ)",
        "sendmsg(MSG_GET_DOORBELL)", "sendmsg(MSG_GET_DDID)", "sendmsg(MSG_EARLY_PRIM_DEALLOC)",
        "sendmsg(MSG_HS_TESSFACTOR)", "sendmsg(MSG_GS, 4)", "sendmsg(MSG_GS, GS_OP_CUT, 4)", "sendmsg(2, GS_OP_CUT)",
        "0", "65535", "65536", "-1",
    ),
    "GPRIdxMode": (
        "gpr_idx()", "gpr_idx(SRC0)", "gpr_idx(SRC0,SRC1,SRC2,DST)", "gpr_idx(SRC0,SRC0)", "gpr_idx(FOO)", "0", "15",
        "16", "-1",
    ),
    "SOPPBrTarget": ("0", "1", "-1", "32767", "-32768", "65535", "65536", "-32769", "label", "label+4", "v0"),
    "Endpgm": ("0", "1", "65535", "65536", "-1", "v0"),
    "ExpTgt": (
        "mrt0", "mrt7", "mrt8", "mrtz", "null", "pos0", "pos3", "pos4", "param0", "param31", "param32", "prim",
        "foo", "0", "dual_src_blend0",
    ),
}  # fmt: skip


def forms(target: isa.Target, seed: int = 0) -> Iterator[FormLines]:
    """Every form of the target, in the order of mnemonics."""
    for mnemonic in target.mnemonics:
        yield from forms_of(target, mnemonic, seed)


def forms_of(target: isa.Target, mnemonic: str, seed: int = 0) -> Iterator[FormLines]:
    """Every form of one mnemonic."""
    for matcher in assembler.context_of(target).candidates(mnemonic).matchers:
        yield FormLines(target, matcher, seed)
