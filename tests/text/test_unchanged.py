"""The lines that two versions of a text share."""

import random

import pytest

from gcn_lsp.text import SourceText, UnchangedLines


@pytest.mark.parametrize(
    ("old", "new", "front", "back", "shift"),
    [
        ("abc", "abc", 3, 3, 0),
        ("abc", "axc", 1, 2, 0),
        ("abc", "abxc", 2, 2, 1),
        ("abc", "ac", 1, 2, -1),
        ("aaa", "aa", 2, 3, -1),
        ("", "ab", 0, 0, 2),
    ],
)
def test_what_two_texts_have_in_common(old: str, new: str, front: int, back: int, shift: int) -> None:
    lines = ([bytes([each]) for each in text.encode()] for text in (old, new))
    assert UnchangedLines.of(*lines) == UnchangedLines(front, back, shift)


def test_an_edit_that_changes_nothing_leaves_all_lines() -> None:
    before = SourceText("k.s", (b"a", b"b", b"c"))
    after = before.replace(1, 0, 1, 1, b"b")
    assert UnchangedLines.of(before.lines, after.lines) == UnchangedLines(3, 3, 0)


def test_an_edit_tells_which_lines_it_left() -> None:
    """Without a comparison of all lines; each line that is said to be there is."""
    for seed in range(300):
        dice = random.Random(seed)
        before = SourceText("k.s", tuple(dice.choice((b"a", b"b", b"ab", b"")) for _ in range(dice.randint(1, 6))))
        first = dice.randrange(len(before.lines))
        last = dice.randrange(first, len(before.lines))
        start, end = (dice.randint(0, len(before.lines[line])) for line in (first, last))
        if first == last and end < start:
            start, end = end, start
        after = before.replace(first, start, last, end, dice.choice((b"", b"a", b"\n", b"b\na", b"\n\n")))
        found = UnchangedLines.of(before.lines, after.lines)
        kept = {line: found.now(line) for line in range(len(before.lines))}
        assert all(after.lines[now] == before.lines[line] for line, now in kept.items() if now is not None)
        assert all(kept[line] == line for line in range(first))
        assert all(kept[line] is not None for line in range(last + 1, len(before.lines)))
