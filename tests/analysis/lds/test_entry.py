"""The words at a kernel's start, and the size of its work-groups."""

import pytest

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.lds import entry
from gcn_lsp.analysis.lds.entry import Entry
from tests.analysis import support
from tests.analysis.lds import pipelines

KERNEL = next(pipelines.kernels())
MOST = "    .max_flat_workgroup_size: 256\n"


def started(metadata: str) -> Entry:
    program = support.program(KERNEL.text.replace(MOST, metadata), KERNEL.target)
    graph = graphs.of(program)
    assert graph is not None
    (found,) = entry.of(program, graph)
    return found


@pytest.mark.parametrize(
    ("metadata", "size"),
    [
        ("    .reqd_workgroup_size: [64, 4, 1]\n", 256),
        (MOST, 128),  # it may be launched with fewer; two waves there are
        ("    .max_flat_workgroup_size: 64\n", 64),
        ("", 128),
        # No work-group is as large, or as small.
        ("    .reqd_workgroup_size: [100000, 100000, 100000]\n", 128),
        ("    .reqd_workgroup_size: [0, 1, 1]\n", 128),
        ("    .max_flat_workgroup_size: -5\n", 128),
    ],
)
def test_the_size_of_work_groups(metadata: str, size: int) -> None:
    assert started(metadata).group.size == size


def test_ids_of_two_dimensions() -> None:
    (word,) = started("    .reqd_workgroup_size: [16, 8, 1]\n").known.values()
    assert isinstance(word.lanes, tuple)
    assert word.lanes[:20] == (*range(16), *range(4))
