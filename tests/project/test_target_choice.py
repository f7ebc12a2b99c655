"""The target of a file: each source, their order, their disagreements."""

from pathlib import Path

import pytest

from gcn_lsp import isa, project
from gcn_lsp.program.candidates import LIKELY
from gcn_lsp.project import FileSetup, Settings
from gcn_lsp.text import SourceText

IN_FILE = [
    '.amdgcn_target "amdgcn-amd-amdhsa--gfx900"',
    "amdhsa.target: amdgcn-amd-amdhsa--gfx906",
    ".hsa_code_object_isa 9,0,8",
    "; gcn-lsp: target=gfx90a",
    "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx942 %s",
    "  asic(GFX10)",
]


def setup(tmp_path: Path, text: str, settings: Settings | None = None, name: str = "k.s") -> FileSetup:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return project.load(str(path), settings)


def rules(found: FileSetup) -> list[str]:
    return [finding.rule for finding in found.findings]


@pytest.mark.parametrize(
    ("line", "target", "mattr"),
    [
        ('.amdgcn_target "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"', "gfx90a", "+sramecc,-xnack"),
        ('  .AMDGCN_TARGET "amdgcn-amd-amdhsa-unknown-gfx906"', "gfx906", ""),
        ('.amd_amdgpu_isa "amdgcn-amd-amdpal--gfx906"', "gfx906", ""),
        ('.amdgcn_target "amdgcn-amd-amdhsa--gfx9-4-generic"', "gfx9-4-generic", ""),
        # Code object version 3, as older generators write it.
        ('.amdgcn_target "amdgcn-amd-amdhsa--gfx908+sram-ecc+xnack"', "gfx908", "+sramecc,+xnack"),
        # LLVM 23, as Triton has it, names the version of the processor in the triple.
        ('.amdgcn_target "amdgpu9.0a-amd-amdhsa-unknown-gfx90a:xnack-"', "gfx90a", "-xnack"),
        ('.amdgcn_target "amdgpu12.00-amd-amdhsa-unknown-gfx1200"', "gfx1200", ""),
        ('.amdgcn_target "amdgpu12.50-amd-amdhsa-unknown-"', "gfx1250", ""),
        ("amdhsa.target: amdgcn-amd-amdhsa--gfx906:xnack+", "gfx906", "+xnack"),
        ("amdhsa.target:   'amdgcn-amd-amdhsa-unknown-gfx908'", "gfx908", ""),
        ('.hsa_code_object_isa 9,0,10,"AMD","AMDGPU"', "gfx90a", ""),
        ("; gcn-lsp: target=gfx90a", "gfx90a", ""),
        ("s_nop 0 // gcn-lsp: target = vega10, disable=x", "gfx900", ""),
        ("  asic(GFX9)", "gfx900", ""),
        ("asic( vi ) // sp3", "gfx801", ""),
        ("// RUN: llvm-mc-21 -triple=amdgcn -mcpu=gfx1030 %s", "gfx1030", ""),
        ("// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1030 %s", "gfx1030", ""),
        (
            "// RUN: not llvm-mc-22 -triple=amdgcn -mcpu=gfx1030 -mattr=+wavefrontsize64 %s | FileCheck",
            "gfx1030",
            "+wavefrontsize64,+llvm22",
        ),
    ],
)
def test_lines_that_name_a_target(tmp_path: Path, line: str, target: str, mattr: str) -> None:
    choice = setup(tmp_path, f"s_nop 0\n{line}\n").target_choice
    assert (choice.target, choice.mattr) == (target, mattr)
    assert choice.where is not None
    assert choice.where.line == 1
    assert "line 2" in choice.reason


@pytest.mark.parametrize(
    "line",
    [
        ".hsa_code_object_isa",
        ".hsa_code_object_isa major, minor, step",
        "; gcn-lsp: disable=unknown-mnemonic",
        '.amdgcn_target ""',
        "// RUN: FileCheck %s",
        "; the target=gfx90a is nice",
    ],
)
def test_lines_that_name_none(tmp_path: Path, line: str) -> None:
    found = setup(tmp_path, line)
    assert found.target_choice.target is None
    assert rules(found) == []


@pytest.mark.parametrize("first", range(len(IN_FILE)))
def test_order_within_the_file(tmp_path: Path, first: int) -> None:
    expected = ["gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1010"][first]
    found = setup(tmp_path, "\n".join(reversed(IN_FILE[first:])))
    assert found.target_choice.target == expected
    assert rules(found) == ["conflicting-targets"] * (len(IN_FILE) - first - 1)


