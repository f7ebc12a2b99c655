"""Describes an operand: the registers of `v[v_acc+3]`, a constant in every notation, a decoded immediate."""

from gcn_lsp import isa
from gcn_lsp.ide.describe import accepts, markdown, numbers
from gcn_lsp.ide.reading import cursors
from gcn_lsp.instruction.model import Operand
from gcn_lsp.syntax import nodes


def slot_of(form: isa.Form, operand: Operand) -> isa.Slot | None:
    """The slot that the operand fills, with the type of its values.

    A literal keeps the type of LLVM's operand, which decides its bits: 0.3 in `s_ceil_f16` is a float of 32 bits.
    """
    slot = next((slot for slot in form.slots if slot.name == operand.slot), None)
    return slot if slot is None or operand.kind == "literal" else accepts.meant(slot, form)


def here(operand: Operand, slot: isa.Slot | None) -> str:
    """The text of a table cell: the register, or the value and whether it is inline or a literal."""
    if operand.kind == "register":
        return operand.text
    if operand.value is None:
        return operand.text
    kind = slot.kind if slot is not None else None
    if kind is None or kind.registers is None:
        return number(operand.value)
    value, width = constant(operand, kind)
    text = numbers.readings(value, width) if isinstance(value, int) else numbers.float_readings(value, width)
    return f"{text}, {'literal' if operand.kind == 'literal' else 'inline constant'}"


def constant(operand: Operand, kind: isa.OperandKind) -> tuple[int | float, int]:
    """The value of a constant in a source operand, and the number of its bits there."""
    width = kind.value_bits
    value = operand.value
    assert value is not None, "registers and addresses are not constants"
    if operand.kind == "literal" and isinstance(value, int) and value >> 32 == 0 and kind.is_double:
        return numbers.as_float(value << 32, 64), 64  # a literal of 32 bits is the upper half
    if isinstance(value, float) and not any(isinstance(node, nodes.Float) for node in cursors.walk(operand.node)):
        value = numbers.as_bits(value, width)  # an integer gives the bits
    return value, kind.float_bits if isinstance(value, float) else width


def number(value: int | float) -> str:
    """A number outside source operands: offsets, masks, counters."""
    if isinstance(value, float):
        return numbers.float_text(value)
    return str(value) if 0 <= value <= 9 else f"{value} ({numbers.hexadecimal(value)})"


def describe(
    operand: Operand, slot: isa.Slot | None, form: isa.Form | None, target: isa.Target | None, written: str
) -> str:
    """The hover of one operand, which fills a slot of the form."""
    same = written == operand.text or is_number(operand.node)  # a number is shown in every notation anyway
    title = "" if same else f"{markdown.code(written)} is {markdown.code(operand.text)}"
    if slot is not None and slot.role == "modifier" and operand.value is not None:
        accepted = accepts.accepts(slot, form, target)
        code = f"Encoded as {here(operand, slot)} in {markdown.code(slot.name)}"
        return markdown.join(title, f"{code}, {accepted}." if accepted else f"{code}.")
    body = registers(operand) if operand.kind == "register" else here(operand, slot)
    if operand.kind != "register" and body == operand.text:
        body = "" if title else markdown.code(body)
    return markdown.join(title, body, changed(operand), role(slot, form, target))


def is_number(node: nodes.Node) -> bool:
    """Whether an operand is just a number."""
    return isinstance(node.operand if isinstance(node, nodes.Unary) else node, nodes.Integer | nodes.Float)


def changed(operand: Operand) -> str:
    """The modifications of a source before its use: the absolute value of `-|v1|` is taken, then negated."""
    words = []
    node = operand.node
    while operand.kind == "register":
        if isinstance(node, nodes.Unary | nodes.Absolute):
            words.append(CHANGES["abs" if isinstance(node, nodes.Absolute) else "neg"])
            node = node.operand
        elif isinstance(node, nodes.Call) and node.name.lower() in CHANGES and len(node.arguments) == 1:
            words.append(CHANGES[node.name.lower()])
            node = node.arguments[0]
        else:
            break
    return f"Read {', then '.join(reversed(words))}." if words else ""


CHANGES = {"neg": "negated", "abs": "as its absolute value", "sext": "extended with its sign"}


def registers(operand: Operand) -> str:
    """The registers that an operand names, and their width."""
    if operand.file not in accepts.FILES:
        return f"special register {markdown.code(operand.file or operand.text)}"
    half = _HALVES.get(operand.text[-2:])
    if half is not None:
        return f"{half} 16 bits of {accepts.FILES[operand.file]} {operand.first} in each lane"
    return numbered(operand.file, operand.first, operand.count)


_HALVES = {".l": "Low", ".h": "High"}


def numbered(file: str, first: int, count: int) -> str:
    """`4 SGPRs, s12 to s15, 128 bits`."""
    name = accepts.FILES[file]
    lanes = " in each lane" if file in ("v", "a") else ""
    if count <= 1:
        return f"{name} {first}, 32 bits{lanes}"
    return f"{count} {name}s, {file}{first} to {file}{first + count - 1}, {count * 32} bits{lanes}"


def role(slot: isa.Slot | None, form: "isa.Form | None" = None, target: "isa.Target | None" = None) -> str:
    """The role of an operand in its instruction: `src0: source, VGPR or SGPR, f32 or a constant`."""
    if slot is None or not slot.name:
        return ""
    part = "source" if slot.kind is not None and slot.kind.registers else "operand"
    part = "destination" if slot.is_def else "modifier" if slot.role == "modifier" else part
    accepted = accepts.accepts(slot, form, target)
    return f"{markdown.code(slot.name)}: {part}" + (f", {accepted}" if accepted else "")
