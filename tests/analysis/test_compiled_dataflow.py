"""Compiled kernels are right by construction: what the rules about values and paths say of them, and LLVM's numbers."""

import re

import pytest

from gcn_lsp.analysis.control import kernels
from gcn_lsp.analysis.values import pressure
from gcn_lsp.ide.reading import occupancy
from gcn_lsp.program.program import Program
from gcn_lsp.rules import missing_endpgm, uninitialised_register
from tests.analysis import compiled
from tests.analysis.compiled import Build, needs_clang


@needs_clang
@pytest.mark.parametrize("build", compiled.sample(24), ids=str)
def test_of_a_compiled_kernel_nothing_is_said(build: Build) -> None:
    check(build)


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize("kernel", compiled.kernels())
def test_of_no_compiled_kernel_anything_is_said(kernel: str) -> None:
    for build in compiled.builds([kernel]):
        check(build)


def check(build: Build) -> None:
    built = compiled.checked(build)
    found = [
        (str(build), finding.where.line + 1, finding.message)
        for rule in (missing_endpgm, uninitialised_register)
        for finding in rule.check(built)
    ]
    assert found == []
    check_pressure(built)
    check_occupancy(build, built)


def check_pressure(built: Program) -> None:
    """No more registers are live at once than the compiler named."""
    found = pressure.of(built)
    assert found is not None
    for name, node in kernels.entries(built, found.graph).items():
        vgprs, agprs, sgprs = built.register_usage[name].counts
        highest = found.highest(found.graph.reached((node,)))
        assert highest.vgprs <= vgprs
        assert highest.agprs <= agprs
        assert highest.sgprs <= sgprs


# What clang writes about a kernel behind its descriptor; where a function is not known it writes no numbers.
_FACTS = re.compile(r"^; ScratchSize: (\d+)\n.*?^; Occupancy: (\d+)", re.MULTILINE | re.DOTALL)
_KERNEL = re.compile(r"^\s*\.amdhsa_kernel (\S+)\n(.*?)(?=^\s*\.amdhsa_kernel |\Z)", re.MULTILINE | re.DOTALL)


def check_occupancy(build: Build, built: Program) -> None:
    """As many waves fit as LLVM says, and as much scratch is taken.

    Not on gfx6, for which the compiler counts other SGPRs than the assembler reserves: it knows of no FLAT_SCRATCH.
    """
    if build.target == "gfx600":
        return
    sizes = occupancy.work_group_sizes(built)
    resources = {kernel.name: kernel.resources for kernel in built.kernels}
    for name, text in _KERNEL.findall(compiled.text(build)):
        facts = _FACTS.search(text)
        known = resources[name]
        assert known is not None
        occupied = occupancy.occupancy(known, sizes[name])
        if facts is not None and occupied is not None:
            assert (name, known.scratch, occupied.waves) == (name, int(facts[1]), int(facts[2]))
