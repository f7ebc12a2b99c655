"""Configuration files: what is read of them, and what is said of mistakes and where."""

from pathlib import Path

import pytest

from gcn_lsp.project import Files, configuration
from gcn_lsp.project.configuration import Configuration

GOOD = """\
target = "gfx90a"
mattr = "-xnack"
include-paths = ["inc", "/abs"]
ignore = ["unused-suppression"]
defines = { N = 4, M = 0x10 }

[[files]]
glob = "gfx900/**/*.s"
target = "gfx900"
defines = { N = 5 }

[[files]]
glob = "*.inc"
mattr = "+xnack"
"""


def read(text: str, name: str = "gcn-lsp.toml") -> Configuration:
    found = configuration.read(f"/p/{name}", text.encode())
    assert found is not None
    return found


def test_settings_for_all_files() -> None:
    settings, place = read(GOOD).for_file("/p/k.s")
    assert (settings.target, settings.mattr, settings.defines) == ("gfx90a", "-xnack", {"N": 4, "M": 16})
    assert settings.include_paths == ("/p/inc", "/abs")
    assert not settings.shows("unused-suppression")
    assert place is not None
    assert (place.line, place.start, place.end) == (0, 9, 17)
    assert read(GOOD).findings == ()


def test_a_section_adds_to_what_holds_for_all() -> None:
    settings, place = read(GOOD).for_file("/p/gfx900/deep/k.s")
    assert (settings.target, settings.mattr, settings.defines) == ("gfx900", "-xnack", {"N": 5, "M": 16})
    assert place is not None
    assert place.line == 8


def test_a_glob_without_a_slash_matches_in_any_folder() -> None:
    assert read(GOOD).for_file("/p/a/b.inc")[0].mattr == "+xnack"


def test_pyproject() -> None:
    text = '[project]\n\n\n[tool.gcn-lsp]\ntarget = "gfx906"\n\n[[tool.gcn-lsp.files]]\nglob = "a/*.s"\ntraget = "x"\n'
    found = read(text, "pyproject.toml")
    assert found.settings.target == "gfx906"
    assert [(finding.where.line, finding.message) for finding in found.findings] == [
        (8, "unknown setting 'traget'; did you mean 'target'?")
    ]
    assert configuration.read("/p/pyproject.toml", b"[project]\nname = 'x'\n") is None


@pytest.mark.parametrize(
    ("text", "line", "start", "end", "message"),
    [
        ('traget = "gfx90a"', 0, 0, 6, "unknown setting 'traget'; did you mean 'target'?"),
        ("\ntarget = 5", 1, 9, 10, "'target' must be a string such as 'gfx90a', not the number 5"),
        ('target = "gfx90b"', 0, 9, 17, "unknown target 'gfx90b'"),
        ('mattr = ["a"]', 0, 8, 13, "'mattr' must be a string such as '+xnack,-sramecc', not a list"),
        ("include-paths = 'inc'", 0, 16, 21, "'include-paths' must be a list of strings, not the string 'inc'"),
        ("include-paths = [\n  'a',\n  5,\n]", 0, 16, 17, "not a list with the number 5 in it"),
        ("defines = { N = 'x' }", 0, 10, 21, "whole numbers such as { batch_size = 16 }, not N = the string 'x'"),
        ("[defines]\nN = true", 0, 0, 9, "not N = true"),
        (
            "ignore = ['missing-modifer']",
            0,
            9,
            28,
            "'missing-modifer' is not a rule; did you mean 'missing-modifier'?",
        ),
        ("expansion-limit = 0", 0, 18, 19, "must be a whole number from 1 to 3000000, not the number 0"),
        ("expansion-limit = 3000001", 0, 18, 25, "a whole number from 1 to 3000000, not the number 3000001"),
        (
            "severity = { unused-symbol = 'off', missing-modifer = 'off' }",
            0,
            11,
            61,
            "did you mean 'missing-modifier'?",
        ),
        (
            "severity = { unused-symbol = 'off', unused-macro = 'bad' }",
            0,
            11,
            58,
            "not unused-macro = the string 'bad'",
        ),
        ("[[files]]\ntarget = 'gfx900'", 0, 0, 9, "this section needs a 'glob'"),
        ("[[files]]\nglob = 5", 1, 7, 8, "'glob' must be a string"),
        ("files = 5", 0, 0, 5, "'files' must be written as sections that start with [[files]]"),
        ("[other]\nx = 1", 0, 0, 7, "unknown setting 'other'; the settings are target, "),
        ("target = \nmattr = '+xnack'", 0, 0, 9, "not TOML: invalid value"),
        ("mattr = '+xnack'\nthis is not toml", 1, 0, 16, "not TOML"),
        ("mattr = '+xnack'\ninclude-paths = [\n'a',\n", 1, 0, 17, "not TOML"),
    ],
)
def test_mistakes_are_reported_at_their_place(text: str, line: int, start: int, end: int, message: str) -> None:
    findings = read(text).findings
    assert len(findings) == 1
    where = findings[0].where
    assert (where.path, where.line, where.start, where.end) == ("/p/gcn-lsp.toml", line, start, end)
    assert message in findings[0].message
    assert findings[0].rule == "configuration-error"


def test_the_rest_is_used() -> None:
    found = read(
        "target = 'gfx90a'\nnonsense here\nmattr = 5\ndefines = { N = 1 }\n= 4\n[[files]]\nglob = 'x'\nfoo = 1\n"
    )
    assert (found.settings.target, found.settings.defines) == ("gfx90a", {"N": 1})
    assert [finding.where.line for finding in found.findings] == [1, 2, 4, 7]


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00", b"[[[[", b'"""', b"a" * 100, b"= = =\n" * 50, b"[tool]\ngcn-lsp = 3"]
)
def test_junk_is_no_exception(data: bytes) -> None:
    found = configuration.read("/p/gcn-lsp.toml", data)
    assert found is not None
    assert found.findings
    configuration.read("/p/pyproject.toml", data)


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "gcn-lsp.toml").write_text("target = 'gfx900'")
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\nx = 1")
    files = Files()
    found = configuration.nearest(str(inner / "k.s"), files)
    assert found is not None
    assert found.settings.target == "gfx900"
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.gcn-lsp]\ntarget = 'gfx906'")
    found = configuration.nearest(str(inner / "k.s"), files)
    assert found is not None
    assert found.settings.target == "gfx906"
