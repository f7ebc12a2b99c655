"""The addresses of derived texts: what is made of a document is read again as the same."""

import pytest

from gcn_lsp.server import derived_uris, paths
from gcn_lsp.server.derived_uris import Asked

DOCUMENTS = (
    "file:///a/k.s",
    "file:///a%20b/%C3%A4%23%3F%25.s",
    "file:///c%3A/k.s",
    "untitled:Untitled-1",
    "x:/k.s?q=1#f",
)


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("lines", [None, (0, 0), (3, 7)])
def test_an_address_leads_to_its_document(document: str, lines: "tuple[int, int] | None") -> None:
    uri = derived_uris.uri_of(paths.EXPANSION, document, lines)
    assert uri.startswith(f"{paths.EXPANSION}:/")
    assert derived_uris.asked(uri) == Asked(paths.EXPANSION, document, lines)


def test_an_address_ends_as_its_document() -> None:
    assert derived_uris.uri_of(paths.ENCODED, "file:///a/k.s") == "gcn-lsp-encoded:/a/k.s"
    assert derived_uris.asked("gcn-lsp-expansion:/a/k.s?lines=4") == Asked(paths.EXPANSION, "file:///a/k.s", (3, 3))
    assert derived_uris.asked("gcn-lsp-expansion:/a/k.s?lines=x").lines is None


@pytest.mark.parametrize(
    "uri", ["", "file:///a/k.s", "gcn-lsp-expansion:", "gcn-lsp-other:/k.s", "gcn-lsp-encoded://[/x"]
)
def test_another_address_asks_for_nothing(uri: str) -> None:
    with pytest.raises(derived_uris.Unknown):
        derived_uris.asked(uri)
