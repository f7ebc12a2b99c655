"""Assembles one chunk of the main file: the streamer that turns statements into items, pieces and problems."""

import difflib
from collections.abc import Callable

import msgspec

from gcn_lsp.instruction.memo import Assembler
from gcn_lsp.instruction.model import Fixup, Instruction, LineFix, Problem
from gcn_lsp.isa import versions
from gcn_lsp.isa.kernels import descriptor as isa_descriptor
from gcn_lsp.preproc.calls import Budget
from gcn_lsp.preproc.interpreter import IncludeResolver, Interpreter
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.preproc.provenance import Frame, Written
from gcn_lsp.preproc.state import Deferred, State
from gcn_lsp.preproc.streamer import Streamer
from gcn_lsp.program import placeholders, registers_named
from gcn_lsp.program.chunk import Chunk, ChunkProblem, Item, Metadata, Piece, Unresolved
from gcn_lsp.program.directives import HANDLERS, descriptor, info, room
from gcn_lsp.program.emitter import Emitter, Surroundings, is_without_bytes
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.expressions import UNKNOWN, MissingSymbol
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import SourceText


def assemble_chunk(
    lines: tuple[bytes, ...],
    before: State,
    surroundings: Surroundings,
    assembler: Assembler,
    include: IncludeResolver,
    path: str,
    budget: Budget,
    counter: int,
) -> Chunk:
    """Interpret and assemble `lines`, from the state `before` them and after `counter` macro calls."""
    chunk = Chunk(lines, before)
    builder = Builder(chunk, surroundings, assembler, include)
    interpreter = Interpreter(before, builder, builder.include, path, budget, counter)
    builder.attach(interpreter)
    chunk.after = builder.finished(interpreter.run_chunk(lines))
    builder.detach()
    chunk.changed.lines = budget.spent
    symbols, macros, branches = interpreter.symbols.values, interpreter.macros, interpreter.conditionals.branches
    chunk.asked.symbols = frozenset(symbols.read)
    chunk.asked.macros = None if macros.known.all_read else frozenset(macros.known.read)
    chunk.changed.symbols = frozenset(symbols.written)
    chunk.changed.macros = frozenset(macros.known.written)
    chunk.changed.calls = macros.counter - counter
    chunk.asked.calls = counter if macros.counter_read else None
    chunk.commented = frozenset(interpreter.commented)
    chunk.raw = frozenset(interpreter.raw)
    chunk.changed.made = tuple(interpreter.symbols.made)
    if branches:
        ends = interpreter.conditionals.ends
        chunk.reached = frozenset(start for start, taken in branches.items() if taken and start[0] is not None)
        chunk.unreached = tuple((*start, ends.get(start, -1)) for start, taken in branches.items() if not taken)
    return chunk


def replay(
    chunk: Chunk,
    assembler: Assembler,
    path: str,
    budget: Budget,
    counter: int,
    watch: "Callable[[Builder], Streamer]",
) -> None:
    """Interpret the lines of `chunk` again, exactly as before, with the streamer that `watch` derives from its own.

    The chunk keeps all answers of its surroundings, so they are the same again.
    """
    builder = Builder(
        Chunk(chunk.lines, chunk.before),
        Surroundings(
            chunk.asked.addresses.get, chunk.asked.sizes or {}, lambda: chunk.asked.registers or registers_named.Usage()
        ),
        assembler,
        lambda includer, name: chunk.asked.includes.get((includer, name)),
    )
    interpreter = Interpreter(chunk.before, watch(builder), builder.include, path, budget, counter)
    builder.attach(interpreter)
    interpreter.run_chunk(chunk.lines)
    builder.detach()


