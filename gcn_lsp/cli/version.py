"""The version of gcn-lsp."""

from importlib.metadata import PackageNotFoundError, version


def current() -> str:
    """The installed version; `unknown` in a checkout that is not installed."""
    try:
        return version("gcn-lsp")
    except PackageNotFoundError:
        return "unknown"
