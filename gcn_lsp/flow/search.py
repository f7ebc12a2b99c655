"""Searches from some places of a graph to what comes after them.

`flow.solver` passes the whole graph, and after an edit the blocks that it concerns. A search is for the places that
control reaches from a few, backward or forward. Its caller goes over it, and adds what comes after the place in hand:
an edge that it does not add is not taken, and it may stop at any place.

- `Search` visits each place once. `Fixpoint` keeps a state for each place, and visits it again when that changes.

A place is any hashable value: a node, or a node with whatever else decides the way from there. The order of visits
depends on nothing but the order in which places are added.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

Place = TypeVar("Place")
Ordered = TypeVar("Ordered", bound=Any)  # places with an order
State = TypeVar("State")


class Search(Generic[Place]):
    """The places that a search reaches, each once, the one added last first.

    seen: those added so far.
    """

    __slots__ = ("_waiting", "seen")

    def __init__(self, starts: Iterable[Place]) -> None:
        self._waiting = list(dict.fromkeys(starts))
        self.seen = set(self._waiting)

    def __iter__(self) -> Iterator[Place]:
        waiting = self._waiting
        while waiting:
            yield waiting.pop()

    def add(self, places: Iterable[Place]) -> None:
        """Visit those of some places that were not added before."""
        seen, waiting = self.seen, self._waiting
        for place in places:
            if place not in seen:
                seen.add(place)
                waiting.append(place)


def reached(starts: Iterable[Place], after: Callable[[Place], Iterable[Place]]) -> set[Place]:
    """The places that a search reaches, including where it starts. after: the places after each."""
    search = Search(starts)
    for place in search:
        search.add(after(place))
    return search.seen


class Fixpoint(Generic[Ordered, State]):
    """The places that a search reaches, the lowest first, each again when the state before it has changed.

    states: by place. join: the least state that covers two; its very first argument, or an equal one, if that covers
    the second. most: visits, after which the search stops. visits: those so far.
    """

    __slots__ = ("_join", "_most", "_pending", "_waiting", "states", "visits")

    def __init__(self, join: Callable[[State, State], State], most: "int | None" = None) -> None:
        self.states: dict[Ordered, State] = {}
        self.visits = 0
        self._join = join
        self._most = most
        self._waiting: list[Ordered] = []
        self._pending: set[Ordered] = set()

    def __iter__(self) -> Iterator[tuple[Ordered, State]]:
        waiting, pending, states = self._waiting, self._pending, self.states
        while waiting and self.visits != self._most:
            self.visits += 1
            place = heapq.heappop(waiting)
            pending.discard(place)
            yield place, states[place]

    def arrive(self, place: Ordered, state: State) -> None:
        """Join a state with the one before a place, which is visited again if that changes it."""
        states = self.states
        if place in states:
            before = states[place]
            state = self._join(before, state)
            if state is before or state == before:
                return
        states[place] = state
        if place not in self._pending:
            self._pending.add(place)
            heapq.heappush(self._waiting, place)
