"""Accesses of LDS that meet without the wait and the barrier between them."""

import pytest

from gcn_lsp import rules
from gcn_lsp.findings.model import Severity
from gcn_lsp.program.program import Options, build
from gcn_lsp.text import SourceText
from tests.analysis.lds import breaks, pipelines
from tests.analysis.lds.pipelines import Kernel

KERNELS = {kernel.name: kernel for kernel in pipelines.kernels()}
# One of each kind; `python -m tests.analysis.lds.breaks` tries all.
SOME = [
    KERNELS[name]
    for name in (
        *("dword-single-1", "dword-loop-2-2", "dwordx4-straight-3-2", "gfx1030-single-2", "global-straight-2-1"),
        *("async-loop-3-1", "async-toggled", "cluster-single-1", "tensor-straight-2-2", "dword-gfx90a-toggled"),
    )
]


@pytest.mark.parametrize("kernel", SOME, ids=lambda kernel: kernel.name)
def test_right_kernels_have_no_findings(kernel: Kernel) -> None:
    assert not breaks.noticed(kernel.target, kernel.text)


@pytest.mark.parametrize("kernel", SOME, ids=lambda kernel: kernel.name)
def test_each_mistake_is_noticed(kernel: Kernel) -> None:
    missed = [each.kind for each in pipelines.broken(kernel) if not breaks.noticed(each.target, each.text)]
    assert missed == []


HEAD = "v_and_b32 v9, 0x3ff, v0\nv_lshrrev_b32 v8, 6, v9\nv_readfirstlane_b32 s20, v8\ns_lshl_b32 s21, s20, 8\n"
ADDRESS = "v_xor_b32 v1, 64, v9\nv_lshlrev_b32 v1, 2, v1\ns_mov_b32 m0, s21\n"
FILL = "buffer_load_dword v2, s[8:11], 0 offen lds\n"
READ = "ds_read_b32 v16, v1\ns_waitcnt lgkmcnt(0)\n"
HALF = "{label}:\n" + FILL + "s_waitcnt vmcnt(0)\n{barrier}" + READ + "s_barrier\ns_branch end\n"


def halves(first: str, second: str) -> str:
    """A kernel that sends the waves above the second one another way."""
    kernel = KERNELS["dword-single-1"]
    start = kernel.lines.index("s_endpgm")
    split = "s_cmp_lt_i32 s20, 2\ns_cbranch_scc0 upper\n"
    return f"kernel:\n{HEAD}{ADDRESS}{split}{first}{second}end:\n" + "\n".join(kernel.lines[start:]) + "\n"


def test_halves_of_the_waves_that_do_the_same_meet() -> None:
    right = HALF.format(label="lower", barrier="s_barrier\n"), HALF.format(label="upper", barrier="s_barrier\n")
    wrong = HALF.format(label="lower", barrier=""), HALF.format(label="upper", barrier="")
    assert not breaks.noticed("gfx942", halves(*right))
    assert breaks.noticed("gfx942", halves(*wrong)) == {"unpublished-lds-copy"}
    assert breaks.noticed("gfx942", halves(right[0], wrong[1])) == {"unpublished-lds-copy", "skipped-barrier"}


def test_halves_that_do_something_else_between_barriers_are_not_compared() -> None:
    filling = f"{FILL}s_waitcnt vmcnt(0)\ns_barrier\ns_barrier\ns_branch end\n"
    reading = f"upper:\ns_barrier\n{READ}s_barrier\n"
    assert not breaks.noticed("gfx942", halves(filling, reading))


def test_waves_of_one_half_are_compared() -> None:
    """The first half copies to LDS what the second one reads two barriers later."""
    filling = f"{{read}}{{barrier}}{FILL}s_waitcnt vmcnt(0)\ns_barrier\n{{again}}s_barrier\ns_branch end\n"
    reading = f"upper:\ns_barrier\ns_barrier\n{READ}s_barrier\n"
    right = filling.format(read=READ, barrier="s_barrier\n", again="")
    assert not breaks.noticed("gfx942", halves(right, reading))
    late = filling.format(read=READ, barrier="", again="s_barrier\n")
    assert breaks.noticed("gfx942", halves(late, reading)) == {"overwritten-lds-read"}


