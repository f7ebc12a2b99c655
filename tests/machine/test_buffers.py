"""Buffers in runs: strides, swizzling, what is out of range, formats."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gcn_lsp.running import api

LANES = 32
CODE = """k:
  s_mov_b32 s4, s0
  s_or_b32 s5, s1, {high}
  s_mov_b32 s6, {records}
  s_mov_b32 s7, {word3}
  v_mov_b32 v1, v0
  v_lshlrev_b32 v9, {shift}, v0
  {load}
  s_waitcnt vmcnt(0)
  v_lshlrev_b32 v9, 2, v0
  global_store_dword v9, v2, s[2:3]
  s_endpgm
"""
GFX9, GFX10 = 0x0002_7FAC, 0x3101_6FAC  # dwords of 32-bit floats, components as they are; gfx10: raw ranges


def run(
    folder: Path,
    load: str,
    x: Any,
    *,
    target: str = "gfx900",
    high: int = 0,
    records: int,
    word3: int = GFX9,
    shift: int = 2,
) -> "np.ndarray[Any, Any]":
    """What each lane loads from x into v2. high: the upper half of the second dword of the V#, at its place."""
    path = folder / "k.s"
    path.write_text(CODE.format(high=high, records=records, word3=word3, shift=shift, load=load))
    y = np.full(LANES, 77, x.dtype if x.dtype.itemsize == 4 else np.uint32)
    registers = {"s[0:1]": "x", "s[2:3]": "y", "v0": "item_x"}
    api.run(path, kernel="k", target=target, grid=LANES, block=LANES, registers=registers, x=x, y=y)
    return y


WORDS = np.arange(1000, 1000 + 4 * LANES, dtype=np.uint32)


def test_an_offset_in_bytes_and_the_bound(tmp_path: Path) -> None:
    found = run(tmp_path, "buffer_load_dword v2, v9, s[4:7], 0 offen offset:4", WORDS, records=40)
    assert found.tolist() == [*WORDS[1:10].tolist(), *[0] * (LANES - 9)]


def test_a_negative_offset_and_the_one_of_the_instruction_wrap(tmp_path: Path) -> None:
    load = "v_subrev_u32 v9, 16, v9\n  buffer_load_dword v2, v9, s[4:7], 0 offen offset:8"
    found = run(tmp_path, load, WORDS, records=4 * LANES)
    assert found.tolist() == [0, 0, *WORDS[: LANES - 2].tolist()]


@pytest.mark.parametrize(("target", "word3"), [("gfx900", GFX9), ("gfx1030", GFX10)])
def test_a_resource_without_a_format_is_unbound(target: str, word3: int, tmp_path: Path) -> None:
    cleared = word3 & ~(0xF << 15) if target == "gfx900" else word3 & ~(0x7F << 12)
    load = "buffer_load_dword v2, v9, s[4:7], 0 offen"
    assert run(tmp_path, load, WORDS, target=target, records=400, word3=word3).tolist() == WORDS[:LANES].tolist()
    assert not run(tmp_path, load, WORDS, target=target, records=400, word3=cleared).any()


@pytest.mark.parametrize(
    ("target", "word3", "format_"),
    [("gfx900", GFX9, "BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_UINT"), ("gfx1030", GFX10, "BUF_FMT_8_UINT")],
)
def test_a_typed_load_has_a_format_of_its_own(target: str, word3: int, format_: str, tmp_path: Path) -> None:
    load = f"tbuffer_load_format_x v2, v9, s[4:7], 0 format:[{format_}] offen"
    found = run(tmp_path, load, WORDS, target=target, records=400, word3=word3)
    assert found.tolist() == (WORDS[:LANES] & 0xFF).tolist()


@pytest.mark.parametrize(("target", "word3"), [("gfx900", GFX9), ("gfx1030", GFX10)])
def test_an_index_counts_strides(target: str, word3: int, tmp_path: Path) -> None:
    structured = word3 & ~(3 << 28) if target == "gfx1030" else word3
    load = "buffer_load_dword v2, v1, s[4:7], 0 idxen offset:4"
    found = run(tmp_path, load, WORDS, target=target, high=16 << 16, records=10, word3=structured)
    assert found.tolist() == [*WORDS[1:40:4].tolist(), *[0] * (LANES - 10)]


