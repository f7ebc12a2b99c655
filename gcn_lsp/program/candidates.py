"""The targets that a file may be for when nothing names one: its text as each of them reads it, as far as needed.

The file is taken for the target that rejects the fewest of its statements, the most likely one of several. The others
that reject no more are its rivals: the file may just as well be for one of those. To find out means to assemble the
file for several targets, which is too slow for a key; until `settle`, the file is taken for the same target as its
earlier version.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from gcn_lsp import isa
from gcn_lsp.flow.kept import latest, once
from gcn_lsp.flow.steps import Steps, finish
from gcn_lsp.instruction.memo import Assembler, assembler_for
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.patterns import regex
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.syntax.expressions import MissingSymbol

# One target for each instruction set there is, in the order in which somebody writes for it today.
LIKELY = (
    "gfx942", "gfx90a", "gfx950", "gfx908", "gfx1100", "gfx1200", "gfx1030", "gfx906", "gfx900", "gfx1150", "gfx1250",
    "gfx1010", "gfx803", "gfx700", "gfx600",
)  # fmt: skip

WHOLE = "-real-true16"  # operands of 16 bits are written as the whole register

_REFUSAL = 1_000_000

_SUFFIX = regex(r"_(?:e32|e64|e64_dpp|dpp|sdwa)$")

_ABSENT, _UNKNOWN = MissingSymbol(False), MissingSymbol(True)

# A target and the features that are switched, as in `-mattr`.
Candidate = tuple[str, str]


class Interpreted(Protocol):
    """A file as one target reads it."""

    @property
    def chunks(self) -> Sequence[Chunk]:
        """Its parts."""

    @property
    def assembler(self) -> Assembler:
        """What assembled it."""


P = TypeVar("P", bound=Interpreted)


class Candidates(Generic[P]):
    """One version of a text for each target of `names`, the most likely first, with either way to set up its features.

    mattr: features that are known. build: interprets the text for a candidate, with the program of an earlier version
    if there is one. earlier: the candidates of an earlier version, whose programs these take over.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        mattr: str,
        build: Callable[[Candidate, "P | None"], P],
        earlier: "Candidates[P] | None" = None,
    ) -> None:
        self.names = names
        self._known = mattr
        self._build = build
        self._all = tuple((name, mattr or features) for name in names for features in _features(name, mattr))
        before = earlier._taken if earlier is not None else None
        self._taken: Candidate = before if before is not None and before in self._all else self._all[0]
        self._fewest: int | None = None
        self._programs: dict[Candidate, P] = {}
        self._earlier: dict[Candidate, P] = earlier._hand_over() if earlier is not None else {}

    @property
    def name(self) -> str:
        """The target that the file is taken for."""
        return self._taken[0]

    @property
    def mattr(self) -> str:
        """The features that the file is taken to be assembled with."""
        return self._taken[1]

    @property
    def assumed(self) -> P:
        """The file as that target reads it."""
        return self._program(self._taken)

    @property
    def is_settled(self) -> bool:
        """Whether the file is taken for the right one: a comparison follows otherwise."""
        return self._fewest is not None

    def settle(self) -> Steps[P]:
        """Take the file for the target that rejects the fewest statements; the result is the file as that reads it."""
        if self._fewest is None:
            best = self._all[0]
            first = self._program(best)
            fewest = _count(first)
            for candidate in self._all[1:]:
                if not fewest:
                    break
                if _refuses(first) or any(_takes(candidate, first.assembler, each) for each in _all_rejected(first)):
                    yield
                    count = self._count(candidate)
                    if count < fewest:
                        best, fewest = candidate, count
            self._taken, self._fewest = best, fewest
        return self.assumed

    def rivals(self) -> Iterator[P | None]:
        """The file as each other candidate reads it that rejects no more of it; None for one that rejects more."""
        fewest = self._settled()
        name, mattr = self._taken
        replaying = ((name, mattr.replace("-xnack", "+xnack")),) if not self._known and "-xnack" in mattr else ()
        words = frozenset().union(*map(_words, self.assumed.chunks))
        for candidate in (*self._all, *replaying):
            if candidate == (name, mattr) or not all(candidate[0] in having(word) for word in words):
                continue  # what lacks one of the mnemonics need not be asked for more
            if WHOLE in candidate[1] and WHOLE not in mattr:
                continue  # it differs only in how lines are written, and they are written for the other
            program = self._program(candidate)
            yield program if _count(program) <= fewest else None

    def rejected(self, chunk: Chunk) -> Iterator[tuple[Instruction, bool]]:
        """The instructions of a chunk that the assumed target rejects.

        With each, whether it is right for a candidate that rejects no more of the file; until `settle`, for any.
        """
        takers = _takers(chunk, self._all, self.assumed.assembler)
        for instruction, having in zip(_rejected(chunk)[0], takers, strict=True):
            yield instruction, any(self._fewest is None or self._count(each) <= self._fewest for each in having)

    def _count(self, candidate: Candidate) -> int:
        return _count(self._program(candidate))

    def _settled(self) -> int:
        """How many statements the target rejects that the file is taken for, once that is settled."""
        finish(self.settle())
        assert self._fewest is not None
        return self._fewest

    def _program(self, candidate: Candidate) -> P:
        found = self._programs.get(candidate)
        if found is None:
            found = self._programs[candidate] = self._build(candidate, self._earlier.pop(candidate, None))
        return found

    def _hand_over(self) -> dict[Candidate, P]:
        """All programs there are, of which these candidates keep only what a request under way may ask for."""
        programs = {**self._earlier, **self._programs}
        self._earlier = {}
        self._programs = {self._taken: self.assumed}
        return programs


