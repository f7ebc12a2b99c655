"""`SKILL.md`, which says when to ask which tool."""

from importlib import resources


def text() -> str:
    """The whole page."""
    return resources.files("gcn_lsp.mcp").joinpath("SKILL.md").read_text("utf-8")


def summary() -> str:
    """Its description alone, the instructions that a client shows an agent at the start."""
    head = text().split("---")[1]
    (line,) = (line for line in head.splitlines() if line.startswith("description:"))
    return line.partition(":")[2].strip()
