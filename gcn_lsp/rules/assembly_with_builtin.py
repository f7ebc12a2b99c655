"""assembly-with-builtin: a statement of inline assembly is one instruction that clang has a builtin for.

What it checks

Statements of one instruction that a builtin of clang becomes on the target, with nothing beside it. The table of
builtins is what clang 22 and 23 compile each of them to.

- The operands have to be those of the builtin, each used once or read and written, with no modifiers but those that the
  builtin sets, and nothing clobbered. Where types differ or are not known, the fix keeps the bits with
  `__builtin_bit_cast`. It takes all lines of the statement, unless comments are among them.
- A wait is left as it is: its builtin takes a number, which says less than `vmcnt(0)`.
- In a file for several targets, check that all of them have the builtin.

Why it matters

The compiler does not look into assembly: it waits, pads and schedules worse around it, cannot fold constants, and the
author has to avoid the hazards of the instruction. The compiler does all of that for a builtin.

Example

    // gcn-lsp: target=gfx90a
    void f(float a) {
      float x;
      asm volatile("v_rcp_f32 %0, %1" : "=v"(x) : "v"(a));
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(float a) {
      float x;
      x = __builtin_amdgcn_rcpf(a);
    }

Targets

All.
"""

import re
from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.isa import builtins
from gcn_lsp.isa.builtins import Builtin
from gcn_lsp.patterns import regex
from gcn_lsp.text import TextEdit
from gcn_lsp.views.inline.statement import Span, StatementOperand

_ONE_LINE = regex(r"\s*(\w+)(?:[ \t]+([^;\n/]*?))?[;\s]*$")
_NUMBER = regex(r"\d+|0x[0-9a-fA-F]+")
_QUALIFIER = regex(r"\b(?:const|volatile)\b|std::")
_VECTOR = regex(r"_ExtVector<(\d+), (.+)>")
# An expression that does nothing, so that it can be evaluated twice.
_IDLE = regex(r"(?:(?!\+\+|--)[\w.\[\]*:+ -]|->)+")
# Integers of fewer bits than a register, which C converts.
_NARROW = frozenset((
    "short", "int16_t", "unsigned_short", "uint16_t", "ushort", "char", "int8_t", "unsigned_char", "uint8_t", "uchar",
))  # fmt: skip
_IN_CPP = regex(r"\.(?:cc|cpp|cxx|c\+\+|cu|cuh|hip|h|hh|hpp|hxx|inc|inl)$", re.IGNORECASE)
# The dwords of the plain types of clang's table, and what types of the same values are called in a source.
_INTEGERS = "int unsigned int32_t uint32_t uint unsigned_int signed_int"
_LONGS = "long int64_t uint64_t ulong unsigned_long long_int"
_PLAIN = {
    **dict.fromkeys(("int", "unsigned int", "int32_t", "uint32_t"), (1, _INTEGERS)),
    **dict.fromkeys(("int64_t", "uint64_t", "long int", "unsigned long int"), (2, _LONGS)),
    "float": (1, "float float32_t"),
    "double": (2, "double"),
    "short": (0, "short int16_t"),
    "unsigned short": (0, "unsigned_short uint16_t ushort"),
    "_Float16": (0, "_Float16 half"),
}


def check(about: Judged) -> Iterator[Finding]:
    """A finding at the mnemonic of a statement that could be a call."""
    written = _ONE_LINE.fullmatch(about.document.template.text.decode("latin-1"))
    statement = about.statement
    if written is None or statement.dialect != "gnu" or statement.labels or not about.document.accepted:
        return
    target = isa.load_target(about.document.target, about.document.mattr)
    for builtin in builtins.becoming(written[1].lower(), target):
        call = _BuiltinCall(about, builtin, _operands(about, written[2] or "")).text if builtin.operands else None
        if call is not None:
            start = about.document.template.text.index(written[1].encode())
            where = about.at(about.document.template.span(start, start + len(written[1])))
            message = f"{written[1]} is {builtin.name} on {target.name}, which the compiler knows more about"
            yield RULE.at(where, message, fixes=_fixes(about, builtin, call))
            return


def _fixes(about: Judged, builtin: Builtin, call: str) -> tuple[Fix, ...]:
    """The call in place of a statement; none if comments in it would be lost."""
    first, last = about.statement.span, about.statement.last
    ends = about.statement.ends
    if len(ends) != last.line - first.line:
        return ()
    spans = [Span(first.line + number, 0, end) for number, end in enumerate((*ends, last.end))]
    spans[0] = Span(first.line, first.start, spans[0].end)
    edits = [TextEdit(about.at(span), call if span is spans[0] else "", span.line < last.line) for span in spans]
    return (Fix(f"Call {builtin.name}", tuple(edits), is_certain=False),)


def _operands(about: Judged, written: str) -> list[int | str]:
    """The operands of the instruction, and its modifiers: numbers of the statement's, others as they are written."""
    found: list[int | str] = []
    for word in (word for operand in written.split(",") for word in operand.split()):
        reference = re.fullmatch(r"%(?:(\d+)|\[(\w+)\])", word)
        if reference is None:
            found.append(word)
        elif reference[1] is not None:
            found.append(int(reference[1]))
        else:
            named = (number for number, each in about.operands() if each.name == reference[2])
            found.append(next(named, word))
    return found


