"""What the product once said wrongly of the hardware, one case for each mistake that was found in a review of AMD's
documents: E1 to E21. `explain` must say what is right, and the checks must report that and no more.
"""

import pytest

from gcn_lsp import isa
from gcn_lsp.ide import topics
from gcn_lsp.isa import hazards
from tests.support.check import findings
from tests.support.ide import hover_text

SAID = (
    ("E1", "s_nop", "gfx1250", '"CDNA5" Instruction Set Architecture', "no public document"),
    (
        "E2",
        "V#",
        "gfx1250",
        "| `num_records` | 101:57 | the size, by which accesses are in or out of range: bytes |",
        "flags",
    ),
    ("E3", "buffer_load_b32", "gfx1250", "stride * index", "ADD_TID"),
    ("E5", "exec", "gfx1100", "the hardware may skip vector ALU instructions", "every instruction is still issued"),
    ("E7", "s_clause", "gfx1100", "allows those that read no SGPR", "waits may not"),
    ("E8", "s_clause", "gfx1030", "clauses of their own; LLVM mixes them", ""),
    ("E9", "ds_pk_add_f16", "gfx942", "denormals are treated as MODE.FP_DENORM says", "denormals are kept"),
    ("E10", "global_atomic_add_f32", "gfx942", "denormals become 0, LLVM that they are kept", ""),
    ("E11", "ds_max_f32", "gfx906", "a signalling NaN wins and is made quiet", "A NaN loses"),
    ("E12", "v_wmma_f32_16x16x16_f16", "gfx1100", "EXEC is ignored", "EXEC must be all ones"),
    ("E13", "lds_direct_load", "gfx1151", "All four lanes of a quad are written", "into all active lanes"),
    ("E14", "ds_permute_b32", "gfx900", "it is not defined whose value arrives", "highest"),
    ("E15", "occupancy", "gfx1100", "in blocks of 1024 (LLVM counts blocks of 512)", ""),
    ("E19", "s_nop", "gfx1200", "Up to s_nop 15 both agree", ""),
    ("E21", "suspicious-resource", "gfx1250", "All.", "All but gfx1250"),
)


@pytest.mark.parametrize(
    ("name", "target", "right", "wrong"), [each[1:] for each in SAID], ids=[each[0] for each in SAID]
)
def test_explained(name: str, target: str, right: str, wrong: str) -> None:
    found = topics.page(name.lower(), target) or topics.word(name, target)
    assert found is not None
    assert right in found
    assert not wrong or wrong not in found


CLAUSE = "s_clause 0x1\nglobal_load_b32 v1, v0, s[2:3]\ns_sleep 1\nglobal_load_b32 v2, v0, s[2:3] offset:4\ns_endpgm\n"
REPORTED = (
    ("E6", "gfx1100", CLAUSE, "broken-clause", ""),
    ("E6", "gfx1200", CLAUSE, "broken-clause", "`s_sleep`"),
    ("E16", "gfx600", "s_load_dword s1, s[4:5], 0x100\n", "immediate-out-of-range", "from 0 to 255"),
    ("E16", "gfx600", "s_load_dword s1, s[4:5], -1\n", "immediate-out-of-range", "from 0 to 255"),
    (
        "E17",
        "gfx908",
        "tbuffer_load_format_x v0, off, s[4:7], 0 dfmt:4, nfmt:6\n",
        "operand-conflict",
        "before soffset",
    ),
    ("E20", "gfx1250", "v_cvt_scale_pk8_f32_fp8 v[0:7], v[2:3], v9\n", "undefined-by-hardware", "must not overlap"),
    ("E20", "gfx1250", "v_cvt_scale_pk8_f32_fp8 v[0:7], v[10:11], v9\n", "undefined-by-hardware", ""),
)


@pytest.mark.parametrize(
    ("target", "text", "rule", "said"), [each[1:] for each in REPORTED], ids=[each[0] for each in REPORTED]
)
def test_reported(target: str, text: str, rule: str, said: str) -> None:
    found = [each.message for each in findings(f"//- k.s target:{target}\n{text}") if each.rule == rule]
    assert [said in message for message in found] == ([True] if said else [])


LONG_STRIDE = "s_mov_b64 s[4:5], 0\ns_mov_b32 s6, 64\ns_mov_b32 s7, 0x00e27000\nbuffer_load_dword v0, off, s[4$0:7], 0"
HOVERS = (
    ("E4", "gfx908", LONG_STRIDE, "65536 bytes with `data_format` as bits 17:14", "raw: no records"),
    ("E18", "gfx908", "s_load$0_dword s0, s[2:3], s4 offset:0x10", "| nv | soe |", ""),
    ("E18", "gfx700", "s_load$0_dword s0, s[2:3], 0x10", "| imm |", ""),
)


@pytest.mark.parametrize(
    ("target", "text", "right", "wrong"), [each[1:] for each in HOVERS], ids=[each[0] for each in HOVERS]
)
def test_shown(target: str, text: str, right: str, wrong: str) -> None:
    found = hover_text(text, target)
    assert found is not None
    assert right in found
    assert not wrong or wrong not in found


def test_no_more_wait_states_than_are_certain() -> None:
    """E19: where the document gives `s_nop` four bits here and seven there, a fix writes up to s_nop 15."""
    assert hazards.nop_limit(isa.load_target("gfx1200").features) == 16
    assert hazards.nop_limit(isa.load_target("gfx1250").features) == 128
