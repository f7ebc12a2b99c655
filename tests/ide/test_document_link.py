"""Links on the names of included files."""

from tests.support.ide import links


def test_links() -> None:
    text = """
        //- main.s
        .include "sizes.inc" // .include "sizes.inc"
        .if 0
        .include "sizes.inc"
        .endif
        .include "missing.inc"
        .set include, 1
        //- sizes.inc
        .set size, 4
        """
    assert links(text) == ["1:sizes.inc sizes.inc", "3:sizes.inc sizes.inc"]
