"""Assembles one instruction statement: `assemble(target, statement, symbols)` gives its form, bytes and problems.

The steps: what the word may mean (`match.Candidates`), what each operand is (`operands`), which form takes them
(`match`), what the values are (`bind`), what they must keep to (`constraints`), the bits (`encode`). When no form
takes the operands, `diagnose` says what is wrong in one problem.
"""

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction import bind, operands
from gcn_lsp.instruction.bound import Bound
from gcn_lsp.instruction.match import Candidates, Match, TargetContext
from gcn_lsp.instruction.model import Instruction, LineFix, Problem, Symbols
from gcn_lsp.instruction.operands import Argument, OperandReader
from gcn_lsp.instruction.rejection import other_targets, wrong_keywords
from gcn_lsp.instruction.values import Scope
from gcn_lsp.isa.modifiers import dpp
from gcn_lsp.isa.operands import reserved_words
from gcn_lsp.syntax import expressions, lines, nodes
from gcn_lsp.syntax.statement import Statement

_DEFAULT_SIZE = 4
_contexts: ByValue[int, TargetContext] = ByValue(16)  # by identity of the target, which the context holds


def context_of(target: isa.Target) -> TargetContext:
    """The context of the target, shared by all its statements."""
    found = _contexts.get(id(target))
    if found is None or found.target is not target:
        found = _contexts.keep(id(target), TargetContext(target))
    return found


def assemble(target: isa.Target, statement: Statement, symbols: Symbols) -> Instruction:
    """Assembles an instruction statement; never raises.

    symbols: the names known here with their values; None is a value that only the build knows. Other names are
    labels or later symbols, which branches and literals may use.
    """
    context = context_of(target)
    candidates = context.candidates(statement.word)
    instruction = _assembled(context, candidates, statement, symbols)
    if instruction.code or not instruction.problems:
        return instruction
    from gcn_lsp.instruction.rejection import nearest  # late, as below: most files have nothing that is rejected

    trial = _Trial(target, statement, symbols)
    problems = nearest.with_suggestion(instruction.problems, target, candidates, statement, trial)
    return msgspec.structs.replace(instruction, problems=problems)


def accepts(context: TargetContext, statement: Statement, symbols: Symbols, word: str = "") -> bool:
    """Whether a target accepts a statement, with the mnemonic `word` if given; finds no reason if it does not."""
    candidates = context.candidates(word or statement.word)
    if not candidates.matchers:
        return False
    scope = Scope(context.target, symbols)
    arguments = read_arguments(context, candidates, statement.operands, scope, statement.line)
    if any(argument.problem is not None for argument in arguments):
        return False
    found = context.match(candidates, arguments)
    return found is not None and bool(_finish(context.target, statement, found, arguments, scope).code)


def _assembled(context: TargetContext, candidates: Candidates, statement: Statement, symbols: Symbols) -> Instruction:
    target = context.target
    if not candidates.matchers:
        problem = other_targets.no_candidate(context, candidates, statement, _Trial(target, statement, symbols))
        return _failed(statement, (problem,), None)
    scope = Scope(target, symbols)
    arguments = read_arguments(context, candidates, statement.operands, scope, statement.line)
    unknown = False
    for argument in arguments:
        if argument.problem is not None:
            return _failed(statement, (argument.problem,), candidates)
        unknown = unknown or argument.kind == operands.UNKNOWN
    found = context.match(candidates, arguments)
    if unknown:
        size = found.plan.form.size if found is not None else _DEFAULT_SIZE
        return Instruction(statement, None, (), b"", size, judged=False)
    if found is None:
        from gcn_lsp.instruction.rejection import diagnose

        problems = diagnose.no_match(context, candidates, arguments, statement, _Trial(target, statement, symbols))
        return _failed(statement, problems, candidates)
    return _finish(target, statement, found, arguments, scope)


