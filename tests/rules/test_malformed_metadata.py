"""Metadata that the assembler does not accept."""

from tests.support.check import check_diagnostics, check_silent, findings


def test_at_the_value() -> None:
    check_diagnostics(
        """
        .amdgpu_metadata
        amdhsa.version: [1, 2]
        amdhsa.kernels: copy
        //              ^^^^ error[malformed-metadata]: takes a list
        .end_amdgpu_metadata
        """
    )


def test_no_yaml() -> None:
    check_diagnostics(
        """
        .amdgpu_metadata
        amdhsa.version: [1, 2]
        amdhsa.kernels: }
        //              ^ error[malformed-metadata]: not valid YAML
        .end_amdgpu_metadata
        """
    )


def test_no_kernels() -> None:
    check_silent(".amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels: []\n.end_amdgpu_metadata\n")


def test_nothing_at_all() -> None:
    (finding,) = findings(".amdgpu_metadata\n.end_amdgpu_metadata\n")
    assert finding.rule == "malformed-metadata"


def test_in_a_macro_it_is_told_once() -> None:
    text = ".macro m version\n.amdgpu_metadata\namdhsa.version: \\version\n.end_amdgpu_metadata\n.endm\nm 1\nm 1\n"
    found = [finding for finding in findings(text) if finding.rule == "malformed-metadata"]
    assert {finding.where.line for finding in found} == {2}
