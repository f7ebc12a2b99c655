"""Kernels run from start to end: results against numpy, and what a run finds in broken ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gcn_lsp
from gcn_lsp.machine.arguments import WrongLaunch
from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome
from tests.running.compiled import FOLDER, assembly

SAXPY = (FOLDER / "saxpy.s").read_text()
TARGETS = ("gfx700", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1201")


def saxpy(folder: Path, text: str = SAXPY, count: int = 1000, **more: Any) -> "tuple[Outcome, np.ndarray[Any, Any]]":
    path = folder / "saxpy.s"
    path.write_text(text)
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    options = {"grid": count, "block": 256, "x": x, "y": y, "a": 2.0, "n": 1000, "check": False, **more}
    return api.run(path, **options), y


def rules(outcome: Outcome) -> list[str]:
    return [each.rule for each in outcome.findings]


def test_saxpy(tmp_path: Path) -> None:
    outcome, y = saxpy(tmp_path)
    assert (y == 2 * np.arange(1000) + 1).all()
    assert outcome.findings == ()
    assert outcome.is_complete
    assert outcome.executed == 16 * 15


def test_run_of_the_package_raises_for_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "saxpy.s"
    path.write_text(SAXPY.replace("s_waitcnt vmcnt(0)", "s_nop 0"))
    x, y = np.zeros(64, np.float32), np.zeros(64, np.float32)
    with pytest.raises(api.RunFailed, match="may still write it"):
        gcn_lsp.run(str(path), grid=64, x=x, y=y, a=1.0, n=64)


def test_no_order_changes_the_result_of_a_correct_kernel(tmp_path: Path) -> None:
    outcome, _ = saxpy(tmp_path, orders=True)
    assert outcome.findings == ()
    assert outcome.orders > 4


def test_a_missing_wait_changes_the_result(tmp_path: Path) -> None:
    outcome, _ = saxpy(tmp_path, SAXPY.replace("s_waitcnt vmcnt(0)", "s_nop 0"), orders=True)
    assert set(rules(outcome)) == {"missing-wait", "order-dependent-result"}
    first = outcome.findings[0]
    assert "reads v3 while `global_load_dword` may still write it" in first.message
    assert SAXPY.splitlines()[first.where.line].strip().startswith("v_mac_f32")
    changed = next(each for each in outcome.findings if each.rule == "order-dependent-result")
    assert changed.message.startswith("y[0] turns from 1.0 into 0.0, and 999 more elements when every access")


def test_a_wait_for_too_many_is_found_without_other_orders(tmp_path: Path) -> None:
    outcome, y = saxpy(tmp_path, SAXPY.replace("vmcnt(0)", "vmcnt(1)"))
    assert rules(outcome)[0] == "missing-wait"
    assert (y == 2 * np.arange(1000) + 1).all()


def test_an_access_behind_the_end_stops(tmp_path: Path) -> None:
    text = SAXPY.replace("v_cmp_gt_u32 vcc, s9, v0", "s_mov_b64 vcc, exec")
    outcome, _ = saxpy(tmp_path, text, 1024)
    assert rules(outcome) == ["access-outside-memory"]
    assert "lane 40 reads 4 bytes" in outcome.findings[0].message
    assert "right at the end of x of 4000 bytes" in outcome.findings[0].message
    assert not outcome.is_complete


def test_a_register_that_nothing_wrote(tmp_path: Path) -> None:
    outcome, _ = saxpy(tmp_path, SAXPY.replace("v_mac_f32 v3, s8, v2", "v_mac_f32 v3, s20, v2"))
    assert rules(outcome) == ["uninitialised-register"]
    assert "reads s20, which nothing has written" in outcome.findings[0].message


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("s_endpgm", "s_branch done", "reached its limit of 5000 instructions here"),
        ("s_endpgm", "s_branch elsewhere", "`elsewhere` is defined nowhere in the file"),
        ("s_lshl_b32 s7", "s_add_u32 s0, s0, f@rel32@lo+4\n  s_lshl_b32 s7", "`f` is defined nowhere"),
        ("v_add_u32 v0, s7, v0", "v_mov_b32 v0, elsewhere", "`elsewhere` is defined nowhere in the file"),
        ("v_add_u32 v0, s7, v0", "v_foo_b32 v0, v1", "not an instruction of this target; gcn-lsp check says why"),
        ("s_endpgm", "s_nop 0", "behind the end of the code"),
        ("s_endpgm", ".long 0xdeadbeef", "which is data among the code"),
        ("s_lshl_b32 s7", "s_setpc_b64 s[12:13]\n  s_lshl_b32 s7", "where there is no memory of this program"),
        ("s[14:15]\ndone:", "s[30:31]\ndone:", "null pointer"),
        ("v_add_u32 v0, s7, v0", "image_sample v0, v[0:1], s[0:7], s[8:11]", ""),
    ],
)
def test_a_run_that_cannot_go_on_is_a_sentence(old: str, new: str, said: str, tmp_path: Path) -> None:
    outcome, _ = saxpy(tmp_path, SAXPY.replace(old, new), limit=5000)
    assert not outcome.is_complete
    last = [each for each in outcome.findings if each.rule in ("stopped-run", "access-outside-memory")]
    assert len(last) == 1
    assert said in last[0].message
    assert outcome.executed > 0


def test_code_cannot_be_written(tmp_path: Path) -> None:
    text = SAXPY.replace("v_mac_f32 v3", "s_getpc_b64 s[14:15]\n  v_mac_f32 v3")
    outcome, _ = saxpy(tmp_path, text, 4)
    assert rules(outcome) == ["access-outside-memory"]
    assert "writes 4 bytes" in outcome.findings[0].message
    assert "section .text, which is only to be read" in outcome.findings[0].message


def test_code_cannot_be_written_by_a_scalar_store(tmp_path: Path) -> None:
    store = "s_getpc_b64 s[14:15]\n  s_store_dword s0, s[14:15], 0x0\n  v_mac_f32 v3"
    outcome, _ = saxpy(tmp_path, SAXPY.replace("v_mac_f32 v3", store), 4)
    assert rules(outcome) == ["access-outside-memory"]
    assert "it writes 4 bytes" in outcome.findings[0].message


def test_a_finding_in_a_macro_names_the_call(tmp_path: Path) -> None:
    text = SAXPY.replace("v_mac_f32 v3, s8, v2", "combine").replace("s_waitcnt vmcnt(0)", "s_nop 0")
    outcome, _ = saxpy(tmp_path, ".macro combine\n  v_mac_f32 v3, s8, v2\n.endm\n" + text)
    assert outcome.findings[0].related[0].is_step


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("orders", [False, True], ids=["once", "all orders"])
def test_a_reduction(target: str, orders: bool, tmp_path: Path) -> None:
    x = np.random.default_rng(1).integers(0, 100, 400).astype(np.float32)
    out = np.zeros(2, np.float32)
    path = assembly(tmp_path, "tiles.cl", target)
    outcome = api.run(path, kernel="reduce", grid=512, block=256, x=x, out=out, n=400, orders=orders)
    assert outcome.findings == ()
    assert out.tolist() == [x[:256].sum(), x[256:].sum()]


@pytest.mark.parametrize("target", TARGETS)
def test_a_matrix_product_in_tiles(target: str, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    a, b = (random.integers(-8, 8, (32, 32)).astype(np.float32) for _ in range(2))
    c = np.zeros((32, 32), np.float32)
    path = assembly(tmp_path, "tiles.cl", target)
    outcome = api.run(path, kernel="gemm", grid=(32, 32), block=(16, 16), a=a, b=b, c=c, n=32)
    assert outcome.findings == ()
    assert (c == a @ b).all()


@pytest.mark.parametrize("target", ["gfx900", "gfx1030", "gfx1201", "gfx1250"])
def test_calls_and_scratch_of_code_that_is_not_optimised(target: str, tmp_path: Path) -> None:
    x = np.arange(256, dtype=np.float32)
    out = np.zeros(1, np.float32)
    path = assembly(tmp_path, "tiles.cl", target, "-O0")
    outcome = api.run(path, kernel="reduce", grid=256, block=256, x=x, out=out, n=256)
    assert outcome.findings == ()
    assert out[0] == x.sum()


@pytest.mark.parametrize("target", ["gfx803", "gfx90a", "gfx1030", "gfx1201"])
def test_atomics_count_every_lane(target: str, tmp_path: Path) -> None:
    x = np.random.default_rng(2).integers(0, 1000, 300).astype(np.int32)
    bins = np.zeros(16, np.int32)
    path = assembly(tmp_path, "tiles.cl", target)
    outcome = api.run(path, kernel="count", grid=320, block=64, x=x, bins=bins, n=300, orders=True)
    assert outcome.findings == ()
    assert (bins == np.bincount(x & 15, minlength=16)).all()


def test_a_removed_barrier_is_a_race(tmp_path: Path) -> None:
    path = assembly(tmp_path, "tiles.cl", "gfx900")
    lines = path.read_text().splitlines()
    start = lines.index(next(line for line in lines if line.startswith("reduce:")))
    barrier = next(number for number in range(start, len(lines)) if lines[number].strip() == "s_barrier")
    lines[barrier] = "\ts_nop 0"
    path.write_text("\n".join(lines) + "\n")
    x, out = np.arange(256, dtype=np.float32), np.zeros(1, np.float32)
    outcome = api.run(path, kernel="reduce", grid=256, block=256, x=x, out=out, n=256, check=False, orders=True)
    assert {"lds-race", "order-dependent-result"} <= set(rules(outcome))
    race = next(each for each in outcome.findings if each.rule == "lds-race")
    assert "no barrier orders the two" in race.message


def test_lds_that_nothing_wrote(tmp_path: Path) -> None:
    path = assembly(tmp_path, "tiles.cl", "gfx900")
    text = path.read_text()
    at = text.index("ds_write_b32", text.index("reduce:"))
    path.write_text(text[:at] + "s_nop 0 ;" + text[at:])
    x, out = np.arange(256, dtype=np.float32), np.zeros(1, np.float32)
    outcome = api.run(path, kernel="reduce", grid=256, block=256, x=x, out=out, n=256, check=False)
    assert "unwritten-lds-read" in rules(outcome)


def test_a_barrier_that_one_wave_misses(tmp_path: Path) -> None:
    text = """
