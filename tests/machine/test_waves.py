"""A wave that nothing makes wait: in the end, its stores arrive in any order."""

import numpy as np
import pytest

from gcn_lsp.machine import kernels
from gcn_lsp.machine.launch import Launch, prepare
from gcn_lsp.machine.memory import Memory
from gcn_lsp.machine.orders import Order
from gcn_lsp.machine.run import Machine
from tests.machine.programs import image

TEXT = """k:
  v_readfirstlane_b32 s6, v0
  v_mov_b32 v1, 0
  v_mov_b32 v3, 1
  s_cmp_lg_u32 s6, 0
  s_cbranch_scc1 .Lsecond
  global_store_dword v1, v3, s[2:3]  // no wait for vscnt follows
{nops}
.Lanswer:
  s_load_dword s7, s[2:3], 4  // on a way of its own to memory, beside the store
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s7, 0
  s_cbranch_scc1 .Lanswer
  s_endpgm
.Lsecond:
  global_load_dword v2, v1, s[2:3]
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s7, v2
  s_cmp_eq_u32 s7, 0
  s_cbranch_scc1 .Lsecond
  global_store_dword v1, v3, s[2:3] offset:4
  s_endpgm
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
"""


@pytest.mark.parametrize("nops", range(3))
def test_a_wave_that_waits_for_another_sees_its_store(nops: int) -> None:
    made, memory = image(TEXT.format(nops="  s_nop 0\n" * nops), "gfx1030"), Memory()
    made.load(memory)
    (kernel,) = kernels.of(made)
    registers = {"s[2:3]": "y", "v0": "item_x"}
    launch = Launch((64, 1, 1), (64, 1, 1), {"y": np.zeros(2, np.uint32)}, registers)
    late = Order("late", frozenset(("vscnt",)), turn=16)
    prepared = prepare(made, memory, kernel, launch)
    Machine(prepared, late, limit=20_000).run()
    assert prepared.buffers["y"].data.view(np.uint32).tolist() == [1, 1]
