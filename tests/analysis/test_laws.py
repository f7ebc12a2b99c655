"""The laws of every join: the order in which ways meet, and how often, changes nothing of what a state says."""

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.hazards import walk as hazards
from gcn_lsp.analysis.hazards.profiles import rows_for
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import liveness
from gcn_lsp.analysis.values.liveness import Live
from gcn_lsp.analysis.waits import slack, walk
from gcn_lsp.analysis.waits.engine import engine_for
from gcn_lsp.analysis.waits.state import Pending
from gcn_lsp.analysis.waits.state import WaitState as InFlight
from tests.analysis import support

TEXT = """
k:
  s_load_dwordx2 s[0:1], s[4:5], 0x0
  global_load_dword v0, v[2:3], off
  global_load_dword v1, v[2:3], off offset:4
  ds_read_b32 v4, v5
  ds_write_b32 v5, v6
  global_store_dword v[2:3], v4, off
  s_waitcnt vmcnt(1)
  s_waitcnt lgkmcnt(0)
  v_readfirstlane_b32 s8, v0
  v_cmp_eq_u32 vcc, v0, v1
  v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
  s_mov_b32 m0, s8
  s_endpgm
"""
PROGRAM = support.program(TEXT, "gfx908")
GRAPH = graphs.of(PROGRAM)
assert GRAPH is not None
SITES = [site for segment in GRAPH.nodes for site in segment.sites]
ENGINE = engine_for(GRAPH.model)
SLACK = slack.Slack(ENGINE)
ROWS = rows_for(GRAPH.model.target)
DANGERS = [(site, danger) for site in SITES for danger in ROWS.of(site.item.instruction, site.effects).dangers]
WAITS = [site for site in SITES if site.effects.waits]
MASKS = st.integers(0, (1 << 12) - 1)


class Join(NamedTuple):
    """A join with states for it. meaning: what a state says, whatever order its parts are in.

    A bound that grows at a join is widened, so it is no part of the meaning: see `test_a_join_covers_both`.
    """

    states: st.SearchStrategy[Any]
    join: Callable[[Any, Any], Any]
    meaning: Callable[[Any], Any] = lambda state: state


def in_flight() -> st.SearchStrategy[InFlight]:
    """States of the waits: some of the operations on each counter, each once."""

    def of_counter(name: str) -> st.SearchStrategy[tuple[Pending, ...]]:
        events = [(site, number) for site in SITES for number, each in enumerate(site.effects.events)]
        here = [(site, number) for site, number in events if site.effects.events[number].counter == name]
        ages = st.fixed_dictionaries({}, optional={each: st.integers(0, 9) for each in here})
        waits = st.sampled_from([(None, 0), *((site, 1) for site in WAITS)])
        return st.tuples(ages, waits).map(
            lambda drawn: tuple(
                Pending(age, site, number, *drawn[1])
                for (site, number), age in sorted(drawn[0].items(), key=lambda item: -item[1])
            )
        )

    pending = st.tuples(*map(of_counter, ENGINE.counters))
    most = st.tuples(*(st.integers(0, 20) for _ in ENGINE.counters))
    return st.builds(ENGINE.state, pending, most, st.integers(0, 3))


def meaning_of_waits(state: InFlight) -> Any:
    return tuple(map(frozenset, state.pending)), state.lds


def dangers() -> st.SearchStrategy[hazards.HazardState]:
    """States of the hazards: some dangers, each at one distance."""
    passed = st.tuples(st.integers(0, 5), st.frozensets(st.sampled_from(WAITS)))
    pending = st.fixed_dictionaries({}, optional=dict.fromkeys(DANGERS, passed)).map(
        lambda found: frozenset((site, danger, *rest) for (site, danger), rest in found.items())
    )
    firsts = st.dictionaries(st.integers(0, 3), st.integers(1, 15)).map(lambda found: tuple(sorted(found.items())))
    return st.builds(hazards.STATES.state, pending, firsts, st.integers(0, 4))


def settled() -> st.SearchStrategy[slack.Settled]:
    """States of the waits with what they have completed."""
    credit = st.builds(slack.Credit, st.sampled_from(WAITS), st.integers(0, 2), st.integers(0, 4), MASKS)
    return st.builds(SLACK.intern, in_flight(), st.frozensets(credit, max_size=4))


JOINS = {
    "waits": Join(in_flight(), ENGINE.join, meaning_of_waits),
    "slack": Join(settled(), SLACK.join, lambda state: (meaning_of_waits(state.flight), state.credits)),
    "hazards": Join(dangers(), hazards.join, lambda state: (state.pending, state.firsts, state.busy)),
    "liveness": Join(st.builds(Live, MASKS, MASKS), liveness.join),
    "registers": Join(MASKS, registers.union),
}


@pytest.mark.parametrize("name", JOINS)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_joins(name: str, data: st.DataObject) -> None:
    states, join, meaning = JOINS[name]
    one, two, three = data.draw(states), data.draw(states), data.draw(states)
    assert join(one, one) is one, "idempotent"
    assert meaning(join(one, two)) == meaning(join(two, one)), "commutative"
    assert meaning(join(join(one, two), three)) == meaning(join(one, join(two, three))), "associative"


@pytest.mark.parametrize("name", JOINS)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_a_join_covers_both(name: str, data: st.DataObject) -> None:
    """The join is the very first state if that covers the other, so that the solver terminates."""
    states, join, _ = JOINS[name]
    one, two = data.draw(states), data.draw(states)
    both = join(one, two)
    assert join(both, one) is both
    assert join(both, two) is both


@settings(max_examples=50, deadline=None)
@given(st.lists(in_flight(), min_size=2, max_size=12))
def test_a_bound_that_grows_does_so_a_few_times(states: list[InFlight]) -> None:
    steps = [ENGINE.empty]
    for state in states:
        steps.append(ENGINE.join(steps[-1], state))
    for counter in range(len(ENGINE.counters)):
        bounds = [state.most[counter] for state in steps]
        assert bounds == sorted(bounds)
        assert len(set(bounds)) <= 3, "nothing, a few, many"


@settings(max_examples=50, deadline=None)
@given(MASKS, MASKS, MASKS, MASKS)
def test_liveness_is_monotone(here: int, anywhere: int, more: int, more_anywhere: int) -> None:
    less, all_ = Live(here, anywhere), Live(here | more, anywhere | more_anywhere)
    for segment in graph_nodes():
        before = liveness.before_segment(segment, all_)
        assert liveness.join(before, liveness.before_segment(segment, less)) is before


@settings(max_examples=50, deadline=None)
@given(in_flight(), in_flight())
def test_waits_are_monotone(one: InFlight, two: InFlight) -> None:
    """Of what is in flight after an instruction nothing is lost when more is in flight before it."""
    both = ENGINE.join(one, two)
    for site in SITES:
        found, more = after(site, one), after(site, both)
        if not more.missing:  # an instruction that must wait continues as if it had waited
            assert operations(found.state()) <= operations(more.state())


def after(site: Site, state: InFlight) -> walk.WaitWalk:
    steps = walk.WaitWalk(ENGINE, state)
    steps.step(site)
    return steps


def operations(state: InFlight) -> frozenset[tuple[Site, int]]:
    return reduce(frozenset.union, (frozenset((each.site, each.event) for each in part) for part in state.pending))


def graph_nodes() -> list[Segment]:
    assert GRAPH is not None
    return GRAPH.nodes
