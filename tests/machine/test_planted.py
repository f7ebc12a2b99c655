"""A sample of what `python -m tests.machine.planted` does: unbroken kernels are silent, defects in them show."""

from pathlib import Path

import pytest

from tests.machine import harmless, planted
from tests.machine.planted import KERNELS, KINDS, Subject

NAMES = [each.name for each in KERNELS]


def subject(name: str, target: str) -> Subject:
    found = planted.subject(NAMES.index(name), target, "-O2")
    assert found is not None
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "target", ["gfx90a", *(pytest.param(each, marks=pytest.mark.slow) for each in planted.TARGETS if each != "gfx90a")]
)
def test_an_unbroken_kernel_has_its_result_and_no_finding(name: str, target: str, tmp_path: Path) -> None:
    of = planted.subject(NAMES.index(name), target, "-O2")
    if of is None:
        pytest.skip("the target cannot compile it")
    outcome = planted.run(of, of.text, str(tmp_path / "k.s"))
    assert outcome.findings == ()
    assert planted.shown(of, outcome) == ""


@pytest.mark.parametrize(
    ("kind", "name", "target"),
    [
        ("waits", "scale", "gfx900"),
        ("waits", "scalars", "gfx1100"),
        ("waits", "several", "gfx1200"),
        ("states", "divide", "gfx942"),
        ("states", "tile", "gfx90a"),
        ("states", "neighbours", "gfx803"),
        ("states", "div_fmas", "gfx900"),
        ("states", "buffer_base", "gfx90a"),
        ("states", "lane_select", "gfx700"),
        ("barriers", "reversed", "gfx1030"),
        ("barriers", "histogram", "gfx90a"),
        ("bounds", "gather", "gfx900"),
        ("bounds", "swapped", "gfx1200"),
        ("bounds", "scan", "gfx908"),
    ],
)
def test_a_planted_defect_shows(kind: str, name: str, target: str, tmp_path: Path) -> None:
    of = subject(name, target)
    defects = list(KINDS[kind](of))
    assert defects
    for defect in defects[:3]:
        assert planted.shown(of, planted.run(of, defect.text, str(tmp_path / "k.s"))), defect.what


@pytest.mark.parametrize(
    ("kind", "name", "target", "expected"),
    [
        # Of nine barriers of a tree over 256 items, those from the step of 64 on order one wave of 64 lanes.
        ("barriers", "reduce", "gfx900", 7),
        ("barriers", "reversed", "gfx1030", 0),
        ("bounds", "exchange", "gfx900", 2),
        ("bounds", "gather", "gfx900", 0),
    ],
)
def test_a_defect_that_does_not_show_is_harmless(
    kind: str, name: str, target: str, expected: int, tmp_path: Path
) -> None:
    of, path = subject(name, target), str(tmp_path / "k.s")
    found = [
        (harmless.is_harmless(kind, of, each, path), bool(planted.shown(of, planted.run(of, each.text, path))))
        for each in KINDS[kind](of)
    ]
    assert all(is_harmless != shows for is_harmless, shows in found)
    assert sum(is_harmless for is_harmless, _ in found) == expected
