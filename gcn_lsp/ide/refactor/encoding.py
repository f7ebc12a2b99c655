"""Changes the encoding of a vector instruction: `_e32` has four bytes, `_e64` accepts any registers and modifiers.

The bytes do change here; their effect does not.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.ide.refactor import model
from gcn_lsp.ide.refactor.model import Edit, Refactoring, Selection

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_E32, _E64 = "_e32", "_e64"
_TITLES = {_E32: "Encode in 32 bits (_e32)", _E64: "Encode in 64 bits (_e64)"}


def refactorings(program: "Program", selection: Selection) -> Iterator[Refactoring]:
    """The refactoring for the instruction on the line, if the other encoding accepts its operands."""
    line = selection.first
    item = model.instruction_on(program, line)
    form = item.instruction.form if item is not None and item.instruction is not None else None
    if item is None or form is None or form.variant not in ("Default", "VOP3") or not form.family.startswith("VOP"):
        return
    statement = item.statement
    suffix = _E32 if form.variant == "VOP3" else _E64
    base = statement.line[statement.name_start : statement.name_end]
    for ending in (_E32, _E64):
        base = base.removesuffix(ending.encode())
    text = base + suffix.encode() + statement.line[statement.name_end : statement.end]
    again = model.reassembled(program, line, text)
    if again is not None and again.form is not None and again.form.variant != form.variant:
        edit = Edit(line, statement.name_start, line, statement.name_end, model.decoded(base) + suffix)
        yield Refactoring(_TITLES[suffix], model.REWRITE, (edit,))
