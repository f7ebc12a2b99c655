"""Regions, accesses of many lanes, and what lies outside."""

import numpy as np
import pytest

from gcn_lsp.machine.memory import Fault, Memory, Mishap, rounds


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


def test_a_read_of_what_nothing_wrote_is_reported() -> None:
    memory = Memory()
    found: list[Mishap] = []
    memory.report = found.append
    region = memory.allocate("x", "global", 64, tracks=True)
    where = addresses(region.base, region.base + 4, region.base + 8)
    memory.store(where[:2], 4, np.zeros((1, 2), np.uint32))
    memory.load(where[:2], 4)
    assert not found
    memory.load(where, 4)
    assert [each[:3] for each in found] == [("unwritten", 2, region.base + 8)]
    memory.load(where + np.uint64(2), 2)
    assert len(found) == 2


def test_a_freed_region_is_outside() -> None:
    memory = Memory()
    region = memory.allocate("x", "scratch", 16)
    memory.load(addresses(region.base), 4)
    memory.free(region)
    with pytest.raises(Fault):
        memory.load(addresses(region.base), 4)


def test_lanes_with_one_address_take_rounds() -> None:
    found = [each.tolist() for each in rounds(addresses(8, 4, 8, 8, 12))]
    assert found == [[0, 1, 4], [2], [3]]
    assert [each.tolist() for each in rounds(addresses(1, 2, 3))] == [[0, 1, 2]]
