"""Binds every slot of a matched form to its value: register numbers, inline constants, literals, keywords, helpers."""

from collections.abc import Callable

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction import cautions, dual_issue, encode, immediates, modifiers, operands, slots
from gcn_lsp.instruction.bound import Bound, Check
from gcn_lsp.instruction.constraints.checks import checks_for
from gcn_lsp.instruction.model import Fixup, FixupKind, Operand, OperandForm, Problem
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.special import dependencies, exports, hwreg, sendmsg, vgpr_index, wait_event, waitcnt
from gcn_lsp.instruction.values import Reading, Scope, name_of
from gcn_lsp.isa.operands.immediates import LITERAL, LITERAL64, VALUES
from gcn_lsp.syntax import expressions, nodes

TOKEN, SOURCE, KEYWORD, IMMEDIATE, HELPER, MERGED, WORD = range(7)


class Binder(msgspec.Struct, frozen=True, gc=False):
    """How one slot gets its value from the operand.

    kind: one of the constants above. name: of the slot. type: how a source reads numbers, '' when it takes none.
    modifiers: the operand that holds its source modifiers, '' for none. encoder: LLVM's, for registers.
    shown: the kind of `Operand` that it becomes, unless it is a source or a token.
    """

    kind: int
    name: str
    type: str
    modifiers: str
    encoder: str
    operand: isa.OperandKind | None
    shown: OperandForm = "immediate"


def binder_for(form: isa.Form, slot: isa.Slot, rule: slots.Rule) -> Binder:
    """The binder of a slot of the form."""
    kind = slot.kind
    if kind is None:
        return Binder(TOKEN, slot.text, "", "", "", None)
    modifiers_name = f"{slot.name}_modifiers"
    if not form.converter or all(operand.name != modifiers_name for operand in form.operands):
        modifiers_name = ""
    if kind.registers is not None:
        return Binder(SOURCE, slot.name, encode.number_type(kind), modifiers_name, kind.encoder, kind)
    type_ = encode.number_type(kind)
    if type_:
        return Binder(SOURCE, slot.name, type_, modifiers_name, kind.encoder, kind)
    if rule.names is not None:
        if kind.match == "InterpSlot":
            return Binder(WORD, slot.name, "", "", "", kind)
        return Binder(KEYWORD, slot.name, "", "", "", kind, "modifier")
    if rule.merged:
        shown: OperandForm = "modifier" if slot.name in ("cpol", "format") else "immediate"
        return Binder(MERGED, slot.name, "", "", "", kind, shown)
    if rule.any_expression:
        return Binder(HELPER, slot.name, "", "", "", kind)
    return Binder(IMMEDIATE, slot.name, "", "", "", kind)


class Plan(msgspec.Struct, frozen=True):
    """Everything about binding and checking one form.

    holds_literal: its bits hold a literal, so that none follows. cautions: what is reported beside its bytes.
    declines: says that by the values of its operands another encoding is to be taken, if there is one.
    """

    form: isa.Form
    binders: tuple[Binder, ...]
    encoder: encode.Encoder
    checks: tuple[Check, ...]
    types: dict[str, str]
    holds_literal: bool
    cautions: tuple[Check, ...]
    declines: Callable[[Bound], bool] | None = None


_LONGEST_WITH_LITERAL = 8
_SHORT_LITERAL, _LONG_LITERAL = 4, 8


def plan_for(form: isa.Form, rules: tuple[slots.Rule, ...], target: isa.Target) -> Plan:
    """The plan of a form whose slots have `rules`."""
    binders = tuple(binder_for(form, slot, rule) for slot, rule in zip(form.slots, rules, strict=True))
    types = {binder.name: binder.type for binder in binders if binder.kind == SOURCE}
    # Encodings without room for a literal keep its code without the literal: LLVM accepts some such lines up to here.
    holds_literal = "imm" in types or form.size > (_LONGEST_WITH_LITERAL if target.has_vop3_literals else 4)
    checks = checks_for(form, target)
    declines = dual_issue.declines if form.family == "VOPD" and target.shared_sources_of_pairs_first else None
    numbers = {binder.name: binder.operand.match for binder in binders if _is_plain(binder) and binder.operand}
    found = cautions.cautions_for(form, target, numbers)
    return Plan(form, binders, encode.Encoder(form, target), checks, types, holds_literal, found, declines)


