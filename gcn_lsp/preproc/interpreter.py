"""The assembler's eye: goes through lines in order and keeps symbols, macros and conditionals.

One `Interpreter` runs over one chunk of the main file, from the `State` before it to the state after it.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import msgspec

from gcn_lsp.flow.kept import ByValue
from gcn_lsp.preproc import conditionals, macros
from gcn_lsp.preproc.macros import ArgumentError, Macro, Substitution
from gcn_lsp.preproc.provenance import Frame, Place
from gcn_lsp.preproc.state import RUNNING, Branch, Condition, Deferred, OpenBlock, State, SymbolValue
from gcn_lsp.preproc.streamer import RegisterCount, Streamer
from gcn_lsp.preproc.tracked import Tracked
from gcn_lsp.syntax import expressions, nodes, operands
from gcn_lsp.syntax.expressions import UNKNOWN, Missing
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Kind, Statement
from gcn_lsp.text import SourceText

IncludeResolver = Callable[[str, str], "SourceText | None"]

# LLVM's limit on nested macro calls (asm-macro-max-nesting-depth).
MAX_MACRO_DEPTH = 20
MAX_INCLUDE_DEPTH = 64
# Symbols that are set to one another before any has a value; more than this is a circle.
MAX_DEFERRED_DEPTH = 32
# Values in the expression of such a symbol; more than this is no kernel.
MAX_DEFERRED_SIZE = 1000
# Expanded lines and steps of repetitions in one program, unless a setting says otherwise; real kernels stay below a
# tenth of it.
MAX_EXPANDED_LINES = 300_000

_MISSING = Missing(False)
_MISSING_UNKNOWN = Missing(True)

_MACRO_OPEN = frozenset((".macro",))
_MACRO_CLOSE = frozenset((".endm", ".endmacro"))
_REPEAT_OPEN = frozenset((".rept", ".rep", ".irp", ".irpc"))
_REPEAT_CLOSE = frozenset((".endr",))
# Blocks whose lines are no assembly, and what ends them.
RAW_BLOCKS = {
    ".amdgpu_metadata": ".end_amdgpu_metadata",
    ".amd_amdgpu_hsa_metadata": ".end_amd_amdgpu_hsa_metadata",
    ".amdgpu_pal_metadata": ".end_amdgpu_pal_metadata",
}
_RAW_ENDS = frozenset(RAW_BLOCKS.values())


class Budget:
    """Counts expanded lines over a whole program; `exhausted` once there were too many."""

    __slots__ = ("left", "limit")

    def __init__(self, lines: int = MAX_EXPANDED_LINES, limit: int | None = None) -> None:
        self.left = lines
        self.limit = lines if limit is None else limit  # of the whole program

    def take(self, lines: int) -> bool:
        """Use up that many; False when there are no more."""
        self.left -= lines
        return self.left >= 0


class Interpreter:
    """Interpretation under way.

    container, line_number: where the current line is written. top_line: the line of the chunk that leads to it.
    frame: the expansion it is in. symbols, macros: as they are now. counter: macro calls so far (`\\@`); counter_read:
    something depends on it. incomplete: an include was not found, so that what it defines is not known.
    """

    def __init__(
        self, state: State, streamer: Streamer, include: IncludeResolver, path: str, budget: Budget, counter: int = 0
    ) -> None:
        self._streamer = streamer
        self._include = include
        self._path = path
        self._budget = budget
        self.symbols = Tracked(state.symbols)
        self.macros = Tracked(state.macros)
        self.macro_names_read = False
        self._macro_names = [*state.macros]
        self._conditions: list[Condition] = list(state.conditions)
        self._ignoring = _ignores(self._conditions)
        self._block = state.block
        self._body: list[bytes] = list(state.block.lines) if state.block is not None else []
        self._block_depth = state.block.depth if state.block is not None else 0
        self._block_commented = state.block.commented if state.block is not None else False
        self.section = state.section
        self.section_stack = state.stack
        self.previous_section = state.previous
        self._comment_open = state.comment_open
        self.counter = counter
        self.counter_read = False
        self._altmacro = state.altmacro
        self.descriptor = state.descriptor
        self.ended = state.ended
        self.incomplete = state.incomplete
        self.register_count: RegisterCount | None = None
        self._fixed = state.fixed
        self.local_names = state.local_names
        self._counts = state.counts
        self.container: Macro | str | None = None
        self.line_number = 0
        self.top_line = 0
        self.frame: Frame | None = None
        self._frame_depth = 0
        self._exit_macro = False
        self._abandoned = False
        self._deferred_depth = 0
        self._deferred_count = 0
        # Lines of the chunk that begin inside a block comment, and those that are no assembly.
        self.commented: list[int] = []
        self.raw: list[int] = []
        # The branches of conditionals that were met: whether each may be interpreted, and where those that end here do.
        self.branches: dict[tuple[Macro | str | None, int], bool] = {}
        self.branch_ends: dict[tuple[Macro | str | None, int], int] = {}
        self._branch_starts: list[tuple[Macro | str | None, int] | None] = [None] * len(self._conditions)

    def run_chunk(self, lines: Sequence[bytes]) -> State:
        """Interpret the lines of a chunk of the main file; the state after them."""
        if not self.ended:
            self._run(lines, None, 0, None)
        block = self._block
        if block is not None:
            block = OpenBlock(block.kind, block.word, block.header, block.columns, tuple(self._body), self._block_depth)
            block = msgspec.structs.replace(block, commented=self._block_commented)
        return State(
            self.symbols.finish(),
            self.macros.finish(),
            tuple(self._conditions),
            block,
            self.section,
            self.section_stack,
            self.previous_section,
            self._comment_open,
            self._altmacro,
            self.descriptor,
            self.ended,
            self.incomplete,
            self._fixed,
            self._counts,
            self.local_names,
        )

    def defined_macros(self) -> list[str]:
        """The names of the macros that there are."""
        self.macro_names_read = True
        return self._macro_names

    # Looking up and evaluating

    def lookup(self, name: str) -> "int | expressions.Address | Missing":
        """What `name` stands for now."""
        if name not in self.symbols:
            address = self._streamer.address(name)
            return _MISSING if address is None else address
        return self.lookup_symbol(name)

    def lookup_symbol(self, name: str) -> "int | expressions.Address | Missing":
        """What `name` stands for now, if it is no label: so that nothing depends on addresses without need."""
        value = self.symbols.get(name)
        if value is None:
            return _MISSING
        if type(value) is int:
            return value
        if isinstance(value, Deferred):
            return self._lookup_deferred(name, value)
        if value is RUNNING and self.register_count is not None:
            return self.register_count.registers_named(name)
        return _MISSING_UNKNOWN

    def _lookup_deferred(self, name: str, value: Deferred) -> "int | expressions.Address | Missing":
        """The value of a symbol whose expression had names without a value; once told it stays, as in LLVM."""
        if self._deferred_depth == 0:
            self._deferred_count = 0
        self._deferred_count += 1
        if self._deferred_depth >= MAX_DEFERRED_DEPTH or self._deferred_count > MAX_DEFERRED_SIZE:
            return _MISSING_UNKNOWN
        self._deferred_depth += 1
        result = self.evaluate(value.expression)
        self._deferred_depth -= 1
        if isinstance(result, expressions.Unresolved):
            return Missing(True, result.names)
        if type(result) is int:
            self.symbols[name] = result
        return result

    def evaluate(self, node: nodes.Node) -> expressions.Value:
        """The value of `node` now."""
        return expressions.evaluate(node, self.lookup)

    def bound(self, node: nodes.Node) -> nodes.Node:
        """`node` with what its names stand for now; those without a value are left for labels and later symbols."""
        return expressions.substitute(node, self._bound_name)

    def _deferred(self, node: nodes.Node) -> SymbolValue:
        values = [self.symbols.get(name) for name in expressions.names_in(node)]
        size = 1 + 2 * sum(value.size for value in values if isinstance(value, Deferred))
        return Deferred(self.bound(node), size) if size <= MAX_DEFERRED_SIZE else UNKNOWN

    def _depends_on_build(self, node: nodes.Node) -> bool:
        """Whether a symbol that only the build knows is in an expression."""
        return any(self.symbols.get(name) is UNKNOWN for name in expressions.names_in(self.bound(node)))

    def _bound_name(self, name: str) -> "nodes.Node | None":
        if name == ".":
            here = self._streamer.address(name)
            return None if here is None else expressions.Placed(0, 0, here.section, here.offset)
        value = self.symbols.get(name)
        if value is RUNNING:
            number = self.lookup_symbol(name)
            return nodes.Integer(0, 0, number) if type(number) is int else None
        if type(value) is int:
            return nodes.Integer(0, 0, value)
        return value.expression if isinstance(value, Deferred) else None

    def absolute(self, statement: Statement, start: int, end: int) -> "int | None":
        """The number that the expression in bytes `start` to `end` yields; None after reporting why there is none.

        A symbol that nothing has defined is taken for one that the build defines: the result is None and the
        streamer is told its name.
        """
        node = operands.parse_expression(statement.line, start, end)
        if isinstance(node, nodes.Malformed):
            self.problem("invalid-expression", node.start, max(node.end, node.start), node.message)
            return None
        value = self.evaluate(node)
        if type(value) is int:
            return value
        self._report_unresolved(value, statement, node.start, max(end, node.end))
        return None

    def _report_unresolved(self, value: expressions.Value, statement: Statement, start: int, end: int) -> None:
        if isinstance(value, expressions.Unresolved):
            for name in value.names:
                self._streamer.unknown_symbol(name, self, statement)
            if value.message:
                self.problem("invalid-expression", start, end, f"no value: {value.message}")
        else:
            self.problem("invalid-expression", start, end, "a number is needed here, this is an address")

    def problem(self, rule: str, start: int, end: int, message: str) -> None:
        """Report something wrong in the current line."""
        self._streamer.problem(rule, start, end, message, self)

    def here(self) -> Place:
        """The current line."""
        return Place(self.container, self.line_number)

    # Going through lines

    def _run(self, lines: Sequence[bytes], container: "Macro | str | None", first: int, frame: "Frame | None") -> None:
        streamer = self._streamer
        outer = (self.container, self.line_number, self.frame)
        self.container = container
        self.frame = frame
        at_top = frame is None
        macros_now = self.macros
        for index, text in enumerate(lines):
            self.line_number = first + index
            if at_top:
                self.top_line = index
                if self._comment_open:
                    self.commented.append(index)
            if self._block is not None:
                self._collect(text)
                if self.ended:  # the end of the file stands in a repetition that was closed here
                    break
                continue
            line = parse_line(text, self._comment_open)
            self._comment_open = line.comment_open
            for statement in line.statements:
                if self._ignoring or statement.kind is not Kind.COMMAND:
                    self._other_statement(statement)
                elif statement.name in macros_now:
                    self._call(statement)
                elif statement.word[0] != ".":
                    streamer.instruction(statement, self)
                else:
                    self._directive(statement)
            if self.ended or self._exit_macro or self._abandoned:
                if at_top and not self.ended:
                    self._abandoned = self._exit_macro = False
                    continue
                break
        self.container, self.line_number, self.frame = outer

    def _other_statement(self, statement: Statement) -> None:
        if statement.kind is Kind.COMMAND:
            handler = _CONDITIONALS.get(statement.word)
            if handler is not None:
                handler(self, statement)
            elif self._unknown_branch():
                self._taint(statement)
        elif self._ignoring:
            if self._unknown_branch() and statement.kind is not Kind.MALFORMED:
                self.symbols[statement.name] = UNKNOWN
        elif statement.kind is Kind.LABEL:
            self._streamer.label(statement, self)
        elif statement.kind is Kind.ASSIGNMENT:
            if self.descriptor == "":  # a field of an `.amd_kernel_code_t`, not a symbol
                self._streamer.header_field(statement, self)
                return
            if statement.line[statement.rest_start - 2 : statement.rest_start] == b"==":
                sign = statement.rest_start - 2
                self.problem("syntax-error", sign, sign + 2, "`==` compares; a symbol is set with one `=`")
            self._assign(statement, statement.name, statement.rest_start, statement.end, redefine=True)
        else:
            end = min(statement.end, statement.start + 1)
            text = statement.line[statement.start : end].decode("utf-8", "replace")
            self.problem("syntax-error", statement.start, end, f"no statement starts with `{text}`")

    def _unknown_branch(self) -> bool:
        return any(condition.branch is Branch.UNKNOWN for condition in self._conditions)

    def _taint(self, statement: Statement) -> None:
        """A statement that may or may not be assembled: what it would define is unknown from here on."""
        if statement.word in (".set", ".equ", ".equiv"):
            name = _first_word(statement)
            if name:
                self.symbols[name] = UNKNOWN
        elif statement.word == ".macro":
            header = macros.parse_header(statement.rest)
            if not isinstance(header, ArgumentError):
                self.macros[header[0]] = None

    # Blocks of lines

    def _open_block(self, statement: Statement, kind: str) -> None:
        columns = (statement.rest_start, statement.start, statement.end)
        self._block = OpenBlock(kind, statement.word, statement.rest, columns)
        self._body = []
        self._block_depth = 0
        self._block_commented = self._comment_open

    def _collect(self, text: bytes) -> None:
        block = self._block
        assert block is not None
        if block.kind == "raw":
            if text.strip().lower().startswith(RAW_BLOCKS[block.word].encode()):
                self._close_block(block)
            else:
                self._body.append(text)
                if self.frame is None:
                    self.raw.append(self.top_line)
            return
        if self._block_commented:
            close = text.find(b"*/")
            self._block_commented = self._comment_open = close < 0
            text = b"" if close < 0 else b" " * (close + 2) + text[close + 2 :]
        if b"." in text or b"*" in text or self._comment_open:
            openers, closers = (_MACRO_OPEN, _MACRO_CLOSE) if block.kind == "macro" else (_REPEAT_OPEN, _REPEAT_CLOSE)
            line = parse_line(text, self._comment_open)
            self._comment_open = line.comment_open
            for statement in line.statements:
                if statement.kind is not Kind.COMMAND:
                    continue
                if statement.word in openers:
                    self._block_depth += 1
                elif statement.word in closers:
                    if self._block_depth == 0:
                        self._expect_end(statement)
                        self._close_block(block)
                        return
                    self._block_depth -= 1
        self._body.append(text)

    def _close_block(self, block: OpenBlock) -> None:
        lines = tuple(self._body)
        self._block = None
        self._body = []
        first = self.line_number - len(lines)
        if block.kind == "raw":
            self._streamer.raw_block(block.word, lines, first, self)
        elif block.kind == "macro":
            self._define(block, lines, first)
        else:
            self._repeat(block, lines, first)

    def _define(self, block: OpenBlock, lines: tuple[bytes, ...], first: int) -> None:
        header = macros.parse_header(block.header)
        if isinstance(header, ArgumentError):
            return  # reported at the header
        name, parameters = header
        macro = Macro(name, parameters, lines)
        if name in self.macros and self.macros[name] is not None:
            end_line, self.line_number = self.line_number, first - 1
            start = block.columns[0]
            self.problem("duplicate-macro", start, start + len(name.encode()), f"macro `{name}` is defined already")
            self.line_number = end_line
            return
        self.macros[name] = macro
        if name in self._counts:
            self._counts = self._counts.delete(name)
        self._macro_names.append(name)
        self._streamer.macro_defined(macro, first - 1, self)

    def _repeat(self, block: OpenBlock, lines: tuple[bytes, ...], first: int) -> None:
        end_line, self.line_number = self.line_number, first - 1
        steps = self._steps(block)
        place = self.here()
        names = (block.header.split(b",", 1)[0].strip(),)
        statement = self._header_statement(block)
        top_line = self.top_line
        shows_counter = block.kind != "rept" and any(b"\\@" in line for line in lines)
        self.counter_read = self.counter_read or shows_counter
        is_plain = block.kind == "rept" and not any(b"\\" in line for line in lines)
        for number, (step, value) in enumerate(steps):
            if not self._budget.take(len(lines) + 1):
                self._over_budget(block)
                break
            substitution = None
            if value is not None:
                counter = self.counter if shows_counter else None
                substitution = Substitution(names, (value,), counter, self._altmacro, number)
            elif not is_plain:
                substitution = Substitution((), (), None, False, number)
            frame = Frame(block.kind, step, place, block.columns[1], block.columns[2], self.frame, substitution)
            if statement is not None:
                self._streamer.expansion(statement, self, frame)
            body = lines
            if substitution is not None:
                body = tuple(macros.substitute(line, substitution) for line in lines)
            self._run_expansion(body, self.container, first, frame)
            self.top_line = top_line
            if self._exit_macro or self.ended or self._abandoned:
                break
        self._exit_macro = False  # `.exitm` leaves the repetition, not the macro around it
        self.line_number = end_line

    def _header_statement(self, block: OpenBlock) -> "Statement | None":
        text = b" " * block.columns[1] + block.word.encode()
        text = text.ljust(block.columns[0]) + block.header
        statements = parse_line(text).statements
        return statements[0] if statements else None

    def _steps(self, block: OpenBlock) -> "Sequence[tuple[str, bytes | None]]":
        """A label and the value of the repetition's name for each step."""
        start, end = block.columns[0], block.columns[2]
        if block.kind == "rept":
            statement = self._header_statement(block)
            count = self.absolute(statement, statement.rest_start, statement.end) if statement is not None else None
            if count is None:
                return ()
            if count < 0:
                self.problem("invalid-expression", start, end, f"a repetition of {count} times is not possible")
            return _Steps(max(0, count))
        name, comma, rest = block.header.partition(b",")
        if not comma or not macros.is_identifier(name.strip()):
            self.problem("malformed-directive", start, end, f"`{block.word}` takes a name, a comma and values")
            return ()
        values, problem = macros.parse_arguments(rest, None)
        if problem is not None:
            offset = start + len(block.header) - len(rest)
            self.problem("macro-arguments", offset + problem.start, offset + problem.end, problem.message)
        if block.kind == "irpc":
            if len(values) != 1:
                self.problem("malformed-directive", start, end, f"`.irpc` takes one word, here are {len(values)}")
                return ()
            return [(chr(byte), bytes((byte,))) for byte in macros.unquote(values[0])]
        return [(value.decode("utf-8", "replace"), macros.unquote(value)) for value in values]

    def _over_budget(self, block: OpenBlock) -> None:
        if self._budget.left > -1_000_000_000:
            self._budget.left = -2_000_000_000  # said once
            self.problem(
                "expansion-limit",
                block.columns[1],
                block.columns[2],
                f"the program expands to more than {self._budget.limit:,} lines; the rest is not interpreted",
            )

    def _run_expansion(self, lines: Sequence[bytes], container: "Macro | str | None", first: int, frame: Frame) -> None:
        """Interpret pasted lines; conditionals and blocks that they leave open end with them."""
        conditions = len(self._conditions)
        comment_open, self._comment_open = self._comment_open, False
        self._frame_depth += 1
        self._run(lines, container, first, frame)
        self._frame_depth -= 1
        self._comment_open = comment_open
        if self._block is not None:
            self.problem("unterminated-block", frame.start, frame.end, _unterminated(self._block.word))
            self._block = None
            self._body = []
        if len(self._conditions) > conditions:
            if not (self._exit_macro or self.ended or self._abandoned):
                if not self._ignoring:  # the rest of the conditional may stand behind the call
                    opener = frame.name if frame.kind == "macro" else f".{frame.kind}"
                    self._conditions[conditions:] = [
                        msgspec.structs.replace(condition, opener=opener) for condition in self._conditions[conditions:]
                    ]
                    return
                self.problem("unterminated-block", frame.start, frame.end, _unterminated(".if"))
            del self._conditions[conditions:]
            del self._branch_starts[conditions:]
            self._ignoring = _ignores(self._conditions)

    # Macro calls and includes

    def _call(self, statement: Statement) -> None:
        macro = self.macros[statement.name]
        if macro is None:
            return  # its definition depends on the build: nothing is claimed about the call
        names, values, problem = self._arguments(statement, macro)
        start = statement.rest_start
        if problem is not None and not problem.message:
            return
        if problem is not None:
            self.problem(
                "macro-arguments",
                start + problem.start if problem.end > problem.start else statement.name_start,
                start + problem.end if problem.end > problem.start else statement.name_end,
                problem.message,
            )
            return
        if self._macro_depth() >= MAX_MACRO_DEPTH:
            self.problem(
                "expansion-limit",
                statement.start,
                statement.end,
                f"macros nest more than {MAX_MACRO_DEPTH} deep in the call of `{macro.name}`",
            )
            self._abandoned = True  # the whole call that led here; a recursion that branches would go on for ever
            return
        if not self._budget.take(len(macro.body) + 1):
            self._over_budget(OpenBlock("macro", "", b"", (0, statement.start, statement.end)))
            return
        uses_counter = _uses_counter(macro)
        self.counter_read = self.counter_read or uses_counter
        substitution = Substitution(
            names,
            values,
            self.counter if uses_counter else 0,  # calls that do not show it share their lines
            self._altmacro,
            self._count(macro),
        )
        frame = Frame("macro", macro.name, self.here(), statement.start, statement.end, self.frame, substitution)
        self._streamer.expansion(statement, self, frame)
        lines = _expand(macro, substitution)
        self.counter += 1
        self._run_expansion(lines, macro, 0, frame)
        self._exit_macro = False

    def _arguments(
        self, statement: Statement, macro: Macro
    ) -> "tuple[tuple[bytes, ...], tuple[bytes, ...], ArgumentError | None]":
        """The names of a macro's parameters and what stands for each in a call."""
        if self._altmacro:  # expressions may be among the arguments
            text = _call_text(statement, macro)
            values, problem = macros.parse_arguments(text, macro, self._percent(statement))
            return macros.parameter_names(macro), macros.replacements(macro, values), problem
        key = (statement, macro)
        found = _arguments.get(key)
        if found is None:
            values, problem = macros.parse_arguments(_call_text(statement, macro), macro)
            found = (macros.parameter_names(macro), macros.replacements(macro, values), problem)
            _arguments.keep(key, found)
        return found

    def _percent(self, statement: Statement) -> macros.ExpressionValue:
        """Evaluates `%expression` arguments of a call under `.altmacro`."""

        def value(offset: int) -> "tuple[bytes, int] | None":
            start = statement.rest_start
            node, end = operands.parse_expression_prefix(statement.line, start + offset, statement.end)
            number = self.evaluate(node)
            if type(number) is int:
                return str(number).encode(), end - start
            self._report_unresolved(number, statement, node.start, max(node.end, node.start))
            return None

        return value

    def _count(self, macro: Macro) -> int:
        """How often `macro` was expanded before, if its body shows that."""
        if not _uses_count(macro):
            return 0
        count = self._counts.get(macro.name, 0)
        self._counts = self._counts.set(macro.name, count + 1)
        return count

    def _macro_depth(self) -> int:
        depth = 0
        frame = self.frame
        while frame is not None:
            depth += frame.kind != "include"
            frame = frame.parent
        return depth

    def _include_file(self, statement: Statement) -> None:
        name = _quoted(statement)
        start, end = statement.rest_start, statement.end
        if name is None:
            self.problem("malformed-directive", statement.start, end, "`.include` takes a file name in quotes")
            return
        includer = self._including_path()
        source = self._include(includer, name)
        if source is None:
            self.incomplete = True
            self.problem(
                "include-not-found",
                start,
                end,
                f"the file `{name}` is not found beside `{includer}` or in the include paths",
            )
            return
        if source.path == self._path or any(path == source.path for path in self._open_files()):
            self.problem("include-cycle", start, end, f"`{name}` includes itself")
            return
        if self._frame_depth >= MAX_INCLUDE_DEPTH:
            self.problem("include-cycle", start, end, f"files are included more than {MAX_INCLUDE_DEPTH} deep")
            return
        frame = Frame("include", source.path, self.here(), statement.start, statement.end, self.frame)
        self._streamer.expansion(statement, self, frame)
        comment_open, self._comment_open = self._comment_open, False
        self._frame_depth += 1
        conditions = len(self._conditions)
        self._run(source.lines, source.path, 0, frame)
        if self._block is not None:
            self.problem("unterminated-block", frame.start, frame.end, _unterminated(self._block.word))
            self._block = None
        if len(self._conditions) > conditions and not self.ended:
            self.problem("unterminated-block", frame.start, frame.end, f"`{name}`: " + _unterminated(".if"))
            del self._conditions[conditions:]
            del self._branch_starts[conditions:]
            self._ignoring = _ignores(self._conditions)
        self._frame_depth -= 1
        self._comment_open = comment_open

    def _including_path(self) -> str:
        """The file that the current statement is written in."""
        return next(reversed(self._open_files()), self._path)

    def _open_files(self) -> list[str]:
        found: list[str] = []
        frame = self.frame
        while frame is not None:
            if frame.kind == "include":
                found.append(frame.name)
            frame = frame.parent
        found.reverse()
        return found

    # Directives

    def _directive(self, statement: Statement) -> None:
        word = statement.word
        handler = _DIRECTIVES.get(word)
        if handler is not None:
            handler(self, statement)
        elif word in RAW_BLOCKS:
            self._open_block(statement, "raw")
        elif not self._streamer.directive(statement, self):
            self.problem(
                "unknown-directive",
                statement.name_start,
                statement.name_end,
                f"`{statement.name}` is neither a directive nor a macro",
            )

    def _macro_directive(self, statement: Statement) -> None:
        header = macros.parse_header(statement.rest)
        if isinstance(header, ArgumentError):
            start = min(statement.rest_start + header.start, statement.end)
            end = min(statement.rest_start + header.end, statement.end)
            if start == end:  # there is nothing to point at but the directive
                start, end = statement.start, statement.end
            self.problem("malformed-directive", start, end, header.message)
        self._open_block(statement, "macro")

    def _stray_end(self, statement: Statement) -> None:
        opener = {".endm": ".macro", ".endmacro": ".macro", ".endr": ".rept"}.get(statement.word, "its block")
        self.problem(
            "stray-block-end", statement.start, statement.end, f"`{statement.word}` ends nothing: no `{opener}` is open"
        )

    def _exitm(self, statement: Statement) -> None:
        self._expect_end(statement)
        if self.frame is None or self.frame.kind == "include":
            self.problem("stray-block-end", statement.start, statement.end, "`.exitm` stands in no macro")
        else:
            self._exit_macro = True

    def _purgem(self, statement: Statement) -> None:
        for name in (part.strip().decode("utf-8", "replace") for part in statement.rest.split(b",")):
            if name in self.macros:
                del self.macros[name]
                self._macro_names = [other for other in self._macro_names if other != name]
            else:
                self.problem("malformed-directive", statement.rest_start, statement.end, f"no macro `{name}` to forget")

    def _set(self, statement: Statement) -> None:
        name = _first_word(statement)
        comma = statement.line.find(b",", statement.rest_start, statement.end)
        is_name = macros.is_identifier(name.encode("utf-8", "surrogateescape")) or statement.rest[:1] == b'"'
        if not is_name or comma < 0:
            self.problem(
                "malformed-directive",
                statement.start,
                statement.end,
                f"`{statement.word}` takes a name, a comma and a value",
            )
            return
        self._assign(statement, name, comma + 1, statement.end, redefine=statement.word != ".equiv")

    def _assign(self, statement: Statement, name: str, start: int, end: int, *, redefine: bool) -> None:
        node = operands.parse_expression(statement.line, start, end)
        if isinstance(node, nodes.Malformed):
            self.problem("invalid-expression", node.start, max(node.end, node.start), node.message)
            self.symbols[name] = UNKNOWN
            return
        if (not redefine or name in self._fixed) and name in self.symbols:
            at = max(statement.line.find(name.encode(), statement.start), statement.start)
            self.problem("symbol-redefined", at, at + len(name.encode()), f"`{name}` has a value already")
            return
        if not redefine:
            self._fixed |= {name}
        if name != ".":
            self._store(name, self.evaluate(node), node, statement)
        self._streamer.assignment(statement, name, self)

    def _store(self, name: str, value: expressions.Value, node: nodes.Node, statement: Statement) -> None:
        if type(value) is int:
            if self.register_count is not None and self.symbols.get(name) is RUNNING:
                self.register_count.set_registers_named(name, value)
            else:
                self.symbols[name] = value
            return
        if isinstance(value, expressions.Unresolved):
            if value.message:
                self.problem("invalid-expression", node.start, node.end, f"no value: {value.message}")
            elif not self._depends_on_build(node):
                self.symbols[name] = self._deferred(node)
                return
        elif not isinstance(value, int):
            self.symbols[name] = self._deferred(node)
            return
        self.symbols[name] = UNKNOWN

    def _error(self, statement: Statement) -> None:
        absent = self._conditions[-1].absent if self._conditions else ""
        if absent:  # the file insists on a symbol of the build: not a mistake in the file
            self._streamer.unknown_symbol(absent, self, statement)
            self.symbols[absent] = UNKNOWN
            self._conditions[-1] = Condition(Branch.UNKNOWN)
            self._ignoring = True
            return
        text = _quoted(statement)
        if text is None:
            text = "`.err` stands here" if statement.word == ".err" else "`.error` stands here"
        self.problem("user-error", statement.start, statement.end, text)

    def _warning(self, statement: Statement) -> None:
        text = _quoted(statement)
        self.problem("user-warning", statement.start, statement.end, text or "`.warning` stands here")

    def _abort(self, statement: Statement) -> None:
        self.problem("user-error", statement.start, statement.end, "the assembly stops here")
        self.ended = True

    def _end(self, statement: Statement) -> None:
        del statement
        self.ended = True

    def _print(self, statement: Statement) -> None:
        """Says something to whoever assembles; nothing follows from it."""
        if _quoted(statement) is None:
            self.problem("malformed-directive", statement.start, statement.end, "`.print` takes a string in quotes")

    def _expect_end(self, statement: Statement) -> None:
        if statement.rest.strip():
            message = f"`{statement.word}` takes no arguments"
            self.problem("malformed-directive", statement.rest_start, statement.end, message)

    def _altmacro_mode(self, statement: Statement) -> None:
        self._expect_end(statement)
        self._altmacro = statement.word == ".altmacro"

    # Conditionals

    def _if(self, statement: Statement) -> None:
        if self._ignoring:
            self._conditions.append(Condition(Branch.SKIPPED))
            self._branch_starts.append(None)
            return
        held = conditionals.holds(statement, self)
        branch = Branch.UNKNOWN if held is None else Branch.TAKEN if held else Branch.WAITING
        absent = conditionals.absent_symbol(statement) if branch is Branch.TAKEN else ""
        self._conditions.append(Condition(branch, absent=absent))
        self._ignoring = branch is not Branch.TAKEN
        self._branch_starts.append(None)
        self._note_branch(branch)

    def _elseif(self, statement: Statement) -> None:
        if not self._may_continue(statement):
            return
        condition = self._conditions[-1]
        branch = condition.branch
        if branch is Branch.TAKEN:
            branch = Branch.DONE
        elif branch is Branch.WAITING:
            held = conditionals.holds(statement, self)
            branch = Branch.UNKNOWN if held is None else Branch.TAKEN if held else Branch.WAITING
        self._conditions[-1] = Condition(branch)
        self._ignoring = _ignores(self._conditions)
        self._note_branch(branch)

    def _else(self, statement: Statement) -> None:
        self._expect_end(statement)
        if not self._may_continue(statement):
            return
        branch = self._conditions[-1].branch
        if branch is Branch.TAKEN:
            branch = Branch.DONE
        elif branch is Branch.WAITING:
            branch = Branch.TAKEN
        self._conditions[-1] = Condition(branch, else_seen=True)
        self._ignoring = _ignores(self._conditions)
        self._note_branch(branch)

    def _note_branch(self, branch: Branch) -> None:
        """A branch of the innermost conditional starts here, and the one before it ends."""
        self._note_branch_end()
        if branch is not Branch.SKIPPED:
            here = self._branch_starts[-1] = (self.container, self.line_number)
            self.branches[here] = branch in (Branch.TAKEN, Branch.UNKNOWN) or self.branches.get(here, False)

    def _note_branch_end(self) -> None:
        start = self._branch_starts[-1]
        if start is not None and start[0] is self.container:
            self.branch_ends[start] = self.line_number
        self._branch_starts[-1] = None

    def _may_continue(self, statement: Statement) -> bool:
        if not self._conditions:
            self.problem("stray-block-end", statement.start, statement.end, f"`{statement.word}` stands in no `.if`")
            return False
        if self._conditions[-1].else_seen:
            self.problem(
                "stray-block-end",
                statement.start,
                statement.end,
                f"`{statement.word}` comes after the `.else` of its `.if`",
            )
            return False
        return True

    def _endif(self, statement: Statement) -> None:
        self._expect_end(statement)
        if not self._conditions:
            self.problem("stray-block-end", statement.start, statement.end, "`.endif` ends nothing: no `.if` is open")
            return
        self._note_branch_end()
        self._conditions.pop()
        self._branch_starts.pop()
        self._ignoring = _ignores(self._conditions)


