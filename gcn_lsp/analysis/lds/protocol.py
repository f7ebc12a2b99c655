"""Follows what waves write to LDS and read from it along the paths of a kernel: in flight, waited for, published.

A wave that copies data to LDS waits until its own part has arrived, then all waves meet at a barrier, then each may
read what the others have copied. Before the place is filled again, each wave waits for its own reads, and all meet
again. Which accesses are of one place follows from the words in their address registers (`lds.words`), which are
computed along the path, so buffers that a loop exchanges are told apart.

Question: which accesses of LDS meet without the wait and the barrier between them?
Direction: forward, from each start of waves, along one path after the other.
Lattice and join: none; a node is passed again if accesses or addresses on arrival are new, up to a bound.
May or must: must, that two accesses meet; the path may be any that no comparison repeated on it rules out.
Ignored: accesses whose addresses differ by an unknown value, but for atomics at addresses that data in memory decide,
see `lds.scattered`. Two atomics, which order themselves. Paths beyond the bounds. What other kernels, or a called
function, leave. Waves that a comparison which certainly differs between them has sent to other barriers. What is under
way when a loop is left, after the next question, see `lds.exits`, but for questions about other arguments of the
kernel, and where something is wrong in whichever round that was. Reads of the LDS unit where a loop is passed by.
Overwritten data that were read for another round of a loop, when it is left and nobody uses them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cached_property, reduce
from operator import and_, itemgetter, or_

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import graphs, starting_points
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.lds import entry, exits, regions, scattered, steps, words
from gcn_lsp.analysis.lds.entry import Entry
from gcn_lsp.analysis.lds.regions import Region
from gcn_lsp.analysis.lds.steps import Comparison, ComputedWord, LdsStep, Touch
from gcn_lsp.analysis.lds.words import Atom, Sharing, Word
from gcn_lsp.analysis.machine import arithmetic, registers
from gcn_lsp.analysis.machine.effects import Effects, model_for
from gcn_lsp.analysis.waits import over_data
from gcn_lsp.analysis.waits.engine import Engine, engine_for
from gcn_lsp.analysis.waits.walk import WaitWalk
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.machine import barriers, control_flow, word_operations
from gcn_lsp.isa.memory import lds_accesses
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Lack(IntEnum):
    """What is missing between two accesses of the same bytes."""

    WAIT = 0  # for the first, by the same wave
    WAIT_BEFORE_BARRIER = 1  # the first was in flight when the wave arrived
    BARRIER = 2
    PLACE = 3  # of its own for the second: it comes after the first, and what that brought is lost
    BARRIER_FOR_DATA = 4  # a barrier, since data decide where one of the two is


DONE = -1


class Clash(NamedTuple):
    """A write to LDS and a read of the same bytes, the first of them not done for all waves before the second.

    lack: what is missing. first, second: the accesses. barrier: where the wave arrived with the first in flight, None
    but for `WAIT_BEFORE_BARRIER`. counter, limit: of the first, and the count to wait for there, `DONE` if the wave has
    waited. outstanding: accesses that the second meets. distance: instructions from the first to the second, on the
    shortest path that was followed. is_likely: whether only that the kernel has barriers says that there are two waves,
    or an argument decides whether all of their lanes are on.
    """

    lack: Lack
    first: Site
    second: Site
    barrier: "Site | None"
    counter: str
    limit: int
    outstanding: int
    distance: int
    is_likely: bool = False


class Unmet(NamedTuple):
    """A barrier that waves meet on one way from a branch; those on the other way lack it, but for that do the same."""

    branch: Site
    barrier: Site


_Key = tuple[Lack, Site, Site]  # what is missing between which accesses


class Launches(IntEnum):
    """The launches of a kernel that have a work-item."""

    ALL = 0
    OF_TWO_WAVES = 1  # likely, as there is a barrier, but a work-group of one wave may have one too
    LARGE = 2  # those that the metadata allow


class Reach(NamedTuple):
    """How far an access goes: the byte after the furthest one, the work-item of it, and the kernel.

    launches: those that have that work-item.
    """

    end: int
    lane: int
    launches: Launches
    kernel: str


class Overlap(NamedTuple):
    """A write in which two work-items cover each other's bytes in part, `apart` bytes apart."""

    one: int
    other: int
    apart: int


class Misplaced(NamedTuple):
    """An access at an address that is not the multiple it has to be. lane: a work-item that has it, None: of data."""

    needed: int
    lane: "int | None"


class Published(NamedTuple):
    """A copy to LDS with an instruction at which all waves know that it is done, or one at which it is in flight."""

    copy: Site
    barrier: Site


class Protocol(NamedTuple):
    """What follows from all paths of a program.

    unpublished: reads of copies that are not published. unordered: reads of other writes, which lack a wait or a
    barrier after these. overwritten: copies over what may still be read. rewritten: other writes over that. early:
    those of them by all lanes after reads by all lanes. doubled: writes over copies that may be under way. unmet:
    barriers that some waves lack. published: copies with their barriers. under_way: copies with the barriers that
    they may still be in flight at. places: the bytes of LDS at which an access begins, for the first wave, one for
    each buffer that it takes in turn; accesses whose address has an unknown part are not there. reached: how far
    they certainly go, and how far they may. reached_by_data: how far data may send an access, with the kernel.
    overlaps: writes in which work-items certainly cover each other's bytes in part. misplaced: accesses at
    addresses that are no multiples of what they have to be. parting: branches on EXEC that some waves certainly
    take, and others not. bounded: those at which waves of the work-group differ that the grid's bounds cut in two.
    """

    unpublished: tuple[Clash, ...]
    unordered: tuple[Clash, ...]
    overwritten: tuple[Clash, ...]
    rewritten: tuple[Clash, ...]
    early: tuple[Clash, ...]
    doubled: tuple[Clash, ...]
    unmet: tuple[Unmet, ...]
    published: tuple[Published, ...]
    under_way: tuple[Published, ...]
    places: Mapping[Site, tuple[int, ...]]
    reached: Mapping[tuple[Site, Launches], Reach]
    reached_by_data: Mapping[Site, tuple[int, str]]
    overlaps: Mapping[Site, Overlap]
    misplaced: Mapping[Site, Misplaced]
    parting: frozenset[Site]
    bounded: frozenset[Site]


class _Guard(IntEnum):
    """What decides which lanes remain in EXEC: nothing that is known, an argument, or the bounds of a whole grid.

    In some launch an argument leaves all lanes on, if only with work-groups that are smaller than those looked at. A
    comparison of the arguments and of the work-group's own number does so in each launch that is large enough; where
    the numbers of the work-items are compared as well, the last work-group may have waves without such a lane.
    """

    NONE = 0
    ARGUMENT = 1
    BOUNDS = 2
    BOUNDS_OF_ITEMS = 3


class _Unfinished(NamedTuple):
    """An access that not all waves know to be done.

    at: how many instructions the path had passed. counter, number: of its event in the order of issue. missed: the
    arrival at which it was in flight. limit: the count to wait for there. signalled: whether it was done when the wave
    signalled the barrier that it has not waited at yet. is_doubtful: whether that it is under way may depend on the
    rounds of a loop, which a question was about since. guard: what may switch lanes off.
    """

    site: Site
    region: Region
    counter: int
    number: int
    at: int
    missed: "Site | None" = None
    limit: int = 0
    signalled: bool = False
    is_doubtful: bool = False
    guard: _Guard = _Guard.NONE

    @property
    def is_all(self) -> bool:
        """Whether all lanes are on, in some launch at least."""
        return self.guard > _Guard.NONE or self.region.exec_ == regions.ALL_LANES

    @property
    def is_plain(self) -> bool:
        """Whether nothing switches lanes off or parts the waves."""
        return self.guard is _Guard.NONE and self.region.exec_ == regions.ALL_LANES and self.region.is_whole

    @property
    def full(self) -> Region:
        """The region in a launch in which its guard leaves all lanes on."""
        return self.region._replace(exec_=regions.ALL_LANES) if self.guard else self.region


