"""Scalar and buffer memory: what is wrong with instructions for the sake of others, and the right ones beside them.

Each row is its check's number in the fact sheet `scalar-and-buffer-memory`, the target, whether the lines are bad or
good, and the rule that tells. Lines that are wrong by themselves are in
`tests/instruction/test_memory_facts.py`. They are read as the code of a kernel, all of whose SGPRs are given.
"""

import random

import pytest

from gcn_lsp import rules
from gcn_lsp.program import program
from gcn_lsp.text import SourceText
from tests.support import fixture, llvm
from tests.support.check import build

ROWS = """\
S19 gfx900 bad unreturned-value: s_atomic_add s0, s[4:5], 0x0 ⏎ s_waitcnt lgkmcnt(0) ⏎ s_mov_b32 s6, s0
S19 gfx900 good unreturned-value: s_atomic_add s0, s[4:5], 0x0 glc ⏎ s_waitcnt lgkmcnt(0) ⏎ s_mov_b32 s6, s0
S20 gfx900 bad missing-wait: s_load_dwordx2 s[0:1], s[4:5], 0x0 ⏎ s_add_u32 s2, s0, s1
S20 gfx900 bad missing-wait: s_memtime s[0:1] ⏎ s_mov_b64 s[2:3], s[0:1]
S20 gfx900 good missing-wait: s_load_dwordx2 s[0:1], s[4:5], 0x0 ⏎ s_waitcnt lgkmcnt(0) ⏎ s_add_u32 s2, s0, s1
S20 gfx1200 good missing-wait: s_load_b64 s[0:1], s[4:5], 0x0 ⏎ s_wait_kmcnt 0x0 ⏎ s_add_u32 s2, s0, s1
S21 gfx900 bad insufficient-wait: s_load_dword s0, s[4:5], 0x0 ⏎ s_load_dword s1, s[4:5], 0x4 ⏎ s_waitcnt lgkmcnt(1) ⏎ s_mov_b32 s2, s0
S21 gfx900 good insufficient-wait: s_load_dword s0, s[4:5], 0x0 ⏎ s_load_dword s1, s[4:5], 0x4 ⏎ s_waitcnt lgkmcnt(0) ⏎ s_mov_b32 s2, s0
S23 gfx802 bad missing-wait-states: s_mov_b32 s6, 0x100 ⏎ s_buffer_load_dword s0, s[4:7], 0x0
S23 gfx802 good missing-wait-states: s_mov_b32 s6, 0x100 ⏎ s_nop 0 ⏎ s_buffer_load_dword s0, s[4:7], 0x0
S23 gfx802 good missing-wait-states: s_mov_b32 s6, 0x100 ⏎ s_mov_b32 s7, 0x27fac ⏎ s_buffer_load_dword s0, s[4:7], 0x0
S23 gfx802 good missing-wait-states: s_mov_b32 s4, 0x100 ⏎ s_load_dword s0, s[4:5], 0x0
S24 gfx90a bad unreplayable-clause: s_load_dword s8, s[4:5], 0x0 ⏎ s_load_dwordx2 s[4:5], s[6:7], 0x0
S24 gfx90a good unreplayable-clause: s_load_dword s8, s[4:5], 0x0 ⏎ s_load_dwordx2 s[10:11], s[6:7], 0x0
S25 gfx900 bad missing-write-back: s_store_dword s0, s[4:5], 0x0 ⏎ s_endpgm
S25 gfx900 good missing-write-back: s_store_dword s0, s[4:5], 0x0 ⏎ s_dcache_wb ⏎ s_endpgm
S26 gfx1030 good undefined-by-hardware: s_clause 0x1 ⏎ s_load_dword s0, s[4:5], 0x0 ⏎ s_load_dword s1, s[4:5], 0x4
S27 gfx1030 bad broken-clause: s_clause 0x1 ⏎ s_load_dword s0, s[4:5], 0x0 ⏎ s_mov_b32 s1, 0
S27 gfx1030 bad broken-clause: s_clause 0x2 ⏎ s_load_dword s0, s[4:5], 0x0 ⏎ s_clause 0x1 ⏎ s_load_dword s1, s[4:5], 0x4
S27 gfx1030 good broken-clause: s_clause 0x1 ⏎ s_load_dword s0, s[4:5], 0x0 ⏎ s_buffer_load_dword s1, s[8:11], 0x4
S28 gfx1030 bad broken-clause: s_clause 0x1 ⏎ s_load_dword s0, s[4:5], 0x0 ⏎ s_dcache_inv
S28 gfx1100 bad broken-clause: s_clause 0x1 ⏎ s_gl1_inv ⏎ s_load_b32 s0, s[4:5], 0x0
S28 gfx1030 good broken-clause: s_dcache_inv ⏎ s_waitcnt lgkmcnt(0) ⏎ s_load_dword s0, s[4:5], 0x0
S29 gfx1030 bad missing-wait-states: s_load_dword s0, s[4:5], 0x0 ⏎ s_dcache_inv
S29 gfx1030 bad missing-wait-states: s_gl1_inv ⏎ s_dcache_inv
S29 gfx1030 good missing-wait-states: s_gl1_inv ⏎ s_waitcnt lgkmcnt(0) ⏎ s_dcache_inv
S29 gfx900 good missing-wait-states: s_load_dword s0, s[4:5], 0x0 ⏎ s_dcache_inv
S30 gfx1030 bad missing-wait-states: s_dcache_inv ⏎ s_nop 0 ⏎ s_load_dword s0, s[4:5], 0x0
S30 gfx1030 good missing-wait-states: s_dcache_inv ⏎ s_waitcnt lgkmcnt(0) ⏎ s_load_dword s0, s[4:5], 0x0
S31 gfx1010 good unsupported-on-target: s_clause 0x1 ⏎ s_load_dword s0, s[4:5], 0x0 ⏎ s_load_dword s1, s[4:5], 0x4
B7 gfx900 bad uninitialised-register: buffer_load_dword off, s[4:7], s1 lds ⏎ s_endpgm
B7 gfx900 good uninitialised-register: s_mov_b32 m0, 0 ⏎ buffer_load_dword off, s[4:7], s1 lds
B14 gfx802 bad suspicious-resource: s_mov_b32 s7, 0xc0000000 ⏎ buffer_load_dword v1, off, s[4:7], 0
B14 gfx802 good suspicious-resource: s_mov_b32 s7, 0x27fac ⏎ buffer_load_dword v1, off, s[4:7], 0
"""  # noqa: E501 (a row is a line)
_DESCRIPTOR = """
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_count 15
  {}
.end_amdhsa_kernel
"""
_NEEDED = {"gfx90a": ".amdhsa_accum_offset 8"}


