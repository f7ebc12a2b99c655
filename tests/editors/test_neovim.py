"""The Neovim plugin against the real server: Neovim runs without a screen and writes down what it sees."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gcn_lsp.ide import token_types
from tests.editors.metadata import METADATA
from tests.support.elf import bundle, code_object

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECOGNITION = HERE / "recognition"

# More than one Neovim, for a run over old and new ones: NVIM_COMMANDS=/usr/bin/nvim:/opt/nvim/bin/nvim
COMMANDS = [name for name in os.environ.get("NVIM_COMMANDS", shutil.which("nvim") or "").split(os.pathsep) if name]
pytestmark = pytest.mark.skipif(not COMMANDS, reason="Neovim (nvim) is not installed (Debian package neovim)")

KERNEL = """\
.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.set v_acc, 32
kernel:
  s_load_dwordx2 s[1:2], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  v_add_f32 v[v_acc+3], v1, v2
  s_endpgm
"""

# A step's name and its arguments, as neovim.lua knows them.
Step = tuple[Any, ...]
Drive = Callable[..., list[Any]]


def version(command: str) -> tuple[int, ...]:
    said = subprocess.run([command, "--version"], capture_output=True, text=True).stdout
    return tuple(map(int, said.split()[1].lstrip("v").split("-")[0].split(".")))


@pytest.fixture(params=COMMANDS)
def nvim(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def drive(nvim: str, tmp_path: Path) -> Drive:
    """Runs Neovim once: steps in, one result for each out."""

    def run(*steps: Step, **setup: Any) -> list[Any]:
        setup = {"cmd": [sys.executable, "-m", "gcn_lsp", "serve"], **setup}
        (tmp_path / "steps.json").write_text(json.dumps({"setup": setup, "steps": steps}))
        environment = {
            **os.environ,
            "PLUGIN": str(ROOT / "editors" / "neovim"),
            "STEPS": str(tmp_path / "steps.json"),
            "REPORT": str(tmp_path / "report.json"),
            "PYTHONPATH": str(ROOT),
            **{f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
        }
        finished = subprocess.run(
            [nvim, "--headless", "-u", str(HERE / "neovim.lua")],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=90,
        )
        report = tmp_path / "report.json"
        assert report.exists(), finished.stderr
        return list(json.loads(report.read_text()))

    return run


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    path = tmp_path / "kernel.s"
    path.write_text(KERNEL)
    return str(path)


def test_diagnostics_and_hover(drive: Drive, kernel: str) -> None:
    opened, diagnostics, hover = drive(("edit", kernel), ("diagnostics",), ("hover", 6, 4))
    assert opened == {"filetype": "gcn", "commentstring": "; %s", "syntax": "gcn"}
    assert [(item["line"], item["column"], item["code"], item["severity"]) for item in diagnostics] == [
        (4, 18, "misaligned-register", "ERROR")
    ]
    assert "s[1:2]" in diagnostics[0]["message"]
    assert "v_add_f32" in hover
    assert "v35" in hover, "the register that v[v_acc+3] is"


def test_diagnostics_follow_what_is_typed(drive: Drive, kernel: str) -> None:
    _, before, mended, broken = drive(
        ("edit", kernel),
        ("diagnostics",),
        ("replace_line", 4, "  s_load_dwordx2 s[2:3], s[4:5], 0x0"),
        ("replace_line", 6, "  v_add_f32 v[v_acc+300], v1, v2"),
    )
    assert len(before) == 1
    assert mended == []
    assert [(item["line"], item["code"]) for item in broken] == [(6, "register-out-of-range")]


def test_completion(drive: Drive, kernel: str) -> None:
    _, _, offered = drive(("edit", kernel), ("diagnostics",), ("complete", 6, "  v_mfma_f32_32x32x8f"))
    assert "v_mfma_f32_32x32x8f16" in offered


DECLARED = (
    KERNEL.replace("kernel:", ".globl kernel\nkernel:")
    + """\