class _Trial:
    """Tries the operands of a rejected statement with other mnemonics and targets; see `other_targets.Trial`."""

    def __init__(self, target: isa.Target, statement: Statement, symbols: Symbols) -> None:
        self._target = target
        self._statement = statement
        self._symbols = symbols

    def takes(self, word: str, target: isa.Target | None = None) -> bool:
        """Whether `word` takes the operands, here or on `target`."""
        return accepts(context_of(target or self._target), self._statement, self._symbols, word)

    def takes_text(self, start: int, end: int, text: str) -> bool:
        """Whether the line is legal with `text` in place of its bytes `start` to `end`."""
        line = self._statement.line
        changed = lines.parse_line(line[:start] + text.encode() + line[end:])
        same = (statement for statement in changed.statements if statement.start == self._statement.start)
        statement = next(same, None)
        if statement is None or statement.kind is not self._statement.kind:
            return False
        return accepts(context_of(self._target), statement, self._symbols)


def _finish(
    target: isa.Target, statement: Statement, found: Match, arguments: list[Argument], scope: Scope
) -> Instruction:
    plan = found.plan
    form = plan.form
    bound = Bound(form, target, plan.types, statement.word, statement.name_start, statement.name_end)
    binding = bind.Binding(bound)
    bind.bind(plan, found.places, arguments, scope, binding)
    if found.otherwise is not None and plan.declines is not None and plan.declines(bound):
        return _finish(target, statement, found.otherwise, arguments, scope)
    shown = tuple(binding.operands)
    size = form.size if binding.literal is None else form.size + binding.literal_size
    if binding.problem is not None:
        return Instruction(statement, form, shown, b"", size, (), (binding.problem,))
    if binding.unknown:
        return Instruction(statement, form, shown, b"", size, judged=False)
    for check in plan.checks:
        problem = check(bound)
        if problem is not None:
            return Instruction(statement, form, shown, b"", size, (), (problem,))
    encoder = plan.encoder
    code = encoder.bits(bound.values).to_bytes(form.size, "little")
    if encoder.addresses:
        code += encoder.tail(bound.values)
    if binding.literal is not None:
        code += binding.literal.to_bytes(binding.literal_size, "little")
    problems: tuple[Problem, ...] = ()
    for caution in plan.cautions:  # these leave the instruction its bytes
        problem = caution(bound)
        if problem is not None:
            problems = (*problems, problem)
    return Instruction(statement, form, shown, code, len(code), tuple(binding.fixups), problems)


def _failed(statement: Statement, problems: tuple[Problem, ...], candidates: Candidates | None) -> Instruction:
    size = candidates.matchers[0].form.size if candidates is not None else _DEFAULT_SIZE
    return Instruction(statement, None, (), b"", size, (), problems)


def read_arguments(
    context: TargetContext, candidates: Candidates, written: tuple[nodes.Node, ...], scope: Scope, line: bytes = b""
) -> list[Argument]:
    """The operands, with parts that count as one merged; source modifiers only where the mnemonic reads them.

    line: their text, which shows where commas are.
    """
    if candidates.whole:
        return operands.merge_whole(written, line if candidates.counts else b"")
    reader = OperandReader(context.names, scope)
    if candidates.marks:
        written = tuple([node for node in written if not _is_negated_mark(node, candidates)])
    if candidates.has_address_list and operands.has_address_list(written):
        arguments = operands.read_address_list(written, reader, candidates.keywords)
    else:
        arguments = reader.read_all(written, candidates.keywords)
    if candidates.reshapes:
        arguments = _reshape(candidates, arguments, scope, line)
    for index, argument in enumerate(arguments):
        if argument.modifiers:
            arguments[index] = _checked_modifiers(candidates, argument, index)
        elif argument.register is None:
            if index in candidates.expression_places and argument.name in dpp.BARE:
                arguments[index] = _misread_word(argument, candidates)
            elif index in candidates.float_places and _two_signs(line, argument.node):
                arguments[index] = _ambiguous(argument)
            elif argument.name == "::" and _is_bare_symbol(arguments[index - 1], line, argument.node.start):
                arguments[index - 1] = _symbol_before_colon(arguments[index - 1])
    return arguments


def _is_negated_mark(node: nodes.Node, candidates: Candidates) -> bool:
    """Whether a word says that a mark such as `done` is not there, which LLVM reads and forgets."""
    return type(node) is nodes.Name and node.name in candidates.marks


def _two_signs(line: bytes, node: nodes.Node) -> bool:
    """Whether a source operand begins with two minus signs, one of which may be its modifier."""
    return line[node.start : node.start + 1] == b"-" and line[node.start + 1 : node.end].lstrip()[:1] == b"-"


