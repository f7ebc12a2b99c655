"""Counts what executes: every mnemonic of every target, by one line of each of its forms.

python -m tests.machine.coverage [TARGET...]
"""

import sys
from collections import Counter
from itertools import islice

from gcn_lsp import isa
from gcn_lsp.isa import versions
from gcn_lsp.machine.operation import Inexecutable, bind
from tests.instruction.generator import forms_of
from tests.instruction.support import assemble
from tests.isa.documentation.forms import TARGETS

EXECUTES, NOTHING = "executes", "no line of it assembles"
_TRIES = 20  # lines of a form, until one assembles
_GROWN = "gfx1251"  # has instructions that only the newest version of LLVM knows


def outcomes(name: str) -> dict[str, str]:
    """For each mnemonic of a target, aliases aside: EXECUTES, or the reason why none of its forms does."""
    mattr = f"+llvm{versions.VERSIONS[-1]}" if name == _GROWN else ""
    target = isa.load_target(name, mattr)
    found = {}
    for mnemonic in target.mnemonics:
        if target.native(mnemonic) == mnemonic:
            found[mnemonic] = _outcome(mnemonic, target, f"{name}:{mattr}")
    return found


def _outcome(mnemonic: str, target: isa.Target, cpu: str) -> str:
    reason = NOTHING
    for lines in forms_of(target, mnemonic):
        for instruction in (assemble(line, cpu) for line in islice(lines.good(), _TRIES)):
            if not instruction.code:
                continue
            bound = bind(instruction, target)
            if not isinstance(bound, Inexecutable):
                return EXECUTES
            reason = bound.reason
            break
    return reason


def main() -> None:
    """The command."""
    total: Counter[str] = Counter()
    for name in sys.argv[1:] or TARGETS:
        found = Counter(outcomes(name).values())
        total += found
        print(f"{name}: {found[EXECUTES]} of {sum(found.values())} mnemonics execute", flush=True)
    for reason, count in total.most_common():
        print(f"{count:6} {reason}")


if __name__ == "__main__":
    main()