def _is_plain(binder: Binder) -> bool:
    """Whether the operand is a number that goes into its field unchanged."""
    if binder.operand is None:
        return False
    if binder.kind == KEYWORD:
        return modifiers.is_plain(binder.operand)
    return binder.kind == IMMEDIATE or (binder.kind in (MERGED, HELPER) and binder.operand.match in _PLAIN_CLASSES)


_PLAIN_CLASSES = frozenset(("SWaitCnt", "SDelayALU", "Hwreg"))


class Binding:
    """The result of binding: the values for the checks and the encoder, and the operands to show."""

    __slots__ = ("bound", "operands", "fixups", "literal", "literal_size", "problem", "unknown")

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self.operands: list[Operand] = []
        self.fixups: list[Fixup] = []
        self.literal: int | None = None
        self.literal_size = _SHORT_LITERAL
        self.problem: Problem | None = None
        self.unknown = False


def bind(plan: Plan, places: tuple[int, ...], arguments: list[Argument], scope: Scope, binding: Binding) -> None:
    """Reads every operand into its slot; stops at the first problem."""
    bound = binding.bound
    values, written = bound.values, bound.arguments
    for place, binder in zip(places, plan.binders, strict=True):
        if place < 0:
            continue
        argument = arguments[place]
        kind = binder.kind
        name = binder.name
        if kind == SOURCE:
            written[name] = argument
            register = argument.register
            if register is not None:
                encoder = binder.encoder
                values[name] = register.code if not encoder else encode.register_value(register, encoder)
                modifiers_used = argument.modifiers
                if modifiers_used and binder.modifiers:
                    values[binder.modifiers] = encode.source_modifiers(argument)
                text = register.text if not modifiers_used else _modified_text(register.text, modifiers_used)
                binding.operands.append(
                    Operand(name, argument.node, "register", text, register.file, register.first, register.count)
                )
            else:
                _bind_source(plan, binder, argument, binding)
            continue
        if kind == TOKEN:
            written[name] = argument
            binding.operands.append(_token_operand(argument, name))
            continue
        written[name] = argument
        if kind == KEYWORD and binder.operand is not None:
            value = modifiers.read(binder.operand, argument, scope)
        else:
            value = argument.value if kind == IMMEDIATE else _read(binder, argument, scope, binding)
        if not isinstance(value, int):
            if value is None:
                binding.unknown = True
                continue
            binding.problem = value
            return
        values[name] = value
        text = _shown_text(binder, argument, value, scope)
        if kind == IMMEDIATE and binder.operand is not None and binder.operand.signed:
            value = immediates.signed(value, binder.operand.bits)  # written as 0xfbc0 too
        binding.operands.append(Operand(name, argument.node, binder.shown, text, "", 0, 0, value))


_WHOLE_LITERAL = "k64"  # the encoding always has a literal of 64 bits: a source with the same value is never short


