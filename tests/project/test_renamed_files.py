"""What files name goes on being found after files and folders have other paths."""

import os
from pathlib import Path

import pytest

from gcn_lsp.project.files import Files
from gcn_lsp.project.includes import IncludeResolver
from gcn_lsp.project.renamed_files import Moves, edits, naming
from gcn_lsp.text import edited


def renamed(folder: Path, text: str, old: str, new: str, *, at: str = "k.s", paths: tuple[str, ...] = ()) -> str:
    """The text of the file `at` after `old` became `new`; every file that it may name is there."""
    for name in ("inc/sizes.inc", "inc/deep/data.bin", "other/sizes.inc", "lib/macros.inc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    path = folder / at
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    files = Files()
    source = files.readable(str(path))
    assert source is not None
    resolver = IncludeResolver(tuple(str(folder / each) for each in paths), files, set())
    moves = Moves({str(folder / old): str(folder / new)})
    return edited(source, edits(str(path), moves, resolver, files)).to_bytes().decode()


@pytest.mark.parametrize("word", [".include", ".incbin", "#include", "  # include"])
def test_the_name_follows_the_file(tmp_path: Path, word: str) -> None:
    found = renamed(tmp_path, f'{word} "inc/sizes.inc" // inc/sizes.inc', "inc/sizes.inc", "inc/numbers.inc")
    assert found == f'{word} "inc/numbers.inc" // inc/sizes.inc'


def test_the_name_follows_the_innermost_folder(tmp_path: Path) -> None:
    text = '.include "inc/sizes.inc"\n.incbin "inc/deep/data.bin"\n.include "other/sizes.inc"\n'
    found = renamed(tmp_path, text, "inc", "include")
    assert found == '.include "include/sizes.inc"\n.incbin "include/deep/data.bin"\n.include "other/sizes.inc"\n'


def test_a_file_that_goes_elsewhere_still_finds_what_it_names(tmp_path: Path) -> None:
    text = '.include "inc/sizes.inc"\n.include "nothing.inc"\n'
    found = renamed(tmp_path, text, "k.s", "kernels/k.s")
    assert found == '.include "../inc/sizes.inc"\n.include "nothing.inc"\n'


def test_what_moves_together_stays_as_it_is(tmp_path: Path) -> None:
    assert renamed(tmp_path, '.include "sizes.inc"', "inc", "a/b", at="inc/k.s") == '.include "sizes.inc"'


def test_a_name_below_an_include_path_stays_below_it(tmp_path: Path) -> None:
    text = '.include "macros.inc"'
    assert renamed(tmp_path, text, "lib/macros.inc", "lib/more/m.inc", paths=("lib",)) == '.include "more/m.inc"'
    assert renamed(tmp_path, text, "k.s", "deep/k.s", paths=("lib",)) == text


def test_a_file_that_leaves_its_include_path_is_named_from_the_includer(tmp_path: Path) -> None:
    text = '.include "macros.inc"'
    assert renamed(tmp_path, text, "lib/macros.inc", "inc/macros.inc", paths=("lib",)) == '.include "inc/macros.inc"'


def test_a_name_with_a_root_has_one_afterwards(tmp_path: Path) -> None:
    text = f'.include "{tmp_path}/inc/sizes.inc"'
    assert renamed(tmp_path, text, "inc", "new") == f'.include "{tmp_path}/new/sizes.inc"'


def test_another_file_of_that_name_is_not_meant(tmp_path: Path) -> None:
    text = '.include "inc/sizes.inc"'
    assert renamed(tmp_path, text, "other/sizes.inc", "other/n.inc", paths=("other",)) == text


def test_only_files_that_may_change_are_read() -> None:
    known = [
        ("/a/k.s", ("inc/x.inc",)),
        ("/a/other.s", ("y.inc",)),
        ("/a/by_path.s", ("x.inc",)),
        ("/a/inc/own.s", ("z.inc",)),
        ("/a/inc/none.s", ()),
    ]
    moves = Moves({"/a/inc": "/a/new"})
    assert list(naming(known, moves, lambda _: ("/a/inc",))) == ["/a/k.s", "/a/other.s", "/a/by_path.s", "/a/inc/own.s"]
    assert list(naming(known, moves, lambda _: ())) == ["/a/k.s", "/a/inc/own.s"]


def test_a_file_with_the_beginning_of_a_folders_name_does_not_move() -> None:
    moves = Moves({os.path.abspath("/a/inc"): os.path.abspath("/a/new")})
    assert not moves.moves(os.path.abspath("/a/include/x.inc"))
    assert moves.after(os.path.abspath("/a/inc/b/x.inc")) == os.path.abspath("/a/new/b/x.inc")
