"""The control flow of instructions whose flags in LLVM's tables do not give it."""

from collections.abc import Mapping
from typing import Literal

from gcn_lsp.isa.machine import roles
from gcn_lsp.patterns import regex

Flow = Literal["next", "branch", "conditional", "end", "call", "jump"]
"""How control goes on after an instruction: a `jump` is to an address in registers."""

# Branches on SCC, and whether they are taken if it is set.
SCC_BRANCHES: Mapping[str, bool] = {"s_cbranch_scc0": False, "s_cbranch_scc1": True}

# Branches on VCC, and whether they are taken if a lane's bit is set.
VCC_BRANCHES: Mapping[str, bool] = {"s_cbranch_vccz": False, "s_cbranch_vccnz": True}
# Instructions whose result in SCC, VCC or EXEC follows from the values that they compare.
COMPARISONS = regex(r"s_cmpk?_\w+|s_bitcmp[01]_\w+|v_cmpx?_\w+")

# Branches on EXEC, and whether they are taken if no lane is active.
EXEC_BRANCHES: Mapping[str, bool] = {"s_cbranch_execz": True, "s_cbranch_execnz": False}

# Instructions that take lanes away if they write EXEC; those with `or` and moves usually give lanes back.
NARROWS_EXEC = regex(r"s_(and|xor|nor|nand|andn|not)\w*|v_cmps?x_\w+")
ANDS = frozenset(f"s_and_b{bits}" for bits in (32, 64))
LEAVES_LANES = roles.mnemonics("save exec") | ANDS
"""Instructions that, if they write EXEC, leave the lanes of a mask: an `and` has EXEC among its sources then."""
GIVES_LANES = roles.mnemonics("move", file="s") | {f"s_or_b{bits}" for bits in (32, 64)}
# Instructions by which a statement that has changed EXEC restores it: it moves the mask back, or inverts it again.
RESTORES_EXEC = GIVES_LANES | {f"s_{name}_b{bits}" for name in ("not", "xor") for bits in (32, 64)}

_TYPES = ("i32", "u32", "u64")
# Scalar compares: the question, equal for those that ask the same, and whether SCC is set if the answer is yes.
COMPARES: Mapping[str, tuple[str, bool]] = {
    **{f"{word}_{name}_{kind}": (f"eq_{kind[1:]}", name == "eq")
       for word in ("s_cmp", "s_cmpk") for name in ("eq", "lg") for kind in _TYPES},
    **{f"{word}_{name}_{kind}": (f"lt_{kind}", name == "lt")
       for word in ("s_cmp", "s_cmpk") for name in ("lt", "ge") for kind in _TYPES},
    **{f"{word}_{name}_{kind}": (f"gt_{kind}", name == "gt")
       for word in ("s_cmp", "s_cmpk") for name in ("gt", "le") for kind in _TYPES},
    **{f"s_bitcmp{bit}_b{width}": (f"bit_{width}", bit == 1) for bit in (0, 1) for width in (32, 64)},
}  # fmt: skip

# Questions whose answer is always no if the first operand has the first value, or the second operand the second one.
NEVER: Mapping[str, tuple[int, int]] = {
    "lt_u32": (0xFFFFFFFF, 0),
    "gt_u32": (0, 0xFFFFFFFF),
    "lt_i32": (0x7FFFFFFF, 0x80000000),
    "gt_i32": (0x80000000, 0x7FFFFFFF),
}

# `conditional`: to the label or to the next instruction; `jump`: to an address in registers; `end`: the wave ends.
FLOWS: Mapping[str, Flow] = {
    "s_cbranch_i_fork": "conditional",
    **dict.fromkeys(sorted(roles.mnemonics("resume")), "jump"),
    **dict.fromkeys(sorted(roles.mnemonics("end")), "end"),
}

# Instructions after which a wave may stop: the trap handler or a debugger decides.
STOPS = frozenset(("s_trap", "s_sethalt"))

# Instructions of a loop in which the hardware may write EXEC: a trap handler that saves the wave sends MSG_SAVEWAVE and
# sleeps until EXEC is not zero (Linux, drivers/gpu/drm/amd/amdkfd/cwsr_trap_handler_gfx9.asm).
AWAITS_HARDWARE = frozenset(("s_sleep", "s_sleep_var", "s_sendmsg"))

# The padding after the code: control that reaches it has run off the end.
PADDING = roles.mnemonics("end padding")

# Instructions after the end of code for prefetching and alignment, which are not meant to run.
FILLING = frozenset(("s_nop", "s_code_end", "s_endpgm", "s_sleep"))
