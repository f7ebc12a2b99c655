"""Metadata from a descriptor, kept in step with it."""

import pytest

from gcn_lsp.ide import refactor
from gcn_lsp.ide.refactor import Selection
from tests.rules.test_missing_metadata import KERNEL
from tests.support import check, llvm, llvm_object
from tests.support.fixture import parse

WRITE = "Write the metadata of this descriptor"
CORRECT = "Correct the sizes in the metadata of `saxpy`"


def offered(text: str, at: str) -> dict[str, str]:
    """The text after each refactoring about metadata that is offered on the first line with `at`."""
    lines = text.split("\n")
    line = next(number for number, each in enumerate(lines) if at in each)
    made = {}
    for found in refactor.refactorings(check.build(parse(text), None), Selection(line, 0, line, 0)):
        changed = list(lines)
        for edit in reversed(found.edits):
            assert edit.first == edit.last
            old = changed[edit.first]
            changed[edit.first] = old[: edit.start] + edit.text + old[edit.end :]
        made[found.title] = "\n".join(changed)
    return {title: made[title] for title in made if "metadata" in title}


@pytest.mark.parametrize("at", [".amdhsa_kernel", ".amdhsa_kernarg_size", ".end_amdhsa_kernel", "saxpy:"])
def test_it_is_offered_on_the_descriptor_and_the_label(at: str) -> None:
    assert list(offered(KERNEL, at)) == [WRITE]


def test_not_where_metadata_are_right_and_not_elsewhere() -> None:
    written = offered(KERNEL, ".amdhsa_kernel")[WRITE]
    assert offered(written, ".amdhsa_kernel") == {}
    assert offered(written, ".vgpr_count") == {}
    assert offered(KERNEL, "s_waitcnt") == {}


@pytest.mark.parametrize("at", [".amdhsa_kernel", ".vgpr_count"])
def test_sizes_that_have_changed_are_corrected_together(at: str) -> None:
    written = offered(KERNEL, ".amdhsa_kernel")[WRITE]
    changed = written.replace("next_free_vgpr 8", "next_free_vgpr 40").replace("kernarg_size 24", "kernarg_size 32")
    changed = changed.replace(".amdhsa_kernarg", ".amdhsa_group_segment_fixed_size 512\n  .amdhsa_kernarg")
    corrected = offered(changed, at)[CORRECT]
    for part in (".vgpr_count: 40", ".kernarg_segment_size: 32", ".group_segment_fixed_size: 512"):
        assert part in corrected
    assert offered(corrected, at) == {}


def test_a_second_kernel_joins_the_first_in_the_block() -> None:
    written = offered(KERNEL, ".amdhsa_kernel")[WRITE]
    second = KERNEL.partition("\n")[2].replace("saxpy", "daxpy")
    both = offered(written + second, ".amdhsa_kernel daxpy")[WRITE]
    assert both.count(".amdgpu_metadata\n") == 1
    check.check_silent(both, "gfx1100")


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_llvm_takes_the_notes() -> None:
    written = offered(KERNEL, ".amdhsa_kernel")[WRITE]
    assert llvm_object.assemble(written.encode(), "gfx1100").message == ""