.rodata
.amdhsa_kernel kernel
  .amdhsa_next_free_vgpr 40
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 40
.end_amdhsa_kernel
"""
)


def test_jumps_between_a_label_and_what_declares_it(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "kernel.s").write_text(DECLARED.replace(".globl kernel\n", ""))
    # With more than one declaration Neovim lists them.
    _, _, descriptor, label = drive(
        ("edit", str(tmp_path / "kernel.s")),
        ("diagnostics",),
        ("jump", "declaration", 3, 2),
        ("jump", "implementation", 9, 18),
    )
    assert (descriptor, label) == (9, 3)


def test_lenses_get_their_text_when_they_are_shown(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "kernel.s").write_text(DECLARED)
    _, _, lenses = drive(("edit", str(tmp_path / "kernel.s")), ("diagnostics",), ("lenses",))
    shown = {title for line, title in lenses if line == 4}
    assert any("40 VGPRs" in title for title in shown), shown
    assert any(title.startswith("peak ") for title in shown), shown


COPIES = """\
; gcn-lsp: target=gfx942
kernel:
  s_mov_b32 m0, 0
  s_nop 0
  buffer_load_dword v2, s[8:11], 0 offen lds
  s_waitcnt vmcnt(0)
  s_barrier
  ds_read_b32 v1, v3
  s_waitcnt lgkmcnt(0)
  s_endpgm
"""


def test_a_lens_says_which_barrier_publishes_copies_to_lds(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "copies.s").write_text(COPIES)
    _, _, lenses = drive(("edit", str(tmp_path / "copies.s")), ("diagnostics",), ("lenses",))
    assert [7, "publishes copies to LDS"] in lenses


INLINE = """\
// gcn-lsp: target=gfx90a
int scaled(int a, int b) {
  int x;
  asm volatile("v_lshlrev_b32 %0, 4, %1\\n\\tv_add_u32 %0, %0, %2" : "=v"(x) : "v"(a), "v"(b));
  return x;
}
"""


@pytest.mark.parametrize(
    ("name", "filetype"),
    [("kernel.cpp", "cpp"), ("kernel.c", "c"), ("kernel.cu", "cuda"), ("kernel.cl", "opencl"), ("kernel.hip", "cpp")],
)
def test_inline_assembly_in_a_source(drive: Drive, tmp_path: Path, name: str, filetype: str) -> None:
    (tmp_path / name).write_text(INLINE)
    opened, diagnostics, instruction, operand = drive(
        ("edit", str(tmp_path / name)), ("diagnostics",), ("hover", 4, 45), ("hover", 4, 54)
    )
    assert opened["filetype"] == filetype
    assert [(item["line"], item["code"]) for item in diagnostics] == [(4, "missing-early-clobber")]
    assert "v_add_u32" in instruction
    assert "%0 = x" in operand


def test_inline_assembly_in_a_python_generator(drive: Drive, tmp_path: Path) -> None:
    call = 'x = llvm.inline_asm(t, [a, b], "v_lshlrev_b32 $0, 4, $1\\nv_add_u32 $0, $0, $2", "=v,v,v")\n'
    (tmp_path / "kernel.py").write_text(f"# gcn-lsp: target=gfx90a\n{call}")
    column = call.index("v_add_u32") + 2
    _, diagnostics, instruction, operand = drive(
        ("edit", str(tmp_path / "kernel.py")), ("diagnostics",), ("hover", 2, column), ("hover", 2, column + 17)
    )
    assert [item["code"] for item in diagnostics] == ["missing-early-clobber"]
    assert "v_add_u32" in instruction
    assert "$2 = b" in operand


CLANGD = shutil.which("clangd-22") or shutil.which("clangd")
HIP = """\
// gcn-lsp: target=gfx90a
__attribute__((device)) int   scaled(int first, int second) {
  int x;
  asm volatile("v_lshlrev_b32 %0, 4, %[first]\\n\\t"
               "v_add_u32 %0, %0, %[b]"
               : "=v"(x)
               : [first] "v"(first), [b] "v"(second));
  return x + undeclared;
}
"""


@pytest.mark.skipif(CLANGD is None, reason="clangd is not installed (Debian package clangd-22)")
def test_beside_clangd(drive: Drive, nvim: str, tmp_path: Path) -> None:
    """Each server answers in its own part of the source, and neither changes what is the other's."""
    (tmp_path / "kernel.hip.cpp").write_text(HIP)
    flags = ["-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a", "-nogpuinc", "-nogpulib"]
    (tmp_path / "compile_flags.txt").write_text("\n".join(flags))
    hover, complete = "textDocument/hover", "textDocument/completion"
    # 0.7 has both servers rename, and asks which of them formats.
    is_old = version(nvim) < (0, 8)
    changes = [] if is_old else [("rename", 5, 36, "addend"), ("rename", 2, 42, "input"), ("format",)]
    _, names, findings, instruction, function, mnemonics, members, ours, theirs, *changed = drive(
        ("edit", str(tmp_path / "kernel.hip.cpp")),
        ("serve_beside", "clangd", [CLANGD]),
        ("findings_by_server", 2),
        ("answers", hover, 5, 20),
        ("answers", hover, 2, 33),
        ("answers", complete, 5, 22),
        ("answers", complete, 8, 11),
        ("shown_hover", 5, 20),
        ("shown_hover", 2, 33),
        *changes,
    )
    assert names == ["clangd", "gcn_lsp"]
    assert sorted(map(tuple, findings)) == [("clang", 8), ("gcn-lsp", 6)]
    assert "v_add_u32" in instruction["gcn_lsp"]  # clangd says there that it is a string
    assert list(function) == ["clangd"]
    assert list(mnemonics) == ["gcn_lsp"]
    assert "v_add_u32" in mnemonics["gcn_lsp"]
    assert list(members) == ["clangd"]
    assert "v_add_u32" in ours
    assert "scaled" in theirs
    if changed:
        operand, variable, formatted = ("\n".join(lines) for lines in changed)
        assert '"v_add_u32 %0, %0, %[addend]"' in operand
        assert '[first] "v"(first), [addend] "v"(second));' in operand
        assert '"v_lshlrev_b32 %0, 4, %[first]' in variable
        assert '[first] "v"(input)' in variable
        assert "int scaled(int input, int second)" in formatted
        assert '"v_add_u32 %0, %0, %[addend]"' in formatted


