"""Reads an `.amdgpu_metadata` block: each kernel's values and their places, and the mistakes.

Blocks are kept by their text, so an edit elsewhere does not read them again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

import msgspec

from gcn_lsp.program.kernels.metadata_tree import MetadataMistake, Node, Refused
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import Location

WORD = ".amdgpu_metadata"
KERNELS, VERSION, PRINTF = "amdhsa.kernels", "amdhsa.version", "amdhsa.printf"


class MetadataBlock(msgspec.Struct, frozen=True):
    """A metadata block: its directive, its lines, and the place of the first of them."""

    word: str
    lines: tuple[bytes, ...]
    where: Location


class Described(NamedTuple):
    """A kernel in the metadata: the block that describes it, its map, and its name."""

    block: MetadataBlock
    kernel: Node
    name: str


class MetadataArgument(NamedTuple):
    """An argument of a kernel. offset, size: of it in the kernarg segment, in bytes. number: from 0. node: its map."""

    offset: int
    size: int
    number: int
    node: Node

    @property
    def is_pointer(self) -> bool:
        """Whether it is an address of eight bytes that the caller passes."""
        kind = self.node.get(".value_kind")
        return kind is not None and kind.text == _BUFFER and self.size == _POINTER_SIZE

    @property
    def is_hidden(self) -> bool:
        """Whether the runtime passes it, not the caller."""
        kind = self.node.get(".value_kind")
        return kind is not None and (kind.text or "").startswith("hidden_")

    @property
    def title(self) -> str:
        """Its name, or its number without one."""
        name = self.node.get(".name")
        return f"`{name.text}`" if name is not None and name.text else str(self.number)


_BUFFER, _POINTER_SIZE = "global_buffer", 8


class MetadataDocument(msgspec.Struct, frozen=True):
    """A block as read. kernels: the maps in `amdhsa.kernels`. mistakes: reasons not to accept it."""

    kernels: tuple[Node, ...] = ()
    mistakes: tuple[MetadataMistake, ...] = ()


@lru_cache(maxsize=64)
def read(lines: tuple[bytes, ...]) -> MetadataDocument:
    """The metadata in the lines of a block; never raises."""
    from gcn_lsp.program.kernels import metadata_yaml  # late: the YAML library takes a tenth of the start

    try:
        root = metadata_yaml.tree(lines)
    except Refused as refused:
        return MetadataDocument((), (refused.mistake,))
    if root is None:
        return MetadataDocument((), (MetadataMistake(0, 0, 0, "the metadata is empty"),))
    kernels = root.get(KERNELS)
    found = tuple(node for node in (kernels.items if kernels is not None and kernels.items else ()) if node.entries)
    return MetadataDocument(found, tuple(_mistakes(root)))


@lru_cache(maxsize=4)
def readable(lines: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """The first lines of a block that has no end yet, as far as they are YAML; none if that is not found soon."""
    from gcn_lsp.program.kernels import metadata_yaml  # late, as above

    for _ in range(_TRIES):
        try:
            metadata_yaml.tree(lines)
        except Refused as refused:
            lines = lines[: min(refused.mistake.line, len(lines) - 1)]
        else:
            return lines
    return ()


_TRIES = 4  # the line that is typed, and the one before it; a quote without an end is noticed at the end of all lines


def kernels(word: str, lines: tuple[bytes, ...]) -> tuple[Node, ...]:
    """The kernels that a block describes; none for the metadata of another system."""
    return read(lines).kernels if word == WORD else ()


def described(blocks: Iterable[MetadataBlock]) -> Iterator[Described]:
    """The kernels in some blocks, in order."""
    for block in blocks:
        for kernel in kernels(block.word, block.lines):
            yield Described(block, kernel, kernel_name(kernel))


def arguments(blocks: Iterable[MetadataBlock], name: str) -> Iterator[MetadataArgument]:
    """The arguments of a kernel, those with an offset and a size."""
    for each in described(blocks):
        if each.name == name:
            yield from arguments_of(each.kernel)


def arguments_of(kernel: Node) -> Iterator[MetadataArgument]:
    """The arguments in the map of a kernel, those with an offset and a size."""
    listed = kernel.get(".args")
    for number, node in enumerate(listed.items or () if listed is not None else ()):
        offset, size = node.get(".offset"), node.get(".size")
        if offset is not None and size is not None and offset.number is not None and size.number is not None:
            yield MetadataArgument(offset.number, size.number, number, node)


def is_compiled(kernel: Node) -> bool:
    """Whether a compiler wrote the map of a kernel: only LLVM's own say whether there is a dynamic stack."""
    return kernel.get(".uses_dynamic_stack") is not None


