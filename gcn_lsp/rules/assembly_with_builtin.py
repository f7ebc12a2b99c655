"""assembly-with-builtin: a statement of inline assembly is one instruction that clang has a builtin for.

What it checks

Statements of one instruction that a builtin of clang becomes on the target, with nothing beside it. The table of
builtins is what clang 22 and 23 compile each of them to.

- The fix is offered if the operands are those of the builtin, each used once, there are no modifiers, and nothing is
  clobbered. Where types differ or are not known, it keeps the bits with `__builtin_bit_cast`.
- In a file for several targets, check that all of them have the builtin.

Why it matters

The compiler does not look into assembly: it waits, pads and schedules worse around it, cannot fold constants, and the
hazards of the instruction are the author's. Of a builtin it knows all of that.

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
_NAME = regex(r"[A-Za-z_]\w*")
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
    """The call in place of a statement; none for one of several lines, whose ends are not known here."""
    first, last = about.statement.span, about.statement.last
    if first.line != last.line:
        return ()
    edit = TextEdit(about.at(Span(first.line, first.start, last.end)), call)
    return (Fix(f"Call {builtin.name}", (edit,), is_certain=False),)


def _operands(about: Judged, written: str) -> list[int | str]:
    """The operands of the instruction: numbers of the statement's, others as they are written."""
    found: list[int | str] = []
    for operand in filter(None, (each.strip() for each in written.split(","))):
        reference = re.fullmatch(r"%(?:(\d+)|\[(\w+)\])", operand)
        if reference is None:
            found.append(operand)
        elif reference[1] is not None:
            found.append(int(reference[1]))
        else:
            named = (number for number, each in about.operands() if each.name == reference[2])
            found.append(next(named, operand))
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
        return call if output is None else self._assigned(output, call)

    def _matched(self) -> tuple[StatementOperand | None, dict[int, StatementOperand | str]] | None:
        """The output, and what each argument is given."""
        statement = self._about.statement
        rows = () if self._builtin.operands == ("-",) else self._builtin.operands
        numbers = [each for each in self._operands if isinstance(each, int)]
        tied = [number for number, _ in self._about.operands() if number in self._about.tied]
        used = sorted(numbers) == list(range(len(statement.operands)))
        if statement.clobbers or tied or not used or len(rows) != len(self._operands):
            return None
        output: StatementOperand | None = None
        inputs: dict[int, StatementOperand | str] = {}
        for row, given in zip(rows, self._operands, strict=True):
            if row == "#":
                if isinstance(given, int) or not _NUMBER.fullmatch(given):
                    return None
                inputs[0] = given
                continue
            if not isinstance(given, int) or row[0] not in "=%":
                return None
            operand, constraint = statement.operands[given], self._about.constraint(given)
            is_result = row[0] == "="
            if (
                operand.is_output != is_result
                or constraint.is_immediate
                or constraint.is_inout != bool(is_result and row[1:])
            ):
                return None
            if is_result:
                output = operand
            if row[1:]:
                inputs[int(row[1:])] = operand
        return output, inputs

    def _passed(self, operand: StatementOperand, type_: str) -> str | None:
        """An expression as an argument of a type."""
        if _is_same(operand, type_):
            return operand.expression
        return f"__builtin_bit_cast({type_}, {operand.expression})" if self._may_be_cast(operand, type_) else None

    def _assigned(self, output: StatementOperand, call: str) -> str | None:
        type_ = self._builtin.result
        if _is_same(output, type_):
            return f"{output.expression} = {call}"
        if self._may_be_cast(output, type_) and _NAME.fullmatch(output.expression):
            return f"{output.expression} = __builtin_bit_cast(decltype({output.expression}), {call})"
        return None

    def _may_be_cast(self, operand: StatementOperand, type_: str) -> bool:
        """Whether the bits can be kept: in C++, between types of as many dwords."""
        dwords = _PLAIN.get(type_, (0, ""))[0]
        return bool(dwords) and operand.width in (0, dwords) and _IN_CPP.search(self._about.path) is not None


def _is_same(operand: StatementOperand, type_: str) -> bool:
    """Whether an expression can be passed and assigned as it is: a vector unless it is a class, as HIP's `float4`."""
    if type_ not in _PLAIN:
        from gcn_lsp.views.inline import c_types  # late: a check of assembly needs no types of C

        return not c_types.width(operand.type)
    name = "_".join(_QUALIFIER.sub("", operand.type).split())
    return name in _PLAIN[type_][1].split()


RULE = Rule("assembly-with-builtin", Severity.HINT, __doc__, Stage.HINTS, check_inline=check)