class _Steps(Sequence[tuple[str, "bytes | None"]]):
    """The steps of a `.rept`, however many, without holding them."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if not 0 <= index < self._count:
            raise IndexError
        return str(index + 1), None


def _ignores(conditions: list[Condition]) -> bool:
    return bool(conditions) and conditions[-1].branch is not Branch.TAKEN


def _unterminated(word: str) -> str:
    end = {".macro": ".endm", ".rept": ".endr", ".rep": ".endr", ".irp": ".endr", ".irpc": ".endr", ".if": ".endif"}
    return f"`{word}` has no `{end.get(word) or RAW_BLOCKS.get(word, 'end')}`"


def _first_word(statement: Statement) -> str:
    """The name before the first comma of a directive's arguments."""
    return statement.rest.split(b",", 1)[0].strip().strip(b'"').decode("utf-8", "surrogateescape")


def _quoted(statement: Statement) -> "str | None":
    text = statement.rest.strip()
    if len(text) >= 2 and text[:1] == b'"' == text[-1:]:
        return operands.unescape(text).decode("utf-8", "replace")
    return None


@lru_cache(maxsize=4096)
def _uses_counter(macro: Macro) -> bool:
    """Whether the lines of a call depend on how many calls there were before it."""
    return any(b"\\@" in line for line in macro.body)


