"""The state that the interpreter carries from one line to the next: an immutable value, to be kept and compared.

After an edit, interpretation starts from the state before the edited chunk and stops where the new state equals the old
one. So a state depends on no line number and no address.
"""

from enum import Enum
from typing import Any

import immutables
import msgspec

from gcn_lsp.preproc.macros import Macro
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.expressions import Unknown


class Branch(Enum):
    """The state of an open conditional."""

    TAKEN = "taken"  # this branch is interpreted
    WAITING = "waiting"  # no branch has held so far
    DONE = "done"  # an earlier branch was taken
    SKIPPED = "skipped"  # the whole conditional is in a branch not taken
    UNKNOWN = "unknown"  # the condition depends on a symbol that only the build defines


class OpenConditional(msgspec.Struct, frozen=True, gc=False):
    """An open conditional.

    else_seen: no further branch may come. absent: the symbol whose absence led into this branch (`.ifndef`).
    opener: the macro or repetition that opened it, empty in a file's own lines. hides_code: with an unknown branch,
    whether instructions or labels are in it. blocks: how many macros or metadata blocks are open in one. pasted: it
    opens in a macro, and its condition is not known.
    """

    branch: Branch
    else_seen: bool = False
    absent: str = ""
    opener: str = ""
    hides_code: bool = False
    blocks: int = 0
    pasted: bool = False


class OpenBlock(msgspec.Struct, frozen=True):
    """A block whose lines are being collected.

    word, header: the directive and its argument text. columns: where that text and the statement start in the line.
    lines: the body so far. depth: further open blocks of the same family in it. commented: a comment that began before
    the body is still open.
    """

    word: str
    header: bytes
    columns: tuple[int, int, int]
    lines: tuple[bytes, ...] = ()
    depth: int = 0
    commented: bool = False


class Running(Enum):
    """The value of a symbol that counts the registers named by instructions."""

    RUNNING = "running"


RUNNING = Running.RUNNING


class Deferred(msgspec.Struct, frozen=True):
    """A value that is evaluated where it is used, because names in it had no value where the symbol was set.

    size: the number of values in it. A symbol that is repeatedly set to twice itself would grow without bound.
    """

    expression: nodes.Node
    size: int = 1


SymbolValue = int | Unknown | Deferred | Running


class State(msgspec.Struct, frozen=True):
    """Everything that a later line may depend on, except the addresses of labels.

    symbols: values of assigned symbols. macros: those defined, None for one whose definition depends on the build.
    conditions: open conditionals, the outermost first. block: the block being collected. section, previous: the current
    section and the one before it. stack: both of those that were pushed. comment_open: inside `/* */`. descriptor: the
    kernel whose `.amdhsa_kernel` block is open, empty in an `.amd_kernel_code_t` block. ended: after `.end`.
    incomplete: an included file was not found. fixed: symbols that may not be set again (`.equiv`). counts: expansions
    so far of macros that use it (`\\\\+`). local_names: those of `.local`.
    """

    symbols: "immutables.Map[str, SymbolValue]"
    macros: "immutables.Map[str, Macro | None]"
    conditions: tuple[OpenConditional, ...] = ()
    block: OpenBlock | None = None
    section: str = ".text"
    stack: tuple[tuple[str, str], ...] = ()
    previous: str = ""
    comment_open: bool = False
    altmacro: bool = False
    descriptor: str | None = None
    ended: bool = False
    incomplete: bool = False
    fixed: frozenset[str] = frozenset()
    counts: "immutables.Map[str, int]" = immutables.Map()
    local_names: frozenset[str] = frozenset()


class Difference(NamedTuple):
    """The names of symbols and macros that differ between two states that are otherwise equal."""

    symbols: frozenset[str]
    macros: frozenset[str]


def difference(first: State, second: State) -> "Difference | None":
    """The difference between two states; None if they differ in more than symbols and macros."""
    alike = msgspec.structs.replace(second, symbols=first.symbols, macros=first.macros)
    if alike != first:
        return None
    return Difference(_differing(first.symbols, second.symbols), _differing(first.macros, second.macros))


def _differing(first: "immutables.Map[str, Any]", second: "immutables.Map[str, Any]") -> frozenset[str]:
    if first is second:
        return frozenset()
    names = {name for name, value in first.items() if second.get(name, _ABSENT) != value}
    names.update(name for name in second if name not in first)
    return frozenset(names)


_ABSENT = object()


def carried_over(
    difference: Difference, before: State, old_after: State, symbols: frozenset[str], macros: frozenset[str]
) -> "tuple[State, Difference]":
    """The state after lines that do not depend on the difference, and how it differs from `old_after`.

    `before` is the state before them now, `old_after` the one after them in the earlier version; `symbols` and `macros`
    are what the lines set.
    """
    rest = Difference(difference.symbols - symbols, difference.macros - macros)
    if not rest.symbols and not rest.macros:
        return old_after, rest
    after = msgspec.structs.replace(
        old_after,
        symbols=_carried(before.symbols, old_after.symbols, symbols),
        macros=_carried(before.macros, old_after.macros, macros),
    )
    return after, rest


def _carried(
    before: "immutables.Map[str, Any]", old_after: "immutables.Map[str, Any]", written: frozenset[str]
) -> "immutables.Map[str, Any]":
    if not written:
        return before
    changed = before.mutate()
    for name in written:
        if name in old_after:
            changed[name] = old_after[name]
        elif name in changed:
            del changed[name]
    return changed.finish()


def initial_state(symbols: "dict[str, SymbolValue]") -> State:
    """The state before the first line; `symbols` are the predefined and the user-defined ones."""
    return State(immutables.Map(symbols), immutables.Map())