@latest
def _takers(chunk: Chunk, candidates: tuple[Candidate, ...], assembler: Assembler) -> tuple[tuple[Candidate, ...], ...]:
    """For each instruction of a chunk that its target rejects the candidates that take it."""
    return tuple(
        tuple(candidate for candidate in candidates if _takes(candidate, assembler, instruction))
        for instruction in _rejected(chunk)[0]
    )


def _takes(candidate: Candidate, assembler: Assembler, instruction: Instruction) -> bool:
    """Whether a candidate takes an instruction that the target of `assembler` rejects."""
    values = assembler.values_of(instruction.statement, instruction)
    if values is None:
        return True  # the values of its symbols are no longer known

    def lookup(symbol: str) -> "int | MissingSymbol":
        value = values.get(symbol, _ABSENT)
        return _UNKNOWN if value is None else value

    found = assembler_for(isa.load_target(*candidate)).instruction(instruction.statement, lookup)
    return bool(found.code) or not found.problems


def _all_rejected(program: Interpreted) -> Iterator[Instruction]:
    """The instructions that the target does not take, each once."""
    seen: set[int] = set()
    for chunk in program.chunks:
        for instruction in _rejected(chunk)[0]:
            if id(instruction) not in seen:
                seen.add(id(instruction))
                yield instruction


@lru_cache(maxsize=4096)
def having(word: str) -> frozenset[str]:
    """The targets that have a mnemonic, with or without a suffix that chooses an encoding."""
    return frozenset(isa.targets_with(word) or isa.targets_with(_SUFFIX.sub("", word)))


@lru_cache(maxsize=64)
def _features(name: str, mattr: str) -> tuple[str, ...]:
    """The features to assume: without replay, waves of either size, and registers of 16 bits written as either.

    Kernels of the time before LLVM 23 write the whole register.
    """
    if mattr:
        return (mattr,)
    target = isa.load_target(name)
    replay = "-xnack" if target.may_replay and not target.replays else ""
    sizes = ("",) if target.assumes_one_wave_size else ("", "+wavefrontsize64")
    widths = ("", WHOLE) if target.has_true16 else ("",)
    return tuple(",".join(filter(None, (replay, size, width))) for width in widths for size in sizes)


def _count(program: Interpreted) -> int:
    """How many statements the target rejects.

    An `.error` counts for more than all others: it says that the file is for another target, and may end it.
    """
    return sum(len(instructions) + errors * _REFUSAL for instructions, errors in map(_rejected, program.chunks))


def _refuses(program: Interpreted) -> bool:
    """Whether a line says that the file is for other targets: an `.error` that is reached."""
    return any(_rejected(chunk)[1] for chunk in program.chunks)


@once
def _words(chunk: Chunk) -> frozenset[str]:
    """The mnemonics of a chunk that its target takes."""
    return frozenset(
        item.statement.word for item in chunk.items if item.instruction is not None and item.instruction.code
    )


@once
def _rejected(chunk: Chunk) -> tuple[tuple[Instruction, ...], int]:
    """The instructions of a chunk that its target rejects, and the number of its `.error` lines."""
    instructions = (item.instruction for item in chunk.items)
    return (
        tuple(each for each in instructions if each is not None and each.problems and not each.code),
        sum(problem.problem.rule == "user-error" for problem in chunk.problems),
    )
