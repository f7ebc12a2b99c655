"""A matched instruction with the operand in each slot: the input of the checks and the encoder."""

from collections.abc import Callable

from gcn_lsp import isa
from gcn_lsp.instruction import encode
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.text import Text


class Bound:
    """A matched instruction with the operand in each slot.

    arguments: by slot name, without keywords that are not written. values: of the fields. numbers: numbers in source
    operands. symbols: source operands that are expressions without a value. types: how each source slot reads numbers.
    word: the mnemonic as written, with its place.
    """

    __slots__ = ("form", "target", "types", "arguments", "values", "numbers", "symbols", "word", "start", "end")

    def __init__(
        self, form: isa.Form, target: isa.Target, types: dict[str, str], word: str, start: int, end: int
    ) -> None:
        self.form = form
        self.target = target
        self.types = types
        self.arguments: dict[str, Argument] = {}
        self.values: dict[str, int] = {}
        self.numbers: dict[str, encode.NumberValue] = {}
        self.symbols: dict[str, Argument] = {}
        self.word = word
        self.start = start
        self.end = end

    def problem(self, rule: str, message: Text, name: str = "", fixes: tuple[LineFix, ...] = ()) -> Problem:
        """A problem at the operand in slot `name`, or at the mnemonic."""
        argument = self.arguments.get(name)
        if argument is None:
            return Problem(rule, self.start, self.end, message, fixes)
        return Problem(rule, argument.node.start, argument.node.end, message, fixes)


Check = Callable[[Bound], Problem | None]
"""Finds the problem of an instruction; None if it has none."""