k:
  v_cmp_gt_u32 vcc, 64, v0
  s_cbranch_vccz second
  s_barrier
second:
  s_barrier
  s_endpgm
"""
    path = tmp_path / "k.s"
    path.write_text(text)
    registers = {"v0": "item_x"}
    outcome = api.run(path, kernel="k", target="gfx900", grid=128, block=128, registers=registers, check=False)
    assert rules(outcome) == ["skipped-barrier"]
    assert "wave 0 of work-group 0,0,0 arrives at this barrier, wave 1 does not" in outcome.findings[0].message


def test_waves_that_wait_for_each_other_stop(tmp_path: Path) -> None:
    text = """
k:
  v_cmp_gt_u32 vcc_lo, 64, v0
  s_cbranch_vccz wait
  s_barrier_signal -1
wait:
  s_barrier_wait -1
  s_endpgm
"""
    path = tmp_path / "k.s"
    path.write_text(text)
    registers = {"v0": "item_x"}
    outcome = api.run(
        path, kernel="k", target="gfx1200", grid=128, block=128, registers=registers, check=False, limit=1000
    )
    assert rules(outcome) == ["stopped-run"]
    assert "wait at barriers that no other wave reaches" in outcome.findings[0].message


def test_no_such_kernel_and_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(WrongLaunch, match=r"has no kernel gemm; its kernels: saxpy\."):
        saxpy(tmp_path, kernel="gemm")
    with pytest.raises(WrongLaunch):
        api.run(tmp_path / "absent.s", grid=64)


def test_the_counts_of_lines(tmp_path: Path) -> None:
    outcome, _ = saxpy(tmp_path, count=1024)
    lines = SAXPY.splitlines()
    counts = {lines[line].split()[0]: count for _, line, count in outcome.counts}
    assert counts["s_saveexec_b64" if "s_saveexec_b64" in counts else "s_and_saveexec_b64"] == 16
    assert counts["global_store_dword"] == 16


def test_the_same_run_twice_is_the_same(tmp_path: Path) -> None:
    one, first = saxpy(tmp_path, seed=3)
    other, second = saxpy(tmp_path, seed=3)
    assert one.executed == other.executed
    assert first.tobytes() == second.tobytes()


PADDED = """\
; gcn-lsp: target=gfx1100
k:
  s_mov_b32 s0, 3
  .p2align 6
