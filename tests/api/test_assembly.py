"""`gcn_lsp.api`: questions to opened assembly, and that its values equal what the commands print."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp import api
from gcn_lsp.cli.main import main

DATA = Path(__file__).parents[1] / "data"

LOOP = """\
kernel:
  s_load_dword s0, s[4:5], 0x0
  s_mov_b32 s1, 4
loop:
  global_load_dword v1, v0, s[2:3]
  s_sub_u32 s1, s1, 1
  s_cmp_lg_u32 s1, 0
  s_cbranch_scc1 loop
  s_waitcnt vmcnt(0)
  s_endpgm
"""


def test_findings_are_those_that_check_prints() -> None:
    path = DATA / "saxpy_gfx900.s"
    text = path.read_text().replace("s_waitcnt", "s_nop 0 //", 1)
    printed = CliRunner().invoke(main, ["check", "--format", "json", "-"], input=text).stdout
    found = api.open_text(text, path="<stdin>").findings()
    assert found
    assert json.loads(printed) == api.to_builtins(found)


def test_severity_decides_which_findings() -> None:
    kernel = api.open_text("v_mov_b33 v0, v1\n.set unused, 1\n", "gfx90a")
    assert {found.severity for found in kernel.findings("error")} == {"error"}
    assert "hint" in {found.severity for found in kernel.findings("hint")}
    with pytest.raises(ValueError, match="fatal"):
        kernel.findings("fatal")


def test_instructions_have_bytes_registers_and_counters() -> None:
    kernel = api.open_text(".macro m r\n  v_mov_b32 \\r, 1\n.endm\nm v2\nglobal_load_dword v1, v0, s[2:3]\n", "gfx90a")
    move, load = kernel.instructions()
    assert (move.line, move.text, move.code, move.writes) == (2, "v_mov_b32 v2, 1", "8102047e", ("v2",))
    assert (load.offset, load.reads, load.counters) == (4, ("v0", "s[2:3]", "exec"), ("vmcnt",))
    assert kernel.code().hex() == move.code + load.code


def test_a_line_that_is_not_encoded_has_no_bytes() -> None:
    (wrong,) = api.open_text("v_mov_b32 v0, s[0:1]\n", "gfx90a").instructions()
    assert (wrong.code, wrong.flow) == ("", "next")


def test_operations_in_flight_are_those_on_some_path() -> None:
    kernel = api.open_text(LOOP, "gfx90a")
    found = kernel.in_flight(9)
    assert [(each.counter, each.line, each.writes, each.younger) for each in found] == [
        ("lgkmcnt", 2, ("s0",), 0),
        ("vmcnt", 5, ("v1",), 0),
    ]
    assert [each.counter for each in kernel.in_flight(10)] == ["lgkmcnt"]
    two = api.open_text("k:\nglobal_load_dword v1, v0, s[2:3]\nglobal_load_dword v2, v0, s[2:3]\ns_endpgm\n", "gfx90a")
    assert [(each.writes, each.younger) for each in two.in_flight(4)] == [(("v2",), 0), (("v1",), 1)]
    assert kernel.in_flight(2) == ()
    for line in (1, 99):
        with pytest.raises(LookupError, match=f"line {line} has no instruction"):
            kernel.in_flight(line)


def test_blocks_have_their_successors() -> None:
    kernel = api.open_text(LOOP, "gfx90a")
    assert kernel.labels() == ("kernel",)
    first, loop, last = kernel.blocks()
    assert (first.successors, loop.successors, last.successors) == ((1,), (2, 1), ())
    assert (loop.labels, loop.is_loop_end, first.is_loop_end, last.is_exit) == (("loop",), True, False, True)
    assert [block.first_line for block in (first, loop, last)] == [2, 5, 9]
    with pytest.raises(KeyError, match="nothing"):
        kernel.blocks("nothing")


def test_resources_are_those_of_the_descriptor() -> None:
    kernel = api.open_file(DATA / "gemm_tile_gfx90a.s")
    (resources,) = kernel.kernels()
    assert (kernel.target, resources.lanes) == ("gfx90a", 64)
    report = CliRunner().invoke(main, ["report", str(DATA / "gemm_tile_gfx90a.s")]).stdout
    assert f"Kernel {resources.name}\n" in report
    assert f"{resources.lds} bytes" in report
    assert f"{resources.waves} waves on a SIMD, limited by {' and '.join(resources.limits)}" in report


def test_what_is_given_comes_before_the_project(tmp_path: Path) -> None:
    (tmp_path / "gcn-lsp.toml").write_text('target = "gfx900"\ndefines = { n = 1 }\n')
    (tmp_path / "k.s").write_text("s_mov_b32 s0, n\n")
    assert api.open_file(tmp_path / "k.s").target == "gfx900"
    chosen = api.open_file(tmp_path / "k.s", "gfx1100", defines={"n": 2})
    assert (chosen.target, chosen.code().hex()) == ("gfx1100", "820080be")


def test_inline_assembly_has_findings_only() -> None:
    source = '__global__ void f() { asm volatile("v_mov_b33 v0, v1"); }\n'
    kernel = api.open_text(source, "gfx90a", path="f.hip")
    assert [found.rule for found in kernel.findings()] == ["unknown-mnemonic"]
    with pytest.raises(api.NotReadable, match="a source in another language"):
        kernel.instructions()


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(api.NotReadable, match="there is no such file"):
        api.open_file(tmp_path / "none.s")
    with pytest.raises(ValueError, match="unknown target 'gfx1'"):
        api.open_text("", "gfx1")


def test_parts_are_at_least_the_file_itself() -> None:
    (only,) = api.open_parts(DATA / "saxpy_gfx900.s")
    assert only.target == "gfx900"


def test_the_mix_counts_classes_in_each_block_and_names_its_loops() -> None:
    first, loop, last = api.open_text(LOOP, "gfx90a").mix()
    assert first.classes == {"memory": 1, "scalar": 1}
    assert (loop.label, loop.in_loop, loop.classes) == ("loop", (1,), {"memory": 1, "scalar": 2, "branch": 1})
    assert loop.mnemonics["s_sub_u32"] == 1
    assert (first.in_loop, last.in_loop, last.classes) == ((), (), {"wait": 1, "branch": 1})


def test_a_place_is_explained_as_by_the_hover() -> None:
    kernel = api.open_text(LOOP, "gfx90a")
    assert "s_load_dword" in (kernel.explained(2) or "")
    assert kernel.explained(2, 3) == kernel.explained(2)
    with pytest.raises(LookupError, match="has 11 lines"):
        kernel.explained(12)