def test_a_source_without_assembly_has_no_server(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "host.cpp").write_text('int main() { asm volatile("pause"); }\n')
    _, clients = drive(("edit", str(tmp_path / "host.cpp")), ("clients",))
    assert clients == 0


def test_code_action(drive: Drive, tmp_path: Path) -> None:
    path = tmp_path / "descriptor.s"
    path.write_text("; gcn-lsp: target=gfx900\n.amdhsa_kernel k\n  .amdhsa_next_free_vgrp 4\n.end_amdhsa_kernel\n")
    _, _, applied = drive(("edit", str(path)), ("diagnostics",), ("code_action", 3))
    assert "amdhsa_next_free_vgpr" in applied["title"]
    assert applied["lines"][2] == "  .amdhsa_next_free_vgpr 4"


def test_a_missing_wait_is_told_explained_and_written(drive: Drive, tmp_path: Path) -> None:
    path = tmp_path / "wait.s"
    path.write_text(
        "; gcn-lsp: target=gfx900\nk:\n  global_load_dword v1, v0, s[2:3]\n  v_add_f32 v1, v1, v1\n  s_endpgm\n"
    )
    _, diagnostics, hover, applied = drive(("edit", str(path)), ("diagnostics",), ("hover", 4, 4), ("code_action", 4))
    assert [(item["line"], item["code"], item["severity"]) for item in diagnostics] == [(4, "missing-wait", "ERROR")]
    assert "`global_load_dword` on line 3" in diagnostics[0]["message"]
    assert "vmcnt: `global_load_dword` on line 3 will write `v1`" in hover
    assert applied["title"] == "Wait for vmcnt(0)"
    assert applied["lines"][3:5] == ["  s_waitcnt vmcnt(0)", "  v_add_f32 v1, v1, v1"]


