"""Shows the counts of a comparison: by manual, and by what is compared, group of encodings and generation."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

EQUAL, UNEXPLAINED, ASIDE = "equal", "UNEXPLAINED", "not evaluated"
"""How something compares, besides the reasons of differences; the last begins a text."""

# The manuals of each generation.
_GENERATIONS = {
    "Vega": ("vega", "vega7"), "CDNA 1, 2": ("cdna1", "cdna2"), "CDNA 3, 4": ("cdna3", "cdna4"), "CDNA 5": ("cdna5",),
    "RDNA 1, 2": ("rdna1", "rdna2"), "RDNA 3": ("rdna3", "rdna3.5"), "RDNA 4": ("rdna4",),
}  # fmt: skip

Found = Mapping[str, Mapping[str, Counter[str]]]
"""The counts by what is compared and by group of encodings."""


def show(found: Mapping[str, Found], say: Callable[[str], None]) -> None:
    """Shows all counts. found: by manual.

    Each cell of the tables has what is equal and how many there are; what is missing in it has a reason below.
    """
    for what in dict.fromkeys(what for counts in found.values() for what in counts):
        by_group: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for manual, counts in found.items():
            generation = next((name for name, manuals in _GENERATIONS.items() if manual in manuals), manual)
            for group, each in counts[what].items():
                by_group[group] += Counter({f"{generation} {how}": n for how, n in _parts(each).items()})
        _show_one(what, by_group, list(_generations(found)), say)
        _show_reasons(sum((each for counts in found.values() for each in counts[what].values()), Counter()), say)


def _generations(found: Mapping[str, Found]) -> dict[str, None]:
    return {name: None for name, manuals in _GENERATIONS.items() if set(manuals) & found.keys()}


def _parts(counts: Counter[str]) -> Counter[str]:
    aside = sum(count for how, count in counts.items() if how.startswith(ASIDE))
    return Counter({EQUAL: counts[EQUAL], "all": counts.total(), ASIDE: aside, UNEXPLAINED: counts[UNEXPLAINED]})


def _show_one(what: str, by_group: Mapping[str, Counter[str]], columns: list[str], say: Callable[[str], None]) -> None:
    total = sum(by_group.values(), Counter())
    say(f"{what}: {_sum(total, columns, EQUAL)} of {_sum(total, columns, 'all')} equal")
    say(f"  {'':14}" + "".join(f"{column:>14}" for column in (*columns, "explained", ASIDE, UNEXPLAINED)))
    for group, each in (*sorted(by_group.items()), ("all", total)):
        cells = [f"{each[f'{column} {EQUAL}']}/{each[f'{column} all']}" for column in columns]
        equal, every, aside, wrong = (_sum(each, columns, how) for how in (EQUAL, "all", ASIDE, UNEXPLAINED))
        cells = ["" if cell == "0/0" else cell for cell in cells]
        cells += [str(every - equal - aside - wrong), str(aside), str(wrong)]
        say(f"  {group:14}" + "".join(f"{cell:>14}" for cell in cells))


def _sum(counts: Counter[str], columns: list[str], how: str) -> int:
    return sum(counts[f"{column} {how}"] for column in columns)


def _show_reasons(counts: Counter[str], say: Callable[[str], None]) -> None:
    for how, count in counts.most_common():
        if how not in (EQUAL, UNEXPLAINED):
            say(f"  {count:5} {how}")
