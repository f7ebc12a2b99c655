"""Keyword operands: which names a slot answers to, and what their values mean.

LLVM wants them in the order of the form's slots, so nothing here looks at order. A keyword has one of these shapes:
a flag (`glc`, also `noglc`), a number (`offset:16`), a list of bits (`op_sel:[0,1]`), a word (`dst_sel:BYTE_0`).
"""

from collections.abc import Callable, Mapping

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.special import dpp, swizzle
from gcn_lsp.instruction.values import Reading, Scope, name_of, one_of
from gcn_lsp.isa import modifiers as tables
from gcn_lsp.syntax import nodes

_SELECTS = {"BYTE_0": 0, "BYTE_1": 1, "BYTE_2": 2, "BYTE_3": 3, "WORD_0": 4, "WORD_1": 5, "DWORD": 6}
_UNUSED = {"UNUSED_PAD": 0, "UNUSED_SEXT": 1, "UNUSED_PRESERVE": 2}
DIMENSIONS = {
    "1D": 0, "2D": 1, "3D": 2, "CUBE": 3, "1D_ARRAY": 4, "2D_ARRAY": 5, "2D_MSAA": 6, "2D_MSAA_ARRAY": 7,
}  # fmt: skip

# Slot's class: the word's keyword and what each word stands for.
_WORDS: dict[str, tuple[str, Mapping[str, int]]] = {
    "SDWADstSel": ("dst_sel", _SELECTS),
    "SDWASrc0Sel": ("src0_sel", _SELECTS),
    "SDWASrc1Sel": ("src1_sel", _SELECTS),
    "SDWADstUnused": ("dst_unused", _UNUSED),
    "MatrixAFMT": ("matrix_a_fmt", tables.MATRIX_FORMATS),
    "MatrixBFMT": ("matrix_b_fmt", tables.MATRIX_FORMATS),
    "MatrixAScale": ("matrix_a_scale", tables.MATRIX_SCALES),
    "MatrixBScale": ("matrix_b_scale", tables.MATRIX_SCALES),
    "MatrixAScaleFmt": ("matrix_a_scale_fmt", tables.MATRIX_SCALE_FORMATS),
    "MatrixBScaleFmt": ("matrix_b_scale_fmt", tables.MATRIX_SCALE_FORMATS),
}

# Slot's class: lowest and highest value. Classes that are not listed take any number, whose excess bits are dropped.
_RANGES = {
    "Offset0": (0, 255),
    "Offset1": (0, 255),
    "CBSZ": (0, 7),
    "ABID": (0, 15),
    "BLGP": (0, 7),
    "WaitVDST": (0, 15),
    "WaitEXP": (0, 7),
    "WaitVAVDst": (0, 15),
    "WaitVMVSrc": (0, 1),
    "ByteSel": (0, 3),
    "ScaleSel": (0, 15),
    "DppBoundCtrl": (0, 1),
    "IndexKey8bit": (0, 3),
    "IndexKey16bit": (0, 1),
    "IndexKey32bit": (0, 1),
}
_OMOD = {("mul", 1): 0, ("mul", 2): 1, ("mul", 4): 2, ("div", 1): 0, ("div", 2): 3}
_BIT_LISTS = frozenset(("OpSel", "OpSelHi", "NegLo", "NegHi"))
_LIST_LENGTH = 4
_DIM_PREFIX = "SQ_RSRC_IMG_"

WORDS = frozenset(
    (
        *(word for _, words in _WORDS.values() for word in words),
        *DIMENSIONS,
        *(_DIM_PREFIX + name for name in DIMENSIONS),
    )
)
"""Words that are values of modifiers, never symbols."""


def spellings(kind: isa.OperandKind, target: isa.Target) -> frozenset[str] | None:
    """The shapes of the keywords that a slot takes (`glc`, `offset:`); None when the slot takes no keyword."""
    if kind.parser == "parseNamedBit":
        return _flag(kind.prefix)
    if kind.match == "R128A16":
        # From gfx10 on a16 has a bit of its own.
        has_a16 = target.generation_number < 10 and (target.has("FeatureR128A16") or target.has("FeatureA16"))
        names = _flag("a16") if has_a16 else frozenset[str]()
        return names | (_flag("r128") if target.has("FeatureMIMG_R128") else frozenset())
    special = _SPECIAL.get(kind.match)
    if special is not None:
        return special
    if kind.match == "DPPCtrl":
        found = {name for name in dpp.NAMES if dpp.available(name, target)}
        return frozenset(name if name in dpp.FLAGS else name + ":" for name in found)
    if kind.parser in ("parseIntWithPrefix", "parseOperandArrayWithPrefix", "parseSDWASel") and kind.prefix:
        return frozenset((kind.prefix + ":",))
    return None


def is_plain(kind: isa.OperandKind) -> bool:
    """Whether the keyword's value is a number that goes into its field as it is."""
    return kind.parser == "parseIntWithPrefix" and kind.match not in _READERS and kind.match not in _BIT_LISTS