def test_a_listing_of_a_disassembler_is_read_and_turned_into_assembly(drive: Drive, tmp_path: Path) -> None:
    path = tmp_path / "listing.s"
    path.write_text(
        "axpy.co:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n0000000000001c00 <axpy>:\n"
        "\ts_cbranch_scc0 axpy                                        // 000000001C00: BF84FFFF\n"
        "\tv_add_f32_e32 v1, v1, v2                                   // 000000001C04: 02020501\n"
        "\ts_endpgm                                                   // 000000001C08: BF810000\n"
    )
    opened, diagnostics, hover, applied = drive(
        ("edit", str(path)), ("diagnostics",), ("hover", 7, 4), ("code_action", 1)
    )
    assert opened["filetype"] == "gcn"
    assert {item["code"] for item in diagnostics} <= {"disassembly-listing", "endless-loop", "unknown-target"}
    assert "v_add_f32" in hover
    assert applied["title"] == "Convert the listing to assembly"
    assert applied["lines"][:6:2] == ["// axpy.co:\tfile format elf64-amdgpu", ".text", "axpy:"]


def test_health(drive: Drive, kernel: str) -> None:
    _, _, health = drive(("edit", kernel), ("diagnostics",), ("health",))
    assert "1 running" in health


@pytest.mark.skipif(shutil.which("cc") is None, reason="a C compiler is not installed (Debian packages gcc libc6-dev)")
def test_tree_sitter(drive: Drive, nvim: str, kernel: str, tmp_path: Path) -> None:
    if version(nvim) < (0, 9):
        pytest.skip("vim.treesitter.start came with Neovim 0.9")
    grammar = ROOT / "grammar"
    site = tmp_path / "DATA" / "nvim" / "site"
    (site / "parser").mkdir(parents=True)
    source = grammar / ("src" if version(nvim) >= (0, 11) else "abi14/src")
    sources = [str(source / name) for name in ("parser.c", "scanner.c")]
    library = site / "parser" / "amdgpu.so"
    command = ["cc", "-shared", "-fPIC", "-O1", "-I", str(source), *sources, "-o", str(library)]
    subprocess.run(command, check=True)
    shutil.copytree(grammar / "queries", site / "queries" / "amdgpu")
    places = [(1, 1), (2, 6), (3, 1), (4, 3), (4, 18)]
    _, captures = drive(("edit", kernel), ("captures", places), treesitter=True)
    assert captures == ["keyword.directive", "constant", "label", "function", "variable.builtin"]


def test_kinds_of_tokens_have_colours(nvim: str, drive: Drive, kernel: str) -> None:
    if version(nvim) < (0, 9):
        pytest.skip("Neovim has no semantic tokens before 0.9")
    linked = [f"synIDattr(synIDtrans(hlID('@lsp.type.{name}')), 'name')" for name in token_types.OWN_TYPES]
    _, *found = drive(("edit", kernel), *(("evaluate", each) for each in linked))
    assert all(found)
    assert not any(each.startswith("@") for each in found)


def test_expansion_in_a_scratch_buffer(drive: Drive, kernel: str) -> None:
    _, _, found = drive(("edit", kernel), ("diagnostics",), ("expand", "5,7"))
    assert found == {
        "filetype": "gcn",
        "modifiable": False,
        "wrap": False,
        "lines": ["  s_waitcnt lgkmcnt(0)", "  v_add_f32 v35, v1, v2", "  s_endpgm"],
    }


def test_control_flow_encoding_and_report(drive: Drive, kernel: str) -> None:
    _, _, key, flow, *_ = drive(("edit", kernel), ("diagnostics",), ("mapped", "K"), ("scratch", "GcnControlFlow"))
    assert key
    assert flow["lines"][:3] == [
        *("// lines 4-7: 2 VGPRs, 0 SGPRs, 1 wait", "kernel:", "  s_load_dwordx2 s[1:2], s[4:5], 0x0"),
    ]
    _, _, encoded, said = drive(("edit", kernel), ("diagnostics",), ("scratch", "GcnEncode"), ("command", "GcnReport"))
    assert encoded["lines"][3].split()[1:3] == ["000008", "bf8cc07f"]
    (page,) = said
    assert "Registers in use" in Path(page.split(" is ")[1]).read_text()


