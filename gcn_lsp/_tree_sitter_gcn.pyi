def language() -> object:
    """The grammar as py-tree-sitter's `Language` takes it."""
