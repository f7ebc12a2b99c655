"""The version of gcn-lsp."""

import gcn_lsp


def current() -> str:
    """The version of this program."""
    return gcn_lsp.__version__
