"""The pages of ideas: occupancy, waves, LDS, waits, hazards, the memory model, with tables of the target."""

from collections.abc import Callable, Iterator, Mapping

from gcn_lsp import isa
from gcn_lsp.ide.describe import hazard, markdown, words
from gcn_lsp.isa import conditions, documentation, hazards
from gcn_lsp.isa.hazards import passes
from gcn_lsp.isa.kernels import allocation, descriptor, dispatch_packet, implicit_arguments
from gcn_lsp.isa.machine import barriers, caches
from gcn_lsp.isa.memory import memory_model
from gcn_lsp.isa.waits import wait_events, waitcnt


def describe(name: str, target: "isa.Target | None") -> str | None:
    """The page of an idea as Markdown, by its name or one like it (`bank conflict`); None if nothing has the name."""
    key = name.lower().replace("_", "-").replace(" ", "-")
    key = key if key in documentation.names(documentation.CONCEPTS) else key.removesuffix("s")
    shown = target or isa.load_target(_USUAL)
    if documentation.concept(key, shown) is None:
        return None
    is_there = documentation.has_text(documentation.CONCEPTS, key, shown.name)
    title = (
        f"**{key.replace('-', ' ')}** on {shown.name}"
        if is_there
        else f"**{key.replace('-', ' ')}** (not on {shown.name})"
    )
    return markdown.join(title, text(key, shown))


def text(name: str, target: isa.Target) -> str:
    """The sentences about an idea and its tables, for one of its names; without tables if the target does not have it.

    Empty if nothing has the name.
    """
    entry = documentation.concept(name, target)
    if entry is None:
        return ""
    table = _TABLES.get(name) if documentation.has_text(documentation.CONCEPTS, name, target.name) else None
    return markdown.join(entry.summary, words.notes(entry.notes), table(target) if table is not None else "")


_USUAL = "gfx942"  # the target for a request without one


# The sizes of waves, and the targets that have them.
_LANES = ((32, "gfx10+"), (64, "!gfx125 !gfx13+"))


def _occupancy(target: isa.Target) -> str:
    features = target.features
    tables = []
    for lanes, condition in _LANES:
        if not conditions.holds(condition, features):
            continue
        limits = allocation.units(features, wave32=lanes == 32)
        rows = [(str(count), str(waves)) for count, waves in _steps(limits, allocation.most_vgprs(features))]
        head = f"VGPRs of a wave of {lanes} lanes, in blocks of {limits.vgpr}"
        tables.append(markdown.table((f"{head}: up to", "waves on a SIMD"), rows))
    scalar = [(str(count), str(waves)) for count, waves in allocation.sgpr_steps(features)]
    if scalar:
        head = "SGPRs of a wave, with those of VCC, FLAT_SCRATCH and XNACK_MASK: up to"
        tables.append(markdown.table((head, "waves on a SIMD"), scalar))
    unit, other = allocation.lds_unit(features), allocation.lds_unit_of_llvm(features)
    said = f" (LLVM counts blocks of {other})" if other is not None else ""
    lds = f"LDS: {allocation.lds_limit(features)} bytes for a work-group at most, in blocks of {unit}{said}."
    return markdown.join(*tables, lds)


def _steps(limits: allocation.Units, most: int) -> Iterator[tuple[int, int]]:
    """For each number of waves that VGPRs allow, the most VGPRs that still allow it."""
    counts = range(limits.vgpr, most + 1, limits.vgpr)
    by_waves = {allocation.waves_by_vgprs(count, limits): count for count in counts}
    yield from ((count, waves) for waves, count in by_waves.items())


def _kernarg(target: isa.Target) -> str:
    rows = [(f"+{offset}", f"{size} bytes", markdown.code(name)) for offset, size, name in implicit_arguments.OFFSETS]
    return markdown.table(("offset", "size", "hidden argument"), rows)


def _user_sgprs(target: isa.Target) -> str:
    fields = descriptor.directives(target.features)
    rows = [
        (markdown.code(f".amdhsa_{name}"), str(field.user_sgprs) if field.user_sgprs > 0 else "its value")
        for name, field in fields.items()
        if field.user_sgprs
    ]
    return markdown.table(("field", "user SGPRs"), rows)


def _lds(target: isa.Target) -> str:
    most, unit = allocation.lds_limit(target.features), allocation.lds_unit(target.features)
    return f"A work-group has {most} bytes at most, in blocks of {unit}."


def _counters(target: isa.Target) -> str:
    names = wait_events.counter_names(target.features)
    maxima = waitcnt.all_maxima(target.features)
    by_counter: dict[str, list[str]] = {}
    for role, counter in names.items():
        by_counter.setdefault(counter, []).extend(_operations(role, target))
    rows = [
        (markdown.code(counter), str(maxima[counter]) if counter in maxima else "", ", ".join(roles))
        for counter, roles in by_counter.items()
        if roles
    ]
    return markdown.table(("counter", "counts up to", "operations"), rows)