@lru_cache(maxsize=4096)
def _uses_count(macro: Macro) -> bool:
    """Whether the lines of a call depend on how many calls of this macro there were before it."""
    return any(b"\\+" in line for line in macro.body)


# The names, values and problem of calls, which as a rule stand in a kernel many times.
_Arguments = tuple[tuple[bytes, ...], tuple[bytes, ...], "ArgumentError | None"]
_arguments: ByValue[tuple[Statement, Macro], _Arguments] = ByValue(20_000)
_expansions: ByValue[tuple[Macro, Substitution], tuple[bytes, ...]] = ByValue(20_000)


def _expand(macro: Macro, substitution: Substitution) -> tuple[bytes, ...]:
    key = (macro, substitution)
    lines = _expansions.get(key)
    if lines is None:
        lines = _expansions.keep(key, tuple(macros.substitute(line, substitution) for line in macro.body))
    return lines


def _call_text(statement: Statement, macro: Macro) -> bytes:
    """The arguments of a call: blanks at their end belong to a vararg."""
    if macro.parameters and macro.parameters[-1].vararg:
        return statement.line[statement.rest_start :]
    return statement.rest


_Handler = Callable[[Interpreter, Statement], None]

_CONDITIONALS: dict[str, _Handler] = {
    **dict.fromkeys(conditionals.OPENERS, Interpreter._if),
    ".elseif": Interpreter._elseif,
    ".else": Interpreter._else,
    ".endif": Interpreter._endif,
}

