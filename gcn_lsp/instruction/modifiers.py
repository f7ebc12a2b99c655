"""Keyword operands: the names that a slot takes, and the values of those.

They must be in the order of the form's slots, which the matcher checks. A keyword has one of these shapes:
a flag (`glc`, also `noglc`), a number (`offset:16`), a list of bits (`op_sel:[0,1]`), a word (`dst_sel:BYTE_0`).
"""

from collections.abc import Callable, Mapping

from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.special import dpp, swizzle
from gcn_lsp.instruction.values import Reading, Scope, name_of, one_of
from gcn_lsp.isa.modifiers import dimensions, table
from gcn_lsp.isa.modifiers import dpp as dpp_table
from gcn_lsp.syntax import nodes

WORDS: Mapping[str, str] = {
    "SDWADstSel": "dst_sel",
    "SDWASrc0Sel": "src0_sel",
    "SDWASrc1Sel": "src1_sel",
    "SDWADstUnused": "dst_unused",
    "MatrixAFMT": "matrix_a_fmt",
    "MatrixBFMT": "matrix_b_fmt",
    "MatrixAScale": "matrix_a_scale",
    "MatrixBScale": "matrix_b_scale",
    "MatrixAScaleFmt": "matrix_a_scale_fmt",
    "MatrixBScaleFmt": "matrix_b_scale_fmt",
}
"""The modifier of each of LLVM's operand classes for words."""
# Lowest and highest value by modifier or by LLVM's class. Others take any number and drop its excess bits.
_RANGES: Mapping[str, tuple[int, int]] = {
    **{row.name: (row.low, row.high) for row in table.ROWS.values() if row.shape == "integer" and not row.is_cut},
    **{match: (0, highest) for match, highest in table.INDEX_KEYS.items()},
}
_BIT_LISTS = frozenset(("OpSel", "OpSelHi", "NegLo", "NegHi"))
_LIST_LENGTH = 4


def spellings(kind: isa.OperandKind, target: isa.Target) -> frozenset[str] | None:
    """The shapes of the keywords that a slot takes (`glc`, `offset:`); None if it takes no keyword."""
    if kind.parser == "parseNamedBit":
        return _flag(kind.prefix)
    if kind.match == "R128A16":
        # From gfx10 a16 has its own bit.
        names = _flag("a16") if target.has_a16_as_word else frozenset[str]()
        return names | (_flag("r128") if target.has_r128 else frozenset())
    special = _SPECIAL.get(kind.match)
    if special is not None:
        return special
    if kind.match == "DPPCtrl":
        controls = dpp_table.controls(target.features).values()
        words = {control.name if control.low is None else control.name + ":" for control in controls}
        return frozenset({*words, dpp_table.QUAD_PERM + ":"})
    if kind.parser in ("parseIntWithPrefix", "parseOperandArrayWithPrefix", "parseSDWASel") and kind.prefix:
        return frozenset((kind.prefix + ":",))
    return None


def is_plain(kind: isa.OperandKind) -> bool:
    """Whether the keyword's value is a number that goes into its field unchanged."""
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
    **dict.fromkeys(table.INDEX_KEYS, frozenset(("index_key:",))),
    **{match: frozenset((f"{name}:",)) for match, name in WORDS.items()},
}


def read(kind: isa.OperandKind, argument: Argument, scope: Scope) -> Reading:
    """The value of the keyword operand of a slot of `kind`."""
    reader = _READERS.get(kind.match)
    if reader is not None:
        return reader(argument, scope)
    node = argument.node
    if isinstance(node, nodes.Name):
        return 0 if node.name == "no" + kind.prefix else 1
    assert isinstance(node, nodes.Modifier)
    if kind.match in WORDS:
        return _word(node, table.ROWS[WORDS[kind.match]].values or {}, scope)
    if kind.match in _BIT_LISTS:
        return _bit_list(node, scope)
    return _number(node, _RANGES.get(kind.match) or _RANGES.get(node.name), scope)


def _number(node: nodes.Modifier, bounds: tuple[int, int] | None, scope: Scope) -> Reading:
    value: Reading = scope.plain(node.value)
    if value is None:
        value = scope.number(node.value, f"the value of {node.name}")
    if not isinstance(value, int) or bounds is None or bounds[0] <= value <= bounds[1]:
        return value
    return _out_of_range(node, f"{node.name} is {value}; the range is {bounds[0]} to {bounds[1]}")


def _out_of_range(node: nodes.Modifier, message: str) -> Problem:
    return Problem("modifier-out-of-range", node.value.start, node.value.end, message)


def _word(node: nodes.Modifier, words: Mapping[str, int], scope: Scope) -> Reading:
    name = name_of(node.value)
    if name in words:
        return words[name]
    if not isinstance(node.value, nodes.Name):  # the number of the word is accepted too
        value = scope.number(node.value, f"the value of {node.name}")
        if not isinstance(value, int) or 0 <= value < len(words):
            return value
    return _out_of_range(node, f"{node.name} takes {one_of(list(words))}")


def _bit_list(node: nodes.Modifier, scope: Scope) -> Reading:
    items = node.value.items if isinstance(node.value, nodes.Bracket) else ()
    if not 1 <= len(items) <= _LIST_LENGTH:
        return _out_of_range(node, f"{node.name} takes one to {_LIST_LENGTH} bits in brackets, as in {node.name}:[0,1]")
    bits = 0
    for index, item in enumerate(items):
        bit = scope.number(item, f"a bit of {node.name}")
        if not isinstance(bit, int):
            return bit
        if bit not in (0, 1):
            return Problem("modifier-out-of-range", item.start, item.end, f"{node.name} takes bits 0 and 1, not {bit}")
        bits |= bit << index
    return bits


def _output_modifier(argument: Argument, scope: Scope) -> Reading:
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    value = scope.number(node.value, f"the value of {node.name}")
    if isinstance(value, int):
        codes = table.OUTPUT_MODIFIERS[node.name]
        if value not in codes:
            allowed = one_of([str(factor) for factor in codes])
            return _out_of_range(node, f"{node.name} is {value}; it must be {allowed}")
        return codes[value]
    return value


def _bound_control(argument: Argument, scope: Scope) -> Reading:
    """Before gfx11 `bound_ctrl:0` also sets the bit: 0 is the value that lanes out of bounds read."""
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    value = _number(node, _RANGES["bound_ctrl"], scope)
    return 1 if isinstance(value, int) and scope.target.has_inverted_bound_control else value


def _blgp(argument: Argument, scope: Scope) -> Reading:
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    return _bit_list(node, scope) if node.name == "neg" else _number(node, _RANGES["blgp"], scope)


def _swizzle(argument: Argument, scope: Scope) -> Reading:
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    return swizzle.read(node.value, scope)


def _dimension(argument: Argument, scope: Scope) -> Reading:
    node = argument.node
    assert isinstance(node, nodes.Modifier)
    name = name_of(node.value).removeprefix(dimensions.PREFIX).upper()
    if name in dimensions.CODES:
        return dimensions.CODES[name]
    return _out_of_range(node, f"dim takes {one_of(list(dimensions.CODES))}")


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
