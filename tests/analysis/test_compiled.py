"""Compiled kernels are right by construction: nothing may be wrong with them."""

import pytest

from gcn_lsp import rules
from gcn_lsp.rules.model import Severity
from tests.analysis import compiled
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
