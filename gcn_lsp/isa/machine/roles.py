"""The roles of instructions: jumps, calls, returns and ends, moves, additions and the like, by mnemonic.

Readers of code ask for a role in place of a list of names, so a target's own name for an old instruction is one word in
one row. Mnemonics are those of forms: gfx12 also accepts `s_add_u32`, whose form is `s_add_co_u32`. A name that several
targets have means the same on each. A test asks the generated tables for the instructions that write the program
counter, and whether a target has each mnemonic.
"""

from collections.abc import Mapping
from typing import Literal

from gcn_lsp.records import NamedTuple

Verb = Literal[
    "read pc", "jump", "jump by", "resume", "call", "end", "end padding", "branch", "branch always", "loop",
    "test debugger", "move", "dual move", "add", "add carry", "accumulate", "combine", "scale", "subtract",
    "subtract borrow", "absolute", "mask", "reverse bits", "to scalar", "to lane", "save exec", "set state",
    "set constant state", "get state", "send message", "trap", "idle", "clause", "delay", "write back",
]  # fmt: skip


class Role(NamedTuple):
    """A role of some mnemonics. file: of the result, `s`, `v` or `a`, empty without one. bits: of the result."""

    verb: Verb
    file: str
    bits: int
    mnemonics: tuple[str, ...]


# verb, file and bits of the result, mnemonics.
_ROWS: tuple[tuple[Verb, str, int, str], ...] = (
    # The program counter: `jump` and `call` to an address in registers, `jump by` a distance.
    ("read pc", "s", 64, "s_getpc_b64 s_get_pc_i64"),
    ("jump", "", 0, "s_setpc_b64 s_set_pc_i64"),
    ("jump by", "", 0, "s_add_pc_i64"),
    ("resume", "", 0, "s_rfe_b64 s_rfe_restore_b64 s_cbranch_g_fork s_cbranch_join"),
    ("call", "s", 64, "s_swappc_b64 s_swap_pc_i64 s_call_b64 s_call_i64"),
    ("branch always", "", 0, "s_branch"),
    ("branch", "", 0, "s_cbranch_scc0 s_cbranch_scc1 s_cbranch_vccz s_cbranch_vccnz s_cbranch_execz"),
    ("branch", "", 0, "s_cbranch_execnz s_cbranch_i_fork"),
    ("test debugger", "", 0, "s_cbranch_cdbgsys s_cbranch_cdbguser s_cbranch_cdbgsys_or_user"),
    ("test debugger", "", 0, "s_cbranch_cdbgsys_and_user"),
    ("loop", "", 0, "s_subvector_loop_begin s_subvector_loop_end"),
    ("end", "", 0, "s_endpgm s_endpgm_saved s_endpgm_ordered_ps_done"),
    ("end padding", "", 0, "s_code_end"),
    # Values. `combine`: a sum with another operation, or the bits of both sources; `accumulate`: a constant, in place.
    ("move", "s", 32, "s_mov_b32 s_movk_i32"),
    ("move", "s", 64, "s_mov_b64"),
    ("move", "v", 16, "v_mov_b16"),
    ("move", "v", 32, "v_mov_b32"),
    ("dual move", "v", 32, "v_dual_mov_b32"),
    ("move", "v", 64, "v_mov_b64"),
    ("move", "a", 32, "v_accvgpr_write v_accvgpr_write_b32 v_accvgpr_mov_b32"),
    ("add", "s", 32, "s_add_u32 s_add_i32 s_add_co_u32 s_add_co_i32"),
    ("add", "s", 64, "s_add_nc_u64"),
    ("add carry", "s", 32, "s_addc_u32 s_add_co_ci_u32"),
    ("add", "v", 32, "v_add_u32 v_add_i32 v_add_co_u32 v_add_nc_u32 v_add_nc_i32"),
    ("add carry", "v", 32, "v_addc_u32 v_addc_co_u32 v_add_co_ci_u32"),
    ("subtract", "v", 32, "v_sub_u32 v_sub_i32 v_sub_co_u32 v_subrev_u32 v_subrev_i32 v_subrev_co_u32"),
    ("subtract borrow", "v", 32, "v_subb_u32 v_subb_co_u32 v_sub_co_ci_u32"),
    ("subtract borrow", "v", 32, "v_subbrev_u32 v_subbrev_co_u32 v_subrev_co_ci_u32"),
    ("accumulate", "s", 32, "s_addk_i32 s_addk_co_i32"),
    ("combine", "v", 32, "v_lshl_add_u32 v_add3_u32 v_add_lshl_u32 v_or_b32 v_lshl_or_b32"),
    ("scale", "s", 32, "s_lshl_b32 s_lshl1_add_u32 s_lshl2_add_u32 s_lshl3_add_u32 s_lshl4_add_u32 s_mul_i32"),
    ("scale", "s", 32, "s_mul_hi_u32 s_mul_hi_i32"),
    ("scale", "s", 64, "s_lshl_b64 s_mul_u64"),
    ("subtract", "s", 32, "s_sub_u32 s_sub_i32 s_sub_co_u32 s_sub_co_i32"),
    ("subtract", "s", 64, "s_sub_nc_u64"),
    ("subtract borrow", "s", 32, "s_subb_u32 s_sub_co_ci_u32"),
    ("absolute", "s", 32, "s_abs_i32"),
    ("mask", "v", 32, "v_and_b32"),
    ("reverse bits", "s", 32, "s_brev_b32"),
    ("to scalar", "s", 32, "v_readfirstlane_b32"),
    ("to lane", "v", 32, "v_writelane_b32"),
    ("save exec", "s", 32, "s_and_saveexec_b32"),
    ("save exec", "s", 64, "s_and_saveexec_b64"),
    # Hardware registers and messages.
    ("set state", "", 0, "s_setreg_b32"),
    ("set constant state", "", 0, "s_setreg_imm32_b32"),
    ("get state", "s", 32, "s_getreg_b32"),
    ("send message", "", 0, "s_sendmsg s_sendmsghalt"),
    ("trap", "", 0, "s_trap"),
    # When and how others run.
    ("idle", "", 0, "s_nop"),
    ("clause", "", 0, "s_clause"),
    ("delay", "", 0, "s_delay_alu"),
    ("write back", "", 0, "s_dcache_wb s_dcache_wb_vol"),
)

ROLES: tuple[Role, ...] = tuple(Role(verb, file, bits, tuple(words.split())) for verb, file, bits, words in _ROWS)
_BY_MNEMONIC: Mapping[str, Role] = {name: role for role in ROLES for name in role.mnemonics}


def of(mnemonic: str) -> "Role | None":
    """The role of a form's mnemonic; None if no reader asks for one."""
    return _BY_MNEMONIC.get(mnemonic)


def mnemonics(*verbs: Verb, file: str = "", bits: int = 0) -> frozenset[str]:
    """The mnemonics with one of some roles, with a result in a file and of a width where these are given."""
    return frozenset(
        name
        for role in ROLES
        if role.verb in verbs and file in ("", role.file) and bits in (0, role.bits)
        for name in role.mnemonics
    )


NOP, END, CLAUSE, DELAY, WRITE_BACK = "s_nop", "s_endpgm", "s_clause", "s_delay_alu", "s_dcache_wb"
"""Instructions that fixes write, on every target that has one of their role."""

HALF = "v_dual_"
"""The start of the mnemonics of both halves of a pair."""

WRITES_PC = mnemonics("jump", "jump by", "resume", "call", "branch", "branch always", "test debugger", "loop")
"""Instructions after which control may go on anywhere but at the next one."""
