"""Scalar and buffer memory: lines that are wrong, lines that only the assembler takes, and the right ones beside them.

Each line is its check's number in the fact sheet, the target, and what becomes of it: `rejects`, `silent` (the bytes
are LLVM's, and we report it), `good` (nothing to say). What is wrong for the sake of other lines is in
`tests/rules/test_memory_facts.py`.
"""

import pytest

from gcn_lsp.findings.model import Severity
from gcn_lsp.rules import RULES
from tests.instruction.support import assemble
from tests.support import llvm

LINES = """\
S1 gfx600 rejects: s_store_dword s0, s[4:5], 0x4
S1 gfx802 rejects: s_atomic_add s0, s[4:5], 0x4
S1 gfx802 rejects: s_scratch_load_dword s0, s[4:5], 0x4
S1 gfx600 rejects: s_dcache_inv_vol
S1 gfx704 rejects: s_memrealtime s[0:1]
S1 gfx1030 rejects: s_store_dword s0, s[4:5], 0x4
S1 gfx1010 rejects: s_dcache_wb_vol
S1 gfx1100 rejects: s_memtime s[0:1]
S1 gfx900 rejects: s_gl1_inv
S1 gfx1030 rejects: s_load_b32 s0, s[4:5], 0x4
S1 gfx704 good: s_dcache_inv_vol
S1 gfx802 good: s_store_dword s0, s[4:5], 0x4
S1 gfx1010 good: s_atomic_add s0, s[4:5], 0x4
S1 gfx1100 good: s_gl1_inv
S1 gfx1100 good: s_load_dword s0, s[4:5], 0x4
S2 gfx900 rejects: s_load_dwordx2 s0, s[4:5], 0x0
S2 gfx900 rejects: s_atomic_cmpswap s0, s[4:5], 0x0
S2 gfx900 rejects: s_atomic_dec_x2 s0, s[4:5], 0x0
S2 gfx900 good: s_load_dwordx2 s[0:1], s[4:5], 0x0
S2 gfx900 good: s_atomic_cmpswap s[0:1], s[4:5], 0x0
S2 gfx900 good: s_atomic_dec_x2 s[0:1], s[4:5], 0x0
S3 gfx1030 rejects: s_load_dwordx2 s[1:2], s[4:5], 0x0
S3 gfx1030 rejects: s_load_dwordx8 s[2:9], s[4:5], 0x0
S3 gfx900 rejects: s_memtime s[1:2]
S3 gfx1030 good: s_load_dwordx8 s[4:11], s[12:13], 0x0
S3 gfx1030 good: s_load_dwordx16 s[4:19], s[20:21], 0x0
S4 gfx900 rejects: s_buffer_load_dword s0, s[4:5], 0x0
S4 gfx900 rejects: s_load_dword s0, s[4:7], 0x0
S4 gfx900 good: s_buffer_load_dword s0, s[4:7], 0x0
S5 gfx900 rejects: s_load_dword s0, s[5:6], 0x0
S5 gfx900 rejects: s_buffer_load_dword s0, s[6:9], 0x0
S5 gfx900 good: s_buffer_load_dword s0, s[8:11], 0x0
S6 gfx900 rejects: s_load_dword m0, s[4:5], 0x0
S6 gfx900 rejects: s_load_dwordx2 exec, s[4:5], 0x0
S6 gfx900 rejects: s_load_dword v0, s[4:5], 0x0
S6 gfx900 good: s_load_dwordx2 vcc, s[4:5], 0x0
S7 gfx900 silent: s_atc_probe 128, s[4:5], 0x4
S7 gfx900 good: s_atc_probe 127, s[4:5], 0x4
S8 gfx600 rejects: s_load_dword s0, s[4:5], 0x100
S8 gfx802 rejects: s_load_dword s0, s[4:5], 0x100000
S8 gfx802 rejects: s_load_dword s0, s[4:5], -4
S8 gfx900 rejects: s_load_dword s0, s[4:5], -0x100001
S8 gfx704 good: s_load_dword s0, s[4:5], 0x100
S8 gfx900 silent: s_load_dword s0, s[4:5], -4
S9 gfx900 rejects: s_buffer_load_dword s0, s[4:7], -4
S9 gfx1100 rejects: s_buffer_load_b32 s0, s[4:7], s3 offset:-4
S9 gfx1200 rejects: s_buffer_load_b32 s0, s[4:7], -4
S9 gfx900 silent: s_load_dword s0, s[4:5], -4
S10 gfx802 rejects: s_load_dword s0, s[4:5], s3 offset:0x10
S10 gfx900 good: s_load_dword s0, s[4:5], s3 offset:0x10
S11 gfx900 silent: s_load_dword s0, s[4:5], 0x6
S11 gfx900 good: s_load_dword s0, s[4:5], 0x8
S11 gfx600 good: s_load_dword s0, s[4:5], 0x3
S12 gfx704 good: s_load_dword s0, s[4:5], 0x400
S13 gfx802 silent: s_store_dword s0, s[4:5], s3
S13 gfx802 silent: s_buffer_store_dwordx2 s[0:1], s[4:7], s3
S13 gfx802 good: s_store_dword s0, s[4:5], m0
S13 gfx802 good: s_store_dword s0, s[4:5], 0x10
S13 gfx802 good: s_load_dword s0, s[4:5], s3
S14 gfx900 silent: s_store_dword s0, s[4:5], s3
S14 gfx900 good: s_store_dword s0, s[4:5], m0
S15 gfx900 silent: s_dcache_discard s[4:5], 0x44
S15 gfx900 good: s_dcache_discard s[4:5], 0x40
S17 gfx704 rejects: s_load_dword s0, s[4:5], 0x4 glc
S17 gfx900 rejects: s_load_dword s0, s[4:5], 0x4 dlc
S17 gfx900 rejects: s_load_dword s0, s[4:5], 0x4 slc
S17 gfx900 rejects: s_dcache_inv glc
S17 gfx900 rejects: s_dcache_discard s[4:5], 0x40 glc
S17 gfx802 good: s_load_dword s0, s[4:5], 0x4 glc
S17 gfx1010 good: s_load_dword s0, s[4:5], 0x4 glc dlc
S18 gfx900 rejects: s_load_dword s0, s[4:5], 0x4 nv
S18 gfx900 rejects: s_load_dword s0, s[4:5], s3 glc offset:4
S18 gfx900 good: s_load_dword s0, s[4:5], s3 offset:4 glc
S22 gfx900 rejects: s_waitcnt lgkmcnt(16)
S22 gfx1030 rejects: s_waitcnt lgkmcnt(64)
S22 gfx1030 good: s_waitcnt lgkmcnt(63)
S24 gfx90a silent: s_load_dwordx2 s[4:5], s[4:5], 0x4
S24 gfx90a good: s_load_dword s4, s[4:5], 0x0
S24 gfx90a good: s_load_dwordx2 s[6:7], s[4:5], 0x0
S26 gfx1030 silent: s_clause 0x0
S26 gfx1030 silent: s_clause 0x3f
S26 gfx1030 silent: s_clause 0x40
S31 gfx900 rejects: s_clause 0x1
S31 gfx900 rejects: s_clause 0x1
B1 gfx900 rejects: buffer_load_dword v1, v[2:3], s[4:7], s1 addr64
B1 gfx704 rejects: buffer_load_dword v1, v[2:3], s[4:7], s1 addr64 offen
B1 gfx704 rejects: buffer_load_dword v1, v2, s[4:7], s1 addr64
B1 gfx704 good: buffer_load_dword v1, v[2:3], s[4:7], s1 addr64
B2 gfx900 rejects: buffer_load_dword v1, v2, s[4:7], s1
B2 gfx900 rejects: buffer_load_dword v1, off, s[4:7], s1 offen
B2 gfx900 rejects: buffer_load_dword v1, v2, s[4:7], s1 idxen offen
B2 gfx900 rejects: buffer_load_dword v1, v[2:3], s[4:7], s1 idxen
B2 gfx900 good: buffer_load_dword v1, v[2:3], s[4:7], s1 idxen offen
B3 gfx900 rejects: buffer_load_dword v1, off, s[2:5], s1
B3 gfx900 good: buffer_load_dword v1, off, s[8:11], s1
B4 gfx900 silent: buffer_load_dword v1, off, s[4:7], s1 offset:4096
B4 gfx1100 silent: tbuffer_load_format_x v1, off, s[4:7], s1 offset:5000
B4 gfx900 rejects: buffer_load_dword v1, off, s[4:7], s1 offset:65536
B4 gfx900 good: buffer_load_dword v1, off, s[4:7], s1 offset:4095
B4 gfx1200 good: buffer_load_dword v1, off, s[4:7], s1 offset:4096
B5 gfx900 rejects: buffer_load_dword v1, off, s[4:7], 65
B5 gfx900 good: buffer_load_dword v1, off, s[4:7], 64
B6 gfx900 rejects: buffer_load_dwordx2 off, s[4:7], s1 lds
B6 gfx900 rejects: buffer_load_dword off, s[4:7], s1 lds tfe
B6 gfx900 rejects: buffer_load_dword v1, off, s[4:7], s1 lds
B6 gfx900 rejects: buffer_store_dword off, s[4:7], s1 lds
B6 gfx1100 rejects: buffer_load_dword off, s[4:7], s1 lds
B6 gfx900 good: buffer_load_dword off, s[4:7], s1 lds
B6 gfx900 good: buffer_load_ubyte v2, s[4:7], s1 offen lds
B6 gfx1100 rejects: buffer_load_lds_b32 off, s[4:7], s1
B8 gfx900 rejects: buffer_load_dword v1, off, s[4:7], s1 tfe
B8 gfx900 good: buffer_load_dword v[1:2], off, s[4:7], s1 tfe
B9 gfx900 silent: tbuffer_store_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_USCALED]
B9 gfx900 good: tbuffer_store_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_UNORM]
B9 gfx900 good: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_USCALED]
B10 gfx900 silent: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_INVALID,BUF_NUM_FORMAT_UINT]
B10 gfx900 silent: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_FLOAT]
B10 gfx900 silent: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UNORM]
B10 gfx900 silent: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_RESERVED_6]
B10 gfx1100 silent: tbuffer_load_format_x v1, off, s[4:7], s1 format:64
B10 gfx900 good: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_16,BUF_NUM_FORMAT_FLOAT]
B10 gfx1100 good: tbuffer_load_format_x v1, off, s[4:7], s1 format:63
B11 gfx900 rejects: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_FMT_32_FLOAT]
B11 gfx900 rejects: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_SNORM_OGL]
B11 gfx1100 rejects: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_FMT_10_11_11_UNORM]
B11 gfx1030 rejects: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UNORM]
B11 gfx1030 rejects: tbuffer_load_format_x v1, off, s[4:7], dfmt:4, nfmt:7, s1
B11 gfx900 rejects: tbuffer_load_format_x v1, v2, s[4:7], s1 idxen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
B11 gfx900 rejects: tbuffer_load_format_x v1, off, s[4:7], s1 format:[buf_data_format_32,buf_num_format_float]
B11 gfx704 good: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_SNORM_OGL]
B11 gfx900 good: tbuffer_load_format_x v1, off, s[4:7], dfmt:4, nfmt:7, s1
B11 gfx1030 good: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_FMT_10_11_11_UNORM]
B11 gfx900 good: tbuffer_load_format_x v1, v2, s[4:7], s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] idxen
B12 gfx900 silent: tbuffer_load_format_x v1, off, s[4:7], s1
B12 gfx900 good: tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
B13 gfx942 rejects: buffer_load_dword v1, off, s[4:7], s1 glc
B13 gfx900 rejects: buffer_load_dword v1, off, s[4:7], s1 dlc
B13 gfx900 rejects: buffer_load_dword v1, off, s[4:7], s1 sc0
B13 gfx1030 silent: buffer_atomic_add v1, off, s[4:7], s1 dlc
B13 gfx942 good: buffer_load_dword v1, off, s[4:7], s1 sc0 nt sc1
B13 gfx1030 good: buffer_load_dword v1, off, s[4:7], s1 dlc
"""


def _cases() -> list[tuple[str, str, str]]:
    found = []
    for row in LINES.splitlines():
        head, _, line = row.partition(": ")
        _, cpu, outcome = head.split()
        found.append((cpu, outcome, line))
    return found


@pytest.mark.parametrize(("cpu", "outcome", "line"), _cases())
def test_line(cpu: str, outcome: str, line: str) -> None:
    instruction = assemble(line, cpu)
    severities = [RULES[problem.rule].severity for problem in instruction.problems]
    if outcome == "rejects":
        assert not instruction.code
        assert severities[0] is Severity.ERROR
    else:
        assert instruction.code
        assert bool(severities) == (outcome == "silent")
        assert Severity.ERROR not in severities


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_llvm_agrees() -> None:
    by_target: dict[str, list[tuple[str, str]]] = {}
    for cpu, outcome, line in _cases():
        by_target.setdefault(cpu, []).append((outcome, line))
    for cpu, rows in by_target.items():
        found = llvm.assemble([line for _, line in rows], cpu)
        assert [reference.code is None for reference in found] == [outcome == "rejects" for outcome, _ in rows], cpu