def test_all_kernels_are_listed(drive: Drive, kernel: str) -> None:
    other = Path(kernel).parent / "more" / "unopened.s"
    other.parent.mkdir()
    other.write_text("; gcn-lsp: target=gfx90a\nv_mov_b33 v0, v1\n")
    evaluated = "map(getqflist(), 'bufname(v:val.bufnr) . v:val.lnum')"
    _, _, said, listed = drive(("edit", kernel), ("diagnostics",), ("command", "GcnCheck", 2), ("evaluate", evaluated))
    assert said[0] == "gcn-lsp: checking all kernels"
    assert said[1].startswith("gcn-lsp: 2 files checked: 2 errors, 0 warnings")
    assert [Path(each).name for each in listed if "unopened" in each] == ["unopened.s2"]


def test_waits_are_reinserted(drive: Drive, tmp_path: Path) -> None:
    path = tmp_path / "waits.s"
    path.write_text(KERNEL.replace("s_waitcnt lgkmcnt(0)", "s_waitcnt lgkmcnt(0)\n  s_waitcnt vmcnt(0)"))
    _, _, said, lines = drive(
        ("edit", str(path)), ("diagnostics",), ("command", "GcnReinsertWaits"), ("evaluate", "getline(1, '$')")
    )
    assert "2 removed, 0 added" in said[0]
    assert not [line for line in lines if "s_waitcnt" in line]


def test_target_and_restart(drive: Drive, kernel: str) -> None:
    _, _, said, restarted, _, again = drive(
        ("edit", kernel),
        ("diagnostics",),
        ("command", "GcnTarget"),
        ("restart",),
        ("diagnostics",),
        ("command", "GcnTarget"),
    )
    assert "gfx90a" in said[0]
    assert ".amdgcn_target" in said[0]
    assert restarted is True
    assert again == said


def test_the_target_is_found_by_a_product_and_set(drive: Drive, tmp_path: Path) -> None:
    kernel = tmp_path / "kernel.s"
    kernel.write_text("k:\n  s_endpgm\n")
    _, _, names, made = drive(
        ("edit", str(kernel)),
        ("diagnostics",),
        ("evaluate", "v:lua.require'gcn_lsp'.target_names('7900')"),
        ("set_target", "gfx1100"),
    )
    assert names == ["gfx1100"]
    assert made["offered"][0] == "this file"
    assert made["line"] == "// gcn-lsp: target=gfx1100"


def test_explain(drive: Drive, kernel: str) -> None:
    _, _, rule, mnemonic, said = drive(
        ("edit", kernel),
        ("diagnostics",),
        ("explain", 4, ""),
        ("explain", 6, "v_add_f32"),
        ("command", "GcnExplain no-such-rule"),
    )
    assert "misaligned-register" in rule
    assert "v_add_f32" in mnemonic
    assert "no-such-rule" in said[0]


def test_highlight_rename_and_signature(drive: Drive, kernel: str) -> None:
    _, _, marks, renamed, signature = drive(
        ("edit", kernel),
        ("diagnostics",),
        ("highlight", 6, 26),
        ("rename", 2, 7, "v_sum"),
        ("signature", 6, 19),
    )
    assert marks == [[6, 25, "LspReferenceRead"]]
    assert renamed[1] == ".set v_sum, 32"
    assert renamed[5] == "  v_add_f32 v[v_sum+3], v1, v2"
    assert "v_add_f32 vdst, src0, src1" in signature


def test_format_and_code_action(drive: Drive, kernel: str) -> None:
    _, _, formatted, acted = drive(
        ("edit", kernel), ("diagnostics",), ("format",), ("act", 6, "Encode in 64 bits (_e64)")
    )
    assert formatted == [
        '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"',
        ".set v_acc, 32",
        "kernel:",
        "  s_load_dwordx2 s[1:2], s[4:5], 0x0",
        "  s_waitcnt lgkmcnt(0)",
        "  v_add_f32 v[v_acc+3], v1, v2",
        "  s_endpgm",
    ]
    assert "Encode in 64 bits (_e64)" in acted["titles"]
    assert acted["lines"][5] == "  v_add_f32_e64 v[v_acc+3], v1, v2"


