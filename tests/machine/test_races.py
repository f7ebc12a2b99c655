"""Races in LDS by what orders the waves."""

import numpy as np

from gcn_lsp.machine.barriers import Barrier
from gcn_lsp.machine.races import Clocks, Conflict, History


def at(*offsets: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.array(offsets, np.int64)


def barrier(clocks: Clocks, waves: int) -> None:
    each = Barrier(waves)
    for wave in range(waves):
        each.arrive(wave, clocks)
    for wave in range(waves):
        each.passed(wave, clocks)


def test_a_read_of_another_waves_write_is_a_race() -> None:
    clocks, history = Clocks(2), History(64, 2)
    assert history.write(clocks, 0, at(0, 4, 8), 4, 100) is None
    assert history.read(clocks, 0, at(4), 4, 104) is None
    assert history.read(clocks, 1, at(16, 8), 4, 108) == Conflict(1, 0, 100, True)


def test_a_write_over_what_another_wave_reads_is_a_race() -> None:
    clocks, history = Clocks(2), History(64, 2)
    history.read(clocks, 1, at(8), 8, 100)
    assert history.write(clocks, 0, at(0, 12), 4, 104) == Conflict(1, 1, 100, False)


def test_reads_are_no_race() -> None:
    clocks, history = Clocks(2), History(64, 2)
    history.read(clocks, 1, at(8), 8, 100)
    assert history.read(clocks, 0, at(8), 8, 104) is None


def test_a_barrier_orders() -> None:
    clocks, history = Clocks(3), History(64, 3)
    history.write(clocks, 0, at(0), 4, 100)
    barrier(clocks, 3)
    assert history.read(clocks, 1, at(0), 4, 104) is None
    assert history.write(clocks, 2, at(0), 4, 108) == Conflict(0, 1, 104, False)


def test_an_earlier_barrier_does_not() -> None:
    clocks, history = Clocks(2), History(64, 2)
    barrier(clocks, 2)
    history.write(clocks, 0, at(0), 4, 100)
    assert history.read(clocks, 1, at(0), 4, 104) is not None


def test_atomics_are_no_race_and_order_what_was_before() -> None:
    clocks, history = Clocks(2), History(64, 2)
    history.write(clocks, 0, at(0), 4, 100)
    assert history.write(clocks, 0, at(32), 4, 104, is_atomic=True) is None
    assert history.write(clocks, 1, at(32), 4, 108, is_atomic=True) is None
    assert history.read(clocks, 1, at(0), 4, 112) is None


def test_bytes_of_one_dword_are_places_of_their_own() -> None:
    clocks, history = Clocks(2), History(64, 2)
    history.write(clocks, 0, at(0), 4, 100)
    barrier(clocks, 2)
    assert history.write(clocks, 0, at(4), 2, 104) is None
    assert history.write(clocks, 1, at(6), 2, 108) is None
    assert history.read(clocks, 1, at(0), 4, 112) is None
    assert history.read(clocks, 0, at(4), 4, 116) == Conflict(0, 1, 108, True)


def test_a_barrier_opens_when_the_last_wave_ends() -> None:
    clocks, each = Clocks(2), Barrier(2)
    each.arrive(0, clocks)
    assert each.round == 0
    each.leave(1)
    assert each.round == 1