def _bind_source(plan: Plan, binder: Binder, argument: Argument, binding: Binding) -> None:
    """A number, an expression or `off` in a source operand."""
    bound, name, node = binding.bound, binder.name, argument.node
    if argument.kind == operands.NUMBER:
        number = plan.encoder.number(argument, binder.type, binder.encoder, bool(binder.modifiers))
        bound.numbers[name] = number
        is_whole = number.code == LITERAL and bound.types.get("imm") == _WHOLE_LITERAL
        bound.values[name] = LITERAL64 if is_whole else number.code
        if binder.modifiers and argument.modifiers:
            bound.values[binder.modifiers] = encode.source_modifiers(argument)
        if number.literal is not None and binding.literal is None and not plan.holds_literal:
            binding.literal = number.literal
            if number.is_long:
                binding.literal_size = _LONG_LITERAL
        binding.operands.append(_number_operand(binder, argument, number))
    elif name_of(node) == "off" and argument.kind == operands.NAME and not binder.type:
        binding.operands.append(Operand(name, node, "token", "off"))
    else:
        bound.symbols[name] = argument
        bound.values[name] = LITERAL
        if not binding.fixups:
            kind: FixupKind = "pcrel32" if _is_address(node) else "literal32"
            if plan.encoder.long_literals and binder.type in ("i64", "f64"):
                kind, bound.values[name], binding.literal_size = "literal64", LITERAL64, _LONG_LITERAL
            binding.fixups.append(Fixup(kind, plan.form.size, node, node.start, node.end))
            binding.literal = 0
        binding.operands.append(Operand(name, node, "expression", node_text(node)))


def _is_address(node: nodes.Node) -> bool:
    """Whether a literal takes the distance to the expression's address: LLVM guesses this from its form."""
    if isinstance(node, nodes.Name | nodes.LocalLabel):
        return True
    if isinstance(node, nodes.Binary):
        return node.op != "-" and (_is_address(node.left) or _is_address(node.right))
    if isinstance(node, nodes.Unary):
        return _is_address(node.operand)
    return False


_WHOLE_READERS = {
    "SWaitCnt": waitcnt.read,
    "DepCtr": dependencies.read_counters,
    "SDelayALU": dependencies.read_delay,
}
_S16_LOW, _S16_HIGH = -(1 << 15), 1 << 16


def _read(binder: Binder, argument: Argument, scope: Scope, binding: Binding) -> Reading:
    """The value of a merged operand, a word or a helper."""
    kind, operand, node = binder.kind, binder.operand, argument.node
    assert operand is not None, "only tokens have no kind"
    if kind == MERGED:
        if argument.name == operands.WHOLE:
            return _WHOLE_READERS[operand.match](argument.parts, scope)
        return argument.value
    if kind == WORD:
        return slots.INTERPOLATION_SLOTS[argument.name]
    if operand.match == "SOPPBrTarget":
        return _branch_target(argument, scope, binding)
    if operand.match == "ExpTgt":
        return _export_target(argument, scope)
    if operand.match == "Hwreg":
        return hwreg.read(node, scope)
    if operand.match == "SendMsg":
        return sendmsg.read(node, scope)
    if operand.match == "GPRIdxMode":
        return vgpr_index.read(node, scope)
    if operand.match == "WaitEvent":
        return wait_event.read(node, scope)
    return scope.ranged(node, 0, 0xFFFF, "the immediate")


def _branch_target(argument: Argument, scope: Scope, binding: Binding) -> Reading:
    node = argument.node
    if argument.kind == operands.NUMBER:
        value = scope.number(node) if argument.is_float else argument.value
        if isinstance(node, nodes.Call) or not isinstance(value, int) or not _S16_LOW <= value < _S16_HIGH:
            message = f"a branch takes a label or a number of 16 bits, not {operands.number_text(argument)}"
            return Problem("immediate-out-of-range", node.start, node.end, message)
        return value
    if not isinstance(node, nodes.Name | nodes.LocalLabel):
        return Problem("wrong-operand-kind", node.start, node.end, "a branch takes a label, not an expression")
    binding.fixups.append(
        Fixup("branch", 0, node, node.start, node.end, node.name if isinstance(node, nodes.Name) else "")
    )
    return 0


