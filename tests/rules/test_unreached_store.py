"""Kernels of which no path leads to a store."""

import pytest

from gcn_lsp.rules import unreached_store
from tests.support import fixture
from tests.support.check import build, check_diagnostics

_DESCRIPTOR = """
.amdhsa_kernel k
 .amdhsa_next_free_vgpr 8
 .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
"""


def found(code: str, target: str = "gfx900", descriptor: str = _DESCRIPTOR) -> list[int]:
    """The lines of the findings, counted from 1."""
    built = build(fixture.parse(f"k:\n {code}\n{descriptor}"), target)
    return [each.where.line + 1 for each in unreached_store.check(built)]


def test_a_branch_to_the_end_in_place_of_the_store() -> None:
    check_diagnostics(
        """
        sum:
          v_cmp_gt_u32 vcc, 64, v0
          s_and_b64 exec, exec, vcc
          s_cbranch_execz done
          v_add_u32 v0, 64, v0
          s_branch sum
        total:
          v_mov_b32 v1, v0
        //^^^^^^^^^^^^^^^^ warning[unreached-store]: the stores of kernel `sum`, the first of which is on line 10
          global_store_dword v[2:3], v1, off
        done:
          s_endpgm
        .amdhsa_kernel sum
          .amdhsa_next_free_vgpr 8
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
        """
    )


_STORE = "global_store_dword v[2:3], v1, off"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        (f"s_endpgm\nl:\n {_STORE}\n s_endpgm", [4]),
        ("ds_write_b32 v0, v1\n s_branch e\nl:\n global_atomic_add v[2:3], v1, off\ne:\n s_endpgm", [5]),
        (f"s_branch e\n {_STORE}\ne:\n s_endpgm", [3]),
        # A store that is reached, on whatever condition; a message; nothing to store at all.
        (f"{_STORE}\n s_endpgm\nl:\n {_STORE}\n s_endpgm", []),
        (f"s_cbranch_scc1 l\n s_endpgm\nl:\n {_STORE}\n s_endpgm", []),
        (f"s_sendmsg sendmsg(MSG_INTERRUPT)\n s_endpgm\nl:\n {_STORE}\n s_endpgm", []),
        (f"s_store_dword s4, s[2:3], 0x0\n s_endpgm\nl:\n {_STORE}\n s_endpgm", []),
        ("s_endpgm\nl:\n ds_write_b32 v0, v1\n s_endpgm", []),
        ("v_mov_b32 v0, 0\n s_endpgm", []),
        # Nobody knows where control goes, or an address is taken.
        (f"s_swappc_b64 s[30:31], s[8:9]\n s_endpgm\nl:\n {_STORE}\n s_endpgm", []),
        (f"s_setpc_b64 s[8:9]\nl:\n {_STORE}\n s_endpgm", []),
        (f"s_mov_b32 s4, l-k\n s_endpgm\nl:\n {_STORE}\n s_endpgm", []),
        (f".long 0\n s_endpgm\nl:\n {_STORE}\n s_endpgm", []),
    ],
)
def test_stores(code: str, lines: list[int]) -> None:
    assert found(code) == lines


def test_code_that_is_no_kernel() -> None:
    assert found(f"s_endpgm\nl:\n {_STORE}\n s_endpgm", descriptor="") == []


def test_on_rdna() -> None:
    code = "s_endpgm\nl:\n global_store_b32 v[2:3], v1, off\n s_endpgm"
    assert found(code, "gfx1100") == [4]
    assert found("exp mrt0 v0, v0, v0, v0 done\n " + code, "gfx1100") == []
