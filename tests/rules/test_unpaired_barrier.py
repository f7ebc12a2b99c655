"""Barrier operations without their counterpart."""

import pytest

from gcn_lsp.findings.model import Severity
from tests.support.check import check_fix, check_no_finding, findings

RULE = "unpaired-barrier"
KERNEL = (
    "//- k.s target:{}\nk:\n{}s_endpgm\n.rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n"
    ".amdhsa_next_free_sgpr 32\n.end_amdhsa_kernel\n"
)
JOIN, CLUSTER = "s_mov_b32 m0, 0x40002\ns_barrier_init m0\ns_barrier_join 2\n", "s_barrier_signal -3\n"
SIGNAL, WAIT = "s_barrier_signal -1\n", "s_barrier_wait -1\n"


@pytest.mark.parametrize(
    ("target", "text", "said"),
    [
        ("gfx1200", WAIT, "has not signalled to"),
        ("gfx1200", "s_barrier_wait 0xffff\n", "has not signalled to"),
        ("gfx1200", SIGNAL + WAIT + WAIT, "has not signalled to"),
        ("gfx1200", SIGNAL + SIGNAL + WAIT, "has signalled already"),
        ("gfx1250", SIGNAL + "s_barrier_signal_isfirst -1\n" + WAIT, "has signalled already"),
        ("gfx1200", f"l:\n{SIGNAL}{WAIT}s_cbranch_scc0 l\n{WAIT}", "has not signalled to"),
        ("gfx1200", "s_barrier_signal -2\n", "trap handler's"),
        ("gfx1250", "s_barrier_init -1\n", "not a named one"),
        ("gfx1250", "s_barrier_join -1\n", "not a named one"),
        ("gfx1250", "s_barrier_signal 2\n", "nothing sets up barrier 2"),
        ("gfx1250", "s_barrier_init m0\ns_barrier_signal 2\ns_barrier_wait 2\n", "not a member"),
        ("gfx1250", f"{JOIN}s_barrier_leave\ns_barrier_wait 2\n", "not a member"),
        ("gfx1250", f"{JOIN}s_barrier_join 0\ns_barrier_wait 2\n", "not a member"),
        ("gfx1250", f"{JOIN}s_barrier_leave\ns_barrier_leave\n", "none to leave"),
        ("gfx1250", "s_mov_b32 m0, 2\ns_barrier_init m0\n", "for no arrivals"),
        ("gfx1250", "s_mov_b32 m0, 0x2\ns_barrier_signal m0\n", "nothing sets up barrier 2"),
        ("gfx1250", "s_mov_b32 m0, 2\ns_cbranch_scc0 l\ns_nop 0\nl:\ns_barrier_init m0\n", "for no arrivals"),
        ("gfx1250", "s_barrier_wait -3\n", "no wave signals to the barrier of the cluster"),
        ("gfx1250", f"{CLUSTER}s_barrier_wait -3\n", "every wave signals"),
        ("gfx1250", f"s_cbranch_scc0 l\n{CLUSTER}{CLUSTER}l:\ns_barrier_wait -3\n", "signalled to the cluster already"),
    ],
)
def test_found(target: str, text: str, said: str) -> None:
    (found,) = (each for each in findings(KERNEL.format(target, text)) if each.rule == RULE)
    assert said in found.message


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx1200", SIGNAL + WAIT),
        ("gfx1200", f"s_cbranch_scc0 l\n{SIGNAL}l:\n{WAIT}"),  # the same condition may guard both
        ("gfx1200", f"s_cbranch_scc0 l\n{SIGNAL}s_branch m\nl:\n{SIGNAL}m:\n{WAIT}"),
        ("gfx1200", f"l:\n{SIGNAL}{WAIT}s_cbranch_scc0 l\n"),
        ("gfx1200", f"s_swappc_b64 s[30:31], s[4:5]\n{WAIT}"),
        # Another wave of the work-group signals, as the first of its waves, or one that a branch has chosen.
        ("gfx1250", f"s_barrier_signal_isfirst -1\n{WAIT}s_cbranch_scc0 l\n{CLUSTER}l:\ns_barrier_wait -3\n"),
        ("gfx1250", f"s_cbranch_scc0 l\n{CLUSTER}s_barrier_wait -3\nl:\n"),
        ("gfx1250", f"s_cbranch_scc0 l\n{CLUSTER}{SIGNAL}{WAIT}{CLUSTER}l:\n"),  # others may have waited meanwhile
        ("gfx1250", "s_barrier_signal m0\ns_barrier_wait -3\n"),
        ("gfx1250", f"{JOIN}s_barrier_signal 2\ns_barrier_wait 1\ns_barrier_leave\n"),
        ("gfx1250", f"s_cbranch_scc0 l\n{JOIN}l:\ns_barrier_wait 2\n"),
        ("gfx1200", f"s_cbranch_scc0 l\n{SIGNAL}l:\n"),
        ("gfx1250", "s_barrier_init m0\ns_barrier_join 2\ns_barrier_signal 2\ns_barrier_wait 2\n"),
        ("gfx1250", "s_barrier_join 2\ns_barrier_signal m0\ns_barrier_wait 1\n"),  # M0 has the number of waves
        ("gfx1250", "s_barrier_join 0\n"),
        ("gfx1100", "s_barrier\ns_barrier\n"),
    ],
)
def test_silent(target: str, text: str) -> None:
    check_no_finding(KERNEL.format(target, text), RULE)


def test_code_without_a_descriptor_may_be_part_of_more() -> None:
    check_no_finding(f"//- k.s target:gfx1200\nk:\n{WAIT}s_endpgm\n", RULE)


def test_a_wave_that_ends_before_the_barrier_is_complete() -> None:
    (found,) = (each for each in findings(KERNEL.format("gfx1200", SIGNAL)) if each.rule == RULE)
    assert found.severity is Severity.INFORMATION
    assert "expects one wave fewer" in found.message


def test_one_wave_is_the_first_of_its_work_group() -> None:
    metadata = """
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 32
.end_amdgpu_metadata
"""
    text = KERNEL.format("gfx1250", f"{CLUSTER}s_barrier_wait -3\n")
    check_no_finding(text + metadata, RULE)
    assert any(each.rule == RULE for each in findings(text + metadata.replace("size: 32\n.end", "size: 64\n.end")))


@pytest.mark.parametrize(
    ("before", "after"),
    [(WAIT, SIGNAL + WAIT), (SIGNAL + SIGNAL + WAIT, SIGNAL + WAIT + SIGNAL + WAIT), (SIGNAL, SIGNAL + WAIT)],
)
def test_the_fix_inserts_the_counterpart(before: str, after: str) -> None:
    check_fix(KERNEL.format("gfx1200", before), KERNEL.format("gfx1200", after), rule=RULE)
