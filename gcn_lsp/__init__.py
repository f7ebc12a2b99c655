"""A language server, linter and assembler-grade checker for AMD GPU assembly."""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes longer than `gcn-lsp --version`
    from typing import Any

__version__ = "0.1.0"


def run(
    path: str,
    *,
    grid: "Any",
    block: "Any" = None,
    kernel: str = "",
    target: "str | None" = None,
    **arrays: "Any",
) -> "Any":
    """Run a kernel of a file on this machine, for tests with pytest and numpy. Needs the extra `gcn-lsp[run]`.

    grid, block: work-items along x, y and z, as a number or a tuple. arrays: the arguments by name; arrays are written
    to where the kernel writes to them. See `gcn_lsp.running.api.run` for more options and for the result.
    """
    api = import_module("gcn_lsp.running.api")  # late: numpy and the machine are for those who run something
    return api.run(path, grid=grid, block=block, kernel=kernel, target=target, **arrays)
