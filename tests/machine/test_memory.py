"""Regions, accesses of many lanes, and what lies outside."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gcn_lsp.machine.memory import Fault, Memory, Offsets, Region


def addresses(*values: int) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    return np.array(values, np.uint64)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 8, 12, 16])
@pytest.mark.parametrize("shift", [0, 1, 2])
def test_what_is_stored_is_loaded(size: int, shift: int) -> None:
    memory = Memory()
    region = memory.allocate("x", "global", 256)
    where = addresses(*(region.base + shift + 20 * lane for lane in range(8)))
    values = np.arange(8 * -(-size // 4), dtype=np.uint32).reshape(-1, 8) * 0x01010101
    if size < 4:
        values &= (1 << 8 * size) - 1
    memory.store(where, size, values)
    assert (memory.load(where, size) == values).all()
    assert memory.read(int(where[3]), size) == values[:, 3].tobytes()[:size]


def test_lanes_may_go_to_several_regions() -> None:
    memory = Memory()
    one = memory.allocate("x", "global", np.arange(4, dtype=np.uint32).view(np.uint8))
    other = memory.allocate("y", "global", np.arange(10, 14, dtype=np.uint32).view(np.uint8))
    where = addresses(other.base, one.base + 4, other.base + 8)
    assert memory.load(where, 4).tolist() == [[10, 1, 12]]
    memory.store(where, 4, np.array([[7, 8, 9]], np.uint32))
    assert one.data.view(np.uint32).tolist() == [0, 8, 2, 3]
    assert other.data.view(np.uint32).tolist() == [7, 11, 9, 13]


@pytest.mark.parametrize("offset", [-4, -1, 13, 16, 1 << 20])
@pytest.mark.parametrize("lanes", [1, 2])
def test_an_access_outside_stops(offset: int, lanes: int) -> None:
    memory = Memory()
    region = memory.allocate("x", "global", 16)
    where = addresses(region.base, region.base + offset)[-lanes:]
    with pytest.raises(Fault) as caught:
        memory.load(where, 4)
    assert caught.value.mishap[:4] == ("outside", lanes - 1, region.base + offset, 4)
    with pytest.raises(Fault):
        memory.store(where, 4, np.zeros((1, lanes), np.uint32))


def test_without_any_region_everything_is_outside() -> None:
    with pytest.raises(Fault):
        Memory().load(addresses(0), 4)
    with pytest.raises(Fault):
        Memory().read(0, 1)


def test_an_access_of_no_lane_does_nothing() -> None:
    assert Memory().load(addresses(), 8).shape == (2, 0)
    Memory().store(addresses(), 8, np.zeros((2, 0), np.uint32))


def test_code_is_not_written() -> None:
    memory = Memory()
    region = memory.allocate("code", "code", 16, is_read_only=True)
    with pytest.raises(Fault) as caught:
        memory.store(addresses(region.base), 4, np.ones((1, 1), np.uint32))
    assert caught.value.mishap.kind == "read-only"
    assert not region.data.any()


def test_who_watches_is_told_of_regions_and_lanes() -> None:
    memory = Memory()
    found: list[tuple[str, list[int], list[int] | None]] = []
    one, other = memory.allocate("x", "global", 64), memory.allocate("y", "global", 64)

    def watch(region: Region, offsets: Offsets, which: "NDArray[np.intp] | None") -> None:
        found.append((region.name, offsets.tolist(), None if which is None else which.tolist()))

    memory.load(addresses(one.base + 4, one.base), 4, watch)
    memory.store(addresses(other.base, one.base + 8), 4, np.zeros((1, 2), np.uint32), watch)
    assert found == [("x", [4, 0], None), ("x", [8], [1]), ("y", [0], [0])]


def test_bytes_that_nothing_has_written() -> None:
    region = Memory().allocate("x", "global", 64, tracks=True)
    where = np.array([0, 4, 8], np.int64)
    region.store(where[:2], 4, np.zeros((1, 2), np.uint32))
    assert region.unwritten(where[:2], 4) is None
    assert region.unwritten(where, 4) == 2
    assert region.unwritten(where + 2, 2) == 2


def test_a_freed_region_is_outside() -> None:
    memory = Memory()
    region = memory.allocate("x", "scratch", 16)
    memory.load(addresses(region.base), 4)
    memory.free(region)
    with pytest.raises(Fault):
        memory.load(addresses(region.base), 4)
