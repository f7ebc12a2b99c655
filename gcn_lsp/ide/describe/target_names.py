"""What a target is, by any of its names: `gfx1310`, `RDNA 5`, `mi300x`, `7900`."""

from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown
from gcn_lsp.isa import products
from gcn_lsp.isa.documentation import documents
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.isa.target import other_names


def describe(topic: str) -> str | None:
    """The names of a target, its waves, and the document about it, as Markdown; None if no target has the name."""
    name = isa.resolve_target(topic) or isa.resolve_target(topic.replace(" ", "").replace("-", ""))
    found = [name] if name is not None else _of_product(topic.lower())
    if len(found) > 1:
        return markdown.table(("target", "architecture", "products"), tuple(map(_row, found)))
    return _page(found[0]) if found else None


def _of_product(topic: str) -> list[str]:
    """The targets of an architecture, or those with a product whose name has all words of the topic.

    `products.meant_by` is for paths and leaves out words that people use otherwise; here somebody asks.
    """
    words, joined = topic.split(), topic.replace(" ", "").replace("-", "")
    if len(joined) < _SHORTEST:
        return []
    found = [name for name in isa.target_names() if products.architecture(name).lower() == joined]
    return found or [
        name
        for name in isa.target_names()
        if any(set(words) <= set(each.lower().split()) for each in products.products(name))
    ]


def _row(name: str) -> tuple[str, str, str]:
    return markdown.code(name), products.architecture(name), ", ".join(products.products(name))


_SHORTEST = 4  # characters: numbers are explained too


def spoken(name: str) -> str:
    """A nickname as people write it: `RDNA 5` for `rdna5`."""
    return f"RDNA {name.removeprefix('rdna')}" if name.startswith("rdna") else name


def _page(name: str) -> str:
    target = isa.load_target(name)
    others = [spoken(other) for other in other_names(name)]
    title = f"**{name}**: {', '.join([target.generation, *others])}"
    machine = markdown.table(("machine", "numbers"), tuple(_machine(target)))
    return markdown.join(title, f"{_waves(target)}.", machine, f"Described by {documents.reference(name)}.")


def _machine(target: isa.Target) -> Iterator[tuple[str, str]]:
    """Registers, LDS, blocks and waves, as occupancy counts them."""
    features = target.features
    sizes = [32] if target.has_only_wave32 else [32, 64] if target.has_wave32 else [64]
    limits = {lanes: allocation.units(features, wave32=lanes == _NARROW) for lanes in sizes}
    own, most = f"{target.file_sizes['v']}", allocation.most_vgprs(features)
    accumulators = target.file_sizes.get("a", 0)
    if accumulators and most > accumulators:
        own = f"{most}: {target.file_sizes['v']} VGPRs and {accumulators} AccVGPRs"
    elif accumulators:
        own = f"{target.file_sizes['v']}, and as many AccVGPRs"
    elif most > target.file_sizes["v"]:
        own = f"{most}, of which an operand names {target.file_sizes['v']} at a time"
    yield "VGPRs of a wave at most", own
    yield "VGPRs of a SIMD, for each lane", _by_lanes({lanes: f"{each.vgprs}" for lanes, each in limits.items()})
    yield "VGPRs are allocated in blocks of", _by_lanes({lanes: f"{each.vgpr}" for lanes, each in limits.items()})
    first = limits[sizes[0]]
    block = f", allocated in blocks of {first.sgpr}" if first.sgpr else ", and every wave has all of them"
    yield "SGPRs of a wave", f"`s0` to `s{target.file_sizes['s'] - 1}`{block}"
    yield "waves of a SIMD at most", f"{first.waves}"
    yield "SIMDs of a compute unit", f"{allocation.simds_of_unit(features)}"
    lds, unit = allocation.lds_limit(features), allocation.lds_unit(features)
    yield "LDS of a work-group at most", f"{lds} bytes, allocated in blocks of {unit}"
    yield "work-items of a work-group at most", f"{allocation.MOST_WORK_ITEMS}"


_NARROW = 32


def _by_lanes(values: dict[int, str]) -> str:
    """A value for each size of wave, once if all are one."""
    if len(set(values.values())) == 1:
        return next(iter(values.values()))
    return ", ".join(f"{value} in waves of {lanes}" for lanes, value in values.items())


def _waves(target: isa.Target) -> str:
    if not target.has_wave32:
        return "Waves of 64 lanes"
    if target.has_only_wave32:
        return "Waves of 32 lanes"
    return f"Waves of 32 or 64 lanes, {target.wavefront_size} unless a kernel says otherwise"