def has_compiled(blocks: Iterable[MetadataBlock], name: str) -> bool:
    """Whether a compiler wrote the map of the kernel of a name in some blocks."""
    return any(each.name == name and is_compiled(each.kernel) for each in described(blocks))


def has_single_waves(blocks: Iterable[MetadataBlock]) -> bool:
    """Whether every kernel in some blocks has work-groups of one wave, and there is one."""
    sizes = [
        (most.number, wave.number)
        for _, kernel, _ in described(blocks)
        if (most := kernel.get(".max_flat_workgroup_size")) and (wave := kernel.get(".wavefront_size"))
    ]
    return bool(sizes) and all(most and wave and most <= wave for most, wave in sizes)


def kernel_name(described: Node) -> str:
    """The kernel of a map in `amdhsa.kernels`: the symbol of its descriptor without `.kd`."""
    symbol = described.get(".symbol") or described.get(".name")
    return (symbol.text or "").removesuffix(".kd") if symbol is not None else ""


# Kinds of values.


def _is_integer(node: Node) -> bool:
    return node.number is not None


def _is_boolean(node: Node) -> bool:
    return node.text in ("true", "false")


def _is_text(node: Node) -> bool:
    return node.text is not None and not (node.is_plain and (node.number is not None or _is_boolean(node)))


def _is_list(node: Node) -> bool:
    return node.items is not None or (node.text == "" and node.is_plain)


class ValueKind(NamedTuple):
    """What a key takes: a check, the words for a message, and the values, if they are few and known."""

    accepts: Callable[[Node], bool]
    said: str
    choices: tuple[str, ...] = ()

    @property
    def is_list(self) -> bool:
        """Whether it is a list of any length, which lines of its own have."""
        return self.accepts is _is_list


def _one_of(*choices: str) -> ValueKind:
    said = "one of " + ", ".join(f"`{choice}`" for choice in choices)
    return ValueKind(lambda node: node.text in choices, said, choices)


def _integers(count: int) -> ValueKind:
    def check(node: Node) -> bool:
        return node.items is not None and len(node.items) == count and all(map(_is_integer, node.items))

    return ValueKind(check, f"a list of {count} numbers")


_NUMBER = ValueKind(_is_integer, "a number")
_BOOLEAN = ValueKind(_is_boolean, "`true` or `false`", ("true", "false"))
_TEXT = ValueKind(_is_text, "text; a number needs quotes")
_LIST = ValueKind(_is_list, "a list")
_ACCESS = _one_of("read_only", "write_only", "read_write")
_ANYTHING = ValueKind(lambda _: True, "anything")  # LLVM does not look at it
_WAVE = ValueKind(_is_integer, "a number", ("32", "64"))

_HIDDEN = (
    "block_count_x block_count_y block_count_z group_size_x group_size_y group_size_z remainder_x remainder_y "
    "remainder_z global_offset_x global_offset_y global_offset_z grid_dims none printf_buffer hostcall_buffer heap_v1 "
    "default_queue completion_action multigrid_sync_arg dynamic_lds_size private_base shared_base queue_ptr"
)
_PASSED = ("by_value", "global_buffer", "dynamic_shared_pointer", "sampler", "image", "pipe", "queue")
VALUE_KINDS = (*_PASSED, *(f"hidden_{name}" for name in _HIDDEN.split()))
"""How an argument may be passed."""

_REQUIRED, _OPTIONAL = True, False

Keys = Mapping[str, tuple[bool, ValueKind]]
"""The keys of a map: whether each is required, and what it takes."""