def test_names_of_the_workspace(drive: Drive, kernel: str) -> None:
    other = Path(kernel).with_name("other.s")
    other.write_text("helper:\n  s_endpgm\n")
    Path(kernel).with_name("gcn-lsp.toml").write_text("")
    _, _, found = drive(("edit", kernel), ("diagnostics",), ("symbols", "help"))
    assert [item[:2] for item in found] == [["other.s", 1]]
    assert "helper" in found[0][2]


def test_settings_reach_the_server(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "count.inc").write_text(".set count, 2\n")
    kernel = tmp_path / "kernel.s"
    kernel.write_text('.include "count.inc"\n  v_mov_b32 v[batch+count], v0\n  s_endpgm\n')
    _, _, hover, said = drive(
        ("edit", str(kernel)),
        ("diagnostics",),
        ("hover", 2, 5),
        ("command", "GcnTarget"),
        target="gfx908",
        include_paths=["shared"],
        defines={"batch": 16},
    )
    assert "v18" in hover
    assert "gfx908" in said[0]


def test_without_a_server_a_message_says_what_to_do(drive: Drive, kernel: str) -> None:
    _, said = drive(("edit", kernel), ("said",), cmd=["no-such-command", "serve"])
    assert len(said) == 1
    assert "no-such-command" in said[0]
    assert ":help gcn-lsp-install" in said[0]


def test_filetype_by_content(drive: Drive) -> None:
    samples = sorted(RECOGNITION.glob("*/*"))
    opened = drive(*(("edit", str(path)) for path in samples), filetypes=[])
    wrong = [
        f"{path.parent.name}/{path.name}: {result['filetype']}"
        for path, result in zip(samples, opened, strict=True)
        if (result["filetype"] == "gcn") != (path.parent.name == "amdgpu")
    ]
    assert wrong == []


def test_a_code_object_is_assembly_that_cannot_be_changed(drive: Drive, tmp_path: Path) -> None:
    # s_load_dword s0, s[4:5], 0x0; v_mov_b32 v0, s0; s_endpgm: the load is not waited for.
    code = bytes.fromhex("020002c0000000000002007e000081bf")
    (tmp_path / "k.co").write_bytes(code_object(code, [("k", 0, 16, 1)]))
    (tmp_path / "other.co").write_text("hello\n")
    first, second = (code_object(code, [("k", 0, 16, 1)], flags=flags) for flags in (0x4C, 0x3F))
    (tmp_path / "k.hipfb").write_bytes(bundle(("first", first), ("second", second)))
    opened, diagnostics, text, changeable, further, target, of_second, other, kept = drive(
        ("edit", str(tmp_path / "k.co")),
        ("diagnostics",),
        ("evaluate", "join(getline(1, '$'), '|')"),
        ("evaluate", "[&modifiable, &readonly, &modified]"),
        ("edit", str(tmp_path / "k.hipfb(second)")),
        ("evaluate", "getline(1)"),
        ("diagnostics",),
        ("edit", str(tmp_path / "other.co")),
        ("evaluate", "[getline(1, '$'), &modifiable, &modified]"),
    )
    assert opened["filetype"] == "gcn"
    assert "missing-wait" in [item["code"] for item in diagnostics]
    assert "|\ts_endpgm|" in text
    assert changeable == [0, 1, 0]
    assert (further["filetype"], "--gfx90a" in target) == ("gcn", True)
    assert "missing-wait" in [item["code"] for item in of_second]
    assert other["filetype"] != "gcn"
    assert kept == [["hello"], 1, 0]


OPENCL = """\
kernel void scale(global float *x, float by) {
  size_t i = __builtin_amdgcn_workitem_id_x();
  x[i] = x[i] * by;
}
"""
needs_clang = pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang-22 is not installed")


