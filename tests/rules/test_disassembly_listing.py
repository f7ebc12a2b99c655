"""Listings of a disassembler are read, reported once, and turned into assembly."""

from gcn_lsp import rules
from gcn_lsp.text import edited
from tests.support import fixture
from tests.support.check import build, check_diagnostics, check_no_finding

RULE = "disassembly-listing"
LISTING = """\
axpy.co:	file format elf64-amdgpu

Disassembly of section .text:

0000000000001c00 <axpy>:
	v_mov_b32_e32 v0, 0                                        // 000000001C00: 7E000280
	s_cbranch_scc0 done                                        // 000000001C04: BF840001
	v_add_f32_e32 v0, v0, v0                                   // 000000001C08: 02000100

0000000000001c0c <done>:
	s_endpgm                                                   // 000000001C0C: BF810000
"""
ASSEMBLY = """\
// axpy.co:	file format elf64-amdgpu

.text

axpy:
	v_mov_b32_e32 v0, 0                                        // 000000001C00: 7E000280
	s_cbranch_scc0 done                                        // 000000001C04: BF840001
	v_add_f32_e32 v0, v0, v0                                   // 000000001C08: 02000100

done:
	s_endpgm                                                   // 000000001C0C: BF810000
"""


def test_it_is_told_once_and_mended_at_once() -> None:
    built = build(fixture.parse(LISTING))
    (found,) = (finding for finding in rules.check(built) if finding.rule == RULE)
    assert found.where.line == 0
    mended = build(fixture.parse(edited(built.source, found.fixes[0].edits).to_bytes().decode()))
    assert mended.source.to_bytes().decode() == ASSEMBLY
    assert mended.section_bytes(".text") == built.section_bytes(".text")
    assert RULE not in {finding.rule for finding in rules.check(mended)}


def test_its_labels_are_labels() -> None:
    check_diagnostics(
        """
        0000000000001c00 <axpy>:
        //<^^^^^^^^^^^^^^^^^^^^^ information[disassembly-listing]
        s_branch nowhere
        //       ^^^^^^^ error[undefined-symbol]: no label `nowhere` is defined
        """
    )


def test_assembly_is_none() -> None:
    check_no_finding("axpy: // 0000000000001c00 <axpy>:\n/*\n0000000000001c00 <axpy>:\n*/\ns_endpgm\n", RULE)