def test_order_of_what_surrounds_the_file(tmp_path: Path) -> None:
    mfma = "v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]\n"
    alone = setup(tmp_path, mfma)
    assert alone.target_choice.target is None
    assert alone.target_choice.candidates == ("gfx942", "gfx90a", "gfx950", "gfx908")
    assert alone.options.candidates == alone.target_choice.candidates
    assert rules(alone) == []
    name = "gfx908/k_gfx906.s"
    assert setup(tmp_path, mfma, name=name).target_choice.target == "gfx906"
    commands = tmp_path / "compile_commands.json"
    commands.write_text(f'[{{"directory": "{tmp_path}", "file": "{name}", "command": "clang -mcpu=gfx900 {name}"}}]')
    assert setup(tmp_path, mfma, name=name).target_choice.target == "gfx900"
    (tmp_path / "gcn-lsp.toml").write_text("target = 'gfx90a'")
    found = setup(tmp_path, mfma, name=name)
    assert (found.target_choice.target, rules(found)) == ("gfx90a", ["conflicting-targets"])
    found = setup(tmp_path, "; gcn-lsp: target=gfx1030\n" + mfma, name=name)
    assert found.target_choice.target == "gfx1030"
    assert [finding.message for finding in found.findings] == [
        "gcn-lsp.toml says gfx90a, but the comment says gfx1030, which is used",
        "compile_commands.json says gfx900, but the comment says gfx1030, which is used",
    ]
    found = setup(tmp_path, "s_nop 0", Settings(target="gfx1100"), name)
    assert found.target_choice.target == "gfx1100"


def test_an_editors_setting_gives_way_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "gcn-lsp.toml").write_text("target = 'gfx906'")
    path = str(tmp_path / "k.s")
    around = project.surroundings(path, Settings(target="gfx942"), project.Files(), is_default=True)
    named = project.set_up(SourceText.from_bytes(path, IN_FILE[0].encode()), around)
    assert (named.target_choice.target, named.findings[0].message) == (
        "gfx900",
        "gcn-lsp.toml says gfx906, but .amdgcn_target says gfx900, which is used",
    )
    assert len(named.findings) == 1
    silent = project.set_up(SourceText.from_bytes(path, b"s_nop 0"), around)
    assert (silent.target_choice.target, silent.target_choice.reason) == ("gfx942", "the editor's setting names it")


def test_a_conflict_points_at_the_line_in_the_file(tmp_path: Path) -> None:
    found = setup(tmp_path, IN_FILE[0] + "\n" + IN_FILE[3])
    finding = found.findings[0]
    assert finding.message == "the comment says gfx90a, but .amdgcn_target says gfx900, which is used"
    assert (finding.where.line, finding.where.start, finding.where.end) == (1, 18, 24)
    assert [(related.where.line, related.message) for related in finding.related] == [(0, ".amdgcn_target says gfx900")]


def test_modes_of_the_directive_count(tmp_path: Path) -> None:
    """LLVM 23 warns, and takes those of the directive."""
    text = '.amdgcn_target "amdgcn-amd-amdhsa--gfx908:sramecc+:xnack-"\n'
    found = setup(tmp_path, text, Settings(target="gfx908", mattr="+xnack,+sramecc"))
    assert found.target_choice.mattr == "+xnack,+sramecc,-xnack"
    assert rules(found) == ["conflicting-targets"]
    assert rules(setup(tmp_path, text, Settings(target="gfx908", mattr="-xnack"))) == []


def test_several_run_lines_are_no_conflict(tmp_path: Path) -> None:
    found = setup(tmp_path, "// RUN: llvm-mc -mcpu=gfx900 %s\n// RUN: llvm-mc -mcpu=gfx906 --defsym=N=3 %s\n")
    assert (found.target_choice.target, rules(found)) == ("gfx900", [])


def test_symbols_of_the_run_line(tmp_path: Path) -> None:
    found = setup(tmp_path, "// RUN: llvm-mc -mcpu=gfx900 -defsym=N=3 -defsym M=4 %s\n", Settings(defines={"M": 5}))
    assert dict(found.options.defines) == {"N": 3, "M": 5}


def test_names_that_agree_by_another_name_are_no_conflict(tmp_path: Path) -> None:
    assert rules(setup(tmp_path, IN_FILE[0], Settings(target="vega10"))) == []


def test_features_of_another_target_do_not_count(tmp_path: Path) -> None:
    text = '.amdgcn_target "amdgcn-amd-amdhsa--gfx906:xnack-"'
    assert setup(tmp_path, text, Settings(target="gfx90a")).target_choice.mattr == ""
    assert setup(tmp_path, text, Settings(target="gfx906")).target_choice.mattr == "-xnack"
    assert setup(tmp_path, text, Settings(target="gfx906:xnack+")).target_choice.mattr == "+xnack,-xnack"


