"""Where control goes after instructions whose flags in LLVM's tables do not say it."""

from collections.abc import Mapping

# `conditional`: to the label or on; `jump`: to an address in registers; `end`: the wave is over.
FLOWS: Mapping[str, str] = {
    "s_cbranch_i_fork": "conditional",
    "s_cbranch_g_fork": "jump",
    "s_cbranch_join": "jump",
    "s_rfe_b64": "jump",
    "s_rfe_restore_b64": "jump",
    "s_endpgm_saved": "end",
    "s_endpgm_ordered_ps_done": "end",
}
