"""`gcn-lsp/objectText`: the assembly of a code object, which is not open yet. Parameters: the object's `uri`."""

from gcn_lsp.project.files import Files, Unreadable
from gcn_lsp.server import wire


class ObjectText(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: the text, or why there is none, as the end of a sentence."""

    text: str
    reason: str


def object_text(files: Files, path: str) -> ObjectText:
    """The text of the object at a path. The document that shows it finds the same text and map in `files`."""
    try:
        view = files.view(path)
    except Unreadable as error:
        return ObjectText("", str(error))
    if view is None:
        return ObjectText("", "it is not a code object")
    return ObjectText(view.text.decode("utf-8", "replace"), "")
