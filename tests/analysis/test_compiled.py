"""Compiled kernels are right by construction: nothing may be wrong with them, and whatever is taken out is noticed."""

from collections.abc import Iterable

import pytest

from gcn_lsp import rules
from gcn_lsp.findings.model import Severity
from tests.analysis import compiled, sweep
from tests.analysis.compiled import Build, needs_clang


def test_every_kernel_file_can_be_compiled_for_some_target() -> None:
    assert {build.kernel for build in compiled.builds()} == set(compiled.kernels())
    assert len(compiled.kernels()) >= 60


def test_every_target_has_kernels() -> None:
    assert {build.target for build in compiled.builds()} == set(compiled.TARGETS)


@needs_clang
@pytest.mark.parametrize("build", compiled.sample(30), ids=str)
def test_a_compiled_kernel_has_no_error(build: Build) -> None:
    check_no_error(build)


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize("kernel", compiled.kernels())
def test_no_compiled_kernel_has_an_error(kernel: str) -> None:
    for build in compiled.builds([kernel]):
        check_no_error(build)


def check_no_error(build: Build) -> None:
    found = rules.check(compiled.checked(build))
    assert [(str(build), item) for item in found if item.severity is Severity.ERROR] == []


@needs_clang
@pytest.mark.parametrize("build", compiled.sample(12, levels=["-O2"]), ids=str)
def test_a_wait_that_is_taken_out_is_noticed(build: Build) -> None:
    check_waits([build])


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize("kernel", compiled.kernels())
def test_every_wait_that_is_taken_out_is_noticed(kernel: str) -> None:
    check_waits(compiled.builds([kernel]))


def check_waits(builds: Iterable[Build]) -> None:
    """Of the waits without an excuse 99 of 100 are noticed."""
    outcomes = [outcome for build in builds for outcome in sweep.of_waits(build)]
    needed = [outcome for outcome in outcomes if not outcome.how.startswith("excused")]
    missed = [outcome for outcome in needed if outcome.how == sweep.MISSED]
    assert len(missed) <= len(needed) / 100, missed