def _export_target(argument: Argument, scope: Scope) -> Reading:
    node = argument.node
    code, elsewhere = exports.code(argument.name, scope.target)
    if code is not None:
        return code
    if elsewhere:
        return Problem(
            "unsupported-on-target", node.start, node.end, f"{scope.target.name} has no export target `{argument.name}`"
        )
    return Problem(
        "wrong-operand-kind",
        node.start,
        node.end,
        f"`{argument.name or node_text(node)}` is not an export target, such as mrt0 to mrt7, mrtz, null, pos0, param0",
    )


# -- operands to show ----------------------------------------------------------------------------------------------


def _number_operand(binder: Binder, argument: Argument, number: encode.NumberValue) -> Operand:
    value: int | float
    kind: OperandForm
    if number.literal is not None or binder.type[0] == "k":
        value = number.code if number.literal is None else number.literal
        text, kind = f"{value:#x}", "literal"
    else:
        value = VALUES[number.code & 0xFF]
        text, kind = str(value), "immediate"
    if binder.modifiers and argument.modifiers:
        text = _modified_text(text, argument.modifiers)
    return Operand(binder.name, argument.node, kind, text, "", 0, 0, value)


def _modified_text(text: str, used: int) -> str:
    if used & operands.SEXT:
        return f"sext({text})"
    if used & operands.ABS:
        text = f"|{text}|"
    return "-" + text if used & operands.NEG else text


def _token_operand(argument: Argument, name: str) -> Operand:
    register = argument.register
    if register is None:
        return Operand(name, argument.node, "token", name)
    return Operand(name, argument.node, "register", register.text, register.file, register.first, register.count)


def _shown_text(binder: Binder, argument: Argument, value: int, scope: Scope) -> str:
    assert binder.operand is not None, "only tokens have no kind"
    render = _RENDERERS.get(binder.operand.match)
    if render is not None:
        return render(scope.target, value)
    node = argument.node
    if type(node) is nodes.Name:  # a flag, as most are
        return node.name
    if argument.name == operands.CACHE:
        return " ".join(name_of(part) for part in argument.parts)
    if argument.name == operands.FORMAT:
        return ", ".join(node_text(part) for part in argument.parts)
    if argument.name == operands.CHANNEL:
        return "xyzw"[value]
    if isinstance(node, nodes.Modifier) and (
        type(node.value) in (nodes.Binary, nodes.Unary, nodes.Integer) or name_of(node.value) in scope.symbols
    ):
        return f"{node.name}:{_written_value(node, value, scope)}"
    if isinstance(node, nodes.Modifier | nodes.Name | nodes.LocalLabel | nodes.Call):
        return node_text(node)
    return str(value)


_RENDERERS = {"SWaitCnt": waitcnt.render, "Hwreg": hwreg.render, "SendMsg": sendmsg.render}


def _written_value(node: nodes.Modifier, value: int, scope: Scope) -> int:
    """The number after the colon; the field may hold another (`value`), as for `mul:4`."""
    number = scope.plain(node.value)
    if number is None:
        reading = scope.number(node.value)
        return reading if isinstance(reading, int) else value
    return number


def node_text(node: nodes.Node) -> str:
    """An operand's node as text, with names as written and numbers in decimal."""
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Integer | nodes.Float):
        return str(node.value)
    if isinstance(node, nodes.String):
        return '"' + node.value.decode("latin-1") + '"'
    if isinstance(node, nodes.LocalLabel):
        return f"{node.number}{'f' if node.forward else 'b'}"
    if isinstance(node, nodes.Unary):
        return node.op + node_text(node.operand)
    if isinstance(node, nodes.Binary):
        return f"{node_text(node.left)}{node.op}{node_text(node.right)}"
    if isinstance(node, nodes.Modifier):
        return f"{node.name}:{node_text(node.value)}"
    if isinstance(node, nodes.Bracket):
        return "[" + ",".join(node_text(item) for item in node.items) + "]"
    if isinstance(node, nodes.Call):
        return f"{node.name}({', '.join(node_text(item) for item in node.arguments)})"
    return ", ".join(expressions.names_in(node))