def compiled_source(folder: Path) -> Path:
    """A source with a build that names it."""
    source = folder / "scale.cl"
    source.write_text(OPENCL)
    command = ["clang-22", "-x", "cl", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-O2"]
    entry = {"directory": str(folder), "file": "scale.cl", "arguments": [*command, "-c", "scale.cl", "-o", "s.o"]}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    return source


@needs_clang
def test_assembly_beside_the_source(drive: Drive, tmp_path: Path) -> None:
    source = compiled_source(tmp_path)
    _, found, written = drive(
        ("edit", str(source)),
        ("assembly", 3, True),
        ("write_line", 3, "  x[i] = x[i] + by;"),
    )
    assert found["said"] == []
    assert (found["filetype"], found["windows"]) == ("gcn", 2)
    shown = [found["lines"][line - 1].strip().split()[0] for line in found["there"]]
    assert "v_mul_f32_e32" in shown
    assert "global_store_dword" in shown
    assert found["back"] == [3]
    assert any("v_add_f32" in line for line in written)
    assert not (tmp_path / "s.o").exists()


@needs_clang
def test_a_compiler_that_is_not_trusted_does_not_run(drive: Drive, tmp_path: Path) -> None:
    source = compiled_source(tmp_path)
    commands = tmp_path / "compile_commands.json"
    commands.write_text(commands.read_text().replace("clang-22", str(tmp_path / "evil")))
    (tmp_path / "evil").write_text("#!/bin/sh\ntouch ran\n")
    (tmp_path / "evil").chmod(0o755)
    _, found = drive(("edit", str(source)), ("assembly", 3, False))
    assert not (tmp_path / "ran").exists()
    assert "not trusted" in " ".join(found["said"])


def typed(nvim: str, folder: Path, text: str, keys: str) -> list[str]:
    """The lines after those of a text once keys were typed behind it, without a server."""
    (folder / "kernel.s").write_text(text)
    commands = (
        "filetype plugin indent on",
        "edit kernel.s",
        "set ft=gcn sw=2 et",
        f'exe "normal {keys}"',
        "w",
        "qa!",
    )
    plain = [nvim, "--headless", "-u", "NONE", "--cmd", f"set rtp^={ROOT}/editors/neovim"]
    subprocess.run(
        [*plain, *(part for command in commands for part in ("-c", command))],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=60,
    )
    return (folder / "kernel.s").read_text().splitlines()[text.count("\n") :]


def test_a_label_goes_to_the_margin_and_what_follows_is_indented(nvim: str, tmp_path: Path) -> None:
    """Without a server: the indentation is the file's, not that of the settings."""
    keys = r"Gos_nop 1\<CR>loop:\<CR>s_nop 2\<CR>.macro m\<CR>v_nop\<CR>.endm\<CR>s_endpgm"
    lines = typed(nvim, tmp_path, ".text\nsaxpy:\n   s_nop 0\n", keys)
    assert lines == ["   s_nop 1", "loop:", "   s_nop 2", "   .macro m", "     v_nop", "   .endm", "   s_endpgm"]


def test_a_comment_ends_with_its_line(nvim: str, tmp_path: Path) -> None:
    lines = typed(nvim, tmp_path, ".text\nsaxpy:\n   s_nop 0\n", r"Go// a wait\<CR>s_nop 1\<CR>; none\<Esc>os_nop 2")
    assert lines == ["   // a wait", "   s_nop 1", "   ; none", "   s_nop 2"]


def test_a_new_file_is_recognised_as_it_is_typed(nvim: str, tmp_path: Path) -> None:
    commands = (
        "filetype plugin indent on",
        "edit new.s",
        "let before = &ft",
        r'exe "normal i; gcn-lsp: target=gfx942\<CR>k:\<CR>s_endpgm"',
        "call writefile([before, &ft], 'seen')",
        "qa!",
    )
    plain = [nvim, "--headless", "-u", "NONE", "--cmd", f"set rtp^={ROOT}/editors/neovim"]
    arguments = [part for command in commands for part in ("-c", command)]
    subprocess.run([*plain, *arguments], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    assert (tmp_path / "seen").read_text().split() == ["asm", "gcn"]


def test_metadata_are_indented_as_they_are_typed(nvim: str, tmp_path: Path) -> None:
    lines = METADATA.splitlines()
    keys = r"\<CR>".join(line.strip() for line in lines)
    assert typed(nvim, tmp_path, "k:\n  s_endpgm\n\n", f"Go{keys}") == lines
