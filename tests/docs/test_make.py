"""The reference pages are current, and what the documents link to is there."""

import re
import sys
from pathlib import Path

import pytest

from gcn_lsp.project import settings
from gcn_lsp.rules import RULES
from tests.docs import make

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *("README.md", "CONTRIBUTING.md", "gcn_lsp/rules/README.md", "gcn_lsp/project/README.md", "grammar/README.md"),
    *("editors/README.md", "editors/vscode/README.md"),
]


@pytest.mark.parametrize("file", make.FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_the_pages_are_current(file: Path) -> None:
    assert file.read_text() == make.FILES[file](), "run python -m tests.docs.make"


def test_the_pages_have_every_rule_and_every_setting() -> None:
    assert anchors(make.RULES_PAGE.read_text()) > set(RULES)
    assert anchors(make.SETTINGS_PAGE.read_text()) > set(settings.FIELDS)


@pytest.mark.parametrize("name", settings.FIELDS)
def test_the_example_of_a_setting_sets_it(name: str) -> None:
    found, mistakes = settings.read(tomllib.loads(make.EXAMPLES[name]))
    assert mistakes == []
    assert found != settings.Settings()


def anchors(text: str) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    path = ROOT / document
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        linked = (path.parent / file) if file else path
        assert linked.exists(), link
        assert not anchor or anchor in anchors(linked.read_text()), link


def test_the_account_that_the_repository_is_under_has_one_name() -> None:
    files = [ROOT / "README.md", ROOT / "editors" / "zed" / "extension.toml"]
    mentions = [re.findall(r"(?:github\.com/|uses: )([\w.-]+)/gcn-lsp", file.read_text()) for file in files]
    assert all(mentions)
    assert len({name for names in mentions for name in names}) == 1, mentions


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_files_that_are_named_are_there(document: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / document).read_text(), flags=re.DOTALL)
    named = re.findall(r"`((?:gcn_lsp|tests|editors|grammar|\.ci)/[\w./-]+)`", text)
    assert [name for name in named if not name.endswith(".vsix") and not (ROOT / name).exists()] == []