ROOT: Keys = {
    VERSION: (_REQUIRED, _integers(2)),
    "amdhsa.target": (_OPTIONAL, _ANYTHING),
    PRINTF: (_OPTIONAL, _LIST),
    KERNELS: (_REQUIRED, _LIST),
}
KERNEL: Keys = {
    ".name": (_REQUIRED, _TEXT),
    ".symbol": (_REQUIRED, _TEXT),
    ".language": (_OPTIONAL, _one_of("OpenCL C", "OpenCL C++", "HCC", "HIP", "OpenMP", "Assembler")),
    ".language_version": (_OPTIONAL, _integers(2)),
    ".args": (_OPTIONAL, _LIST),
    ".reqd_workgroup_size": (_OPTIONAL, _integers(3)),
    ".workgroup_size_hint": (_OPTIONAL, _integers(3)),
    ".vec_type_hint": (_OPTIONAL, _TEXT),
    ".device_enqueue_symbol": (_OPTIONAL, _TEXT),
    ".kernarg_segment_size": (_REQUIRED, _NUMBER),
    ".group_segment_fixed_size": (_REQUIRED, _NUMBER),
    ".private_segment_fixed_size": (_REQUIRED, _NUMBER),
    ".uses_dynamic_stack": (_OPTIONAL, _BOOLEAN),
    ".kernarg_segment_align": (_REQUIRED, _NUMBER),
    ".wavefront_size": (_REQUIRED, _WAVE),
    ".sgpr_count": (_REQUIRED, _NUMBER),
    ".vgpr_count": (_REQUIRED, _NUMBER),
    ".agpr_count": (_OPTIONAL, _ANYTHING),
    ".max_flat_workgroup_size": (_REQUIRED, _NUMBER),
    ".sgpr_spill_count": (_OPTIONAL, _NUMBER),
    ".vgpr_spill_count": (_OPTIONAL, _NUMBER),
    ".uniform_work_group_size": (_OPTIONAL, _NUMBER),
    ".workgroup_processor_mode": (_OPTIONAL, _ANYTHING),
    ".kind": (_OPTIONAL, _ANYTHING._replace(choices=("normal", "init", "fini"))),
}
ARGUMENT: Keys = {
    ".name": (_OPTIONAL, _TEXT),
    ".type_name": (_OPTIONAL, _TEXT),
    ".size": (_REQUIRED, _NUMBER),
    ".offset": (_REQUIRED, _NUMBER),
    ".value_kind": (
        _REQUIRED,
        ValueKind(lambda node: node.text in VALUE_KINDS, "a kind of argument, such as `by_value`", VALUE_KINDS),
    ),
    ".value_type": (_OPTIONAL, _ANYTHING),
    ".pointee_align": (_OPTIONAL, _NUMBER),
    ".address_space": (_OPTIONAL, _one_of("private", "global", "constant", "local", "generic", "region")),
    ".access": (_OPTIONAL, _ACCESS),
    ".actual_access": (_OPTIONAL, _ACCESS),
    ".is_const": (_OPTIONAL, _BOOLEAN),
    ".is_restrict": (_OPTIONAL, _BOOLEAN),
    ".is_volatile": (_OPTIONAL, _BOOLEAN),
    ".is_pipe": (_OPTIONAL, _BOOLEAN),
}

KEYS = frozenset((*ROOT, *KERNEL, *ARGUMENT))
"""All keys."""


def _mistakes(root: Node) -> Iterator[MetadataMistake]:
    if root.entries is None:
        yield MetadataMistake(
            root.line, root.start, root.end, "the metadata must be a map of keys such as `amdhsa.version`"
        )
        return
    yield from _checked(root, ROOT, "the metadata")
    kernels = root.get(KERNELS)
    for kernel in _maps(kernels):
        yield from _checked(kernel, KERNEL, "a kernel")
        for argument in _maps(kernel.get(".args")):
            yield from _checked(argument, ARGUMENT, "an argument")


def _maps(node: "Node | None") -> Iterable[Node]:
    return node.items if node is not None and node.items is not None else ()


def _checked(node: Node, table: Keys, what: str) -> Iterator[MetadataMistake]:
    """The problems of a map, by a table of its keys."""
    if node.entries is None:
        yield MetadataMistake(node.line, node.start, node.end, f"{what} must be a map of keys and values")
        return
    seen: set[str] = set()
    for key, value in node.entries:
        name = key.text or ""
        if name in seen:
            yield MetadataMistake(key.line, key.start, key.end, f"`{name}` is given twice")
        seen.add(name)
        if name in table and not table[name][1].accepts(value):
            yield MetadataMistake(value.line, value.start, value.end, f"`{name}` takes {table[name][1].said}")
    missing = [name for name, (required, _) in table.items() if required and name not in seen]
    if missing:
        place = node.entries[0][0] if node.entries else node
        listed = ", ".join(f"`{name}`" for name in missing)
        yield MetadataMistake(place.line, place.start, place.end, f"{what} needs {listed}")