class Builder(Emitter):
    """The streamer of one chunk."""

    def __init__(
        self, chunk: Chunk, surroundings: Surroundings, assembler: Assembler, include: IncludeResolver
    ) -> None:
        super().__init__(chunk, surroundings, assembler)
        self._include = include

    def attach(self, interpreter: Interpreter) -> None:
        """The interpreter whose statements are built."""
        super().attach(interpreter)
        self._interpreter = interpreter
        self.symbols.register_count = self

    def detach(self) -> None:
        """Drop the interpreter."""
        super().detach()
        del self._interpreter

    def include(self, includer: str, name: str) -> "SourceText | None":
        """The text of an included file; the chunk notes the question."""
        source = self._include(includer, name)
        self.chunk.asked.includes[(includer, name)] = source
        return source

    # Instructions

    def instruction(self, statement: Statement, written: Written) -> None:
        """Assemble an instruction and put it at the current address."""
        instruction = self.assembler.instruction(statement, self.symbols.lookup_symbol)
        if not instruction.judged:
            self._note_unknown(statement, written)
        elif instruction.problems and not instruction.code:
            instruction = self._without_absent(instruction, written)
        is_padded = self.pads_branches and _is_short_branch(instruction)
        if is_padded:
            self.grow()
        piece = self.piece
        if piece is None or piece.section != self.section:
            piece = self.select()
        items, fixups = self.items, instruction.fixups
        if fixups:
            self.chunk.fixups.append(len(items))
            bound = tuple(self._bound(fixup) for fixup in fixups)
            fixups = bound if bound != fixups else ()
        offset = piece.size
        if offset < len(_OFFSETS):
            offset = _OFFSETS[offset]
        items.append(Item("instruction", statement, instruction, written, self.piece_index, offset, fixups=fixups))
        piece.size += instruction.size
        if is_padded:
            self.new_piece(Piece(self.section))
        if is_without_bytes(self.section):
            self.no_bytes(statement)
        for problem in instruction.problems:
            is_word = problem.rule == "unknown-mnemonic"
            self.report(self._with_nearest_macro(problem, statement) if is_word else problem, statement.line)

    def possible_instruction(self, statement: Statement, written: Written) -> None:
        """Report what is wrong with an instruction whatever the build says and whatever the target is."""
        del written
        for problem in self.assembler.instruction(statement, self.symbols.lookup_symbol).problems[:1]:
            if problem.rule in _ON_ANY_TARGET:
                is_word = problem.rule == "unknown-mnemonic"
                self.report(self._with_nearest_macro(problem, statement) if is_word else problem, statement.line)

    def possible_directive(self, statement: Statement, written: Written) -> None:
        """Report an unknown directive whatever the build says; a field of a descriptor is one only in its block."""
        if statement.word not in HANDLERS and not statement.word.startswith(isa_descriptor.PREFIX):
            message = f"`{statement.name}` is neither a directive nor a macro"
            self.problem("unknown-directive", statement.name_start, statement.name_end, message, written)

    def _without_absent(self, instruction: Instruction, written: Written) -> Instruction:
        """A rejected instruction, not judged if only a name is to blame that may come from somewhere else."""
        statement, problem = instruction.statement, instruction.problems[0]
        unjudged = msgspec.structs.replace(instruction, operands=(), fixups=(), problems=(), judged=False)
        if problem.rule == "unknown-mnemonic" and self._interpreter.incomplete:
            return unjudged  # it may be a macro of the file that was not found
        if problem.rule not in _BY_VALUE:
            return instruction
        text = statement.line[problem.start : problem.end].decode("utf-8", "replace")
        absent = [name for name in self.assembler.names(statement) if name in text and self._is_absent(name)]
        stand_in = placeholders.problem(self.assembler.target, statement, text)
        if stand_in and absent == [text]:
            return msgspec.structs.replace(instruction, problems=(msgspec.structs.replace(problem, said=stand_in),))
        for name in absent if not self._interpreter.incomplete else ():
            self.chunk.unresolved.append(Unresolved(name, written, statement, problem))
        return unjudged if absent else instruction

    def _is_absent(self, name: str) -> bool:
        value = self.symbols.lookup(name)
        return isinstance(value, MissingSymbol) and not value.unknown

    def _note_unknown(self, statement: Statement, written: Written) -> None:
        """Note the names without a value because of which an instruction is not judged."""
        for name in self.assembler.names(statement):
            value = self.symbols.lookup_symbol(name)
            if isinstance(value, MissingSymbol) and value.unknown:
                for missing in value.because:
                    self.unknown_symbol(missing, statement, written)

    def _bound(self, fixup: Fixup) -> Fixup:
        """The fixup with the current values of the symbols in its expression."""
        if isinstance(fixup.expression, nodes.Name) and fixup.expression.name not in self.symbols.values:
            return fixup
        expression = self.symbols.bound(fixup.expression)
        return fixup if expression is fixup.expression else msgspec.structs.replace(fixup, expression=expression)

    def _with_nearest_macro(self, problem: Problem, statement: Statement) -> Problem:
        """The problem of an unknown word, with the name of a macro that is spelled similarly."""
        near = difflib.get_close_matches(statement.name, self._interpreter.macros.known.names(), 1, 0.8)
        if not near:
            return problem
        message = f"`{statement.name}` is neither a mnemonic nor a macro; there is a macro `{near[0]}`"
        fix = LineFix(f"Change to `{near[0]}`", statement.name_start, statement.name_end, near[0])
        return Problem(problem.rule, problem.start, problem.end, message, (fix,))

    # Labels, assignments, macros

    def label(self, statement: Statement, written: Written) -> None:
        """Put a label at the current address."""
        del written
        self.item("label", statement)
        name = statement.name
        self.place_label(name, len(self.items) - 1)
        if self.symbols.values.get(name) is UNKNOWN:
            del self.symbols.values[name]

    def assignment(self, statement: Statement, name: str, written: Written) -> None:
        """Note an assignment to a symbol."""
        del written
        if name == ".":
            room.org(self, statement)
            return
        value = self.symbols.values.get(name)
        self.chunk.assigned.add(name)
        if self._interpreter.conditionals.is_default_of(name):
            self.chunk.defaults.add(name)
        if isinstance(value, Deferred):
            self.chunk.late.add(name)
        self.chunk.first_values.setdefault(name, value)
        self.item("assignment", statement, value=value)

    def macro_defined(self, macro: Macro, written: Written) -> None:
        """Note the place of a macro's definition."""
        self.chunk.definitions.append((macro, written.container, written.line, written.top_line))

    def expansion(self, statement: Statement, frame: Frame, written: Written) -> None:
        """Note a call, repetition or include."""
        del frame, written
        self.item("expansion", statement)

    def raw_block(self, word: str, lines: tuple[bytes, ...], first_line: int, written: Written) -> None:
        """Note a metadata block."""
        self.chunk.metadata.append(Metadata(word, lines, written.container, first_line))
        if word != info.WORD:
            return
        target = self.assembler.target
        rule, mistakes = "malformed-directive", info.mistakes(lines)
        if target is not None and not target.has(versions.FUNCTION_INFORMATION):
            # What is said of the line before the block's first is said of the directive that opens it.
            rule, mistakes = "unknown-directive", iter(((-1, 0, len(word), f"LLVM 22 does not know `{word}`"),))
        for number, start, end, message in mistakes:
            line = first_line + number
            top_line = line if written.frame is None else written.top_line
            place = msgspec.structs.replace(written, line=line, top_line=top_line)
            self.problem(rule, start, end, message, place)

    def unknown_code(self, statement: Statement, written: Written) -> None:
        """Note that there may be unknown code here."""
        del written
        self.item("unknown", statement)

    def unknown_symbol(self, name: str, statement: Statement, written: Written) -> None:
        """Note a name without a value where a value is needed."""
        self.chunk.unresolved.append(Unresolved(name, written, statement))

    def problem(self, rule: str, start: int, end: int, message: str, written: Written) -> None:
        """Note a problem in a line, at columns as written."""
        self.chunk.problems.append(ChunkProblem(Problem(rule, start, end, message), written, b""))

    # Directives

    def directive(self, statement: Statement, written: Written) -> bool:
        """Carry out a directive; False for an unknown word."""
        del written
        word = statement.word
        if self.descriptor and word.startswith(".amdhsa_") and word != ".amdhsa_kernel":
            descriptor.field(self, statement)
            return True
        handler = HANDLERS.get(word)
        if handler is None:
            return False
        handler(self, statement)
        return True

    def header_field(self, statement: Statement, written: Written) -> bool:
        """Carry out a field of an `.amd_kernel_code_t` block; False outside such a block."""
        del written
        if self.descriptor != "":
            return False
        descriptor.header_field(self, statement)
        return True


_OFFSETS = tuple(range(4096))  # places in a piece repeat from chunk to chunk, and each would be a number of its own
# Rules about an operand whose value decides whether the line is right.
_BY_VALUE = frozenset(("undefined-symbol", "literal-not-allowed"))
_ON_ANY_TARGET = frozenset(("unknown-mnemonic", "syntax-error", "duplicate-modifier"))


def _is_short_branch(instruction: Instruction) -> bool:
    """Whether it is a branch that may need `s_nop` after it, depending on its distance."""
    fixups, form = instruction.fixups, instruction.form
    return bool(fixups) and fixups[0].kind == "branch" and form is not None and "SOPP" in form.flags
