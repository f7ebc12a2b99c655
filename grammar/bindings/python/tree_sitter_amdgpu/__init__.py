"""The grammar of AMD GPU assembly, `tree_sitter.Language(tree_sitter_amdgpu.language())`, and its queries."""

from importlib.resources import files

from ._binding import language

__all__ = [
    "FOLDS_QUERY",
    "HIGHLIGHTS_QUERY",
    "INDENTS_QUERY",
    "INJECTIONS_QUERY",
    "LOCALS_QUERY",
    "TAGS_QUERY",
    "language",
]

_QUERIES = {name: f"{name.removesuffix('_QUERY').lower()}.scm" for name in __all__ if name.endswith("_QUERY")}


def __getattr__(name: str) -> str:
    """The text of a query, read on first use."""
    if name not in _QUERIES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return (files(__package__) / "queries" / _QUERIES[name]).read_text()
