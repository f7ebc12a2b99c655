"""What the interpreter hands its results to."""

from typing import TYPE_CHECKING, Protocol

from gcn_lsp.preproc.provenance import Frame
from gcn_lsp.syntax.expressions import Address
from gcn_lsp.syntax.statement import Statement

if TYPE_CHECKING:
    from gcn_lsp.preproc.interpreter import Interpreter
    from gcn_lsp.preproc.macros import Macro


class RegisterCount(Protocol):
    """Knows the symbols that follow the registers which instructions name (`.amdgcn.next_free_vgpr`)."""

    def registers_named(self, name: str) -> int:
        """The value of such a symbol now."""

    def set_registers_named(self, name: str, value: int) -> None:
        """Such a symbol was set; it goes on from there."""


class Streamer(Protocol):
    """Receives statements in program order. The interpreter's `top_line`, `container`, `line_number` and `frame` say
    where the statement stands."""

    def instruction(self, statement: Statement, interpreter: "Interpreter") -> None:
        """A command whose word is neither a directive nor a macro."""

    def directive(self, statement: Statement, interpreter: "Interpreter") -> bool:
        """A directive that the interpreter does not know; False when the streamer does not know it either."""

    def label(self, statement: Statement, interpreter: "Interpreter") -> None:
        """A label at the current address."""

    def assignment(self, statement: Statement, name: str, interpreter: "Interpreter") -> None:
        """A symbol got its value (already in the interpreter's symbols); `.` moves the current address instead."""

    def header_field(self, statement: Statement, interpreter: "Interpreter") -> None:
        """A field of an `.amd_kernel_code_t` block, written like an assignment."""

    def macro_defined(self, macro: "Macro", header_line: int, interpreter: "Interpreter") -> None:
        """A macro definition ended here; its header is line `header_line` of the current container."""

    def expansion(self, statement: Statement, interpreter: "Interpreter", frame: Frame) -> None:
        """A macro call, repetition or include is about to be interpreted."""

    def raw_block(self, word: str, lines: tuple[bytes, ...], first_line: int, interpreter: "Interpreter") -> None:
        """Lines that are no assembly (metadata), from line `first_line` of the current container."""

    def problem(self, rule: str, start: int, end: int, message: str, interpreter: "Interpreter") -> None:
        """Something is wrong at bytes `start` to `end` of the current line."""

    def unknown_symbol(self, name: str, interpreter: "Interpreter", statement: Statement) -> None:
        """A name that nothing in the file defines decides what is interpreted: only the build can define it."""

    def address(self, name: str) -> "Address | None":
        """The address of a label defined so far; `.` is the current one."""