loop:
  s_sub_u32 s0, s0, 1
  .p2align 6
tail:
  s_cmp_lg_u32 s0, 0
  s_cbranch_scc1 loop
  s_endpgm
  .long 0xbf800000
"""
DESCRIPTOR = """\
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 12
.end_amdhsa_kernel
"""


def run_one(folder: Path, text: str) -> Outcome:
    """The run of one wave of a kernel without arguments."""
    path = folder / "k.s"
    path.write_text(text)
    return api.run(path, grid=32, block=32, check=False)


def test_a_wave_runs_through_the_padding_of_an_alignment(tmp_path: Path) -> None:
    outcome = run_one(tmp_path, PADDED + DESCRIPTOR)
    assert (outcome.findings, outcome.is_complete) == ((), True)


def test_words_that_a_directive_put_there_are_no_padding(tmp_path: Path) -> None:
    outcome = run_one(tmp_path, PADDED.replace("s_endpgm", "s_nop 1") + DESCRIPTOR)
    (stopped,) = outcome.findings
    assert "which is data among the code" in stopped.message


INDEXED = """\
k:
  v_mov_b32 v2, 10
  v_mov_b32 v3, 20
  v_mov_b32 v4, 30
  v_mov_b32 v5, 40
  {}
  v_lshlrev_b32 v1, 2, v0
  global_store_dwordx4 v1, v[2:5], s[0:1]
  s_endpgm
