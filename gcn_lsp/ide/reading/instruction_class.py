"""The class of an instruction for a reader: scalar, vector, matrix, memory, branch, wait or synchronisation."""

import re
from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.ide import mnemonics
from gcn_lsp.isa.machine import roles

# Words first, since the tables do not separate these from other scalar instructions; the first match counts.
_WORDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"s_(waitcnt|wait_(?!event)|nop$|delay_alu|sleep)"), "wait"),
    (
        re.compile(r"s_(barrier|sendmsg|sethalt|wait_event|wakeup|get_barrier_state|trap|.*cache_(inv|wb|discard))"),
        "sync",
    ),
    (re.compile(r"s_(gl1_inv|prefetch)|buffer_(wbinv|inv|wbl2|gl[01]_inv)|global_(inv|wb)|ds_gws_"), "sync"),
    (re.compile(r"s_ttracedata$"), "branch"),
    (re.compile(r"v_(mfma|smfmac|wmma|swmmac|accvgpr)"), "matrix"),
)

_FAMILIES = {
    **dict.fromkeys(
        ("SMRD", "SMEM", "DS", "LDSDIR", "MUBUF", "MTBUF", "VBUFFER", "MIMG", "VIMAGE", "VSAMPLE"), "memory"
    ),
    **dict.fromkeys(("FLAT", "GLOBAL", "SCRATCH", "EXP"), "memory"),
    **dict.fromkeys(("SOP1", "SOP2", "SOPC", "SOPK", "SOPP"), "scalar"),
}


@lru_cache(maxsize=8192)
def instruction_class(target: "isa.Target | None", word: str) -> str | None:
    """The class of a mnemonic in lower case, with or without suffix; None if it is not an instruction there.

    Classes are those of `token_types.INSTRUCTION_CLASSES`.
    """
    if target is not None:
        forms = mnemonics.candidates(target, word)
        if not forms:
            return None
    else:
        forms = ()
        if not mnemonics.targets_with(word):
            return None
    for pattern, name in _WORDS:
        if pattern.match(word):
            return name
    if (forms[0].mnemonic if forms else word) in _BRANCHES:
        return "branch"
    if forms:
        return _FAMILIES.get(forms[0].family, "vector")
    return _BY_PREFIX.get(word.partition("_")[0], "memory")


_BRANCHES = roles.WRITES_PC | roles.mnemonics("end")

# Without a known target there is no form.
_BY_PREFIX = {"s": "scalar", "v": "vector"}
