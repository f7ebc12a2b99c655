"""The client's capabilities, read once from its `initialize` request."""

from collections.abc import Sequence
from typing import Any

import msgspec
from lsprotocol import types
from pygls.capabilities import get_capability

from gcn_lsp.text import PositionEncoding

# The program counts in bytes, so UTF-8 needs no conversion.
_PREFERRED: tuple[PositionEncoding, ...] = ("utf-8", "utf-16", "utf-32")


class Client(msgspec.Struct, frozen=True):
    """The capabilities that matter here."""

    encoding: PositionEncoding = "utf-16"
    pulls_diagnostics: bool = False
    refreshes_diagnostics: bool = False
    refreshes_inlay_hints: bool = False
    refreshes_tokens: bool = False
    refreshes_lenses: bool = False
    related_information: bool = False
    diagnostic_tags: bool = False
    code_descriptions: bool = False
    creates_files: bool = False
    markdown: bool = True
    renders_markdown: bool = False
    snippets: bool = False
    label_offsets: bool = False
    common_edit_range: bool = False
    watches_files: bool = False
    has_configuration: bool = False
    shows_progress: bool = False
    commands: frozenset[str] = frozenset()
    enter_keeps_text: bool = False
    resolves_actions: bool = False
    resolves_lenses: bool = False
    resolves_hints: bool = False
    shows_link_tooltips: bool = False
    takes_snippet_edits: bool = False
    executes_commands: bool = False
    applies_edits: bool = False
    shows_documents: bool = False
    reads_content: bool = False

    @staticmethod
    def of(capabilities: types.ClientCapabilities) -> "Client":
        """The client with these capabilities."""
        experimental = _experimental(capabilities)
        return Client(
            encoding=choose_encoding(capabilities),
            pulls_diagnostics=capabilities.text_document is not None
            and capabilities.text_document.diagnostic is not None,
            refreshes_diagnostics=get_capability(capabilities, "workspace.diagnostics.refresh_support", False),
            related_information=get_capability(
                capabilities, "text_document.publish_diagnostics.related_information", False
            ),
            refreshes_inlay_hints=get_capability(capabilities, "workspace.inlay_hint.refresh_support", False),
            refreshes_tokens=get_capability(capabilities, "workspace.semantic_tokens.refresh_support", False),
            refreshes_lenses=get_capability(capabilities, "workspace.code_lens.refresh_support", False),
            code_descriptions=get_capability(
                capabilities, "text_document.publish_diagnostics.code_description_support", False
            ),
            diagnostic_tags=types.DiagnosticTag.Unnecessary
            in _listed(capabilities, "text_document.publish_diagnostics.tag_support.value_set"),
            creates_files=get_capability(capabilities, "workspace.workspace_edit.document_changes", False)
            and types.ResourceOperationKind.Create
            in _listed(capabilities, "workspace.workspace_edit.resource_operations"),
            markdown=types.MarkupKind.Markdown
            in _listed(capabilities, "text_document.hover.content_format", types.MarkupKind.Markdown),
            # Who names a parser of Markdown renders it; others show the addresses of links, and tables as written.
            renders_markdown=says(capabilities, "general.markdown.parser") is not None,
            snippets=get_capability(capabilities, "text_document.completion.completion_item.snippet_support", False),
            label_offsets=get_capability(
                capabilities,
                "text_document.signature_help.signature_information.parameter_information.label_offset_support",
                False,
            ),
            common_edit_range="editRange"
            in _listed(capabilities, "text_document.completion.completion_list.item_defaults"),
            watches_files=get_capability(
                capabilities, "workspace.did_change_watched_files.dynamic_registration", False
            ),
            has_configuration=get_capability(capabilities, "workspace.configuration", False),
            shows_progress=get_capability(capabilities, "window.work_done_progress", False),
            commands=frozenset(experimental.commands.commands),
            enter_keeps_text=experimental.enter_keeps_text,
            resolves_actions=_resolves(capabilities, "code_action", "edit"),
            resolves_lenses=_resolves(capabilities, "code_lens", "command"),
            resolves_hints=_resolves(capabilities, "inlay_hint", "tooltip"),
            shows_link_tooltips=bool(says(capabilities, "text_document.document_link.tooltip_support")),
            takes_snippet_edits=get_capability(capabilities, "workspace.workspace_edit.document_changes", False)
            and bool(says(capabilities, "workspace.workspace_edit.snippet_edit_support")),
            executes_commands=says(capabilities, "workspace.execute_command") is not None,
            applies_edits=bool(says(capabilities, "workspace.apply_edit")),
            shows_documents=bool(says(capabilities, "window.show_document.support")),
            reads_content=says(capabilities, "workspace.text_document_content") is not None,
        )


def says(capabilities: types.ClientCapabilities, name: str) -> Any:
    """What a client says of a capability with dots in its name; None if it says nothing."""
    found: Any = capabilities
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _resolves(capabilities: types.ClientCapabilities, feature: str, wanted: str) -> bool:
    """Whether a client asks again for a property of what it is given."""
    return wanted in _listed(capabilities, f"text_document.{feature}.resolve_support.properties")


def _listed(capabilities: types.ClientCapabilities, name: str, *unless_said: object) -> Sequence[object]:
    """The values that a client lists; anything but a list is ignored."""
    found = says(capabilities, name)
    return found if isinstance(found, (list, tuple)) else unless_said


class _Commands(msgspec.Struct, frozen=True):
    commands: tuple[str, ...] = ()


class _Experimental(msgspec.Struct, frozen=True):
    """The capabilities that the protocol does not have.

    commands: the client's own, as rust-analyzer reads them. enter_keeps_text: in a list, Enter ends the line if the
    chosen entry is what is typed already; then a list that the client filters itself is better than an old one.
    """

    commands: _Commands = _Commands()
    enter_keeps_text: bool = False


def _experimental(capabilities: types.ClientCapabilities) -> _Experimental:
    try:
        return msgspec.convert(capabilities.experimental or {}, _Experimental, from_attributes=True)
    except msgspec.ValidationError:
        return _Experimental()


def choose_encoding(capabilities: types.ClientCapabilities) -> PositionEncoding:
    """UTF-8 if the client offers it; else UTF-16, which every client understands."""
    offered = get_capability(capabilities, "general.position_encodings", None) or ()
    return next((encoding for encoding in _PREFERRED if encoding in offered), "utf-16")
