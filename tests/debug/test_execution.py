"""A run backwards: from states that are kept."""

from pathlib import Path

import numpy as np
import pytest

from gcn_lsp import project
from gcn_lsp.debug.execution import Execution
from gcn_lsp.machine.launch import Launch, Prepared, prepare
from gcn_lsp.machine.memory import Memory
from gcn_lsp.machine.orders import EARLY
from gcn_lsp.machine.run import Machine
from gcn_lsp.running import opened, runs

TEXT = """k:
  v_lshlrev_b32 v1, 2, v0
  v_mov_b32 v2, 0
  s_movk_i32 s6, 100
.Lloop:
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  v_xor_b32 v3, 4, v1
  ds_read_b32 v4, v3
  s_waitcnt lgkmcnt(0)
  v_add3_u32 v2, v2, v4, v0
  global_store_dword v1, v2, s[2:3]
  s_barrier
  s_sub_u32 s6, s6, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 .Lloop
  s_endpgm
"""


@pytest.fixture
def execution(tmp_path: Path) -> Execution:
    path = tmp_path / "kernel.s"
    path.write_text(TEXT)
    file = opened.read(str(path), project.Settings(target="gfx900"))
    launch = Launch((256, 1, 1), (128, 1, 1), {"y": np.zeros(128, np.uint32)}, {"s[2:3]": "y", "v0": "item_x"}, 1024)

    def make() -> Prepared:
        memory = Memory()
        file.image.load(memory)
        return prepare(file.image, memory, runs.kernel_of(file, "k"), launch)

    return Execution(make, EARLY, 1 << 20)


def state(of: Execution) -> tuple[object, ...]:
    """All that a debugger shows of a run."""
    waves = [
        (each.name, each.wave.pc, each.state, each.executed, each.wave.vgprs.tobytes(), each.wave.sgprs.tobytes())
        for each in of.machine.waves
    ]
    memory = [region.data.tobytes() for region in of.machine.prepared.memory]
    lds = [each.group.lds.data.tobytes() for each in of.machine.waves]
    found = of.wave.name if of.wave is not None else None
    return of.position, found, waves, memory, lds, of.machine.result.executed


def test_going_back_is_the_state_of_before(execution: Execution, monkeypatch: pytest.MonkeyPatch) -> None:
    execution._distance = 50
    seen = {execution.position: state(execution)}
    while execution.forward():
        if execution.position % 37 == 0:
            seen[execution.position] = state(execution)
    end = execution.position
    assert 2 < len(execution._states) <= 16
    for position in sorted(seen, key=lambda each: (each * 7919) % 101):
        execution.back(position)
        assert state(execution) == seen[position]
    while execution.forward():
        pass
    assert execution.position == end


def test_it_does_not_begin_at_the_start(execution: Execution, monkeypatch: pytest.MonkeyPatch) -> None:
    execution._distance = 100
    while execution.forward():
        pass
    monkeypatch.setattr(execution, "_start", lambda: pytest.fail("it begins at the start"))
    end = execution.position
    steps = 0
    forward = execution.forward

    def counted() -> bool:
        nonlocal steps
        steps += 1
        return forward()

    monkeypatch.setattr(execution, "forward", counted)
    execution.back(end - 1)
    assert steps < 2 * execution._distance


def test_a_change_is_not_lost_and_not_kept_beyond_its_time(execution: Execution) -> None:
    execution._distance = 100
    while execution.position < 450:
        execution.forward()
    plain = state(execution)
    execution.back(250)

    def change(machine: Machine) -> None:
        machine.waves[0].wave.vgprs[2] += 1000

    execution.edit(change)
    while execution.position < 450:
        execution.forward()
    changed = state(execution)
    assert changed != plain
    execution.back(300)
    while execution.position < 450:
        execution.forward()
    assert state(execution) == changed
    execution.back(200)
    while execution.position < 450:
        execution.forward()
    assert state(execution) == plain
    execution.back(430)  # from a state after the change, which is gone
    while execution.position < 450:
        execution.forward()
    assert state(execution) == plain