"""


@pytest.mark.parametrize(
    ("target", "code", "after"),
    [
        ("gfx900", "s_set_gpr_idx_on {i}, gpr_idx(SRC0)\n v_mov_b32 v2, v3\n s_set_gpr_idx_off", (30, 20, 30, 40)),
        ("gfx900", "s_set_gpr_idx_on {i}, gpr_idx(DST)\n v_mov_b32 v2, 7\n s_set_gpr_idx_off", (10, 7, 30, 40)),
        ("gfx90a", "s_set_gpr_idx_on {i}, gpr_idx(SRC1,DST)\n v_add_u32 v2, v4, v4\n s_set_gpr_idx_off",
         (10, 70, 30, 40)),
        ("gfx900", "s_mov_b32 m0, 2\n v_movrels_b32 v2, v3", None),
        ("gfx1030", "s_mov_b32 m0, 2\n v_movrels_b32 v2, v3", (40, 20, 30, 40)),
        ("gfx700", "s_mov_b32 m0, 1\n v_movreld_b32 v3, v5", (10, 20, 40, 40)),
    ],
)  # fmt: skip
def test_registers_by_an_index(target: str, code: str, after: "tuple[int, ...] | None", tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    text = INDEXED.format(code.format(i="s4"))
    if target in ("gfx700", "gfx1030"):
        store = "flat_store_dwordx4 v[8:9], v[2:5]" if target == "gfx700" else "global_store_dwordx4 v1, v[2:5], s[0:1]"
        text = text.replace("global_store_dwordx4 v1, v[2:5], s[0:1]", f"v_mov_b32 v8, s0\n v_mov_b32 v9, s1\n {store}")
    path.write_text(text)
    x = np.zeros(4, np.int32)
    registers = {"s[0:1]": "x", "v0": "item_x", "s4": "1"}
    outcome = api.run(path, kernel="k", target=target, grid=1, registers=registers, x=x, check=False)
    if after is None:
        assert not outcome.is_complete
        return
    assert outcome.findings == ()
    assert tuple(x.tolist()) == after


def test_selectors_of_1024_registers(tmp_path: Path) -> None:
    code = "s_set_vgpr_msb 0x41\n v_add_nc_u32 v2, v2, v3\n s_set_vgpr_msb 0x1\n v_mov_b32 v4, v2\n s_set_vgpr_msb 0"
    first = "s_set_vgpr_msb 0x40\n v_mov_b32 v2, 5\n s_set_vgpr_msb 0\n "
    path = tmp_path / "k.s"
    path.write_text(INDEXED.format(first + code).replace("dwordx4", "b128"))
    x = np.zeros(4, np.int32)
    registers = {"s[0:1]": "x", "v0": "item_x"}
    outcome = api.run(path, kernel="k", target="gfx1250", grid=1, registers=registers, x=x, check=False)
    assert outcome.findings == ()
    assert x.tolist() == [10, 20, 25, 40]


MATRIX = """\
; gcn-lsp: target=gfx90a
k:
  v_mov_b32 v1, 1.0
  v_accvgpr_write_b32 a0, 0
  v_accvgpr_write_b32 a1, 0
  v_accvgpr_write_b32 a2, 0
  v_accvgpr_write_b32 a3, 0
  s_nop 1
  v_mfma_f32_4x4x1f32 a[0:3], v1, v1, a[0:3]
  s_nop 4
  v_accvgpr_read_b32 v3, a0
  v_lshlrev_b32 v4, 2, v0
  global_store_dword v4, v3, s[0:1]
  s_endpgm
"""


@pytest.mark.parametrize(("states", "first"), [(4, 1), (3, 0)])
def test_missing_wait_states_show_what_was_there_before(states: int, first: int, tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(MATRIX.replace("s_nop 4", f"s_nop {states}"))
    x = np.zeros(64, np.float32)
    registers = {"s[0:1]": "x", "v0": "item_x"}
    outcome = api.run(path, kernel="k", grid=64, registers=registers, x=x, orders=True, check=False)
    assert x[0] == 1
    if first:
        assert outcome.findings == ()
        return
    missing, changed = outcome.findings
    assert (missing.rule, changed.rule) == ("missing-wait-states", "order-dependent-result")
    assert "meets a0 4 wait states after `v_mfma_f32_4x4x1f32`, and needs 5" in missing.message
    assert "x[0] turns from 1.0 into 0.0" in changed.message
