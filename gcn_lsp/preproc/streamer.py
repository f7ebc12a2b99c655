"""What the interpreter hands its results to."""

from typing import Protocol

from gcn_lsp.preproc.macros import Macro
from gcn_lsp.preproc.provenance import Frame, Written
from gcn_lsp.syntax.expressions import Address
from gcn_lsp.syntax.statement import Statement


class RegisterCount(Protocol):
    """Knows the symbols that follow the registers which instructions name (`.amdgcn.next_free_vgpr`)."""

    def registers_named(self, name: str) -> int:
        """The value of such a symbol now."""

    def set_registers_named(self, name: str, value: int) -> None:
        """Such a symbol was set; it goes on from there."""


class Streamer(Protocol):
    """Receives statements in program order, each with the place where it is written."""

    def instruction(self, statement: Statement, written: Written) -> None:
        """A command whose word is neither a directive nor a macro."""

    def directive(self, statement: Statement, written: Written) -> bool:
        """A directive that the interpreter does not know; False when the streamer does not know it either."""

    def label(self, statement: Statement, written: Written) -> None:
        """A label at the current address."""

    def assignment(self, statement: Statement, name: str, written: Written) -> None:
        """A symbol got its value (already in the symbols); `.` moves the current address instead."""

    def header_field(self, statement: Statement, written: Written) -> bool:
        """A field of an `.amd_kernel_code_t` block, written like an assignment; False outside such a block."""

    def macro_defined(self, macro: Macro, written: Written) -> None:
        """A macro definition ended here; its header is at `written`."""

    def expansion(self, statement: Statement, frame: Frame, written: Written) -> None:
        """A macro call, repetition or include is about to be interpreted."""

    def raw_block(self, word: str, lines: tuple[bytes, ...], first_line: int, written: Written) -> None:
        """Lines that are not assembly (metadata), from line `first_line` of the current container."""

    def problem(self, rule: str, start: int, end: int, message: str, written: Written) -> None:
        """Something is wrong at bytes `start` to `end` of a line."""

    def unknown_symbol(self, name: str, statement: Statement, written: Written) -> None:
        """A name that nothing in the file defines decides what is interpreted: only the build can define it."""

    def address(self, name: str) -> "Address | None":
        """The address of a label defined so far; `.` is the current one."""


class Reporter:
    """Reports what is wrong in the current line. written: where that line is."""

    __slots__ = ("streamer", "written")

    def __init__(self, streamer: Streamer) -> None:
        self.streamer = streamer
        self.written = Written(None, 0)

    def problem(self, rule: str, start: int, end: int, message: str) -> None:
        """Report something wrong at bytes `start` to `end` of the current line."""
        self.streamer.problem(rule, start, end, message, self.written)

    def whole(self, rule: str, statement: Statement, message: str) -> None:
        """Report something wrong with a whole statement of the current line."""
        self.streamer.problem(rule, statement.start, statement.end, message, self.written)

    def expect_end(self, statement: Statement) -> None:
        """Report arguments of a directive that takes none."""
        if statement.rest.strip():
            message = f"`{statement.word}` takes no arguments"
            self.problem("malformed-directive", statement.rest_start, statement.end, message)