def left_in_turn() -> str:
    """A loop whose two rounds copy to two places, and which may be left after either; then it waits."""
    again = "s_waitcnt vmcnt(0)\ns_barrier\n{copy}s_sub_u32 s30, s30, 1\ns_cmp_lg_u32 s30, 0\ns_cbranch_scc{to}\n"
    one, other = (FILL.replace("offen", f"offen offset:{offset}") for offset in (0, 1024))
    load = "s_load_dword s29, s[0:1], 0\ns_load_dword s31, s[0:1], 4\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s30, s29\n"
    rounds = again.format(copy=one, to="0 behind") + again.format(copy=other, to="1 round")
    return f"{load}round:\n{rounds}behind:\ns_waitcnt vmcnt(0)\n"


ODD = "s_and_b32 s31, s29, 1\ns_cmp_eq_u32 s31, 0\ns_cbranch_scc1 end\n"


def ending() -> str:
    kernel = KERNELS["dword-single-1"]
    return "end:\n" + "\n".join(kernel.lines[kernel.lines.index("s_endpgm") :]) + "\n"


def test_what_is_under_way_when_a_loop_is_left_is_not_compared_after_a_question() -> None:
    text = f"kernel:\n{HEAD}{ADDRESS}{left_in_turn()}{{question}}{READ}{ending()}"
    other = "s_cmp_eq_u32 s31, 0\ns_cbranch_scc1 end\n"
    assert breaks.noticed("gfx942", text.format(question="")) == {"unpublished-lds-copy"}
    assert not breaks.noticed("gfx942", text.format(question=ODD))
    assert breaks.noticed("gfx942", text.format(question=other)) == {"unpublished-lds-copy"}


def test_what_is_wrong_in_whichever_round_a_loop_is_left_is_reported_after_a_question() -> None:
    """Each wave waits for its copies of either round, but not for the other wave's, and writes to the same bytes."""
    head = f"kernel:\n{HEAD}{ADDRESS}v_lshlrev_b32 v3, 2, v9\nv_xor_b32 v4, 0x100, v3\n"
    one, other = "ds_write_b32 v4, v5\n", "ds_write_b32 v4, v5 offset:1024\n"
    text = f"{head}{left_in_turn()}{{barrier}}{ODD}{{writes}}{ending()}"
    assert not breaks.noticed("gfx942", text.format(barrier="s_barrier\n", writes=one + other))
    assert breaks.noticed("gfx942", text.format(barrier="", writes=one + other)) == {"overwritten-lds-copy"}
    assert not breaks.noticed("gfx942", text.format(barrier="", writes=one))


def test_a_loop_of_constant_count_is_left() -> None:
    kernel = KERNELS["dword-single-1"]
    end = "\n".join(kernel.lines[kernel.lines.index("s_endpgm") :]) + "\n"
    loop = "s_movk_i32 s30, 40\nround:\nv_nop\ns_sub_u32 s30, s30, 1\ns_cmp_lg_u32 s30, 0\ns_cbranch_scc1 round\n"
    text = f"kernel:\n{HEAD}{ADDRESS}{loop}{FILL}{{wait}}s_barrier\n{READ}{end}"
    assert not breaks.noticed("gfx942", text.format(wait="s_waitcnt vmcnt(0)\n"))
    assert "unpublished-lds-copy" in breaks.noticed("gfx942", text.format(wait=""))


def test_a_write_over_what_other_waves_may_still_read() -> None:
    kernel = KERNELS["dword-single-1"]
    end = "\n".join(kernel.lines[kernel.lines.index("s_endpgm") :]) + "\n"
    again = "{barrier}v_lshlrev_b32 v3, 2, v9\nds_write_b32 v3, v5\n"
    text = f"kernel:\n{HEAD}{ADDRESS}{FILL}s_waitcnt vmcnt(0)\ns_barrier\n{READ}{again}{end}"
    assert not breaks.noticed("gfx942", text.format(barrier="s_barrier\n"))
    assert breaks.noticed("gfx942", text.format(barrier="")) == {"early-lds-write"}


