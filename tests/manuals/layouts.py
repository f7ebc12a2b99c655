"""The fields of the encodings as a manual tabulates them, against the bits of the forms.

A field holds bits of operands (`_PLACES`), or what a word or a family decides (`_FLAGS`, `_BY_FAMILY`); the bits of an
encoding and its opcode are constants of a form.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.isa.conditions import holds
from tests.manuals import opcodes
from tests.manuals.difference import Difference


class Field(NamedTuple):
    """A field of an encoding in a manual. high, low: bits. value: the constant in it, None if it holds none."""

    encoding: str
    name: str
    high: int
    low: int
    value: "int | None"


_HEAD = re.compile(r"\| *Field Name *\| *Bits? *\|")
_TITLE = re.compile(r".*\bTable \d+\. ([\w-]+)(?:, \w+ and \w+)? Fields")
_SECTION = re.compile(r"(?:#+ )?(?:<span[^>]*></span>)?\**(?:Format\** )?(?:[\d.]+ )?([A-Z][\w-]*)\**$")
_BITS = re.compile(r"\[?(\d+)(?::(\d+))?\s*\]?(?=\s|$)")
_VALUE = re.compile(r"(?:Must be: *|'b)?([01_]+)$")
_SECOND = "VOP3PX2"  # has a table for each half; the bits of the second one are counted from 64
_OF_FIRST = ("SCL", "Constant")


def fields(text: str) -> Iterator[Field]:
    """The fields of all encodings of a manual, in the order of its tables."""
    lines = text.replace("\\_", "_").replace("\\*", "*").split("\n")
    encoding = ""
    for at, line in enumerate(lines):
        title = _TITLE.match(line) or _SECTION.match(line)
        if title:
            encoding = title[1]
        if not _HEAD.match(line):
            continue
        rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in _rows(lines, at + 2)]
        is_second = encoding == _SECOND and not any(row[0].startswith(_OF_FIRST) for row in rows)
        for name, bits, *rest in rows:
            found = _BITS.match(bits)
            if found is None:
                continue
            low, high = sorted((int(found[1]), int(found[2] or found[1])))
            value = _VALUE.match(rest[0]) if name == "ENCODING" and rest else None
            digits = value[1].replace("_", "") if value else ""
            low = high - len(digits) + 1 if digits else low  # some bits of the constant are counted to a field below
            shift = 64 if is_second else 0
            yield Field(encoding, name, high + shift, low + shift, int(digits, 2) if digits else None)


def _rows(lines: Sequence[str], start: int) -> Iterator[str]:
    for line in lines[start:]:
        if line.count("|") < 3:
            return
        yield line


# Names of encodings in the manuals: our families, and the variants of them.
_DEFAULT = frozenset(("Default",))
_LONG = frozenset(("VOP3", "Default"))
_SDWA = frozenset(("SDWA", "SDWA9"))
_DPP = frozenset(("DPP",))
_FLAT = ("FLAT", "GLOBAL", "SCRATCH")
_ENCODINGS: Mapping[str, tuple[tuple[str, ...], frozenset[str]]] = {
    **{
        name: ((name,), _DEFAULT)
        for names in (
            ("SOP1", "SOP2", "SOPK", "SOPC", "SOPP", "VOP1", "VOP2", "VOPC", "VOPD", "SMEM", "VINTRP", "LDSDIR"),
            ("DS", "MTBUF", "MUBUF", "MIMG", "EXP", "VIMAGE", "VSAMPLE"),
        )
        for name in names
    },
    "LDS": (("DS",), _DEFAULT),
    "VDSDIR": (("LDSDIR",), _DEFAULT),
    "VEXPORT": (("EXP",), _DEFAULT),
    "VOPD3": (("VOPD",), _DEFAULT),
    "VBUFFER": (("MUBUF", "MTBUF"), _DEFAULT),
    "FLAT": (_FLAT, _DEFAULT),
    **dict.fromkeys(("VOP3", "VOP3A", "VOP3B", "VOP3SD"), (("VOP1", "VOP2", "VOPC", "VOP3"), frozenset(("VOP3",)))),
    **{name: ((name,), _LONG) for name in ("VOP3P", "VINTERP")},
    "VOP3PX2": (("VOP3P",), _LONG),
    "VOP3P-MAI": (("MAI",), _LONG),
    "SDWA": (("VOP1", "VOP2"), _SDWA),
    "SDWAB": (("VOPC",), _SDWA),
    **dict.fromkeys(("DPP", "DPP16", "DPP8"), (("VOP1", "VOP2", "VOPC"), _DPP)),
}
_VOPD3 = 0b11001111
_TWICE = 16  # the bytes of two encodings in one, such as VOP3PX2

Place = tuple[str, int]
"""An operand, and a bit of its value."""

Places = tuple[tuple[Place, ...], ...]
"""What a field may hold: from a place on, or a bit of each of several places."""


def _from(*places: "str | Place") -> Places:
    return tuple(((place, 0) if isinstance(place, str) else place,) for place in places)


def _each(bit: int, *operands: str) -> Places:
    return (tuple((operand, bit) for operand in operands),)


_MODIFIERS = tuple(f"src{number}_modifiers" for number in range(3))
_SAME_NAME = (
    *("SIMM16", "OFFSET", "SOFFSET", "OFFSET0", "OFFSET1", "GDS", "DMASK", "LWE", "TFE", "D16", "DIM", "R128", "EN"),
    *("COMPR", "VM", "OMOD", "ATTR", "FORMAT", "CBSZ", "ABID", "BLGP", "DPP_CTRL", "BANK_MASK", "ROW_MASK", "FI"),
    *("DST_SEL", "SRC0_SEL", "SRC1_SEL", "WAITEXP", "DA", "VDATA", "ADDR", "DATA0", "DATA1", "SAMP", "SADDR"),
    *("VADDR0", "VADDR1", "VADDR2", "VADDR3", "VADDR4", "SRC0", "SRC1", "SRC2", "VDST", "SDST"),
)
_PLACES: Mapping[str, Places] = {
    **{name: _from(name.lower()) for name in _SAME_NAME},
    **{f"SSRC{number}": _from(f"src{number}") for number in range(2)},
    **{f"VSRC{number}": _from(f"src{number}") for number in range(4)},
    "VSRC": _from("vsrc", "vdata"), "VADDR": _from("vaddr", "vaddr0"), "IOFFSET": _from("offset"),
    "SBASE": _from(("sbase", 1)), "SDATA": _from("sdst", "sdata"), "RSRC": _from("rsrc", "srsrc"),
    "SRSRC": _from(("srsrc", 2)), "SSAMP": _from(("ssamp", 2)), "A16": _from("a16"),
    "TARGET": _from("tgt"), "ATTR_CHAN": _from("attrchan"), "UNRM": _from("unorm"), "DATA": _from("vdata"),
    "CLMP": _from("clamp"), "CM": _from("clamp"), "DST_U": _from("dst_unused"), "BC": _from("bound_ctrl"),
    "S0": _from(("src0", 8)), "S1": _from(("src1", 8)), "SD": _from(("sdst", 7)),
    **{
        f"SRC{number}_{word}": _from((f"src{number}_modifiers", bit))
        for number in range(2)
        for word, bit in (("NEG", 0), ("ABS", 1), ("SEXT", 4))
    },
    "GLC": _from(("cpol", 0)), "SLC": _from(("cpol", 1)), "DLC": _from(("cpol", 2)),
    "SC0": _from(("cpol", 0)), "NT": _from(("cpol", 1)), "SC1": _from(("cpol", 4)),
    "TH": _from(("cpol", 0)), "SCOPE": _from(("cpol", 3)), "NV": _from(("cpol", 5)),
    "SCALE_OFFSET": _from(("cpol", 11)),
    "NEG": _each(0, *_MODIFIERS), "ABS": _each(1, *_MODIFIERS), "NEG_HI": _each(1, *_MODIFIERS),
    "OPSEL": ((*_each(2, *_MODIFIERS)[0], ("src0_modifiers", 3)),),
    "OPSEL_HI": _each(3, *_MODIFIERS[:2]), "OPSEL_HI2": _each(3, *_MODIFIERS[2:]),
    "ACC": _each(9, "src0", "src1"),
    "DFMT": _from("format"), "NFMT": _from(("format", 4)),
    "WAIT_VA": _from("waitvdst"), "WAIT_VMVSRC": _from("waitvsrc"),
    **{f"{word}SRC{half}{number}": _from(f"{start}{number}{half}")
       for half in "XY" for number, word, start in ((0, "", "src"), (1, "V", "vsrc"), (2, "V", "vsrc"))},
    **{f"VDST{half}": _from(f"vdst{half}") for half in "XY"},
    **{f"NEG{half}": _each(0, *(f"{name}{half}_modifiers" for name in ("src0", "vsrc1", "vsrc2"))) for half in "XY"},
    "SCL_SRC0": _from("scale_src0"), "SCL_SRC1": _from("scale_src1"),
    **{f"LANE_SEL{number}": _from(("dpp8", 3 * number)) for number in range(8)},
}  # fmt: skip
_OF_ENCODING: Mapping[tuple[str, str], Places] = {
    **{(name, "ACC"): _from(("vdata", 9)) for name in ("MTBUF", "MUBUF", "MIMG")},
    ("FLAT", "ACC"): _from(("vdata", 9), ("vdst", 9)),
    ("DS", "ACC"): _from(("data0", 9), ("vdst", 9)),
    ("FLAT", "ADDR"): _from("vaddr"),
    ("VOPD", "VDSTY"): _from(("vdstY", 1)),  # its lowest bit is the opposite of that of VDSTX
    ("VOP3PX2", "OPSEL"): _from("matrix_a_fmt"),
    ("VOP3PX2", "OPSEL_HI"): _from("matrix_b_fmt"),
    ("VOP3PX2", "OPSEL_HI2"): _from(("matrix_b_fmt", 2)),
    **{(name, "VDST"): _from("vdst", "sdst") for name in ("VOP1", "VOP3", "VOP3A")},  # v_readlane, masks of v_cmp
}


def _token(text: str) -> Callable[[isa.Form], bool]:
    return lambda form: any(slot.text == text for slot in form.slots)


def _operands(*names: str) -> Callable[[isa.Form], bool]:
    return lambda form: {slot.name for slot in form.slots} >= set(names)


def _has_vector_offset(form: isa.Form) -> "bool | None":
    return _operands("vaddr")(form) if form.family == "SCRATCH" else None


def _gives_accumulators(form: isa.Form) -> "bool | None":
    """Whether the result is in AccVGPRs; None where an operand has the bit."""
    if any(field.name == "vdst" and len(field.pieces) > 1 for field in form.fields):
        return None
    kind = form.operands[0].kind
    return kind.registers is not None and "a" in kind.registers.files


# Bits that are constants of a form: 1 where a word or an operand is written.
_FLAGS: Mapping[tuple[str, str], Callable[[isa.Form], "bool | None"]] = {
    **{
        (name, word): _token(word.lower())
        for name in ("MUBUF", "MTBUF", "VBUFFER")
        for word in ("OFFEN", "IDXEN", "TFE")
    },
    ("MUBUF", "LDS"): _token("lds"), ("FLAT", "SVE"): _has_vector_offset,
    ("SMEM", "IMM"): _operands("offset"), ("SMEM", "SOE"): _operands("offset", "soffset"),
    **{(name, "DONE"): _token("done") for name in ("EXP", "VEXPORT")},
    **{(name, "ROW"): _token("row_en") for name in ("EXP", "VEXPORT")},
    ("VOP3P-MAI", "ACC_CD"): _gives_accumulators,
}  # fmt: skip
_BY_FAMILY: Mapping[tuple[str, str], Mapping[str, int]] = {("FLAT", "SEG"): {"FLAT": 0, "SCRATCH": 1, "GLOBAL": 2}}
_OPCODES = frozenset(("OP",))


def is_compared(field: Field) -> bool:
    """Whether our tables have a place for the field."""
    key = (field.encoding, field.name)
    if field.encoding not in _ENCODINGS or key == (_SECOND, "OP"):
        return False
    return (
        field.value is not None or bool(_places(field)) or key in _FLAGS or key in _BY_FAMILY or field.name in _OPCODES
    )


def _places(field: Field) -> Places:
    return _OF_ENCODING.get((field.encoding, field.name)) or _PLACES.get(field.name, ())


def of_encoding(name: str, target: isa.Target) -> list[isa.Form]:
    """The forms of an encoding as a manual names it."""
    families, variants = _ENCODINGS[name]
    is_newer = holds("gfx10+", target.features)
    return [
        form
        for mnemonic in target.mnemonics
        for form in target.forms(mnemonic)
        if (form.family in families or (name == "VIMAGE" and mnemonic.startswith("tensor_")))
        and form.variant in variants
        and _is_of(name, form)
        # LLVM's tables have forms of gfx9 on newer targets, too, after those which the assembler takes.
        if not (form.name.endswith(("_vi", "_gfx90a")) and is_newer)
    ]


def _is_of(name: str, form: isa.Form) -> bool:
    """Whether a form has this one of several encodings of its family."""
    if name in ("VOPD", "VOPD3"):
        return (form.fixed >> 24 & 0xFF == _VOPD3) == (name == "VOPD3")
    if name in ("VOP3P", "VOP3P-MAI", "VOP3PX2"):
        return (form.size == _TWICE) == (name == "VOP3PX2")
    if name in ("VOP3", "VOP3A"):  # interpolation has an encoding of its own there
        return not _begins(form, "sdst", 8) and not form.mnemonic.startswith("v_interp")
    if name in ("VOP3B", "VOP3SD"):
        return _begins(form, "sdst", 8)
    if name in ("DPP", "DPP16", "DPP8"):
        return _begins(form, "dpp8", 40) == (name == "DPP8")
    return True


def _begins(form: isa.Form, name: str, bit: int) -> bool:
    return any(field.name == name and field.pieces[0].bit == bit for field in form.fields)


def compare(field: Field, target: isa.Target, forms: Sequence[isa.Form]) -> "Difference | None":
    """How the forms of an encoding differ from a field; None if they do not. forms: what `of_encoding` gives."""
    key = (field.encoding, field.name)
    if field.value is not None:
        return _of_constants(field, forms, lambda _: field.value)
    if field.name in _OPCODES:
        return _of_constants(field, forms, lambda form: next(iter(opcodes.numbers(form, target.features)), None))
    if key in _FLAGS:
        return _of_constants(field, forms, _FLAGS[key])
    if key in _BY_FAMILY:
        return _of_constants(field, forms, lambda form: _BY_FAMILY[key][form.family])
    return _of_operands(field, forms)


def _of_operands(field: Field, forms: Sequence[isa.Form]) -> "Difference | None":
    ours: defaultdict[Place, set[int]] = defaultdict(set)
    for form in forms:
        for each in form.fields:
            for piece in each.pieces:
                for offset in range(piece.width):
                    ours[each.name, piece.source + offset].add(piece.bit + offset)
    differing: dict[str, None] = {}
    is_known = False
    for places in _places(field):
        for bit, place in enumerate(_spread(places, field.high - field.low + 1), field.low):
            found = ours.get(place, set())
            is_known = is_known or bit in found
            if found - {bit}:
                differing[f"{place[0]}[{place[1]}] in {sorted(found)}"] = None
    if is_known and not differing:
        return None
    return Difference(f"{field.encoding} {field.name}", _written(field), ", ".join(differing) or "unknown")


def _spread(places: Sequence[Place], width: int) -> Sequence[Place]:
    """What each bit of a field holds."""
    name, first = places[0]
    return places[:width] if len(places) > 1 else [(name, first + at) for at in range(width)]


def _of_constants(
    field: Field, forms: Sequence[isa.Form], expected: "Callable[[isa.Form], int | bool | None]"
) -> "Difference | None":
    mask = (1 << (field.high - field.low + 1)) - 1
    other: set[str] = set()
    for form in forms:
        wanted = expected(form)
        if wanted is None:
            continue
        if form.fixed_mask >> field.low & mask != mask:
            other.add("not constant")
        elif form.fixed >> field.low & mask != wanted:
            other.add(f"{form.fixed >> field.low & mask:b}")
    if forms and not other:
        return None
    theirs = _written(field) if field.value is None else f"{field.value:b} in {_written(field)}"
    return Difference(f"{field.encoding} {field.name}", theirs, ", ".join(sorted(other)[:4]) or "no forms")


def _written(field: Field) -> str:
    return f"[{field.high}:{field.low}]"
