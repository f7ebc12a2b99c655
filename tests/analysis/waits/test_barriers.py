"""Waits before the barriers of compiled kernels: nothing is found as compiled, and every one that is taken out is."""

import re

import pytest

from gcn_lsp.rules import unpublished_lds_write as rule
from tests.analysis import compiled
from tests.analysis.compiled import Build, needs_clang

KERNELS = ("lds_tile", "lds_transpose", "reduction", "sgemm", "half_lds")
_WAIT = re.compile(r"\s*s_wait(cnt|_dscnt|_loadcnt_dscnt|_storecnt_dscnt|cnt_lgkmcnt)\b")
_ARRIVAL = re.compile(r"\s*s_barrier(_signal\w*)?\s*(-1)?\s*$")
_WRITE = re.compile(r"\s*ds_(write|store)")
_EDGE = re.compile(r"\S+:|\s*s_(cbranch|branch|barrier|endpgm)")


def _without_waits(text: str) -> list[tuple[str, int]]:
    """For each barrier the text without the waits between it and the write to LDS before it, and its new line."""
    lines = text.split("\n")
    found = []
    for at, line in enumerate(lines):
        waits: list[int] = []
        for back in range(at - 1, -1, -1) if _ARRIVAL.match(line) else ():
            if _EDGE.match(lines[back]):
                break
            if _WAIT.match(lines[back]):
                waits.append(back)
            if _WRITE.match(lines[back]) and waits:
                kept = [each for number, each in enumerate(lines) if number not in waits]
                found.append(("\n".join(kept), at - len(waits)))
                break
    return found


def _lines(build: Build, text: str | None = None) -> set[int]:
    return {found.where.line for found in rule.check(compiled.checked(build, text))}


@needs_clang
@pytest.mark.parametrize("target", ["gfx900", "gfx90a", "gfx1030", "gfx1200"])
def test_compiled_barriers(target: str) -> None:
    tried = 0
    for build in compiled.builds(KERNELS, [target], ["-O2"]):
        assert _lines(build) == set(), build
        for changed, line in _without_waits(compiled.text(build)):
            tried += 1
            assert line in _lines(build, changed), (build, line)
    assert tried
