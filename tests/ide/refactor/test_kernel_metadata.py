"""Metadata from a descriptor."""

import pytest

from gcn_lsp.ide import refactor
from gcn_lsp.ide.refactor import Selection
from tests.rules.test_missing_metadata import KERNEL
from tests.support import check, llvm, llvm_object
from tests.support.fixture import parse

WRITE = "Write the metadata of this descriptor"


def offered(text: str, at: str) -> dict[str, str]:
    """The text after each refactoring about metadata that is offered on the first line with `at`."""
    lines = text.split("\n")
    line = next(number for number, each in enumerate(lines) if at in each)
    made = {}
    for found in refactor.refactorings(check.build(parse(text), None), Selection(line, 0, line, 0)):
        changed = list(lines)
        for edit in reversed(found.edits):
            new = changed[edit.first][: edit.start] + edit.text + changed[edit.last][edit.end :]
            changed[edit.first : edit.last + 1] = new.split("\n")
        made[found.title] = "\n".join(changed)
    return {title: made[title] for title in made if "metadata" in title or "sizes" in title}


@pytest.mark.parametrize("at", [".amdhsa_kernel", ".amdhsa_kernarg_size", ".end_amdhsa_kernel", "saxpy:"])
def test_it_is_offered_on_the_descriptor_and_the_label(at: str) -> None:
    assert list(offered(KERNEL, at)) == [WRITE]


def test_not_where_metadata_are_right_and_not_elsewhere() -> None:
    written = offered(KERNEL, ".amdhsa_kernel")[WRITE]
    assert offered(written, ".amdhsa_kernel") == {}
    assert offered(written, ".vgpr_count") == {}
    assert offered(KERNEL, "s_waitcnt") == {}


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