@pytest.mark.parametrize(
    ("first", "both"),
    [
        ("s_cmp_lt_i32 s20, 1", "s_cmp_lt_i32 s20, 2"),
        ("s_sub_u32 s22, s20, 1\ns_cmp_lt_i32 s22, 0", "s_sub_u32 s22, s20, 1\ns_cmp_le_i32 s22, 0"),
        ("s_sub_u32 s22, s20, 1\ns_cmp_lt_u32 0, s22", "s_sub_u32 s22, s20, 1\ns_cmp_le_u32 0, s22"),
    ],
)
def test_only_waves_that_come_to_a_read_are_compared(first: str, both: str) -> None:
    """Each of two waves reads 256 bytes at 512 times its number: the second one those of the second copy."""
    kernel = KERNELS["dword-single-1"]
    end = "end:\n" + "\n".join(kernel.lines[kernel.lines.index("s_endpgm") :]) + "\n"
    address = "v_and_b32 v3, 63, v9\nv_lshlrev_b32 v3, 2, v3\nv_lshlrev_b32 v4, 9, v8\nv_add_u32 v1, v3, v4\n"
    copies = (
        f"s_mov_b32 m0, s21\ns_nop 0\n{FILL}s_add_u32 m0, s21, 0x200\ns_nop 0\n{FILL}s_waitcnt vmcnt(1)\ns_barrier\n"
    )
    text = f"kernel:\n{HEAD}{address}{copies}{{split}}{READ}{end}"
    leave = "\ns_cbranch_scc0 end\n"
    assert not breaks.noticed("gfx942", text.format(split=first + leave))
    assert breaks.noticed("gfx942", text.format(split=both + leave)) == {"unpublished-lds-copy"}
    assert breaks.noticed("gfx942", text.format(split="")) == {"unpublished-lds-copy"}


def test_a_read_for_a_round_that_does_not_come_may_be_overwritten() -> None:
    kernel = KERNELS["dword-single-1"]
    end = "\n".join(kernel.lines[kernel.lines.index("s_endpgm") :]) + "\n"
    loop = "s_load_dword s29, s[0:1], 0\ns_waitcnt lgkmcnt(0)\nround:\ns_barrier\nv_add_u32 v17, v17, v16\n"
    loop += f"{READ}s_sub_u32 s29, s29, 1\ns_cmp_lg_u32 s29, 0\ns_cbranch_scc1 round\n"
    write = "v_lshlrev_b32 v3, 2, v9\nds_write_b32 v3, v17\n"
    text = f"kernel:\n{HEAD}{ADDRESS}v_mov_b32 v16, 0\nv_mov_b32 v17, 0\n{FILL}s_waitcnt vmcnt(0)\ns_barrier\n{loop}"
    assert not breaks.noticed("gfx942", f"{text}{write}{end}")
    assert breaks.noticed("gfx942", f"{text}v_add_u32 v17, v17, v16\n{write}{end}") == {"early-lds-write"}


FAR = "v_nop\n" * 70


def severities(text: str) -> "dict[str, Severity]":
    program = build(SourceText.from_bytes("k.s", text.encode()), Options("gfx942"))
    return {each.rule: each.severity for each in rules.check(program) if each.rule in breaks.RULES}


@pytest.mark.parametrize(
    ("rule", "before", "after", "near"),
    [
        ("missing-barrier", "v_lshlrev_b32 v3, 2, v9\nds_write_b32 v3, v5\n", READ, Severity.WARNING),
        ("overwritten-lds-copy", FILL, "v_lshlrev_b32 v3, 2, v9\nds_write_b32 v3, v5\n", Severity.WARNING),
        ("overwritten-lds-read", READ, FILL, Severity.INFORMATION),
    ],
)
def test_what_only_many_instructions_order_is_information(rule: str, before: str, after: str, near: Severity) -> None:
    kernel = KERNELS["dword-single-1"]
    end = "\n".join(kernel.lines[kernel.lines.index("s_endpgm") :]) + "\n"
    head = f"kernel:\n{HEAD}{ADDRESS}{FILL}s_waitcnt vmcnt(0)\ns_barrier\ns_barrier\n"
    text = f"{head}{before}s_waitcnt lgkmcnt(0)\n{{between}}{after}{end}"
    assert severities(text.format(between=""))[rule] is near
    assert severities(text.format(between=FAR))[rule] is Severity.INFORMATION