class _BuiltinCall:
    """A call of a builtin in place of a statement, if one is possible."""

    def __init__(self, about: Judged, builtin: Builtin, operands: list[int | str]) -> None:
        self._about = about
        self._builtin = builtin
        self._operands = operands

    @property
    def text(self) -> str | None:
        """The call, assigned to the output; None if it would not mean the same."""
        matched = self._matched()
        if matched is None:
            return None
        output, inputs = matched
        passed, constants = [], iter(self._builtin.constants)
        for number, type_ in enumerate(self._builtin.arguments):
            constant = next(constants) if type_.startswith("_Constant") else None
            given = inputs.get(number)
            text = given if isinstance(given, str) else self._passed(given, type_) if given is not None else constant
            if text is None:
                return None
            passed.append(text)
        call = f"{self._builtin.name}({', '.join(passed)})"
        if output is not None:
            return self._assigned(output, call)
        return call if self._builtin.result == "void" else None  # a result that no operand holds would be lost

    def _matched(self) -> tuple[StatementOperand | None, dict[int, StatementOperand | str]] | None:
        """The output, and what each argument is given; each operand is used once, what is read and written twice."""
        statement = self._about.statement
        rows = () if self._builtin.operands == ("-",) else self._builtin.operands
        if statement.clobbers or len(rows) != len(self._operands):
            return None
        output: StatementOperand | None = None
        inputs: dict[int, StatementOperand | str] = {}
        used: list[int] = []
        for row, given in zip(rows, self._operands, strict=True):
            if isinstance(given, str):
                if row == "#" and _NUMBER.fullmatch(given):
                    inputs[0] = given
                elif row != given:
                    return None
                continue
            if row == "#" and self._about.constraint(given).is_immediate:
                inputs[0] = statement.operands[given].expression
                used.append(given)
                continue
            if row[0] not in "=%":
                return None
            if row[0] == "=":
                output = statement.operands[given]
                used.append(given)
                if not output.is_output:
                    return None
            if row[1:]:
                read = self._read(given)
                if read is None:
                    return None
                inputs[int(row[1:])] = statement.operands[read]
                used += [read] if not statement.operands[read].is_output else [-1 - read]
        expected = [number for number, _ in self._about.operands()]
        expected += [-1 - number for number in expected if self._about.constraint(number).is_inout]
        return (output, inputs) if sorted(used) == sorted(expected) else None

    def _read(self, number: int) -> int | None:
        """The operand whose value an instruction reads in the register of an operand; None if it has none, or if a call
        would evaluate its expression twice and that may do something.
        """
        operand = self._about.statement.operands[number]
        if not operand.is_output:
            is_other = self._about.constraint(number).is_immediate or number in self._about.tied
            return None if is_other else number
        if self._about.constraint(number).is_inout:
            return number if _IDLE.fullmatch(operand.expression) else None
        names = {str(number), operand.name} - {""}
        tied = (other for other, _ in self._about.operands() if self._about.constraint(other).tied in names)
        return next(tied, None)

    def _passed(self, operand: StatementOperand, type_: str) -> str | None:
        """An expression as an argument of a type."""
        if _is_same(operand, type_):
            return operand.expression
        name = _VECTOR.sub(r"\2 __attribute__((ext_vector_type(\1)))", type_)
        return f"__builtin_bit_cast({name}, {operand.expression})" if self._may_be_cast(operand, type_) else None

    def _assigned(self, output: StatementOperand, call: str) -> str | None:
        """An assignment to an operand, whose bits are kept if its type is another one or not known."""
        type_ = self._builtin.result
        if _is_same(output, type_):
            return f"{output.expression} = {call}"
        if self._may_be_cast(output, type_) and _IDLE.fullmatch(output.expression):
            return f"{output.expression} = __builtin_bit_cast(__typeof__({output.expression}), {call})"
        return None

    def _may_be_cast(self, operand: StatementOperand, type_: str) -> bool:
        """Whether the bits can be kept: in C++, between types of as many dwords."""
        dwords, _ = _PLAIN.get(type_, (0, ""))
        is_as_wide = bool(dwords) and operand.width in (0, dwords)
        may_be = _name(operand) not in _NARROW and (is_as_wide or _VECTOR.fullmatch(type_) is not None)
        return may_be and _IN_CPP.search(self._about.path) is not None


def _name(operand: StatementOperand) -> str:
    return "_".join(_QUALIFIER.sub("", operand.type).split())


def _is_same(operand: StatementOperand, type_: str) -> bool:
    """Whether an expression can be passed and assigned as it is: an integer, a vector unless it is a class, as HIP's
    `float4`.
    """
    if type_ not in _PLAIN:
        from gcn_lsp.views.inline import c_types  # late: a check of assembly needs no types of C

        return not c_types.width(operand.type) and _name(operand) not in ("", "auto")
    names = _PLAIN[type_][1].split()
    return _name(operand) in (names if names != _INTEGERS.split() else (*names, *_NARROW))


RULE = Rule("assembly-with-builtin", Severity.HINT, __doc__, Stage.HINTS, check_inline=check)