def _rows() -> list[tuple[str, str, bool, str, str]]:
    found = []
    for row in ROWS.splitlines():
        head, _, lines = row.partition(": ")
        number, cpu, outcome, rule = head.split()
        found.append((number, cpu, outcome == "bad", rule, lines.replace(" ⏎ ", "\n")))
    return found


@pytest.mark.parametrize(("number", "cpu", "is_bad", "rule", "lines"), _rows())
def test_lines(number: str, cpu: str, is_bad: bool, rule: str, lines: str) -> None:
    end = "" if lines.endswith("s_endpgm") else "\ns_endpgm"
    text = f"//- k.s target:{cpu}\nk:\n{lines}{end}\n{_DESCRIPTOR.format(_NEEDED.get(cpu, ''))}"
    found = rules.check(build(fixture.parse(text)))
    assert (rule in {finding.rule for finding in found}) == is_bad, number


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_llvm_says_nothing() -> None:
    by_target: dict[str, list[str]] = {}
    for _, cpu, _, _, lines in _rows():
        by_target.setdefault(cpu, []).extend(lines.split("\n"))
    for cpu, own in by_target.items():
        assert [reference.code is not None for reference in llvm.assemble(own, cpu)] == [True] * len(own), cpu


# What an edit adds: lines of which any two make something else of what the rules look for.
_LINES = (
    "s_clause 0x3", "s_load_dword s0, s[4:5], 0x0", "s_store_dword s0, s[4:5], 0x0", "s_dcache_wb", "s_endpgm",
    "s_waitcnt lgkmcnt(0)", "s_atomic_add s0, s[4:5], 0x0", "s_mov_b32 s1, s0", "other:", "s_cbranch_scc0 k",
    "s_dcache_inv", "s_mov_b32 s7, 0xc0000000", "buffer_load_dword v1, off, s[4:7], 0", "s_branch 1f", "1:",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_random_edits(seed: int) -> None:
    chooser = random.Random(seed)
    lines = ["k:", *(chooser.choice(("s_nop 0", *_LINES)) for _ in range(300)), "s_endpgm", ""]
    options = program.Options("gfx1010")
    source = SourceText.from_bytes("k.s", "\n".join(lines).encode())
    built = program.build(source, options)
    seen = set()
    for _ in range(15):
        line = chooser.randrange(1, len(source.lines) - 1)
        if chooser.random() < 0.5:
            source = source.replace(line, 0, line + 1, 0, b"")
        else:
            source = source.replace(line, 0, line, 0, chooser.choice(_LINES).encode() + b"\n")
        built = program.build(source, options, built)
        found = rules.check(built)
        assert found == rules.check(program.build(source, options))
        seen |= {finding.rule for finding in found}
    assert {"broken-clause", "suspicious-resource"} <= seen
