"""The history of an open document: what is kept from one version to the next."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Protocol

from gcn_lsp.findings.agreement import AgreedFindings
from gcn_lsp.program.program import Program
from gcn_lsp.project import Files, Surroundings, dialects
from gcn_lsp.server import wire
from gcn_lsp.server.client import Client
from gcn_lsp.text import SourceText

if TYPE_CHECKING:
    from gcn_lsp.ide import semantic_tokens


class Store(Protocol):
    """What a document knows of all the others."""

    client: Client
    files: Files

    def uri_of(self, path: str) -> str:
        """The URI of a file."""

    def folder_of(self, path: str) -> str:
        """The innermost workspace folder of a file."""

    def assembled_with(self, paths: Collection[str]) -> list[SourceText]:
        """The texts of all files that are assembled with one of these."""


class History:
    """What is kept of an open document from one version to the next.

    For the worker thread: `has_been_checked` says whether anything was published; `is_analysed` whether the paths of
    control were followed in some version, after which no request waits long; `published` has the lines of the last
    published version and its diagnostics; `built` is the last program built, of whatever version, and
    `derived` the text that it is made of if that is not the document's;
    `reported` has the diagnostics that a client last pulled, with their number, `tokens` the same for semantic tokens;
    `agreed` has the findings of the last version whose targets were compared; `is_to_keep` says whether the text is one
    that a later session may open, and its diagnostics are not kept for that yet.
    """

    def __init__(self, uri: str, path: str, documents: Store, language: str = "") -> None:
        self.language = language
        self.has_been_checked = False
        self.is_analysed = False
        self.is_to_keep = True
        self.published: tuple[tuple[bytes, ...], tuple[wire.Diagnostic, ...]] = ((), ())
        self.uri = uri
        self.path = path
        self.files = documents.files
        self.client = documents.client
        self.uri_of = documents.uri_of
        self.folder_of = documents.folder_of
        self.built: Program | None = None
        self.derived: dialects.Derived | None = None
        self.agreed = AgreedFindings()
        self.reported: tuple[object, int] | None = None
        self.tokens: tuple[semantic_tokens.Tokens, int] | None = None
        self.assembled_with = documents.assembled_with
        self.around: Surroundings