_DIRECTIVES: dict[str, _Handler] = {
    **_CONDITIONALS,
    ".macro": Interpreter._macro_directive,
    ".rept": lambda self, statement: self._open_block(statement, "rept"),
    ".rep": lambda self, statement: self._open_block(statement, "rept"),
    ".irp": lambda self, statement: self._open_block(statement, "irp"),
    ".irpc": lambda self, statement: self._open_block(statement, "irpc"),
    ".endm": Interpreter._stray_end,
    ".endmacro": Interpreter._stray_end,
    ".endr": Interpreter._stray_end,
    ".exitm": Interpreter._exitm,
    ".purgem": Interpreter._purgem,
    ".set": Interpreter._set,
    ".equ": Interpreter._set,
    ".equiv": Interpreter._set,
    ".include": Interpreter._include_file,
    ".error": Interpreter._error,
    ".err": Interpreter._error,
    ".warning": Interpreter._warning,
    ".print": Interpreter._print,
    ".abort": Interpreter._abort,
    ".end": Interpreter._end,
    ".altmacro": Interpreter._altmacro_mode,
    ".noaltmacro": Interpreter._altmacro_mode,
}
DIRECTIVES: frozenset[str] = frozenset(_DIRECTIVES) | frozenset(RAW_BLOCKS) | _RAW_ENDS


def symbol_value(value: "SymbolValue | None") -> "int | None":
    """A symbol's number; None when it has none or only the build knows it."""
    return value if type(value) is int else None
