"""The directives that the interpreter passes on, a module for each subject; handlers write through an `Emitter`."""

from collections.abc import Callable

from gcn_lsp.program.directives import data, descriptor, former, linkage, room, sections, target
from gcn_lsp.program.emitter import Emitter
from gcn_lsp.syntax.statement import Statement

HANDLERS: dict[str, Callable[[Emitter, Statement], None]] = {
    **data.HANDLERS,
    **room.HANDLERS,
    **sections.HANDLERS,
    **descriptor.HANDLERS,
    **linkage.HANDLERS,
    **target.HANDLERS,
    **former.HANDLERS,
}
