"""Reads what a file's project says about it: target, symbols, include paths, rules; start at `load`.

The server and the command line both use this layer, so they never disagree about a file. Below them it is the only
package that reads files: configuration files, compile commands and included files, which lie near the kernel. It never
writes, runs programs or reads the environment.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gcn_lsp.project.files import Files as Files
    from gcn_lsp.project.files import Unreadable as Unreadable
    from gcn_lsp.project.mnemonics import Mnemonics as Mnemonics
    from gcn_lsp.project.settings import Settings as Settings
    from gcn_lsp.project.setup import FileSetup as FileSetup
    from gcn_lsp.project.setup import Surroundings as Surroundings
    from gcn_lsp.project.setup import load as load
    from gcn_lsp.project.setup import set_up as set_up
    from gcn_lsp.project.setup import surroundings as surroundings
    from gcn_lsp.project.setup import view_of as view_of
    from gcn_lsp.project.target_choice import TargetChoice as TargetChoice
    from gcn_lsp.project.target_hints import TargetHints as TargetHints

# Name -> its module, which is loaded when the name is first asked for: most of these take the whole assembler, which a
# command that answers from kept reports does not need.
_HOMES = {
    "Files": "files",
    "Unreadable": "files",
    "Mnemonics": "mnemonics",
    "Settings": "settings",
    "FileSetup": "setup",
    "Surroundings": "setup",
    "load": "setup",
    "set_up": "setup",
    "surroundings": "setup",
    "view_of": "setup",
    "TargetChoice": "target_choice",
    "TargetHints": "target_hints",
}


def __getattr__(name: str) -> Any:
    """One of the names above."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
