"""What pseudo-code reads and writes implicitly, and the widths of its operands, on code of our own."""

import pytest

from gcn_lsp import isa
from tests.manuals import effects
from tests.manuals.difference import Difference
from tests.manuals.reading import Listed


def differences(name: str, code: str, target: str = "gfx1100") -> list[Difference]:
    return list(effects.compare(Listed(name, 0, "", code, 1), isa.load_target(target)))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("s_addc_u32", "D0.u32 = S0.u32 + S1.u32 + SCC.u32;\nSCC = D0.u32 < S0.u32"),
        ("s_and_saveexec_b64", "D0.u64 = EXEC.u64;\nEXEC.u64 = S0.u64 & EXEC.u64;\nSCC = EXEC.u64 != 0ULL"),
        ("s_mov_b64", "D0.b64 = S0.b64"),
        ("v_add_f64", "D0.f64 = S0.f64 + S1.f64"),
        ("v_add_f16", "D0[15 : 0].f16 = S0[31 : 16].f16 + S1.f16"),
        ("v_div_fmas_f32", "D0.f32 = VCC.u64[laneId] ? S0.f32 : S1.f32 * S2.f32"),
        ("v_cmpx_eq_u32", "EXEC.u64[laneId] = S0.u32 == S1.u32"),
        ("v_cmp_eq_u32", "D0.u64[laneId] = S0.u32 == S1.u32"),
        ("s_movrels_b32", "D0.b32 = SGPR[SRC0.u32 + M0.u32].b32"),
        ("s_cbranch_scc0", "if SCC == 0U then\nPC = PC + 4LL\nendif"),
        ("s_nop", "nothing that can be read"),
    ],
)
def test_agreement(name: str, code: str) -> None:
    assert differences(name, code) == []


@pytest.mark.parametrize(
    ("name", "code", "found"),
    [
        ("s_mov_b32", "D0.b32 = S0.b32; SCC = D0.b32 != 0", Difference("writes SCC", 1, 0)),
        ("s_and_b32", "D0.b32 = S0.b32 & S1.b32", Difference("writes SCC", 0, 1)),
        ("s_cselect_b32", "D0.b32 = S0.b32", Difference("reads SCC", 0, 1)),
        ("v_mov_b32", "D0.b32 = VCC.u64[laneId] ? S0.b32 : 0", Difference("reads VCC", 1, 0)),
        ("v_mov_b32", "EXEC.u64 = 0; D0.b32 = S0.b32", Difference("writes EXEC", 1, 0)),
        ("s_mov_b32", "D0.b32 = S0.b32 + M0.b32", Difference("reads M0", 1, 0)),
        ("v_mov_b32", "D0.b64 = S0.b32", Difference("D0", 64, 32)),
        ("v_add_f64", "D0.f64 = S0.f64 + S1.f32", Difference("S1", 32, 64)),
        ("v_mov_b32", "D0.b32 = S0[63 : 32].b32", Difference("S0", 64, 32)),
    ],
)
def test_difference(name: str, code: str, found: Difference) -> None:
    assert differences(name, code) == [found]
