"""What a target is, by any of its names: `gfx1310`, `RDNA 5`, `mi300x`."""

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown
from gcn_lsp.isa.documentation import documents
from gcn_lsp.isa.target import other_names


def describe(topic: str) -> str | None:
    """The names of a target, its waves, and the document about it, as Markdown; None if no target has the name."""
    name = isa.resolve_target(topic) or isa.resolve_target(topic.replace(" ", "").replace("-", ""))
    return _page(name) if name is not None else None


def spoken(name: str) -> str:
    """A nickname as people write it: `RDNA 5` for `rdna5`."""
    return f"RDNA {name.removeprefix('rdna')}" if name.startswith("rdna") else name


def _page(name: str) -> str:
    target = isa.load_target(name)
    others = [spoken(other) for other in other_names(name)]
    title = f"**{name}**: {', '.join([target.generation, *others])}"
    return markdown.join(title, f"{_waves(target)}.", f"Described by {documents.reference(name)}.")


def _waves(target: isa.Target) -> str:
    if not target.has_wave32:
        return "Waves of 64 lanes"
    if target.has_only_wave32:
        return "Waves of 32 lanes"
    return f"Waves of 32 or 64 lanes, {target.wavefront_size} unless a kernel says otherwise"