def _operations(role: str, target: isa.Target) -> list[str]:
    """The operations of a role that a target has."""
    return [
        words_
        for words_, condition, mnemonics in _ROLES[role]
        if conditions.holds(condition, target.features) and (not mnemonics or any(map(target.has_forms, mnemonics)))
    ]


# By role: operations, the targets where they count so, and mnemonics of which the target must have one.
_ROLES: Mapping[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    "load": (("loads of vector memory, atomics that return", "", ()),),
    "sample": (("image samples", "", ("image_sample",)),),
    "bvh": (("ray tests", "", ("image_bvh_intersect_ray", "image_bvh8_intersect_ray")),),
    "store": (("stores, atomics that return nothing", "", ()),),
    "lds": (("LDS", "", ()), ("GDS", "gfx6-11 !gfx94 !gfx95", ("ds_gws_init",))),
    "scalar": (("scalar memory, messages", "", ()),),
    "export": (
        ("exports", "!gfx908 !gfx90a !gfx94 !gfx95 !gfx125", ("exp", "export")),
        ("GDS, until its data have been read", "gfx6-11 !gfx94 !gfx95", ("ds_gws_init",)),
        ("stores, until their data have been read", "gfx6", ()),
        ("LDS direct and parameter loads", "gfx11+", ("lds_direct_load", "ds_direct_load")),
    ),
    "translation": (("memory accesses whose address is still to be translated", "", ()),),
    "async": (("copies between memory and LDS beside the wave", "", ()),),
    "tensor": (("tensor copies", "", ()),),
}


def _hazards(target: isa.Target) -> str:
    rows = {(row.id, *hazard.in_words(row), row.reason): None for row in hazards.rows(target.features)}
    return markdown.table(("row", *hazard.HEAD, "why"), sorted(rows))


def _memory_model(target: isa.Target) -> str:
    parts = []
    for scope in (memory_model.WORK_GROUP, memory_model.AGENT, memory_model.SYSTEM):
        found = memory_model.sequence(target.features, scope)
        if not found.release:
            parts.append(f"Scope {scope}: its waves share the caches, so only LDS needs a wait, for its own counter.")
            continue
        release = markdown.block("\n".join((*found.release, "; write the flag")), "gcn")
        acquire = markdown.block("\n".join(("; read the flag", *found.acquire)), "gcn")
        parts += [f"Scope {scope}, release:", release, f"Scope {scope}, acquire:", acquire]
    return markdown.join(*parts)


def _caches(target: isa.Target) -> str:
    rows = [(name, f"{line} bytes") for name, line in caches.lines(target.features)]
    return markdown.table(("cache for", "line"), rows)


def _rates(target: isa.Target) -> str:
    return f"Additions and multiplications of 64-bit floats are {caches.doubles(target.features)}."


def _dispatch_packet(target: isa.Target) -> str:
    rows = [(f"+{field.offset}", f"{field.size} bytes", field.meaning) for field in dispatch_packet.FIELDS]
    return markdown.table(("offset", "size", "field"), rows)


def _barriers(target: isa.Target) -> str:
    rows = [(str(number), what) for number, what in barriers.numbers(target.features)]
    return markdown.table(("barrier", "what it is"), rows) if rows else ""


def _matrices(target: isa.Target) -> str:
    """The passes of the target's matrix instructions, or what has to be between WMMA and the use of its result."""
    by_count: dict[int, list[str]] = {}
    for mnemonic in target.mnemonics:
        if mnemonic.startswith(_MATRICES):
            counts = {passes.passes(form, target.features) for form in target.forms(mnemonic)} - {0}
            for count in counts:
                by_count.setdefault(count, []).append(markdown.code(mnemonic))
    rows = [(str(count), ", ".join(sorted(names))) for count, names in sorted(by_count.items())]
    if rows:
        return markdown.table(("passes", "instructions"), rows)
    between = sorted(
        {
            (row.first.name, row.second.name, hazard.needed(row))
            for row in hazards.rows(target.features)
            if _WMMA in row.first.name
        }
    )
    return markdown.table(("first", "then", "needed between"), between) if between else ""


_MATRICES, _WMMA = ("v_mfma_", "v_smfmac_"), "WMMA"


_TABLES: Mapping[str, Callable[[isa.Target], str]] = {
    "occupancy": _occupancy,
    **dict.fromkeys(("kernarg", "hidden-arguments", "implicit-arguments"), _kernarg),
    "lds": _lds,
    **dict.fromkeys(("user-sgpr", "user-sgprs", "kernel-input", "system-sgpr"), _user_sgprs),
    **dict.fromkeys(("cache", "cache-line", "coalescing"), _caches),
    **dict.fromkeys(("rate", "latency", "cost"), _rates),
    **dict.fromkeys(("dispatch-packet", "dispatch", "aql"), _dispatch_packet),
    **dict.fromkeys(("barrier", "named-barrier", "cluster-barrier"), _barriers),
    **dict.fromkeys(("mfma", "wmma", "matrix"), _matrices),
    **dict.fromkeys(("waitcnt", "counters"), _counters),
    **dict.fromkeys(("hazard", "wait-states"), _hazards),
    **dict.fromkeys(("memory-model", "release", "acquire"), _memory_model),
}