def test_features_without_a_target(tmp_path: Path) -> None:
    (tmp_path / "gcn-lsp.toml").write_text("mattr = '-xnack'")
    choice = setup(tmp_path, "; gcn-lsp: target=gfx906").target_choice
    assert (choice.target, choice.mattr) == ("gfx906", "-xnack")


def test_an_unknown_name_in_a_comment_is_reported(tmp_path: Path) -> None:
    found = setup(tmp_path, "; gcn-lsp: target=gfx90b")
    assert rules(found) == ["configuration-error"]
    assert found.findings[0].message.startswith("unknown target 'gfx90b'; did you mean 'gfx90")


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("gfx90a/k.s", "gfx90a"),
        ("gfx90a/k_gfx908.s", "gfx908"),
        ("kernel-GFX906-v2.s", "gfx906"),
        ("gfx940/k.s", "gfx942"),
        ("gfx900_or_gfx906/k.s", None),
        ("gfx9/k.s", None),
        ("gfx999/k.s", None),
        ("agfx900/k.s", None),
    ],
)
def test_names_in_the_path(tmp_path: Path, name: str, target: str | None) -> None:
    assert setup(tmp_path, "s_nop 0", name=name).target_choice.target == target


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("  v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]", ("gfx942", "gfx90a", "gfx950", "gfx908")),
        ("v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7]", ("gfx942", "gfx90a", "gfx950")),
        ("v_mfma_nonsense", LIKELY),
        ("; v_mfma_f32_32x32x1f32", LIKELY),
        ("v_mov_b32 v0, v1", LIKELY),
        (
            "V_PK_FMA_F16 v0, v1, v2, v3\nv_readfirstlane_b32 s0, v0\nv_mac_f32 v0, v1, v2",
            ("gfx90a", "gfx908", "gfx906", "gfx900", "gfx1010"),
        ),
        (
            "l: v_mac_f32_e32 v0, v1, v2\nv_madmk_f32 v0, v1, 2.0, v2\ns_dcache_wb",
            ("gfx90a", "gfx908", "gfx906", "gfx900", "gfx1010", "gfx803"),
        ),
        (".macro v_mac_f32 a, b, c\n.endm\nv_mac_f32 1, 2, 3", LIKELY),
    ],
)
def test_mnemonics_narrow_the_target_down(tmp_path: Path, text: str, candidates: tuple[str, ...]) -> None:
    choice = setup(tmp_path, text).target_choice
    assert (choice.target, choice.candidates) == (None, candidates)


def test_a_file_for_several_targets_may_be_for_any_of_them(tmp_path: Path) -> None:
    text = "s_wait_loadcnt 0\ns_wait_dscnt 0\nv_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]"
    candidates = setup(tmp_path, text).target_choice.candidates
    assert sorted(candidates) == sorted(LIKELY)
    assert candidates[:3] == ("gfx1200", "gfx1250", "gfx942")  # in the order of what they lack


def test_features_that_nobody_knows_are_told_and_left_out(tmp_path: Path) -> None:
    found = setup(tmp_path, "; RUN: llvm-mc -mcpu=gfx906 -mattr=+nonsense,-xnack %s")
    assert (found.options.mattr, rules(found)) == ("-xnack", ["configuration-error"])
    (tmp_path / "gcn-lsp.toml").write_text("target = 'gfx90a'\nmattr = '+nonsense'")
    found = setup(tmp_path, "s_nop 0")
    assert (found.options.target, found.options.mattr, rules(found)) == ("gfx90a", "", ["configuration-error"])
    assert [(finding.where.line, finding.message) for finding in found.findings] == [(1, "unknown feature 'nonsense'")]


def test_a_mnemonic_that_one_target_has_names_it(tmp_path: Path) -> None:
    choice = setup(tmp_path, "v_mfma_f32_16x16x8_xf32 a[0:3], v[0:1], v[2:3], a[0:3]").target_choice
    assert (choice.target, choice.reason) == ("gfx942", "only gfx942 has mnemonics such as v_mfma_f32_16x16x8_xf32")


@pytest.mark.parametrize("line", ["; gcn-lsp: target=gfx940", '.amdgcn_target "amdgcn-amd-amdhsa--gfx941:xnack-"'])
def test_a_name_that_llvm_dropped_is_the_part_that_was_sold(tmp_path: Path, line: str) -> None:
    found = setup(tmp_path, line + "\n")
    assert found.target_choice.target == "gfx942"
    assert rules(found) == ["former-target"]
    assert "has dropped gfx94" in found.findings[0].message