class _Arrival(NamedTuple):
    """A step from a question that may be about the rounds of a loop, and the number of the state on it."""

    node: int
    way: int
    number: int


class _Counting(WaitWalk):
    """The counters along one path, without checks."""

    __slots__ = ()

    def _watch(self) -> None:
        self._watched = 0

    def _look_at_lds(self, site: Site, effects: Effects) -> None:
        """Nothing: the protocol's own regions say what is written."""

    def last(self, counter: str) -> tuple[int, int]:
        """The counter and the number, in the order of issue, of the last operation on it."""
        index = self._engine.index[counter]
        return index, self._issued[index]

    def is_done(self, counter: int, number: int) -> bool:
        """Whether an operation is certainly done."""
        return number not in self.pending(counter)

    def pending(self, counter: int) -> set[int]:
        """The numbers of the operations that are not certainly done."""
        entries = self._entries[counter]  # oldest first
        if not entries:
            return set()
        oldest = self._issued[counter] - self._engine.maxima[counter]  # done where the counter could not count them
        if -entries[0].age <= oldest and self._disorder(counter) is not None:
            oldest = -entries[0].age - 1
        return {-entry.age for entry in entries if -entry.age > oldest}

    def count(self, counter: int, number: int) -> int:
        """The highest count of a counter at which an operation is done."""
        return self._issued[counter] - number if self._disorder(counter) is None else 0

    def copy(self) -> "_Counting":
        """Another walk that goes on from here."""
        other = _Counting(self._engine, self._engine.empty)
        other._entries = [list(entries) for entries in self._entries]
        other._issued, other._most, other._lds = list(self._issued), list(self._most), self._lds
        return other


