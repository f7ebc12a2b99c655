"""Symbols that are set and never used."""

import pytest

from gcn_lsp import rules
from gcn_lsp.program.program import Options, build
from gcn_lsp.rules import unused_symbol
from gcn_lsp.text import SourceText
from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "unused-symbol"


def test_every_assignment_is_faded() -> None:
    check_diagnostics(
        """
        .set spare, 4
        //   ^^^^^ hint[unused-symbol]: `spare` is set and never used
        used = 3
          spare = 5
        //^^^^^ hint[unused-symbol]
        v_mov_b32 v[used], 0
        """
    )


@pytest.mark.parametrize(
    "use",
    [
        "v_mov_b32 v[name+1], 0",
        "s_mov_b32 s0, name",
        ".if name\n.endif",
        ".ifdef name\n.endif",
        ".if 0\ns_nop name\n.endif",
        ".long name",
        ".globl name",
        ".macro m x=name\n.endm",
        ".macro m\ns_nop name\n.endm",
        ".irp x, name\ns_nop \\x\n.endr",
        ".macro m x\ns_nop na\\x\n.endm",
        ".set other, name+1",
        ".amdgpu_metadata\nkey: name\n.end_amdgpu_metadata",
        ".amdhsa_kernel k\n.amdhsa_next_free_vgpr name\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel",
    ],
)
def test_uses_of_all_kinds(use: str) -> None:
    around = ".set name, 3\n.set other, 1\ns_nop other\n{}\ns_nop 0\n"
    check_no_finding(around.format(use), RULE)
    (found,) = findings(around.format("// " + use.replace("\n", "\n// ")))
    assert found.message == "`name` is set and never used"


def test_a_register_of_that_name_is_no_use() -> None:
    check_diagnostics(
        """
        .set v5, 3
        //   ^^ hint[unused-symbol]
        //   ^^ hint[shadowed-symbol]
        v_mov_b32 v5, 0
        """
    )


def test_names_with_a_dot_in_front_and_files_for_others_are_not_judged() -> None:
    check_no_finding(".set .internal, 3\ns_nop 0\n", RULE)
    check_no_finding(".set amdgpu.max_num_vgpr, 0\ns_nop 0\n", RULE)  # as compilers end a file
    check_no_finding(".set f.num_vgpr, 4\n.set f.has_indirect_call, 0\ns_nop 0\n", RULE)  # and a function
    check_no_finding(".set count, 3\n", RULE)
    check_no_finding('.set count, 3\n.include "missing.inc"\ns_nop 0\n', RULE)
    check_no_finding(".altmacro\n.set count, 3\ns_nop 0\n", RULE)


def test_what_was_text_is_code_after_an_edit() -> None:
    """The word `s` in `s[0]` is a use where nobody knows what the line is, and none in an instruction."""
    code = "".join(f"  s_mov_b32 s[{number % 100}], s[{number % 100 + 1}]\n" for number in range(400))
    text = f'.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n.set s, 5\n.if 0\n{code}.endif\n'
    source = SourceText.from_bytes("k.s", text.encode())
    untaken = build(source, Options("gfx900"))
    assert RULE not in {found.rule for found in rules.check(untaken)}
    taken = build(source.replace(2, 4, 2, 5, b"1"), Options("gfx900"), untaken)
    assert RULE in {found.rule for found in rules.check(taken)}
    assert rules.check(taken) == rules.check(build(taken.source, Options("gfx900")))


def test_the_fields_of_a_header_are_no_symbols() -> None:
    header = ".amd_kernel_code_t\n  is_ptr64 = 1\n  enable_sgpr_kernarg_segment_ptr = 1\n.end_amd_kernel_code_t\n"
    check_no_finding(f"k:\n{header}s_endpgm\n", RULE)


def test_the_assignment_can_be_removed() -> None:
    text = ".set a, 1\nb = 2\n.set c, 3 // why\ns_endpgm\n"
    built = build(SourceText.from_bytes("k.s", text.encode()), Options(target="gfx900"))
    found = list(unused_symbol.check(built))
    titles = [[fix.title for fix in each.fixes] for each in found]
    assert titles == [["Remove the assignment"], ["Remove the assignment"], []]
    assert not any(fix.is_certain for each in found for fix in each.fixes)
