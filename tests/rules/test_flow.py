"""The rules about control and values find after any edit what they find in a fresh program."""

import random

import pytest

from gcn_lsp.findings.model import Finding
from gcn_lsp.program import program
from gcn_lsp.program.program import Program
from gcn_lsp.rules import (
    clobbered_condition,
    dead_write,
    missing_endpgm,
    shared_register,
    uninitialised_register,
    unreachable_code,
)
from gcn_lsp.text import SourceText
from tests.analysis.support import pressure_at

HEAD = ".set a, 4\n.set b, 4\n.macro sum d, x\n v_add_u32 \\d, \\x, v0\n.endm\n.macro leave\n s_branch end\n.endm\nk:\n"
TAIL = """\
end:
 global_store_dword v[0:1], v2, off
 s_endpgm
.rodata
.amdhsa_kernel k
 .amdhsa_next_free_vgpr 16
 .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.text
"""
LINES = (
    " v_mov_b32 v1, 0", " v_add_u32 v2, v1, v0", " v_add_f16 v2, v1, v3", " v_mov_b32 v[a], v[b]",
    " v_mul_f32 v[b], v0, v1",
    " ds_write_b32 v0, v[a]", " s_add_u32 s1, s2, s3", " s_cmp_lt_u32 s0, s1", " s_cbranch_scc1 l{}", " s_branch l{}",
    "l{}:", "l{}:", " s_mov_b64 exec, s[2:3]", " s_and_saveexec_b64 s[4:5], vcc", " v_cmp_eq_u32 vcc, v0, v1",
    " v_cndmask_b32 v2, v0, v1, vcc", " sum v3, v2", " sum v2, v3", " leave", " .long 0xbf800000", " s_endpgm",
    " s_setpc_b64 s[2:3]", " s_swappc_b64 s[2:3], s[4:5]", "", " v_writelane_b32 v3, s1, 2", ".set b, 5", ".set b, a",
    " s_call_b64 s[6:7], l{}", " unknown_mnemonic v0",
)  # fmt: skip


RULES = (
    missing_endpgm, uninitialised_register, unreachable_code, clobbered_condition, shared_register, dead_write,
)  # fmt: skip


def found(built: Program) -> list[Finding]:
    return [finding for rule in RULES for finding in rule.check(built)]


@pytest.mark.parametrize("seed", range(12))
def test_edits(seed: int) -> None:
    chance = random.Random(seed)

    def line() -> str:
        return chance.choice(LINES).format(chance.randrange(12))

    def build(lines: list[str], previous: "Program | None" = None) -> Program:
        text = HEAD + "\n".join(lines) + "\n" + TAIL
        return program.build(SourceText.from_bytes("k.s", text.encode()), program.Options(target="gfx900"), previous)

    lines = [line() for _ in range(220)]
    built = build(lines)
    assert found(built)
    for _ in range(8):
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(lines))
            lines[at : at + chance.randrange(3)] = [line() for _ in range(chance.randrange(3))]
        built, fresh = build(lines, built), build(lines)
        assert found(built) == found(fresh)
        assert [pressure_at(built, number) for number in range(0, 220, 10)] == [
            pressure_at(fresh, number) for number in range(0, 220, 10)
        ]
