"""Suggests mnemonics for a mistyped one."""

import difflib

from gcn_lsp.isa.target import Target

_LEAST = 0.7  # ratio of equal letters below which a name does not help


def nearest_mnemonics(name: str, target: Target, count: int = 3) -> tuple[str, ...]:
    """The target's mnemonics most like `name`, best first; none if nothing is near."""
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(name)
    found = []
    for mnemonic in target.mnemonics:
        matcher.set_seq1(mnemonic)
        # The quick ratios are upper bounds of the ratio.
        if matcher.real_quick_ratio() >= _LEAST and matcher.quick_ratio() >= _LEAST and matcher.ratio() >= _LEAST:
            same_kind = mnemonic.partition("_")[0] == name.partition("_")[0]
            found.append((-matcher.ratio(), not same_kind, mnemonic))
    return tuple(mnemonic for _, _, mnemonic in sorted(found)[:count])