def test_a_comment_may_name_several_targets(tmp_path: Path) -> None:
    found = setup(tmp_path, "; gcn-lsp: targets=gfx90a:xnack- , gfx942, disable=x\n")
    choice = found.target_choice
    assert (choice.target, choice.mattr, choice.targets) == ("gfx90a", "-xnack", ("gfx90a:xnack-", "gfx942"))
    assert found.options.others == (("gfx942", ""),)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("tahiti", "gfx600"), ("hawaii", "gfx701"), ("bonaire", "gfx704"), ("tonga", "gfx802"), ("fiji", "gfx803"),
        ("polaris10", "gfx803"), ("stoney", "gfx810"), ("vega20", "gfx906"), ("gfx90a:sramecc+:xnack-", "gfx90a"),
        ("amdgcn-amd-amdhsa--gfx941", "gfx942"),
    ],
)  # fmt: skip
def test_other_names_of_targets(name: str, target: str) -> None:
    assert isa.resolve_target(name) == target


def test_an_asic_that_the_command_chooses(tmp_path: Path) -> None:
    found = setup(tmp_path, "shader main\n  asic(DEFAULT)\nend\n", name="k.asm")
    assert found.target_choice.target is None
    assert rules(setup(tmp_path, "shader main\n  asic(GFX99)\nend\n", name="k.asm")) == ["configuration-error"]


@pytest.mark.parametrize(
    ("name", "text", "candidates"),
    [
        ("rdna4/k.s", "s_nop 0", ("gfx1200",)),
        ("mi300x/k.s", "s_nop 0", ("gfx942",)),
        ("rdna3/mi250.s", "s_nop 0", ("gfx90a",)),  # the nearest part counts
        ("navi32/k.s", "s_nop 0", ("gfx1101",)),
        ("cdna/k.s", "v_mfma_f32_16x16x16bf16_1k v[0:3], v[4:5], v[6:7], v[0:3]", ("gfx942", "gfx90a", "gfx950")),
        ("rdna4/k.s", "buffer_load_dword v0, off, s[0:3], 0\nv_mad_f32 v0, v1, v2, v3", None),  # gfx12 has neither
    ],
)
def test_a_product_in_the_path_leaves_fewer_candidates(
    tmp_path: Path, name: str, text: str, candidates: tuple[str, ...] | None
) -> None:
    choice = setup(tmp_path, text, name=name).target_choice
    assert choice.target is None
    assert choice.candidates == (candidates or setup(tmp_path, text).target_choice.candidates)
    assert ("in its path" in choice.reason) == (candidates is not None)


def test_the_fields_of_a_descriptor_leave_fewer_candidates(tmp_path: Path) -> None:
    fields = ".amdhsa_kernel k\n.amdhsa_wavefront_size32 1\n.amdhsa_workgroup_processor_mode 1\n.end_amdhsa_kernel"
    found = setup(tmp_path, fields).target_choice.candidates
    assert found[0] == "gfx1100"
    assert all(name.startswith("gfx1") for name in found)


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("; gfx1201", "gfx1201"),
        ("// target: gfx942", "gfx942"),
        ("# mcpu=gfx90a", "gfx90a"),
        ("  /* For GFX1151, by hand.", "gfx1151"),
        (" * gfx11-generic", "gfx11-generic"),
        ("#define gfx1201", None),
        ("; __gfx1201__ is defined", None),
        ("; gfx9999", None),
        ("s_nop 0 ; gfx1201", None),
    ],
)
def test_a_comment_decides_between_equal_candidates(tmp_path: Path, line: str, target: str | None) -> None:
    choice = setup(tmp_path, f"; a kernel\n{line}\ns_mov_b32 s0, s1").target_choice
    assert choice.target is None
    assert choice.candidates[0] == (target or LIKELY[0])
    assert set(choice.candidates) == {*LIKELY, choice.candidates[0]}
    assert ("(line 2)" in choice.reason) == (target is not None)


def test_instructions_count_more_than_a_comment(tmp_path: Path) -> None:
    for text in ("s_delay_alu 1", "v_mad_f32 v0, v1, v2, v3"):
        choice = setup(tmp_path, f"; gfx942\n{text}").target_choice
        assert "gfx942" not in choice.candidates
        assert "gfx942" not in choice.reason
    assert setup(tmp_path, "; gfx942\ns_nop 0", name="rdna4/k.s").target_choice.candidates == ("gfx1200",)


def test_a_comment_below_the_head_is_not_about_the_file(tmp_path: Path) -> None:
    assert setup(tmp_path, "s_nop 0\n" * 32 + "; gfx1201").target_choice.candidates == LIKELY