def _flag(name: str) -> frozenset[str]:
    return frozenset((name, "no" + name))


_SPECIAL = {
    "OModSI": frozenset(("mul:", "div:")),
    "FlatOffset": frozenset(("offset:", "inst_offset:")),
    "Swizzle": frozenset(("offset:",)),
    "BLGP": frozenset(("blgp:", "neg:")),
    "Dim": frozenset(("dim:",)),
    "DPP8": frozenset(("dpp8:",)),
    **{f"IndexKey{bits}bit": frozenset(("index_key:",)) for bits in (8, 16, 32)},
    **{match: frozenset((f"{keyword}:",)) for match, (keyword, _) in _WORDS.items()},
}


def read(kind: isa.OperandKind, argument: Argument, scope: Scope) -> Reading:
    """The value of the keyword operand that was written for a slot of `kind`."""
    reader = _READERS.get(kind.match)
    if reader is not None:
        return reader(argument, scope)
    node = argument.node
    if isinstance(node, nodes.Name):
        return 0 if node.name == "no" + kind.prefix else 1
    assert isinstance(node, nodes.Modifier)
    if kind.match in _WORDS:
        return _word(node, _WORDS[kind.match][1], scope)
    if kind.match in _BIT_LISTS:
        return _bit_list(node, scope)
    return _number(kind.match, node, scope)


def _number(match: str, node: nodes.Modifier, scope: Scope) -> Reading:
    value: Reading = scope.plain(node.value)
    if value is None:
        value = scope.number(node.value, f"the value of {node.name}")
    bounds = _RANGES.get(match)
    if not isinstance(value, int) or bounds is None or bounds[0] <= value <= bounds[1]:
        return value
    return _out_of_range(node, f"{node.name} is {value}; it goes from {bounds[0]} to {bounds[1]}")


def _out_of_range(node: nodes.Modifier, message: str) -> Problem:
    return Problem("modifier-out-of-range", node.value.start, node.value.end, message)


def _word(node: nodes.Modifier, words: Mapping[str, int], scope: Scope) -> Reading:
    name = name_of(node.value)
    if name in words:
        return words[name]
    if not isinstance(node.value, nodes.Name):  # the number that the word stands for is taken as well
        value = scope.number(node.value, f"the value of {node.name}")
        if not isinstance(value, int) or 0 <= value < len(words):
            return value
    return _out_of_range(node, f"{node.name} takes {one_of(list(words))}")


def _bit_list(node: nodes.Modifier, scope: Scope) -> Reading:
    items = node.value.items if isinstance(node.value, nodes.Bracket) else ()
    if not 1 <= len(items) <= _LIST_LENGTH:
        return _out_of_range(node, f"{node.name} takes one to {_LIST_LENGTH} bits in brackets: {node.name}:[0,1]")
    bits = 0
    for index, item in enumerate(items):
        bit = scope.number(item, f"a bit of {node.name}")
        if not isinstance(bit, int):
            return bit
        if bit not in (0, 1):
            return Problem("modifier-out-of-range", item.start, item.end, f"{node.name} holds bits, not {bit}")
        bits |= bit << index
    return bits


def _output_modifier(argument: Argument, scope: Scope) -> Reading:
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    value = scope.number(node.value, f"the value of {node.name}")
    if isinstance(value, int):
        code = _OMOD.get((node.name, value))
        if code is None:
            allowed = "1, 2 or 4" if node.name == "mul" else "1 or 2"
            return _out_of_range(node, f"{node.name} is {value}; it must be {allowed}")
        return code
    return value


def _bound_control(argument: Argument, scope: Scope) -> Reading:
    """`bound_ctrl:0` switches the bit on, too, before gfx11: it names the value that lanes out of bounds read."""
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    value = _number("DppBoundCtrl", node, scope)
    return 1 if isinstance(value, int) and scope.target.generation_number < 11 else value


def _blgp(argument: Argument, scope: Scope) -> Reading:
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    return _bit_list(node, scope) if node.name == "neg" else _number("BLGP", node, scope)


def _swizzle(argument: Argument, scope: Scope) -> Reading:
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    return swizzle.read(node.value, scope)


def _dimension(argument: Argument, scope: Scope) -> Reading:
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    name = name_of(node.value).removeprefix(_DIM_PREFIX).upper()
    if name in DIMENSIONS:
        return DIMENSIONS[name]
    return _out_of_range(node, f"dim takes {one_of(list(DIMENSIONS))}")


def _r128(argument: Argument, scope: Scope) -> Reading:
    return 0 if argument.name.startswith("no") else 1


_READERS: dict[str, Callable[[Argument, Scope], Reading]] = {
    "OModSI": _output_modifier,
    "DppBoundCtrl": _bound_control,
    "BLGP": _blgp,
    "Swizzle": _swizzle,
    "Dim": _dimension,
    "R128A16": _r128,
    "DPPCtrl": lambda argument, scope: dpp.read(argument.node, scope),
    "DPP8": lambda argument, scope: dpp.read_dpp8(argument.node, scope),
}
