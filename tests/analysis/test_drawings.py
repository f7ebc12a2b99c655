"""Blocks with what is in flight, drawn: the files in `drawings` have a kernel and, below the line, its drawing.

`pytest tests/analysis/test_drawings.py --update-drawings` writes them anew; read the difference before you keep it.
"""

from pathlib import Path

import pytest

from tests.analysis import support
from tests.support import drawing

LINE = "-" * 80 + "\n"
DESCRIPTOR = ".amdhsa_kernel kernel\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
FILES = sorted((Path(__file__).parent / "drawings").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_drawings(file: Path, request: pytest.FixtureRequest) -> None:
    text, _, expected = file.read_text().partition(LINE)
    target = text.partition("target=")[2].split("\n")[0]
    drawn = drawing.draw(support.program(text + DESCRIPTOR, target))
    if request.config.getoption("--update-drawings"):
        file.write_text(text + LINE + drawn)
    else:
        assert drawn == expected


def test_there_are_drawings() -> None:
    assert {"branch", "loop", "join"} <= {file.stem for file in FILES}
