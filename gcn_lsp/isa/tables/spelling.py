"""Suggests mnemonics for a mistyped one, and decides whether a suggestion can be only a slip of the keyboard."""

import difflib
from functools import cache

from gcn_lsp.isa.tables import reader
from gcn_lsp.isa.target import Target
from gcn_lsp.patterns import regex

_LEAST = 0.7  # ratio of equal letters below which a name does not help
_LONG = 128  # characters; twice the longest mnemonic is less
_REPEATED = 8  # a letter in a mnemonic, at most
_DIGITS = regex(r"[0-9]+")
# Parts that say when a branch is taken or what a memory operation reads; a comparison's are read from its names.
_SELECTING = frozenset(
    ["vccz", "vccnz", "execz", "execnz", "hi", "lo", "rtn", "byte", "ubyte", "sbyte", "short", "ushort", "sshort"]
)
# A type or a number of dwords that exists, so that an author may mean it where the instruction has none such.
_SIZE = regex(r"(?:b?f|[iub])(?:4|8|16|24|32|64|96|128)|(?:dword)?x(?:2|3|4|8|16)")
_COMPARISONS = ("v_cmp_", "v_cmpx_", "s_cmp_", "s_cmpk_")


def nearest_mnemonics(name: str, target: Target, count: int = 3) -> tuple[str, ...]:
    """The target's mnemonics most like `name`, best first; none if nothing is near."""
    if len(name) > _LONG:
        return ()
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(name)
    letters = _letters(name)
    found = []
    for mnemonic in target.mnemonics:
        # Letters in common, in any order, bound the ratio, and are quick to count.
        if 2 * (letters & _letters_of(mnemonic)).bit_count() / (len(name) + len(mnemonic)) >= _LEAST:
            matcher.set_seq1(mnemonic)
            ratio = matcher.ratio()
            if ratio >= _LEAST:
                same_kind = mnemonic.partition("_")[0] == name.partition("_")[0]
                found.append((-ratio, not same_kind, mnemonic))
    return tuple(mnemonic for _, _, mnemonic in sorted(found)[:count])


def only_misspelt(name: str, mnemonic: str) -> bool:
    """Whether `name` differs from `mnemonic` only in letters that say nothing about condition, size, sign or type.

    A part of `name` that other mnemonics have is no slip, since the author may mean an instruction that does not exist;
    a part of `mnemonic` with a number or a condition may stand for another one.
    """
    if name.replace("_", "") == mnemonic.replace("_", ""):
        return True
    typed, parts = name.split("_"), mnemonic.split("_")
    for operation, low, high, first, last in difflib.SequenceMatcher(None, typed, parts, False).get_opcodes():
        if operation == "equal":
            continue
        if any(_exists(part) for part in typed[low:high]) or any(_decides(part) for part in parts[first:last]):
            return False
        if operation != "replace":
            return False
    return True


def of_other_sizes(name: str, mnemonic: str, target: Target) -> tuple[str, ...]:
    """The mnemonics of `target` that `name` can mean if only its numbers are wrong; none if more of it is.

    `dwordx` and `b33` are no sizes, so the operands decide; `b64` is one, and may be meant.
    """
    skeleton = _DIGITS.sub("", name)
    if skeleton != _DIGITS.sub("", mnemonic):
        return ()
    parts = zip(name.split("_"), mnemonic.split("_"), strict=True)
    if any(typed != part and _exists(typed) for typed, part in parts):
        return ()
    return tuple(other for other in target.mnemonics if _DIGITS.sub("", other) == skeleton)


@cache
def _letters_of(mnemonic: str) -> int:
    """As `_letters`, kept for the mnemonics of all targets, not for what is typed."""
    return _letters(mnemonic)


def _letters(name: str) -> int:
    """A bit for the first of each letter, another for the second, and so on; those of no mnemonic are left out.

    A letter that comes more often than in any mnemonic may set the bits of others, so two names have at most as many
    letters in common as bits.
    """
    found = 0
    for letter in name:
        if letter.isascii():
            bit = 1 << (_REPEATED * ord(letter))
            while found & bit:
                bit <<= 1
            found |= bit
    return found


def _exists(part: str) -> bool:
    return part in _known_parts() or _SIZE.fullmatch(part) is not None


def _decides(part: str) -> bool:
    return part in _conditions() or part in _SELECTING or any(letter.isdigit() for letter in part) or "dword" in part


@cache
def _known_parts() -> frozenset[str]:
    """The parts of the mnemonics of all targets."""
    return frozenset(part for name in reader.newest().mnemonic_targets for part in name.split("_"))


@cache
def _conditions() -> frozenset[str]:
    """The conditions in the names of comparisons."""
    names = reader.newest().mnemonic_targets
    return frozenset(
        name[len(start) :].partition("_")[0] for start in _COMPARISONS for name in names if name.startswith(start)
    )
