"""The mnemonics of a file after an edit are those of the edited file."""

import random

from gcn_lsp.project import Mnemonics

LINES = (b"v_mfma_f32_4x4x1f32 a[0:3], v0, v1, 0", b".macro s_nop", b"label: s_nop 0", b"", b"; s_nop 0", b" v_dual_x")


def test_an_edit_is_counted() -> None:
    dice = random.Random(1)
    lines = [dice.choice(LINES) for _ in range(20)]
    known = Mnemonics.of(lines)
    for _ in range(200):
        first = dice.randrange(len(lines))
        last = min(len(lines), first + dice.randrange(4))
        new = dice.choices(LINES, k=dice.randrange(4))
        known = known.after_edit(lines[first:last], new)
        lines[first:last] = new
        lines = lines or [b""]
        assert known == Mnemonics.of(lines)


def test_nothing_changes_without_a_first_word() -> None:
    known = Mnemonics.of(LINES)
    assert known.after_edit([b"s_nop 0"], [b"  s_nop 1 ; more"]) is known
    assert known.without_macros() == {b"v_mfma_f32_4x4x1f32", b"v_dual_x"}
