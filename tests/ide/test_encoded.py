"""The instructions with their bytes: the text, and where its lines are from."""

from gcn_lsp.ide.encoded import encoded
from tests.support import check, fixture


def test_bytes_labels_and_origins() -> None:
    text = ".macro m\n v_mov_b32 v1, 0x12345\n s_nop 0\n.endm\nk:\n m\n v_mov_b32 v0, wrong(\n.data\n.long 4\n"
    found = encoded(check.build(fixture.parse(text)))
    assert [line.split() for line in found.lines] == [
        [".section", ".text"],
        ["k:"],
        ["/*", "000000", "7e0202ff", "00012345", "*/", "v_mov_b32", "v1,", "0x12345"],
        ["/*", "000008", "bf800000", "*/", "s_nop", "0"],
        ["/*", "00000c", "no", "bytes", "*/", "v_mov_b32", "v0,", "wrong("],
    ]
    assert found.origins == (4, 4, 5, 5, 6)
