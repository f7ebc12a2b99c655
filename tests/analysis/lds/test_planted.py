"""The oracle for planted mistakes, on kernels of which each mistake is known to be one."""

import pytest

from tests.analysis.lds import pipelines, planted
from tests.analysis.lds.listings import Planted
from tests.analysis.lds.pipelines import Kernel
from tests.analysis.lds.planted import Subject

KERNELS = {kernel.name: kernel for kernel in pipelines.kernels()}
STEPS = 200
SOME = ("dword-single-1", "dwordx4-straight-2-1", "async-loop-2-1")


@pytest.fixture(scope="module", params=SOME)
def case(request: pytest.FixtureRequest) -> tuple[Kernel, Subject]:
    kernel = KERNELS[request.param]
    return kernel, Subject(kernel.text, kernel.target, STEPS)


def test_right_kernels_have_no_races(case: tuple[Kernel, Subject]) -> None:
    _, subject = case
    assert subject.races == [set()]


def test_each_mistake_is_real(case: tuple[Kernel, Subject]) -> None:
    kernel, subject = case
    missed = []
    for each in pipelines.broken(kernel):
        changed = [
            (number, line)
            for number, (line, before) in enumerate(zip(each.text.split("\n"), subject.lines, strict=True))
            if line != before
        ]
        first = Planted(planted.OTHER_BUFFER, *changed[0])  # a replay of the changed text, whatever was changed
        if not subject.new_races(first, subject.built(each.text)):
            missed.append((each.kind, changed))
    assert missed == []


def test_a_wait_for_nothing_is_no_mistake() -> None:
    kernel = KERNELS["dword-single-1"]
    at = kernel.roles.index("fill")
    text = "\n".join([*kernel.lines[:at], "s_waitcnt lgkmcnt(0)", *kernel.lines[at:], ""])
    subject = Subject(text, kernel.target, STEPS)
    nothing = Planted("no wait", at, "")
    assert subject.is_reached(nothing)
    assert not subject.new_races(nothing, subject.changed(nothing))


def test_a_race_is_told_in_lines() -> None:
    kernel = KERNELS["dword-single-1"]
    subject = Subject(kernel.text, kernel.target, STEPS)
    at = kernel.roles.index("barrier")
    mistake = Planted("no barrier", at, "")
    races = subject.new_races(mistake, subject.changed(mistake))
    places = {subject.lines[line - 1].split()[0] for race in races for line in (race.first, race.second)}
    assert places == {"buffer_load_dword", "ds_read_b32"}


def test_listings_name_their_target() -> None:
    assert planted.target_of('\t.amdgcn_target "amdgcn-amd-amdhsa--gfx950:xnack-"\n') == "gfx950"
    assert planted.target_of("s_endpgm\n") is None
