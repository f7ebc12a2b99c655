"""A streamer that writes down what it hears, and texts interpreted with it."""

from collections.abc import Mapping, Sequence

from gcn_lsp.preproc.calls import Budget
from gcn_lsp.preproc.interpreter import Interpreter
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.preproc.provenance import Frame, Written
from gcn_lsp.preproc.state import State, SymbolValue, initial_state
from gcn_lsp.syntax.expressions import Address
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import SourceText


class Recorder:
    """A streamer that records its calls."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.problems: list[tuple[str, int]] = []
        self.unknown: list[str] = []
        self.raw: list[tuple[bytes, ...]] = []

    def instruction(self, statement: Statement, written: Written) -> None:
        self.texts.append(statement.line[statement.start : statement.end].decode())

    def directive(self, statement: Statement, written: Written) -> bool:
        return statement.word == ".text"

    def label(self, statement: Statement, written: Written) -> None:
        self.texts.append(f"{statement.name}:")

    def assignment(self, statement: Statement, name: str, written: Written) -> None: ...

    def header_field(self, statement: Statement, written: Written) -> bool:
        return False

    def macro_defined(self, macro: Macro, written: Written) -> None: ...

    def expansion(self, statement: Statement, frame: Frame, written: Written) -> None: ...

    def unknown_code(self, statement: Statement, written: Written) -> None: ...

    def possible_instruction(self, statement: Statement, written: Written) -> None: ...

    def possible_directive(self, statement: Statement, written: Written) -> None: ...

    def raw_block(self, word: str, lines: tuple[bytes, ...], first_line: int, written: Written) -> None:
        self.raw.append(lines)

    def problem(self, rule: str, start: int, end: int, message: str, written: Written) -> None:
        self.problems.append((rule, written.line))

    def unknown_symbol(self, name: str, statement: Statement, written: Written) -> None:
        self.unknown.append(name)

    def address(self, name: str) -> "Address | None":
        return None


def run(
    text: str,
    symbols: "Mapping[str, SymbolValue] | None" = None,
    files: "dict[str, str] | None" = None,
    pieces: int = 1,
) -> tuple[Recorder, State]:
    """Interpret `text`, cut into that many chunks."""
    sources = {name: SourceText.from_bytes(name, body.encode()) for name, body in (files or {}).items()}
    recorder = Recorder()
    state = initial_state(dict(symbols or {}))
    lines = text.encode().split(b"\n")
    size = -(-len(lines) // pieces)
    budget = Budget(10_000)
    for start in range(0, len(lines), size):
        interpreter = Interpreter(state, recorder, lambda _, name: sources.get(name), "main.s", budget)
        state = interpreter.run_chunk(lines[start : start + size])
    return recorder, state


def texts(text: str, **keywords: "Sequence[str] | Mapping[str, SymbolValue] | Mapping[str, str] | int") -> list[str]:
    recorder, _ = run(text, **keywords)  # type: ignore[arg-type]
    assert recorder.problems == []
    return recorder.texts
