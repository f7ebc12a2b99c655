"""The interface that receives the interpreter's results."""

from typing import Protocol

from gcn_lsp.preproc.macros import Macro
from gcn_lsp.preproc.provenance import Frame, Written
from gcn_lsp.syntax.expressions import Address
from gcn_lsp.syntax.statement import Statement


class RegisterCount(Protocol):
    """Knows the symbols that count the registers named by instructions (`.amdgcn.next_free_vgpr`)."""

    def registers_named(self, name: str) -> int:
        """The value of such a symbol now."""

    def set_registers_named(self, name: str, value: int) -> None:
        """Set such a symbol; it counts from there."""


class Streamer(Protocol):
    """Receives statements in program order, each with its place."""

    def instruction(self, statement: Statement, written: Written) -> None:
        """A command whose word is neither a directive nor a macro."""

    def directive(self, statement: Statement, written: Written) -> bool:
        """A directive that the interpreter does not know; False if the streamer does not either."""

    def label(self, statement: Statement, written: Written) -> None:
        """A label at the current address."""

    def assignment(self, statement: Statement, name: str, written: Written) -> None:
        """An assignment, after the symbol has its value; `.` moves the current address instead."""

    def header_field(self, statement: Statement, written: Written) -> bool:
        """A field of an `.amd_kernel_code_t` block, written like an assignment; False outside such a block."""

    def macro_defined(self, macro: Macro, written: Written) -> None:
        """The end of a macro definition whose header is at `written`."""

    def expansion(self, statement: Statement, frame: Frame, written: Written) -> None:
        """The start of a macro call, repetition or include."""

    def raw_block(self, word: str, lines: tuple[bytes, ...], first_line: int, written: Written) -> None:
        """Lines that are not assembly (metadata), from line `first_line` of the current container."""

    def unknown_code(self, statement: Statement, written: Written) -> None:
        """Code may come here that depends on what only the build knows; `statement` ends it or stands for it."""

    def possible_instruction(self, statement: Statement, written: Written) -> None:
        """An instruction that is assembled or not depending on what only the build knows."""

    def possible_directive(self, statement: Statement, written: Written) -> None:
        """A directive like that, which the interpreter does not know."""

    def problem(self, rule: str, start: int, end: int, message: str, written: Written) -> None:
        """A problem at bytes `start` to `end` of a line."""

    def unknown_symbol(self, name: str, statement: Statement, written: Written) -> None:
        """A name that decides what is interpreted and that only the build can define."""

    def address(self, name: str) -> "Address | None":
        """The address of a label that is defined so far; `.` is the current one."""


class Reporter:
    """Reports problems in the current line. written: the place of that line."""

    __slots__ = ("streamer", "written")

    def __init__(self, streamer: Streamer) -> None:
        self.streamer = streamer
        self.written = Written(None, 0)

    def problem(self, rule: str, start: int, end: int, message: str) -> None:
        """Report a problem at bytes `start` to `end` of the current line."""
        self.streamer.problem(rule, start, end, message, self.written)

    def whole(self, rule: str, statement: Statement, message: str) -> None:
        """Report a problem with a whole statement of the current line."""
        self.streamer.problem(rule, statement.start, statement.end, message, self.written)

    def expect_end(self, statement: Statement) -> None:
        """Report arguments of a directive that takes none."""
        if statement.rest.strip():
            message = f"`{statement.word}` takes no arguments"
            self.problem("malformed-directive", statement.rest_start, statement.end, message)