def _ambiguous(argument: Argument) -> Argument:
    node = argument.node
    message = "one of two minus signs may be a modifier; write that as `neg(...)`"
    return Argument(operands.BAD, node, "bad", problem=Problem("syntax-error", node.start, node.end, message))


def _is_bare_symbol(argument: Argument, line: bytes, end: int) -> bool:
    """Whether an operand is a name that is no register, with nothing but blanks from there to byte `end`."""
    node = argument.node
    is_symbol = type(node) is nodes.Name and argument.kind in (operands.NUMBER, operands.NAME, operands.UNKNOWN)
    return is_symbol and bool(line) and not line[node.end : end].strip()


def _symbol_before_colon(argument: Argument) -> Argument:
    """The problem of a symbol before `::`: LLVM takes a name and a colon for the start of a modifier."""
    node = argument.node
    new = f"({node.name})"  # type: ignore[attr-defined]
    message = f"LLVM reads a symbol before `::` as the start of a modifier; write `{new}`"
    fix = LineFix(f"Change to `{new}`", node.start, node.end, new)
    return Argument(operands.BAD, node, "bad", problem=Problem("syntax-error", node.start, node.end, message, (fix,)))


def _misread_word(argument: Argument, candidates: Candidates) -> Argument:
    """The problem of a DPP control where LLVM still reads a source, so that every word is an expression."""
    node = argument.node
    is_compare = candidates.matchers[0].form.mnemonic.startswith("v_cmp")
    missing = "write the destination `vcc` first" if is_compare else "an operand is missing before it"
    message = f"`{argument.name}` is read as a source operand here; {missing}"
    return Argument(operands.BAD, node, "bad", problem=Problem("wrong-operand-kind", node.start, node.end, message))


def _reshape(candidates: Candidates, arguments: list[Argument], scope: Scope, line: bytes) -> list[Argument]:
    if candidates.cache is not None:
        arguments = operands.merge_cache_policy(arguments, scope, candidates.cache, line)
    if candidates.has_format:
        arguments = operands.merge_format(arguments, scope)
    if candidates.has_attribute:
        arguments = [part for argument in arguments for part in operands.split_attribute(argument)]
    return arguments


def _checked_modifiers(candidates: Candidates, argument: Argument, index: int) -> Argument:
    if argument.modifiers & operands.SEXT:
        places = candidates.sext_places
    elif argument.modifiers & (operands.LIT | operands.LIT64):
        if index not in candidates.float_places or index in candidates.number_places:
            return argument
        places = candidates.number_places
    else:
        places = candidates.float_places if argument.register is not None else candidates.number_places
    if index in places:
        return argument
    node = argument.node
    return Argument(
        operands.BAD,
        node,
        "bad",
        problem=Problem("unknown-modifier", node.start, node.end, wrong_keywords.no_modifier(candidates, argument)),
    )


_PLAIN = (nodes.Name, nodes.Unary, nodes.Binary)  # operands that are an expression and nothing else


def register_names(target: isa.Target, word: str) -> frozenset[str]:
    """The names of an instruction's operands that are registers in every form, as its syntax has them: `vdst`."""
    steps = [step for matcher in context_of(target).candidates(word).matchers for step in matcher.steps]
    others = {step.slot.name for step in steps if step.rule.registers is None or step.rule.takes_numbers}
    return frozenset(step.slot.name for step in steps if step.slot.name not in others)


def symbol_names(target: isa.Target, statement: Statement) -> tuple[str, ...]:
    """The names in the operands that may be symbols: neither registers nor keywords of this instruction."""
    context = context_of(target)
    candidates = context.candidates(statement.word)
    found: dict[str, None] = {}
    for node in statement.operands:
        # Inside `v[...]` every name is a symbol, even one that is spelled like a register (`v[acc0+1]`).
        is_index = type(node) is nodes.Index
        # The words of `hwreg(...)`, `format:[...]` and the like have their meaning only there: AMD's trap handlers
        # name numbers `HW_REG_...` and write those alone.
        reserved = reserved_words.RESERVED if type(node) not in _PLAIN else frozenset()
        for name in expressions.names_in(node):
            if is_index or (
                name not in reserved and name not in candidates.keywords and context.names.named(name) is None
            ):
                found[name] = None
    return tuple(found)
