"""`gcn-lsp explain` and `gcn-lsp targets`."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp import isa
from gcn_lsp.cli.main import main
from gcn_lsp.isa.documentation import documents
from gcn_lsp.rules import RULES


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_explained(rule: str) -> None:
    result = CliRunner().invoke(main, ["explain", rule])
    assert result.exit_code == 0
    assert result.stdout.startswith(f"# {rule}\n")
    assert "## Why it matters" in result.stdout


def test_a_mnemonic_is_explained() -> None:
    result = CliRunner().invoke(main, ["explain", "--target", "gfx900", "V_ADD_F32"])
    assert result.exit_code == 0
    assert result.stdout.startswith("# v_add_f32\n")
    assert "vdst" in result.stdout


def test_a_line_is_explained_as_it_is_written() -> None:
    stdout = CliRunner().invoke(main, ["explain", "--target", "gfx900", "v_add_u32 v0, 1, v2 clamp"]).stdout
    assert "D.u32 = saturate(S0.u32 + S1.u32)" in stdout
    assert "| `src0` | `1` |" in stdout


def test_a_line_that_is_no_instruction_says_why() -> None:
    result = CliRunner().invoke(main, ["explain", "V_ADD_F32 v0, v1"])
    assert result.exit_code == 0
    assert result.stdout.startswith("v_add_f32 takes 3 operands")
    assert "choose another with `--target`" in result.stdout


@pytest.mark.parametrize(
    ("column", "text"),
    [("", "v_add_f32 vdst"), (":1", "v_add_f32 vdst"), (":15", "SGPR 4"), (":19:", "VGPR 2")],
)
def test_a_place_is_explained_as_an_editor_does(tmp_path: Path, column: str, text: str) -> None:
    file = tmp_path / "kernel.s"
    file.write_text("; gcn-lsp: target=gfx900\n\nv_add_f32 v1, s4, v2\n")
    result = CliRunner().invoke(main, ["explain", f"{file}:3{column}"])
    assert (result.exit_code, text in result.stdout) == (0, True), result.output


def test_a_column_of_a_place_counts_characters(tmp_path: Path) -> None:
    file = tmp_path / "kernel.s"
    file.write_text("; gcn-lsp: target=gfx900\n/*\u00e9\u00e9*/ v_mov_b32 v1, s4\n")
    assert "SGPR 4" in CliRunner().invoke(main, ["explain", f"{file}:2:22"]).stdout


@pytest.mark.parametrize(
    ("place", "said"), [("kernel.s:9", "has 2 lines"), ("kernel.s:1:2", "nothing to explain"), ("no.s:1", "no.s:1")]
)
def test_a_place_without_anything_says_so(tmp_path: Path, place: str, said: str) -> None:
    (tmp_path / "kernel.s").write_text("; nothing\n")
    result = CliRunner().invoke(main, ["explain", str(tmp_path / place)])
    assert result.exit_code == 2
    assert said in result.output


def test_a_place_in_a_preprocessed_file(tmp_path: Path) -> None:
    file = tmp_path / "kernel.S"
    file.write_text("// gcn-lsp: target=gfx900\n#define TWO 2\n#if TWO == 2\nv_mov_b32 v1, s4\n#endif\n")
    assert "SGPR 4" in CliRunner().invoke(main, ["explain", f"{file}:4:15"]).stdout


def test_a_mnemonic_is_explained_without_a_target() -> None:
    stdout = CliRunner().invoke(main, ["explain", "s_nop"]).stdout
    assert "s_nop simm16" in stdout
    assert "\nTargets: " in stdout


def test_without_a_target_the_newest_with_a_document_is_shown() -> None:
    having = (name for name in reversed(isa.target_names()) if "-" not in name and documents.document(name))
    assert f"The syntax is for {next(having)};" in CliRunner().invoke(main, ["explain", "s_nop"]).stdout


def test_a_target_that_has_it_for_old_code_only_is_not_the_newest() -> None:
    stdout = CliRunner().invoke(main, ["explain", "s_waitcnt"]).stdout
    assert "The syntax is for gfx115" in stdout
    page, _, others = stdout.partition("On other targets:")
    assert "old code" not in page
    assert "- gfx12-generic gfx1200 gfx1201: `wait" in others


def test_without_a_target_it_says_what_is_otherwise_elsewhere() -> None:
    others = CliRunner().invoke(main, ["explain", "s_waitcnt"]).stdout.partition("On other targets:")[2]
    assert "- GFX9: `vm = concat(SIMM16[15:14], SIMM16[3:0]);" in others
    assert "15 for lgkmcnt" in others
    assert "On other targets" not in CliRunner().invoke(main, ["explain", "--target", "gfx90a", "s_waitcnt"]).stdout
    assert "On other targets" not in CliRunner().invoke(main, ["explain", "s_barrier"]).stdout


def test_an_encoding_is_explained() -> None:
    assert "two scalar values" in CliRunner().invoke(main, ["explain", "--target", "gfx1100", "vop3"]).stdout
    assert "VOP3 has no literal" in CliRunner().invoke(main, ["explain", "--target", "gfx900", "VOP2"]).stdout


def test_a_part_of_a_name_lists_the_names() -> None:
    stdout = CliRunner().invoke(main, ["explain", "v_fma"]).stdout
    assert "| `v_fma_f32` | Multiplies two 32-bit floats and adds a third, rounding once. |" in stdout
    assert "`v_fmac_f32`" in stdout
    assert "`v_add_f32`" not in stdout
    assert "`missing-wait`" in CliRunner().invoke(main, ["explain", "missing-w"]).stdout
    assert "`v_fma_f64`" in CliRunner().invoke(main, ["explain", "64-bit floats"]).stdout


def test_the_id_of_a_hardware_fact() -> None:
    stdout = CliRunner().invoke(main, ["explain", "S-04"]).stdout
    assert "overwritten its own sources" in stdout


def test_an_unknown_topic_is_wrong_use() -> None:
    result = CliRunner().invoke(main, ["explain", "v_ad_f32"])
    assert result.exit_code == 2
    assert "did you mean v_mad_f32" in result.stderr


@pytest.mark.parametrize(
    ("topic", "meant"),
    [
        ("missing-wiat", "missing-wait"),
        ("vvc", "vcc"),
        ("exec_ho", "exec_lo"),
        ("amdhsa_system_vgpr_workitemid", ".amdhsa_system_vgpr_workitem_id"),
        (".amdhsa_next_free_vgprs", ".amdhsa_next_free_vgpr"),
        ("num_recrods", "num_records"),
        ("HW_REG_STATSU", "HW_REG_STATUS"),
        ("MSG_INTERUPT", "MSG_INTERRUPT"),
        ("gfx1101x", "gfx1101"),
        ("occupncy", "occupancy"),
    ],
)
def test_a_misspelt_topic_is_answered_with_one_that_exists(topic: str, meant: str) -> None:
    result = CliRunner().invoke(main, ["explain", topic])
    assert result.exit_code == 2
    assert f"did you mean {meant}?" in result.stderr
    assert CliRunner().invoke(main, ["explain", meant]).exit_code == 0


def test_what_is_like_nothing_has_no_suggestion() -> None:
    assert "did you mean" not in CliRunner().invoke(main, ["explain", "xyzzyqq"]).stderr
    assert "did you mean" not in CliRunner().invoke(main, ["explain", "v_ad_f32" * 40]).stderr


def test_targets_lists_all_with_their_other_names() -> None:
    lines = CliRunner().invoke(main, ["targets"]).stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(isa.target_names())
    assert any(line.startswith("gfx90a") and "GFX9" in line and "mi210" in line for line in lines)


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("HW_REG_IB_STS", "`VS_CNT` | 31:26"),
        ("row_share", "every lane of a row of 16"),
        ("m0", "32 bits, read/write"),
        ("MSG_RTN_GET_TMA", "number 130"),
        ("occupancy", "| 96 | 16 |"),
        ("calling convention", "s[30:31] is the return address"),
        ("memory-model", "buffer_gl1_inv"),
        ("hazard", "| D-18 |"),
        ("buf_fmt_32_float", "one component of 32 bits"),
    ],
)
def test_a_word_is_explained(topic: str, text: str) -> None:
    result = CliRunner().invoke(main, ["explain", "--target", "gfx1100", topic])
    assert result.exit_code == 0
    assert text in result.stdout


@pytest.mark.parametrize(
    ("topic", "texts"),
    [
        (".amdhsa_next_free_vgpr", ("Kernel descriptor field.", "On gfx90a: 0 to")),
        (".rept", ("Assembles the lines up to `.endr`",)),
        ("0.5", ("Inline constant 0.5, encoded as 240.", "`0x3f00_0000`")),
        ("-17", ("| decimal | `-17` |", "literal")),
        ("v[4:7]", ("4 VGPRs, v4 to v7", "must start at an even number")),
        ("OPERAND_REG_IMM_FP64", ("a literal is the upper half of it",)),
        ("scc", ("**modifier** `scc`", "**register** `scc`, 1 bit,")),
        ("V#", ("| `num_records` | 95:64 | the size, by which accesses are in or out of range: records",)),
        ("num_records", ("`num_records`: bits 95:64 of a buffer resource of gfx90a.",)),
        ("dst_sel_x", ("of a buffer resource", "of an image resource", "| 4 | R |")),
        ("s_load_dword", ("| `sbase` | 2 SGPRs |",)),
        ("t#", ("| `type` | 127:124 | the kind of resource: 8 = 1D",)),
    ],
)
def test_whatever_has_a_name_is_explained(topic: str, texts: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, ["explain", "--target", "gfx90a", "--", topic])
    assert result.exit_code == 0
    for text in texts:
        assert text in result.stdout, result.stdout


def test_what_is_a_second_half_alone() -> None:
    result = CliRunner().invoke(main, ["explain", "--target", "gfx1100", "v_dual_add_nc_u32"])
    assert "v_dual_... :: v_dual_add_nc_u32 vdstY, src0Y, vsrc1Y\n" in result.stdout
    assert "Targets: GFX11, GFX12, GFX13.\n" in result.stdout
    result = CliRunner().invoke(main, ["explain", "--target", "gfx1030", "v_dual_add_nc_u32"])
    assert "gfx1030 does not have it" in result.stdout


@pytest.mark.parametrize("topic", ["v[4:3]", "zzz", "v_", "#"])
def test_what_has_no_name_is_wrong_use(topic: str) -> None:
    result = CliRunner().invoke(main, ["explain", topic])
    assert result.exit_code == 2
    assert "nothing is known about" in result.stderr


@pytest.mark.parametrize(
    ("target", "expected"),
    [("gfx900", "Base address"), ("gfx1150", "`FLAT_SCR_LO`"), ("gfx1250", "`SCRATCH_BASE_HI`"), ("gfx600", "no such")],
)
def test_flat_scratch_is_an_operand_on_some_targets_only(target: str, expected: str) -> None:
    assert expected in CliRunner().invoke(main, ["explain", "--target", target, "flat_scratch"]).stdout


def test_a_builtin() -> None:
    result = CliRunner().invoke(main, ["explain", "__builtin_amdgcn_rcpf", "--target", "gfx90a"])
    assert result.exit_code == 0
    assert "On gfx90a it becomes `v_rcp_f32`." in result.stdout
