"""What a wave has in flight."""

from gcn_lsp.machine.in_flight import InFlight, Operation, counted
from tests.machine.programs import image

TEXT = "k:\n  global_load_dword v5, v0, s[0:1]\n  global_store_dword v0, v1, s[0:1]\n  s_endpgm\n"


def test_stores_that_nobody_waits_for_are_forgotten() -> None:
    load, store = list(image(TEXT, "gfx900").steps.values())[:2]
    in_flight = InFlight({"vmcnt": (frozenset(("load", "store")),)})
    in_flight.add(Operation(load, counted(load), 0, None))
    for number in range(10_000):
        in_flight.add(Operation(store, counted(store), number, None))
        assert len(in_flight.operations) < 200
    assert in_flight.writes  # the load is not: what reads its result is to be reported
    for _ in range(3):
        in_flight.add(Operation(load, counted(load), 10_000, None))
    in_flight.wait([("vmcnt", 2)])
    assert [each.step for each in in_flight.operations] == [load, load]
    in_flight.wait([("vmcnt", 0)])
    assert in_flight.operations == []
    assert not in_flight.writes
