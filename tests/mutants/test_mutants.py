"""The mutants of small modules, the order of the tests, and whether a change is noticed."""

from pathlib import Path

import pytest

from tests.mutants import __main__ as command
from tests.mutants.changes import mutants
from tests.mutants.nearest import groups


def written(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("if a: pass", ["if (not (a)): pass"]),
        ("while a: pass", ["while (not (a)): pass"]),
        ("x = [y for y in z if y]", ["x = [y for y in z if (not (y))]"]),
        ("x = a < b", ["x = (a <= b)"]),
        ("x = a is not b", ["x = (a is b)"]),
        ("x = 'é' in b", ["x = ('é' not in b)"]),
        ("x = a and b", ["x = ((a) or (b))"]),
        ("x = (a in b) == c", ["x = ((a in b) != c)", "x = ((a not in b)) == c"]),
        ("x = a < b < c", []),
        ("x = 1 if a == b else 2", ["x = 1 if (not (a == b)) else 2", "x = 1 if (a != b) else 2"]),
    ],
)
def test_changes(line: str, after: list[str]) -> None:
    assert [mutant.text for mutant in mutants(Path("m.py"), line)] == after


def test_a_mutant_shows_its_place_and_change() -> None:
    (found,) = mutants(Path("m.py"), "x = 1\ny = (a or\n     b)\n")
    assert str(found) == "m.py:2: a or b  ->  (a) and (b)"


def test_the_nearest_tests_come_first(tmp_path: Path) -> None:
    hover = "from gcn_lsp.ide import hover"
    root = written(
        tmp_path,
        tests__ide__test_hover=hover,
        tests__ide__test_other="from tests.support import everything",
        tests__ide__deep__test_far="from gcn_lsp.server import table",
        tests__ide__deep__test_process="COMMAND = ['-m', 'gcn_lsp']",
        tests__ide__deep__test_stranger="from gcn_lsp.ide import other",
        tests__rules__test_importer=hover,
        tests__rules__test_stranger="",
        tests__server__test_adapter="from gcn_lsp.server import adapter",
        tests__support__everything="from gcn_lsp.server.adapter import adapter",
        gcn_lsp__ide__hover="",
        gcn_lsp__ide__other="",
        gcn_lsp__server__adapter="from gcn_lsp.ide.hover import hover",
        gcn_lsp__server__table="import_module(f'{__name__}.{name}')",
        gcn_lsp__server__table__late="from gcn_lsp.ide.hover import hover",
    )
    (root / "gcn_lsp/server/table.py").rename(root / "gcn_lsp/server/table/__init__.py")
    assert list(groups(root, Path("gcn_lsp/ide/hover.py"))) == [
        ("name", ["tests/ide/test_hover.py"]),
        ("import", ["tests/rules/test_importer.py"]),
        ("user", ["tests/server/test_adapter.py"]),
        ("folder", ["tests/ide/test_other.py"]),
        ("package", ["tests/ide/deep/test_far.py", "tests/ide/deep/test_process.py"]),
        ("rules", []),
    ]


@pytest.mark.parametrize(("test", "noticed"), [("assert not limit(2)", True), ("assert limit(1)", False)])
def test_a_change_is_noticed_by_a_test_that_fails(tmp_path: Path, test: str, noticed: bool) -> None:
    text = "def limit(x):\n    return x < 2\n"
    root = written(
        tmp_path,
        gcn_lsp__ide__limits=text,
        tests__ide__test_limits=f"from gcn_lsp.ide.limits import limit\n\n\ndef test_limit():\n    {test}\n",
    )
    (mutant,) = mutants(Path("gcn_lsp/ide/limits.py"), text)
    assert command.result(root, mutant, 60, [], groups(root, mutant.path)) == noticed
    assert (root / mutant.path).read_text() == text


def test_a_change_that_never_ends_is_undecided(tmp_path: Path) -> None:
    root = written(
        tmp_path,
        gcn_lsp__ide__loops="n = 3\nwhile n > 0:\n    n -= 1\n",
        tests__ide__test_loops="def test_loops():\n    import gcn_lsp.ide.loops\n",
    )
    mutant = next(mutants(Path("gcn_lsp/ide/loops.py"), "n = 3\nwhile n < 9:\n    n -= 1\n"))
    assert command.result(root, mutant._replace(text="while True: pass\n"), 3, [], groups(root, mutant.path)) is None


def test_a_test_that_fails_anyway_notices_nothing(tmp_path: Path) -> None:
    text = "def limit(x):\n    return x < 2\n"
    root = written(
        tmp_path,
        gcn_lsp__ide__limits=text,
        tests__ide__test_limits="import gcn_lsp.ide.limits\n\n\ndef test_broken():\n    assert False\n",
    )
    (mutant,) = mutants(Path("gcn_lsp/ide/limits.py"), text)
    broken: list[str] = []
    assert command.result(root, mutant, 60, broken, groups(root, mutant.path)) is False
    assert broken == ["tests/ide/test_limits.py::test_broken"]
