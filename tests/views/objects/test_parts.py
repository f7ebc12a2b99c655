"""Names of what is in a file."""

from pathlib import Path

import pytest

from gcn_lsp.views.objects import parts


@pytest.mark.parametrize(
    ("path", "file", "names"),
    [
        ("k.co", "k.co", []),
        ("lib.so(gfx90a:xnack+)(k)", "lib.so", ["gfx90a:xnack+", "k"]),
        ("k()", "k()", []),
        ("(k)", "(k)", []),
        ("a(1).s", "a(1).s", []),
    ],
)
def test_a_path_is_a_file_and_names(path: str, file: str, names: list[str]) -> None:
    assert parts.file_of(path) == (file, names)


def test_a_file_of_such_a_name_comes_first(tmp_path: Path) -> None:
    found = tmp_path / "copy(1)"
    found.touch()
    assert parts.file_of(str(found)) == (str(found), [])
    assert parts.file_of(f"{found}(k)") == (str(found), ["k"])