def test_swizzling_puts_elements_of_neighbours_side_by_side(tmp_path: Path) -> None:
    # An index stride of 8, elements of 4 bytes, a stride of 16: dword d of index i is at (i // 8 * 4 + d) * 8 + i % 8.
    word3 = GFX9 & ~(3 << 19 | 3 << 21) | 1 << 19
    load = "buffer_load_dword v2, v1, s[4:7], 0 idxen offset:8"
    found = run(tmp_path, load, WORDS, high=1 << 31 | 16 << 16, records=LANES, word3=word3)
    index = np.arange(LANES)
    assert found.tolist() == WORDS[(index // 8 * 4 + 2) * 8 + index % 8].tolist()


def test_a_dword_across_elements_of_a_swizzled_buffer(tmp_path: Path) -> None:
    # As clang copies the padding of structures in scratch: the bytes of an index, wherever its elements are.
    word3 = GFX9 & ~(3 << 19 | 3 << 21) | 1 << 19
    load = "buffer_load_dword v2, v1, s[4:7], 0 idxen offset:7"
    found = run(tmp_path, load, WORDS, high=1 << 31 | 16 << 16, records=LANES, word3=word3)
    index = np.arange(LANES)
    first, second = (WORDS[(index // 8 * 4 + dword) * 8 + index % 8] for dword in (1, 2))
    assert found.tolist() == (first >> 24 | second << 8).tolist()


@pytest.mark.parametrize(
    ("data", "number", "raw", "first"),
    [
        (1, 0, [255, 0, 51], [1.0, 0.0, 0.2]),  # 8 bits, UNORM
        (1, 1, [127, 128, 0], [1.0, -1.0, 0.0]),  # SNORM: -128 is -1, too
        (1, 2, [200, 1, 0], [200.0, 1.0, 0.0]),  # USCALED
        (1, 3, [200, 1, 0], [-56.0, 1.0, 0.0]),  # SSCALED
        (2, 7, [0x3C00, 0xC000, 0x0001], [1.0, -2.0, 2.0**-24]),  # 16 bits, FLOAT
    ],
)
def test_formats_of_one_component(data: int, number: int, raw: list[int], first: list[float], tmp_path: Path) -> None:
    x = np.array(raw + [0] * 61, np.uint8 if data == 1 else np.uint16)
    word3 = GFX9 & ~(0xF << 15 | 7 << 12) | data << 15 | number << 12
    load = "buffer_load_format_x v2, v1, s[4:7], 0 idxen"
    found = run(tmp_path, load, x, high=x.itemsize << 16, records=3, word3=word3).view(np.float32)
    assert found[:3].tolist() == [np.float32(each) for each in first]
    assert not found[3:].any()


def test_components_that_a_v_chooses(tmp_path: Path) -> None:
    x = np.array([1 + 2 * place for place in range(4 * LANES)], np.uint8)  # 8_8_8_8 UINT, the third component as x
    word3 = GFX9 & ~(0xF << 15 | 7 << 12 | 7) | 10 << 15 | 4 << 12 | 6
    load = "buffer_load_format_x v2, v1, s[4:7], 0 idxen"
    found = run(tmp_path, load, x, high=4 << 16, records=LANES, word3=word3)
    assert found.tolist() == x[2::4].tolist()


@pytest.mark.parametrize(
    ("store", "data", "expected"),
    [
        ("buffer_store_format_x v2, v1, s[4:7], 0 idxen", 4, lambda x: x),  # 32
        ("buffer_store_format_xy v[2:3], v1, s[4:7], 0 idxen", 5, lambda x: x & 0xFFFF | x << 16),  # 16_16
    ],
)
def test_each_lane_stores_its_own_elements(store: str, data: int, expected: Any, tmp_path: Path) -> None:
    word3 = GFX9 & ~(0xF << 15 | 7 << 12) | data << 15 | 4 << 12  # UINT
    path = tmp_path / "k.s"
    code = CODE.replace("s_mov_b32 s4, s0", "s_mov_b32 s4, s2").replace("s5, s1", "s5, s3")
    code = code.replace("global_store_dword v9, v2, s[2:3]", store).replace(
        "s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v2"
    )
    load = "global_load_dword v2, v9, s[0:1]"
    path.write_text(code.format(high=4 << 16, records=LANES, word3=word3, shift=2, load=load))
    x, y = np.arange(100, 100 + LANES, dtype=np.uint32), np.zeros(LANES, np.uint32)
    registers = {"s[0:1]": "x", "s[2:3]": "y", "v0": "item_x"}
    api.run(path, kernel="k", target="gfx900", grid=LANES, block=LANES, registers=registers, x=x, y=y)
    assert y.tolist() == expected(x).tolist()