_ON = regions.ALL_LANES, regions.ALL_LANES, _Guard.NONE
_BUFFERS = 2  # that a register toggles between
_MOVED = 2  # operands of a move
_TWO_WAYS = 2  # of a conditional branch: on, and to its target
_HALF_WAVE = 32
_EXEC = (registers.EXEC & -registers.EXEC).bit_length() - 1
_NEGATED = {"=": "!", "!": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class _Path:
    """The state along one path."""

    __slots__ = (
        "answers",
        "arrival",
        "compared",
        "counters",
        "counting",
        "exec_",
        "fills",
        "forgotten",
        "guard",
        "is_apart",
        "is_by",
        "known",
        "lanes",
        "left_by",
        "level",
        "masks",
        "of_rounds",
        "of_wave",
        "passed",
        "reads",
        "unread",
        "was_written",
        "waves",
    )

    def __init__(self, counting: _Counting, known: dict[int, Word]) -> None:
        self.counting = counting
        self.known = known
        self.fills: list[_Unfinished] = []
        self.reads: list[_Unfinished] = []
        self.unread: steps.Unread = ()
        self.exec_ = regions.ALL_LANES
        self.lanes = regions.ALL_LANES  # the work-items that are on, one bit for each, if `exec_` is all
        self.guard = _Guard.NONE  # of EXEC: in some launch it has all of `lanes`
        # `exec_`, `lanes` and `guard` of saved masks, by their first register.
        self.masks: dict[int, tuple[int, int, _Guard]] = {}
        self.was_written = False  # LDS, by anything that is not among the fills
        self.forgotten = 0  # the number of the last time that registers were
        # The values that decided when loops were left; None: unknown.
        self.left_by: frozenset[Atom] | None = frozenset()
        self.level = -1  # the depth behind a loop that was left, until a question may have been about its rounds
        self.is_by = False  # that loop was passed by
        self.arrival: _Arrival | None = None  # where what is under way became doubtful
        self.is_apart = False  # other waves of the work-group certainly meet other barriers
        self.compared: tuple[str, Word, Word] | None = None
        self.counters: frozenset[int] = frozenset()  # the registers of comparisons of which all numbers were known
        self.answers: dict[tuple[str, Word, Word], _Answer] = {}
        self.of_rounds: tuple[tuple[str, Word, Word], ...] = ()  # the answers about counters of a loop that goes on
        self.of_wave: dict[tuple[object, bool], _Part] = {}  # the answers that tell waves apart
        self.waves = regions.ALL_WAVES  # those that are here
        self.passed = 0  # instructions

    def copy(self) -> "_Path":
        other = _Path(self.counting.copy(), dict(self.known))
        other.fills, other.reads = list(self.fills), list(self.reads)
        other.exec_, other.was_written, other.is_apart = self.exec_, self.was_written, self.is_apart
        other.lanes, other.masks = self.lanes, dict(self.masks)
        other.level, other.of_wave = self.level, dict(self.of_wave)
        other.is_by, other.arrival, other.guard = self.is_by, self.arrival, self.guard
        other.waves, other.unread, other.passed = self.waves, self.unread, self.passed
        other.left_by, other.forgotten, other.of_rounds = self.left_by, self.forgotten, self.of_rounds
        other.compared, other.counters, other.answers = self.compared, self.counters, dict(self.answers)
        return other


class _Answer(NamedTuple):
    """Whether a comparison holds, and the node at which that was asked first."""

    holds: bool
    node: int


class _Part(NamedTuple):
    """The waves that go one way from a branch, one bit for each, and the nodes to which only that way leads."""

    waves: int
    nodes: frozenset[int]


_Seen = dict[object, set[object]]  # how paths arrived at a node, and the counters that they had
_Data = tuple[frozenset[Site], frozenset[Site]]  # the instructions after any data, after data that may be waits


class _Exploration:
    """Goes along the paths from one start."""

    def __init__(self, graph: Graph, engine: Engine, start: Entry, wanted: int, data: _Data) -> None:
        self._graph = graph
        self._used: dict[tuple[int, int], dict[int, int]] = {}
        self._behind_data, self._behind_waits = data
        self._engine = engine
        self._start = start
        self._wanted = wanted
        self._group = start.group
        self._fresh = 0
        self._exec_numbers: dict[object, int] = {}
        self.unpublished: dict[_Key, Clash] = {}
        self.unordered: dict[_Key, Clash] = {}
        self.overwritten: dict[_Key, Clash] = {}
        self.rewritten: dict[_Key, Clash] = {}
        self.early: dict[_Key, Clash] = {}
        self.doubled: dict[_Key, Clash] = {}
        self.unmet: dict[Unmet, None] = {}
        self.published: dict[Published, None] = {}
        self.under_way: dict[Published, None] = {}
        self.places: dict[Site, set[int]] = {}
        self.reached: dict[tuple[Site, Launches], Reach] = {}
        self.reached_by_data: dict[Site, int] = {}
        self._taken: dict[Site, dict[Word, Region]] = {}  # the accesses of a site, one for each of its first addresses
        self._toggles = frozenset(number for _, numbers in steps.toggles(graph) for number in numbers)
        self._overlaps: dict[Site, Overlap | None] = {}
        self._misplaced: dict[Site, Misplaced | None] = {}
        self.parting: set[Site] = set()
        self.bounded: set[Site] = set()
        self._passed: set[tuple[int, int]] = set()  # steps
        # Those that a path knew not to be its own, with the node where it was asked before, and the other answer.
        self._ruled_out: dict[tuple[int, int], tuple[int, bool]] = {}
        self._later: list[tuple[int, _Path]] = []
        self._arrivals: dict[tuple[int, int], dict[object, int]] = {}
        self._doubtful: dict[tuple[int, int], dict[int, tuple[dict[_Key, Clash], _Key, Clash]]] = {}
        self._barriers = {node for node, _ in starting_points.of(graph, starting_points.BARRIER)}
        self._exits = exits.of(graph.shape)
        self._parting: dict[int, bool] = {}  # by node
        self._own: dict[int, tuple[frozenset[int], frozenset[int]]] = {}
        self._writers = frozenset(steps.writers(graph))
        self._addresses = 0
        for segment in graph.nodes:
            for _, touch in steps.accesses(segment):
                self._addresses |= 1 << touch.address
        self._address_registers = [bit for bit in range(self._addresses.bit_length()) if self._addresses >> bit & 1]

    def run(self) -> None:
        """Follow the paths, the latest first, up to the bounds."""
        self._follow([(self._start.node, self._first())], bounds.LDS_STEPS)
        for _ in range(bounds.LDS_RUNS if steps.copies(self._graph) else bool(self._toggles)):
            step = next((step for step in self._ruled_out if self._leads_on(step)), None)
            if step is None:
                break
            node, answer = self._ruled_out.pop(step)
            self._follow([(self._start.node, self._first())], bounds.LDS_STEPS // bounds.LDS_RUNS, {node: answer})
        self._follow(self._later, bounds.LDS_STEPS_IN_DOUBT)
        self._settle_doubts()
        self._reach_other_buffers()

    @property
    def overlaps(self) -> dict[Site, Overlap]:
        """The writes in which work-items cover each other's bytes in part, on each path."""
        return {site: found for site, found in self._overlaps.items() if found is not None}

    @property
    def misplaced(self) -> dict[Site, Misplaced]:
        """The accesses at addresses that are no multiples of what they have to be, on each path."""
        return {site: found for site, found in self._misplaced.items() if found is not None}

    def _leads_on(self, step: tuple[int, int]) -> bool:
        """Whether a step that no path has taken leads to accesses of LDS that no path has reached."""
        if step in self._passed:
            return False
        met = {way for _, way in self._passed}
        onward = self._graph.reached((step[1],), barred=tuple(self._passed))
        return any(steps.accesses(self._graph.nodes[node]) for node in onward if node not in met)

    def _first(self) -> _Path:
        return _Path(_Counting(self._engine, self._engine.empty), dict(self._start.known))

    def _follow(self, waiting: list[tuple[int, _Path]], left: int, settled: "Mapping[int, bool] | None" = None) -> None:
        """Follow the paths from some nodes. left: the most steps. settled: whether comparisons at some nodes hold."""
        seen: dict[tuple[int, _Arrival | None], _Seen] = {}
        while waiting and left > 0:
            node, path = waiting.pop()
            if path.arrival is not None and not any(each.is_doubtful for each in (*path.fills, *path.reads)):
                continue
            if not self._is_new(seen.setdefault((node, path.arrival), {}), node, path):
                continue
            segment = self._graph.nodes[node]
            found = steps.of_segment(segment, self._wanted, self._behind_data)
            left -= 1 + len(found)
            path.compared = None
            path.waves = reduce(and_, (part.waves for part in path.of_wave.values() if node in part.nodes), -1)
            start = path.passed
            for step in found:
                path.passed = start + step.number
                if step.site in self._behind_data:
                    self._forget_registers(path)
                if step.site in self._behind_waits:
                    self._forget(path)
                self._step(path, step)
            path.passed = start + len(segment.sites)
            path.unread = steps.unread_after(segment, path.unread)
            if segment.flow == "call":
                self._forget(path)
            onward = list(self._onward(node, path, (settled or {}).get(node)))
            self._passed.update((node, way) for way, _ in onward)
            waiting += onward

    def _settle_doubts(self) -> None:
        """Report what is wrong in whichever round a loop was left."""
        for step, found in self._doubtful.items():
            if len(found) == len(self._arrivals[step]):
                for into, key, clash in found.values():
                    into.setdefault(key, clash)

    def _is_new(self, seen: "_Seen", node: int, path: _Path) -> bool:
        """Whether a path arrives at a node as none has; notes it.

        Rounds that differ in a counter alone are followed, some of them: then the counter may have any value, as if
        nobody knew where it ends.
        """
        rounds = seen.get(signature := self._signature(path))
        if rounds is None:
            if len(seen) >= bounds.LDS_VISITS:
                return False
            rounds = seen[signature] = set()
        if len(rounds) >= bounds.LDS_ROUNDS:
            for register in path.counters:
                path.known[register] = words.unknown(("round", node, register), Sharing.WORK_GROUP)
        counted = tuple((register, path.known.get(register)) for register in sorted(path.counters))
        if counted in rounds:
            return False
        rounds.add(counted)
        return True

    def _signature(self, path: _Path) -> object:
        counters = {each.counter for each in path.fills} | {each.counter for each in path.reads}
        pending = {counter: path.counting.pending(counter) for counter in counters}
        return (
            tuple((each.site, each.region, each.missed, each.number in pending[each.counter]) for each in path.fills),
            frozenset(
                (each.site, each.region, each.missed, each.number in pending[each.counter]) for each in path.reads
            ),
            tuple(path.known.get(register) for register in self._address_registers),
            path.exec_,
            path.lanes,
            path.guard,
            path.is_apart,
            path.level,
            tuple(path.of_wave),
        )

    def _onward(self, node: int, path: _Path, settled: "bool | None" = None) -> Iterator[tuple[int, _Path]]:
        ways = self._graph.successors[node]
        if self._graph.nodes[node].flow == "conditional" and len(ways) == _TWO_WAYS and path.compared is not None:
            name = self._graph.nodes[node].sites[-1].mnemonic
            answer = self._answer(path, path.compared)
            if all(each.constant is not None for each in path.compared[1:]):
                path.counters |= self._sources_of(node)
            of_wave = any(words.differ_by_wave(each, self._group.wave) for each in path.compared[1:])
            if of_wave:
                path.is_apart = path.is_apart or self._parts_barriers(node, ways)
            for way, taken in zip(ways, (False, True), strict=True):
                holds = taken == name.endswith("scc1")
                if (settled if answer is None else answer) not in (None, holds):
                    if path.compared in path.answers:
                        self._ruled_out.setdefault((node, way), (path.answers[path.compared].node, holds))
                    continue
                onward = path.copy()
                onward.answers.setdefault(path.compared, _Answer(holds, node))
                if self._counts_rounds(node, path):
                    onward.of_rounds += (path.compared,)
                if of_wave:
                    part = _Part(self._waves_with(path.compared, holds=holds), self._own_nodes(node, ways)[taken])
                    onward.of_wave[path.compared, holds] = part
                yield way, self._entering(onward, node, way, is_asked=answer is None)
            return
        is_asked = self._graph.nodes[node].flow == "conditional"
        if is_asked and path.guard is _Guard.BOUNDS_OF_ITEMS and self._is_sure_of_two_waves:
            self.bounded.add(self._graph.nodes[node].sites[-1])
        if is_asked and len(ways) == _TWO_WAYS and path.exec_ >= regions.ALL_LANES:  # some lane is on
            taken_without_lanes = control_flow.EXEC_BRANCHES.get(self._graph.nodes[node].sites[-1].mnemonic)
            if taken_without_lanes is not None:
                is_taken = taken_without_lanes == (path.lanes == 0)
                if path.lanes not in (0, regions.ALL_LANES) and self._parts_waves(path):
                    self.parting.add(self._graph.nodes[node].sites[-1])
                ways, is_asked = (ways[is_taken],), False
        for number, way in enumerate(ways):
            onward = path.copy() if number + 1 < len(ways) else path
            yield way, self._entering(onward, node, way, is_asked=is_asked)

    def _parts_waves(self, path: _Path) -> bool:
        """Whether some of the waves that come here certainly have no lane on, in a kernel that no compiler wrote."""
        wave, size = self._group.wave, self._group.size
        alone = ((1 << wave) - 1, (1 << size) - 1)
        return not self._start.is_compiled and any(
            path.waves >> number & 1 and not path.lanes & alone[1] & alone[0] << number * wave
            for number in range(self._group.waves)
        )

    def _counts_rounds(self, node: int, path: _Path) -> bool:
        """Whether a number in a register is compared at the end of a node in a loop."""
        return self._exits.depths[node] > 0 and any(
            (word := path.known.get(register)) is not None and word.constant is not None
            for register in self._sources_of(node)
        )

    def _sources_of(self, node: int) -> frozenset[int]:
        """The registers that the branch at the end of a node depends on."""
        found = steps.condition(self._graph.nodes[node])
        sources = found[1].sources if found is not None else ()
        return frozenset(register for _, register, _ in sources if register is not None)

    def _entering(self, path: _Path, node: int, way: int, *, is_asked: bool) -> _Path:
        """The path on its step from a node. is_asked: whether a question that it knows no answer to chose the way."""
        conditional = self._graph.nodes[node].flow == "conditional"
        self._drop_unused(path, node, way)
        if is_asked and self._exits.asks(node, path.level) and not self._is_apart_from_rounds(path):
            if path.arrival is None and not path.is_by:
                self._doubt(path, node, way)
            path.fills, path.reads, path.level, path.left_by = [], [], -1, frozenset()
            path.was_written = True
        if self._exits.is_left(node, way):
            path.level = self._exits.depths[way]
            path.is_by = path.level == self._exits.depths[node]
            for each in path.of_rounds:  # not all rounds are followed, so another loop may have more of them
                path.answers.pop(each, None)
            path.of_rounds = ()
            if path.is_by:
                path.reads = [each for each in path.reads if each.region.access.is_copy]
            if conditional:
                asked = _given(path.compared[1:]) if path.compared is not None else None
                path.left_by = path.left_by | asked if path.left_by is not None and asked is not None else None
        return path

    def _doubt(self, path: _Path, node: int, way: int) -> None:
        """Follow a path once more, later, with what is under way on its step from a node, as doubtful."""
        states = self._arrivals.setdefault((node, way), {})
        signature = self._signature(path)
        if signature in states:
            return
        states[signature] = len(states)
        if len(states) > bounds.LDS_ARRIVALS:
            return
        doubtful = path.copy()
        doubtful.fills = [each._replace(is_doubtful=True) for each in path.fills]
        doubtful.reads = [each._replace(is_doubtful=True) for each in path.reads]
        doubtful.level, doubtful.was_written = -1, True
        doubtful.arrival = _Arrival(node, way, len(states))
        self._later.append((way, doubtful))

    def _drop_unused(self, path: _Path, node: int, way: int) -> None:
        """Forget reads whose data are for another round of a loop, if a way from a branch does not reach it."""
        if not path.unread or self._graph.nodes[node].flow != "conditional":
            return
        used = self._used_on(node, reduce(or_, (data for _, data in path.unread)))
        others = reduce(or_, (registers_ for other, registers_ in used.items() if other != way), 0)
        unused = {site for site, data in path.unread if not data & used[way] and data & others}
        path.unread = ()
        kept = []
        for each in reversed(path.reads):
            if each.site in unused:
                unused.remove(each.site)
            else:
                kept.append(each)
        path.reads = kept[::-1]

    def _used_on(self, node: int, data: int) -> dict[int, int]:
        """Those of some registers that are read on each way from a node, before anything writes to them."""
        known = self._used.get((node, data))
        if known is None:
            known = self._used[node, data] = {way: self._read_from(way, data) for way in self._graph.successors[node]}
        return known

    def _read_from(self, start: int, wanted: int) -> int:
        """Those of some registers that are read from a node on before anything writes to them.

        Any write counts. For `values.liveness` and `values.readers` registers of inactive lanes, and those that are
        written in part, keep their values, and reads for other rounds of a loop would count that certainly do not.
        """
        seen: dict[int, int] = {}
        waiting = [(start, wanted)]
        found = 0
        while waiting:
            node, left = waiting.pop()
            left &= ~(seen.get(node, 0) | found)
            seen[node] = seen.get(node, 0) | left
            segment = self._graph.nodes[node]
            for site in segment.sites if left else ():
                found |= left & (site.effects.reads if site.effects.known else wanted)
                left &= ~(found | site.effects.writes)
                if not left:
                    break
            if left and (segment.flow == "call" or node in self._graph.open_ends):
                found |= left
            elif left:
                waiting += [(way, left) for way in self._graph.successors[node]]
        return found

    @staticmethod
    def _is_apart_from_rounds(path: _Path) -> bool:
        """Whether what is asked certainly has nothing to do with the values that decided when a loop was left."""
        asked = _given(path.compared[1:]) if path.compared is not None else None
        return asked is not None and path.left_by is not None and asked.isdisjoint(path.left_by)

    def _parts_barriers(self, node: int, ways: tuple[int, ...]) -> bool:
        """Whether the ways from a node have barriers of their own, with other accesses of LDS between them.

        Kernels that give each half of the waves a loop of its own may have the same between the barriers of both: then
        the waves meet at the same time, or would if one barrier were not forgotten. Waves that come to no barrier any
        more are not waited for.
        """
        known = self._parting.get(node)
        if known is None:
            one, other = self._reached(node, ways)
            own = self._between_barriers(one - other), self._between_barriers(other - one)
            meet = not self._barriers.isdisjoint(one) and not self._barriers.isdisjoint(other)
            have = meet and len(own[0][1]) + len(own[1][1]) > 0
            self._parting[node] = known = have and not _are_alike(own[0][0], own[1][0])
            short, long = sorted(own, key=lambda each: len(each[1]))
            if have and not known and len(short[1]) < len(long[1]):
                barrier = long[1][_first_difference(short[0], long[0])]
                self.unmet[Unmet(self._graph.nodes[node].sites[-1], barrier)] = None
        return known

    def _reached(self, node: int, ways: Sequence[int]) -> tuple[frozenset[int], frozenset[int]]:
        """The nodes that are reached on each of the two ways from a node before it is passed again."""
        again = [(before, node) for before in self._graph.predecessors[node]]
        one, other = (frozenset(self._graph.reached((way,), barred=again)) for way in ways)
        return one, other

    def _own_nodes(self, node: int, ways: Sequence[int]) -> tuple[frozenset[int], frozenset[int]]:
        """The nodes that are reached on one of the two ways only."""
        known = self._own.get(node)
        if known is None:
            one, other = self._reached(node, ways)
            self._own[node] = known = one - other, other - one
        return known

    def _waves_with(self, compared: tuple[str, Word, Word], *, holds: bool) -> int:
        """The waves in which a comparison comes out so; if in none of those looked at, these stand for others."""
        relation, one, other = compared
        if one.terms or other.terms:
            return regions.ALL_WAVES
        found = 0
        for wave in range(self._group.waves):
            mine, its = (
                word.lanes if isinstance(word.lanes, int) else word.lanes[wave * self._group.wave]
                for word in (one, other)
            )
            found |= (_holds(relation, mine, its) == holds) << wave
        return found or (1 << self._group.waves) - 1

    def _between_barriers(self, nodes: frozenset[int]) -> tuple[list[Counter[str]], list[Site]]:
        """The accesses of LDS in some nodes between their barriers, by name, in the order of the text; the barriers."""
        found: list[Counter[str]] = [Counter()]
        met: list[Site] = []
        for node in sorted(nodes):
            touched = {site for site, _ in steps.accesses(self._graph.nodes[node])}
            for site in self._graph.nodes[node].sites:
                if barriers.arrives(site.mnemonic):
                    found.append(Counter())
                    met.append(site)
                elif site in touched:
                    found[-1][site.mnemonic] += 1
        return found, met

    @staticmethod
    def _answer(path: _Path, compared: tuple[str, Word, Word]) -> "bool | None":
        """Whether a comparison holds: by its numbers, or since it was answered on the path before."""
        relation, one, other = compared
        if one.constant is not None and other.constant is not None:
            return _holds(relation, one.constant, other.constant)
        known = path.answers.get(compared)
        if known is not None:
            return known.holds
        negated = path.answers.get((_NEGATED[relation[:-1]] + relation[-1], one, other))
        return None if negated is None else not negated.holds

    # One instruction

    def _step(self, path: _Path, step: LdsStep) -> None:
        site = step.site
        if not site.effects.known:
            self._forget(path)
            return
        if step.counts:
            path.counting.step(site)
        if step.touch is not None:
            self._access(path, site, step.touch)
        if barriers.arrives(site.mnemonic) or barriers.completes(site.mnemonic):
            self._barrier(path, site)
        if step.comparison is not None:
            one, other = (self._source(path, register, number) for _, register, number in step.comparison.sources)
            path.compared = (step.comparison.relation, one, other)
        if step.written:
            self._write(path, step)

    def _forget(self, path: _Path) -> None:
        """Go on as after code that is not in the file."""
        path.counting.forget()
        path.fills, path.reads = [], []
        path.was_written = True
        self._forget_registers(path)

    def _forget_registers(self, path: _Path) -> None:
        """Go on as after instructions that are not known, which neither wait nor access LDS."""
        path.known, path.masks = {}, {}
        self._fresh += 1
        path.forgotten = self._fresh

    def _source(self, path: _Path, register: "int | None", number: int) -> Word:
        if register is None:
            return words.of(number)
        known = path.known.get(register)
        if known is None:
            is_vector = bool(registers.vectors(1 << register))
            scope = Sharing.LANE if is_vector else Sharing.WORK_GROUP
            known = path.known[register] = words.unknown(("before", register, path.forgotten), scope)
        return known

    def _write(self, path: _Path, step: LdsStep) -> None:
        made = [(each.to, self._computed(path, each)) for each in step.operations]
        written = step.written
        for register in [each for each in path.masks if written >> each & 1]:
            del path.masks[register]
        if written & registers.EXEC:
            before = path.exec_, path.lanes, path.guard
            remaining = self._lanes_of(path, step.lanes) if step.lanes is not None else None
            self._set_exec(path, step.site)
            if remaining is not None and before[0] == regions.ALL_LANES:
                path.exec_, path.lanes = regions.ALL_LANES, before[1] & remaining
            if step.lanes is not None and (before[0] == regions.ALL_LANES or before[2]):
                path.guard = self._guard(path, step.lanes)
                if before[2]:
                    path.guard = before[2] if remaining is not None else min(path.guard, before[2])
                if path.guard:
                    path.lanes = before[1] if remaining is None else before[1] & remaining
            saved = written & self._wanted & registers.SGPRS
            if step.lanes is not None and saved:
                path.masks[(saved & -saved).bit_length() - 1] = before
        written &= self._wanted
        while written:
            register = (written & -written).bit_length() - 1
            written &= written - 1
            scope = Sharing.LANE if registers.vectors(1 << register) else self._scope(step.site)
            self._fresh += 1
            path.known[register] = words.unknown(("result", step.site, self._fresh), scope)
        for register, word in made:
            if word is not None:
                path.known[register] = word

    def _lanes_of(self, path: _Path, compared: Comparison) -> "int | None":
        """The work-items in which a comparison holds, one bit for each; None if that is not known."""
        one, other = (self._source(path, register, number) for _, register, number in compared.sources)
        if one.terms or other.terms:
            return None
        found = 0
        for lane in range(self._group.size):
            mine, its = (word.lanes if isinstance(word.lanes, int) else word.lanes[lane] for word in (one, other))
            found |= _holds(compared.relation, mine, its) << lane
        return found

    def _guard(self, path: _Path, compared: Comparison) -> _Guard:
        """What a comparison is, if it holds in all work-items in some launch: one side has an argument of the kernel.

        No argument is equal to the numbers of all work-items, and of data nobody knows whether they let all pass.
        """
        one, other = (self._source(path, register, number) for _, register, number in compared.sources)
        mine, its = (set(words.atoms(word)) for word in (one, other))
        apart = mine ^ its
        if compared.relation[0] == "=" or any(atom.scope is not Sharing.WORK_GROUP for atom in apart):
            return _Guard.NONE
        if not any(_is_given(atom) for atom in apart):
            return _Guard.NONE
        is_order = compared.relation[0] in "<>"
        if not (is_order and mine - its and its - mine):
            return _Guard.ARGUMENT
        is_of_items = any(words.differ_by_wave(each, self._group.wave) for each in (one, other))
        return _Guard.BOUNDS_OF_ITEMS if is_of_items else _Guard.BOUNDS

    @staticmethod
    def _scope(site: Site) -> Sharing:
        """Who has the same result in an SGPR: the work-group, of a scalar load or an operation on scalars."""
        return Sharing.WAVE if registers.vectors(site.effects.reads) else Sharing.WORK_GROUP

    def _computed(self, path: _Path, operation: ComputedWord) -> "Word | None":
        sources = {name: self._source(path, register, number) for name, register, number in operation.sources}
        if operation.formula == (word_operations.FIRST_LANE,):
            return words.of_first_lanes(sources["a"], self._group.wave)
        if operation.formula == (word_operations.LANES_BELOW,):
            return words.lanes_below(sources, self._group.size, self._group.wave)
        return words.evaluated(operation.formula, sources)

    def _set_exec(self, path: _Path, site: Site) -> None:
        """Note the value of EXEC: a constant, all lanes on, or on again; each other instruction has its own."""
        path.lanes, path.guard = regions.ALL_LANES, _Guard.NONE
        constant = next((each.value for each in site.operands[1:] if type(each.value) is int), None)
        # A mask in VCC comes from a comparison; one in other registers was saved.
        gives = site.mnemonic in control_flow.GIVES_LANES and not site.effects.reads & registers.VCC
        if gives and constant in (None, -1):
            mask = site.effects.reads & registers.SGPRS
            first = (mask & -mask).bit_length() - 1
            path.exec_, path.lanes, path.guard = path.masks.get(first, _ON)
        elif gives and constant is not None and constant > 0 and len(site.operands) == _MOVED and self._is_whole(site):
            path.exec_ = constant
        else:
            key = site if constant is None else constant
            path.exec_ = self._exec_numbers.setdefault(key, regions.ALL_LANES - 1 - len(self._exec_numbers))

    def _is_whole(self, site: Site) -> bool:
        """Whether an instruction writes EXEC for all lanes of a wave."""
        return self._group.wave == _HALF_WAVE or site.effects.writes & registers.EXEC == registers.EXEC

    # Accesses

    def _access(self, path: _Path, site: Site, touch: Touch) -> None:
        address = self._source(path, touch.address, 0)
        exec_ = regions.ALL_LANES if touch.access.base == "descriptor" else path.exec_
        lanes = regions.ALL_LANES if touch.access.base == "descriptor" else path.lanes
        region = Region(address, touch.access, touch.offsets, exec_, path.waves, lanes)
        counter = site.effects.events[0].counter
        index, number = path.counting.last(counter)
        pending = _Unfinished(site, region, index, number, path.passed, guard=path.guard)
        self._reach(site, region)
        self._look_at_lanes(site, region)
        if not address.terms:
            first = address.lanes if isinstance(address.lanes, int) else address.lanes[0]
            self.places.setdefault(site, set()).add(first + min(touch.offsets))
        if touch.access.reads:
            self._read(path, pending)
            if not touch.access.is_atomic:
                path.reads.append(pending)
        if touch.access.writes:
            self._overwrite(path, pending)
            self._double(path, pending)
            older = [each for each in path.fills if self._meeting(path, each.region, pending.region) == regions.NOWHERE]
            if touch.access.is_atomic and address.terms:  # each round of a loop has other data for it
                older = [each for each in older if each.site is not site]
            path.was_written |= len(older) < len(path.fills)
            path.fills = [*older, pending]

    def _look_at_lanes(self, site: Site, region: Region) -> None:
        """Note work-items that cover each other's bytes in part, and those with addresses that are no multiples.

        Of several paths the one counts on which nothing is wrong, as for `_reach`.
        """
        access, start = region.access, self._start
        if access.base != "vgpr" or access.is_copy or not access.writes:
            return
        if start.is_compiled and not start.is_required:
            return
        # A kernel of one wave has no bytes that a second one would cover in part: a barrier is enough to look at two.
        lanes = range(self._group.size if self._is_sure_of_two_waves else min(self._group.size, self._group.wave))
        if access.is_atomic:
            if self._misplaced.get(site, True):
                self._misplaced[site] = self._misplacement(region, lanes)
        elif self._overlaps.get(site, True):
            found = regions.overlap(region, lanes, self._group)
            self._overlaps[site] = Overlap(*found) if found is not None else None

    def _misplacement(self, region: Region, lanes: range) -> "Misplaced | None":
        address, needed = region.address, min(region.access.width, lds_accesses.MOST_ALIGNED)
        if not address.terms and region.exec_ >= regions.ALL_LANES:
            lane = regions.misplaced(region, lanes, self._group, needed)
            return Misplaced(needed, lane) if lane is not None else None
        added = scattered.steps(address)
        if added is None or self._start.is_compiled or scattered.has_half(address):
            return None
        return Misplaced(needed, None) if any(each % needed for each in added) else None

    def _reach(self, site: Site, region: Region) -> None:
        """Note how far the lanes go: those that each group has, those of two waves, those that the kernel allows.

        A barrier says that there is one wave at least. Compilers keep those of sources that are launched with a single
        work-item as well. Of several paths the one counts on which the lanes go least far, since it may be the only one
        that there is; see `_reach_other_buffers`, too.
        """
        start = self._start
        taken = self._taken.setdefault(site, {})
        if len(taken) <= _BUFFERS:
            taken.setdefault(region.address, region)
        for launches, count in self._counts.items():
            lanes, before = range(count), self.reached.get((site, launches))
            if before is not None and not before.end:
                continue
            is_known = not region.address.terms and region.exec_ >= regions.ALL_LANES and len(lanes) > 0
            furthest = regions.furthest(region, lanes, self._group) if is_known else None
            reach = Reach(*(furthest or (0, 0)), launches, start.name)
            self.reached[site, launches] = min(reach, before or reach)
        if region.address.terms and not start.is_compiled:
            end = self._reach_by_data(region)
            self.reached_by_data[site] = min(end, self.reached_by_data.get(site, end))

    @cached_property
    def _counts(self) -> dict[Launches, int]:
        """How many work-items count of each kind of launches."""
        size, has_barrier = self._group.size, self._meets_barriers and not self._start.is_compiled
        return {
            Launches.ALL: size if self._has_two_waves else min(size, self._group.wave) if has_barrier else 1,
            Launches.OF_TWO_WAVES: size if has_barrier else 0,
            Launches.LARGE: self._start.most,
        }

    def _reach_other_buffers(self) -> None:
        """Note how far accesses go that take two buffers in turn: the second round of the loop has the other one."""
        for site, taken in self._taken.items():
            one, *others = taken.values()
            if len(others) != 1 or any(each.address.terms for each in taken.values()):
                continue
            if not self._are_toggled(one.address, others[0].address):
                continue
            for launches in (Launches.ALL, Launches.OF_TWO_WAVES):
                reach = self.reached.get((site, launches))
                if reach is None or not reach.end:
                    continue
                lanes = range(self._counts[launches])
                ends = (regions.furthest(each, lanes, self._group) for each in taken.values())
                end, lane = max(((reach.end, reach.lane), *filter(None, ends)), key=itemgetter(0))
                self.reached[site, launches] = reach._replace(end=end, lane=lane)

    def _are_toggled(self, one: Word, other: Word) -> bool:
        """Whether two known words differ in each work-item by the same number of those that toggle registers."""
        apart = words.applied(word_operations.SUBTRACT, one, other).lanes
        distances = {min(each, (1 << 32) - each) for each in ((apart,) if isinstance(apart, int) else apart)}
        return len(distances) == 1 and not distances.isdisjoint(self._toggles)

    def up_to_the_end(self) -> Iterator[Clash]:
        """The missing barriers after writes that, by all work-items, go just to the end of the kernel's LDS."""
        for clash in self.unordered.values():
            reach = self.reached.get((clash.first, Launches.LARGE))
            if clash.lack is Lack.BARRIER and reach is not None and reach.end == self._start.lds:
                yield clash._replace(is_likely=True)

    def _reach_by_data(self, region: Region) -> int:
        """The byte after the furthest one to which data may send an access; 0 if that is not known."""
        added = scattered.steps(region.address)
        if added is None or scattered.is_whole_type(region.address):
            return 0
        lanes = region.address.lanes
        known = min(lanes) if isinstance(lanes, tuple) else lanes
        return known + sum(added) + max(region.offsets) + region.access.width

    def _meeting(
        self, path: _Path, written: Region, read: Region, also: "tuple[Region, ...] | None" = ()
    ) -> regions.Meeting:
        """How what is written and what is read certainly meet, of waves that meet the same barriers."""
        if path.is_apart and path.waves != regions.ALL_WAVES:  # these still meet each other
            written = written._replace(waves=written.waves & path.waves)
        met = regions.meeting(written, read, also, self._group)
        is_alone = path.is_apart and path.waves == regions.ALL_WAVES
        return met._replace(across=False) if is_alone and met.across else met

    def _read(self, path: _Path, read: _Unfinished) -> None:
        """Report a read of a copy that is not published."""
        also: tuple[Region, ...] | None = None
        found = False
        late: _Unfinished | None = None
        early: _Unfinished | None = None
        guarded: _Unfinished | None = None
        by_data: tuple[_Unfinished, bool] | None = None
        is_atomic = read.region.access.is_atomic
        for each in path.fills:
            if is_atomic and each.region.access.is_atomic:
                continue
            if self._meeting(path, each.region, read.region) == regions.NOWHERE:
                if by_data is None and is_atomic != each.region.access.is_atomic:
                    by_data = self._by_data(path, each, read)
                if guarded is None and each.guard and self._by_guard(path, each, read):
                    guarded = each
                continue
            if also is None:
                also = tuple(dict.fromkeys(other.region for other in path.fills))
            met = self._meeting(path, each.region, read.region, also)
            if met == regions.NOWHERE:
                continue
            found = True
            is_done = path.counting.is_done(each.counter, each.number)
            is_copy = each.region.access.is_copy
            if met.across and each.missed is not None and is_copy:
                self._report(path, self.unpublished, Lack.WAIT_BEFORE_BARRIER, each, read.site)
            elif met.own and not is_done and is_copy:
                self._report(path, self.unpublished, Lack.WAIT, each, read.site)
            elif met.across and each.missed is None and is_copy:
                self._report(path, self.unpublished, Lack.BARRIER if is_done else Lack.WAIT, each, read.site)
            elif met.across and self._needs_barrier(path, each, read):
                if each.missed is None:
                    late = late or each
                else:
                    early = each
        if early is not None:
            self._report(path, self.unordered, Lack.WAIT_BEFORE_BARRIER, early, read.site)
        if late is not None:
            self._report(path, self.unordered, Lack.BARRIER, late, read.site, ahead=int(late.counter == read.counter))
        elif by_data is not None:
            each, is_sure = by_data
            lack, ahead = Lack.BARRIER_FOR_DATA, int(each.counter == read.counter)
            self._report(path, self.unordered, lack, each, read.site, ahead=ahead, is_likely=not is_sure)
        elif guarded is not None:
            ahead, is_likely = int(guarded.counter == read.counter), guarded.guard < _Guard.BOUNDS
            self._report(path, self.unordered, Lack.BARRIER, guarded, read.site, ahead=ahead, is_likely=is_likely)
        if late is not None or by_data is not None or guarded is not None:
            path.fills = [each for each in path.fills if each.region.access.is_copy]  # one barrier is for all
            path.was_written = True
        if is_atomic:
            return
        if not found and not path.was_written and self._writers <= {each.site for each in path.fills}:
            self._read_first(path, read)

    def _by_guard(self, path: _Path, write: _Unfinished, read: _Unfinished) -> bool:
        """Whether all lanes read what other waves write in those launches in which a guard of the write is no limit."""
        if write.missed is not None or read.region.exec_ != regions.ALL_LANES or read.region.access.is_atomic:
            return False
        if write.region.access.is_copy or write.region.access.is_atomic:
            return False
        if not (self._start.is_required or self._meets_barriers):
            return False
        also = tuple(dict.fromkeys(other.full for other in path.fills))
        return self._meeting(path, write.full, read.region, also).across

    def _needs_barrier(self, path: _Path, write: _Unfinished, read: _Unfinished) -> bool:
        """Whether a read of what another wave writes is certainly one, in a work-group that has another wave.

        A barrier says so, or the size that the kernel requires, or that a single wave would read what it has not
        written.
        """
        if min(write.region.exec_, read.region.exec_) < regions.ALL_LANES:
            return False
        is_atomic = write.region.access.is_atomic or read.region.access.is_atomic
        if self._start.is_required or (self._meets_barriers and not (is_atomic and self._start.is_compiled)):
            return True
        if path.was_written or not all(regions.are_comparable(each.region, read.region) for each in path.fills):
            return False
        return self._lacks_alone(path, regions.of_waves(read.region, self._alone)[0])

    def _lacks_alone(self, path: _Path, needed: regions.Bytes) -> bool:
        """Whether a work-group of a single wave would read some of these bytes that it has not written."""
        for each in path.fills:
            if not each.region.address.terms:
                needed &= ~regions.of_waves(each.region, self._alone)[0]
        return needed != 0

    @cached_property
    def _alone(self) -> regions.WorkGroup:
        return self._group._replace(size=self._group.wave)

    def _by_data(self, path: _Path, write: _Unfinished, read: _Unfinished) -> "tuple[_Unfinished, bool] | None":
        """The write, if data in memory may send an atomic to what another wave writes or reads, in some launch.

        With it: whether a work-group certainly has another wave. Otherwise the kernel has a barrier, and no compiler
        keeps that for work-groups of one wave.
        """
        if path.is_apart or write.missed is not None or not (write.is_all and read.is_all):
            return None
        is_read = read.region.access.is_atomic
        atomic, sure = (read, write) if is_read else (write, read)
        added = scattered.steps(atomic.region.address)
        if added is None or sure.region.address.terms or sure.region.exec_ < regions.ALL_LANES:
            return None
        is_certain = self._are_two_waves(path, atomic if is_read else None, added)
        if not is_certain and (self._start.is_compiled or not self._meets_barriers):
            return None
        may = scattered.of_waves(atomic.region, added, self._group)
        also = tuple(each.region for each in path.fills if not each.region.address.terms)
        met = scattered.meets(sure.region, may, also, self._group, is_read=is_read)
        return (write, is_certain) if met else None

    def _are_two_waves(self, path: _Path, atomic: "_Unfinished | None", added: scattered.Steps) -> bool:
        """Whether a work-group certainly has two waves: a single one would add to what it has not written."""
        if self._start.is_required:
            return True
        if atomic is None or path.was_written:
            return False
        (needed,) = scattered.of_waves(atomic.region, added, self._alone)
        return needed.bit_length() <= self._start.lds and self._lacks_alone(path, needed)

    @cached_property
    def _has_two_waves(self) -> bool:
        """Whether each work-group has all of `_group`: the metadata require it, or allow it in a kernel with a barrier.

        Without metadata a barrier alone does not say so, nor with those that allow any size, as compilers write them.
        """
        start = self._start
        allows = self._meets_barriers and not start.is_compiled and start.most >= self._group.size
        return start.is_required or (allows and self._group.waves > 1)

    @cached_property
    def _meets_barriers(self) -> bool:
        """Whether a wave of this kernel may come to a barrier."""
        return not self._barriers.isdisjoint(self._graph.reached((self._start.node,)))

    def _read_first(self, path: _Path, read: _Unfinished) -> None:
        """Report a read of an unknown place, where LDS has nothing but what is in flight on any path."""
        copies = [each for each in path.fills if each.region.access.is_copy]
        if not copies or len(copies) != len(path.fills):
            return
        if any(regions.are_comparable(each.region, read.region) for each in copies):
            return
        if all(not path.counting.is_done(each.counter, each.number) for each in copies):
            lack = Lack.WAIT if any(each.missed is None for each in copies) else Lack.WAIT_BEFORE_BARRIER
            self._report(path, self.unpublished, lack, copies[-1], read.site)
        elif all(each.missed is not None for each in copies):
            self._report(path, self.unpublished, Lack.WAIT_BEFORE_BARRIER, copies[-1], read.site)

    def _overwrite(self, path: _Path, write: _Unfinished) -> None:
        """Report a write over what other waves may still read.

        The LDS unit itself has read when it comes to a write that was issued after a barrier.
        """
        meetings = [(each, self._meeting(path, write.region, each.region, None)) for each in path.reads]
        if not write.region.access.is_copy:
            late = [each for each, met in meetings if met.across and each.missed is None]
            plain = [each for each in late if each.is_plain]
            if plain and write.is_plain and self._is_sure_of_two_waves:
                ahead = int(plain[-1].counter == write.counter)
                self._report(path, self.early, Lack.BARRIER, plain[-1], write.site, len(plain), ahead)
            if late:
                self._report(path, self.rewritten, Lack.BARRIER, late[-1], write.site, len(late))
                path.reads = [each for each in path.reads if each.region.access.is_copy]  # one barrier is for all
            return
        in_flight = [
            each
            for each, met in meetings
            if each.missed is not None
            and (met.across or (met.own and not (path.is_apart and path.counting.is_done(each.counter, each.number))))
        ]
        met = [each for each, met in meetings if met.across] if self._has_other_waves(write.region) else []
        if in_flight:
            self._report(path, self.overwritten, Lack.WAIT_BEFORE_BARRIER, in_flight[-1], write.site, len(in_flight))
        elif met:
            self._report(path, self.overwritten, Lack.BARRIER, met[-1], write.site, len(met))

    @property
    def _is_sure_of_two_waves(self) -> bool:
        """Whether a size that is required, or a barrier in what no compiler wrote, says that there are two waves."""
        start = self._start
        return start.is_required or (self._meets_barriers and not start.is_compiled)

    def _has_other_waves(self, copied: Region) -> bool:
        """Whether a barrier, or a part of its own for each wave, says that a work-group has more than one."""
        return bool(self._barriers) or len(set(regions.of_waves(copied, self._group))) > 1

    def _double(self, path: _Path, write: _Unfinished) -> None:
        """Report a copy to where another one of the wave is still going, or another write to where any wave's is."""
        for each in path.fills:
            if not each.region.access.is_copy or each.site is write.site:
                continue
            is_pending = not path.counting.is_done(each.counter, each.number)
            ahead = int(each.counter == write.counter)
            if write.region.access.is_copy:
                if is_pending and each.missed is None and self._meeting(path, each.region, write.region).own:
                    lack = Lack.PLACE if _write_in_order(each.site, write.site) else Lack.WAIT
                    self._report(path, self.doubled, lack, each, write.site, ahead=ahead)
                continue
            met = self._meeting(path, each.region, write.region, None)
            if met.own and is_pending:
                self._report(path, self.doubled, Lack.WAIT, each, write.site, ahead=ahead)
            elif met.across:
                self._report(path, self.doubled, Lack.BARRIER, each, write.site)

    def _report(
        self,
        path: _Path,
        into: "dict[_Key, Clash]",
        lack: Lack,
        first: _Unfinished,
        second: Site,
        outstanding: int = 1,
        ahead: int = 0,
        *,
        is_likely: bool = False,
    ) -> None:
        """Note a clash. ahead: operations of the first one's counter that the second has raised by itself."""
        is_early = lack is Lack.WAIT_BEFORE_BARRIER
        barrier = first.missed if is_early else None
        count = first.limit if is_early else max(0, path.counting.count(first.counter, first.number) - ahead)
        if (
            (into is self.unordered or into is self.early)
            and not is_early
            and path.counting.is_done(first.counter, first.number)
        ):
            count = DONE
        key = (lack, first.site, second)
        counter = self._engine.counters[first.counter]
        clash = Clash(lack, first.site, second, barrier, counter, count, outstanding, path.passed - first.at, is_likely)
        if first.is_doubtful and path.arrival is not None:
            node, way, number = path.arrival
            self._doubtful.setdefault((node, way), {}).setdefault(number, (into, key, clash))
            return
        known = into.get(key)
        if known is not None and known.outstanding >= outstanding and known.limit <= count:
            clash = known._replace(distance=min(known.distance, clash.distance))
        into[key] = clash

    # Barriers

    def _barrier(self, path: _Path, site: Site) -> None:
        operand = site.operands[0].value if site.operands else barriers.WORK_GROUP
        number = barriers.number(operand)
        if number not in (barriers.WORK_GROUP, barriers.CLUSTER):
            # A barrier of some waves: what it publishes is not known.
            path.was_written |= bool(path.fills)
            path.fills, path.reads = [], []
            return
        if barriers.is_split(site.mnemonic):
            path.fills = [self._signalled(path, each, site) for each in path.fills]
            path.reads = [self._signalled(path, each, site) for each in path.reads]
            return
        if barriers.arrives(site.mnemonic):
            path.fills = [self._signalled(path, each, site) for each in path.fills]
            path.reads = [self._signalled(path, each, site) for each in path.reads]
        for each in path.fills:
            path.was_written |= each.signalled
            if each.region.access.is_copy and not each.is_doubtful:
                (self.published if each.signalled else self.under_way).setdefault(Published(each.site, site))
        path.fills = [each for each in path.fills if not each.signalled]
        path.reads = [each for each in path.reads if not each.signalled]

    @staticmethod
    def _signalled(path: _Path, each: _Unfinished, site: Site) -> _Unfinished:
        if path.counting.is_done(each.counter, each.number):
            return each._replace(signalled=True)
        count = path.counting.count(each.counter, each.number)
        return each._replace(missed=each.missed or site, limit=each.limit if each.missed else count)


def _first_difference(short: list[Counter[str]], long: list[Counter[str]]) -> int:
    return next((index for index, each in enumerate(short) if each != long[index]), len(short) - 1)


def _are_alike(one: list[Counter[str]], other: list[Counter[str]]) -> bool:
    """Whether two orders of accesses are equal, except that one of the two may lack a barrier of the other."""
    short, long = sorted((one, other), key=len)
    if len(short) == len(long):
        return short == long
    same = _first_difference(short, long)
    merged = [*long[:same], long[same] + long[same + 1], *long[same + 2 :]]
    return len(long) == len(short) + 1 and merged == short


def _write_in_order(one: Site, other: Site) -> bool:
    """Whether two copies in flight certainly write to LDS in the order of the program."""
    kinds = {event.kind for site in (one, other) for event in site.effects.events} & wait_events.LDS_FILLS
    return len(kinds) == 1 and kinds <= wait_events.LDS_FILLS_IN_ORDER


def _given(compared: tuple[Word, ...]) -> "frozenset[Atom] | None":
    """The values of which words are made, if all are given to the kernel, in registers or memory; None otherwise."""
    found = frozenset(atom for word in compared for atom in words.atoms(word))
    return found if all(_is_given(atom) for atom in found) else None


def _is_given(atom: Atom) -> bool:
    match atom.key:
        case ("before", _, 0):
            return True
        case ("result", Site() as site, _):
            return any(event.kind == wait_events.SCALAR for event in site.effects.events)
    return False


def _holds(relation: str, one: int, other: int) -> bool:
    if relation[-1] == "i":
        one, other = arithmetic.signed(one), arithmetic.signed(other)
    return {
        "=": one == other,
        "!": one != other,
        "<": one < other,
        "<=": one <= other,
        ">": one > other,
        ">=": one >= other,
    }[relation[:-1]]


@once
def of(program: Program) -> "Protocol | None":
    """The protocol of a program; None if nothing is copied between memory and LDS, or the target is not known."""
    graph = graphs.of(program)
    return _explored(program, graph) if graph is not None and steps.copies(graph) else None


@once
def of_all(program: Program) -> "Protocol | None":
    """The protocol of a program that accesses LDS, also if it copies nothing there. It takes longer than a key may."""
    graph = graphs.of(program)
    if graph is None or not steps.accesses_lds(graph):
        return None
    return of(program) or _explored(program, graph)


def _explored(program: Program, graph: Graph) -> "Protocol | None":
    if program.target is None or program.final_state.incomplete:
        return None
    data = over_data.after_any(program, graph), over_data.behind(program, graph)
    wanted = steps.wanted(graph)
    engine = engine_for(model_for(program.target))
    unpublished: list[Clash] = []
    unordered: list[Clash] = []
    overwritten: list[Clash] = []
    rewritten: list[Clash] = []
    early: list[Clash] = []
    doubled: list[Clash] = []
    unmet: dict[Unmet, None] = {}
    published: dict[Published, None] = {}
    under_way: dict[Published, None] = {}
    places: dict[Site, tuple[int, ...]] = {}
    reached_: dict[tuple[Site, Launches], Reach] = {}
    by_data: dict[Site, tuple[int, str]] = {}
    overlaps: dict[Site, Overlap] = {}
    misplaced: dict[Site, Misplaced] = {}
    parting: set[Site] = set()
    bounded: set[Site] = set()
    for start in entry.of(program, graph):
        if start.group.waves < 2:
            continue
        exploration = _Exploration(graph, engine, start, wanted, data)
        exploration.run()
        unpublished += exploration.unpublished.values()
        unordered += exploration.unordered.values()
        overwritten += exploration.overwritten.values()
        rewritten += exploration.rewritten.values()
        early += exploration.early.values()
        doubled += exploration.doubled.values()
        unmet |= exploration.unmet
        published |= exploration.published
        under_way |= exploration.under_way
        places |= {site: tuple(sorted(found)) for site, found in exploration.places.items()}
        reached_ |= exploration.reached
        by_data |= {site: (end, start.name) for site, end in exploration.reached_by_data.items() if end}
        overlaps |= exploration.overlaps
        misplaced |= exploration.misplaced
        parting |= exploration.parting
        bounded |= exploration.bounded
        full = entry.of_full_size(start) if not exploration.unordered else None
        if full is not None:
            exploration = _Exploration(graph, engine, full, wanted, data)
            exploration.run()
            unordered += exploration.up_to_the_end()
    return Protocol(
        unpublished=tuple(unpublished),
        unordered=tuple(unordered),
        overwritten=tuple(overwritten),
        rewritten=tuple(rewritten),
        early=tuple(early),
        doubled=tuple(doubled),
        unmet=tuple(unmet),
        published=tuple(published),
        under_way=tuple(under_way),
        places=places,
        reached=reached_,
        reached_by_data=by_data,
        overlaps=overlaps,
        misplaced=misplaced,
        parting=frozenset(parting),
        bounded=frozenset(bounded),
    )
