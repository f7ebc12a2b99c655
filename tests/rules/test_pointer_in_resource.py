"""Buffer descriptors that end with a pointer."""

import pytest

from tests.rules.test_split_argument import DESCRIPTOR, METADATA
from tests.support.check import check_diagnostics, findings

KERNEL = DESCRIPTOR + METADATA.replace(".offset: 24, .size: 4", ".offset: 32, .size: 16").replace(
    "size: 28", "size: 48"
)
LOAD = "buffer_load_dword v1, off, s[4:7], 0"


def told(code: str, before: str = "") -> list[tuple[int, str]]:
    return [
        (each.where.line, each.message)
        for each in findings(f"{before}copy:\n{code}\n s_endpgm\n{KERNEL}")
        if each.rule == "pointer-in-resource"
    ]


def test_two_pointers() -> None:
    check_diagnostics(
        """
        copy:
          s_load_dwordx4 s[4:7], s[0:1], 0x0
          s_waitcnt lgkmcnt(0)
          buffer_load_dword v1, off, s[4:7], 0
        //                           ^^^^^^ warning[pointer-in-resource]: `s[6:7]` is argument `y` of kernel `copy`
          s_waitcnt vmcnt(0)
          buffer_store_dword v1, off, s[4:7], 0
          s_endpgm
        """
        + KERNEL
    )


def test_two_loads() -> None:
    two = " s_load_dwordx2 s[4:5], s[0:1], 0x8\n s_load_dwordx2 s[6:7], s[0:1], 0x0\n"
    ((_, said),) = told(f"{two} {LOAD}")
    assert "`x`" in said
    assert told(f"{two} s_buffer_load_dword s8, s[4:7], 0x0")


@pytest.mark.parametrize(
    "code",
    [
        f" s_load_dwordx4 s[4:7], s[0:1], 0x20\n {LOAD}",
        f" s_load_dwordx2 s[4:5], s[0:1], 0x0\n s_load_dwordx2 s[6:7], s[0:1], 0x10\n {LOAD}",
        f" s_load_dwordx4 s[4:7], s[0:1], 0x0\n s_mov_b32 s7, 0x27000\n {LOAD}",
        f" s_load_dwordx4 s[4:7], s[0:1], 0x0\nnext:\n {LOAD}\n s_cbranch_scc1 next",
        f" s_load_dwordx4 s[4:7], s[2:3], 0x0\n {LOAD}",
        f" s_mov_b64 s[0:1], s[8:9]\n s_load_dwordx4 s[4:7], s[0:1], 0x0\n {LOAD}",
        " s_load_dwordx4 s[4:7], s[0:1], 0x0\n global_load_dword v1, v0, s[4:5]\n global_load_dword v1, v0, s[6:7]",
        " s_load_dwordx4 s[4:7], s[0:1], 0x0\n s_load_dwordx4 s[8:11], s[4:5], 0x0\n"
        " buffer_load_dword v1, off, s[8:11], 0",
    ],
)
def test_silent(code: str) -> None:
    assert told(code) == []


def test_in_a_macro() -> None:
    macro = f".macro load to\n s_load_dwordx4 s[\\to:\\to+3], s[0:1], 0x0\n {LOAD}\n.endm\n"
    assert [line for line, _ in told(" load 4", macro)] == [2]
    assert told(" load 8", macro) == []
