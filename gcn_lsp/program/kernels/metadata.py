"""Reads the YAML of an `.amdgpu_metadata` block: each kernel's values and their places, and the mistakes.

The YAML library only divides the text into events; tags are not executed and nothing is constructed from them. Blocks
are kept by their text, so an edit elsewhere does not read them again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

import msgspec
import yaml

WORD = ".amdgpu_metadata"
KERNELS, VERSION, PRINTF = "amdhsa.kernels", "amdhsa.version", "amdhsa.printf"

MAX_DEPTH = 32  # metadata nests five deep
_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C loader, if the library was built with it


class Node(msgspec.Struct):
    """A value in the YAML: `text` of a scalar, `items` of a list, or `entries` of a map; the other two are None.

    line: of the block, from 0; start, end: byte columns on it (of a list or map: its start). is_plain: a scalar without
    quotes.
    """

    line: int
    start: int
    end: int
    text: str | None = None
    items: "list[Node] | None" = None
    entries: "list[tuple[Node, Node]] | None" = None
    is_plain: bool = False

    def get(self, key: str) -> "Node | None":
        """The value of a key of a map."""
        return next((value for name, value in self.entries or () if name.text == key), None)

    @property
    def number(self) -> int | None:
        """A scalar as an integer; None if it is not one."""
        return _integer(self.text) if self.text is not None else None


class Mistake(msgspec.Struct, frozen=True):
    """A mistake, at columns `start` to `end` of line `line` of the block."""

    line: int
    start: int
    end: int
    message: str


class Document(msgspec.Struct, frozen=True):
    """A block as read. kernels: the maps in `amdhsa.kernels`. mistakes: reasons not to accept it."""

    kernels: tuple[Node, ...] = ()
    mistakes: tuple[Mistake, ...] = ()


@lru_cache(maxsize=64)
def read(lines: tuple[bytes, ...]) -> Document:
    """The metadata in the lines of a block; never raises."""
    try:
        root = _tree(lines)
    except _Refused as refused:
        return Document((), (refused.mistake,))
    if root is None:
        return Document((), (Mistake(0, 0, 0, "the metadata is empty"),))
    kernels = root.get(KERNELS)
    found = tuple(node for node in (kernels.items if kernels is not None and kernels.items else ()) if node.entries)
    return Document(found, tuple(_mistakes(root)))


def kernels(word: str, lines: tuple[bytes, ...]) -> tuple[Node, ...]:
    """The kernels that a block describes; none for the metadata of another system."""
    return read(lines).kernels if word == WORD else ()


def kernel_name(described: Node) -> str:
    """The kernel of a map in `amdhsa.kernels`: the symbol of its descriptor without `.kd`."""
    symbol = described.get(".symbol") or described.get(".name")
    return (symbol.text or "").removesuffix(".kd") if symbol is not None else ""


class _Refused(Exception):
    """The text is not YAML."""

    def __init__(self, mistake: Mistake) -> None:
        super().__init__(mistake.message)
        self.mistake = mistake


def _tree(lines: tuple[bytes, ...]) -> "Node | None":
    """The first document in the lines."""
    texts = [line.decode("utf-8", "replace") for line in lines]
    builder = _Builder(texts)
    try:
        for event in yaml.parse("\n".join(texts) + "\n", Loader=_LOADER):
            if isinstance(event, yaml.DocumentEndEvent):
                break
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line, mark.column) if mark is not None else (0, 0)
        message = error.problem or error.context or "syntax error"
        raise _Refused(builder.mistake(line, column, f"not valid YAML: {message}")) from error
    except yaml.reader.ReaderError as error:
        line = "\n".join(texts)[: error.position].count("\n")
        raise _Refused(builder.mistake(line, 0, "not valid YAML: a character is not allowed")) from error
    except yaml.YAMLError as error:
        raise _Refused(builder.mistake(0, 0, "not valid YAML")) from error
    return builder.root


class _Builder:
    """Builds nodes from events, without recursion."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts
        self.root: Node | None = None
        self._open: list[tuple[Node, Node | None]] = []  # open containers, maps with the key that needs a value

    def mistake(self, line: int, column: int, message: str) -> Mistake:
        """A mistake from a column to the end of its line; a line after the end counts as the last."""
        line = max(0, min(line, len(self._texts) - 1))
        text = self._texts[line] if self._texts else ""
        start = self._byte(line, column)
        end = len(text.rstrip().encode())
        if start >= end:
            start = len(text.encode()) - len(text.lstrip().encode())
        return Mistake(line, min(start, end), end, message)

    def _byte(self, line: int, column: int) -> int:
        return len(self._texts[line][:column].encode()) if line < len(self._texts) else 0

    def take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            line, column = _start(event)
            end = event.end_mark
            last = end.column if end is not None and end.line == line else len(self._texts[line])
            node = Node(line, self._byte(line, column), self._byte(line, last), event.value)
            node.is_plain = not event.style
            self._add(node)
        elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
            line, column = _start(event)
            start = self._byte(line, column)
            node = Node(line, start, start)
            if isinstance(event, yaml.SequenceStartEvent):
                node.items = []
            else:
                node.entries = []
            self._add(node)
            self._open.append((node, None))
            if len(self._open) > MAX_DEPTH:
                raise _Refused(self.mistake(line, column, f"lists and maps nest more than {MAX_DEPTH} deep"))
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._open.pop()
        elif isinstance(event, yaml.AliasEvent):
            message = f"`*{event.anchor}` repeats a value, which the assembler does not read"
            raise _Refused(self.mistake(*_start(event), message))

    def _add(self, node: Node) -> None:
        if not self._open:
            self.root = node
            return
        parent, key = self._open[-1]
        if parent.items is not None:
            parent.items.append(node)
        elif key is None:
            self._open[-1] = (parent, node)
        else:
            assert parent.entries is not None
            parent.entries.append((key, node))
            self._open[-1] = (parent, None)


def _start(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (mark.line, mark.column) if mark is not None else (0, 0)


# Kinds of values: a check, and the words for a message.


def _integer(text: str) -> int | None:
    try:
        value = int(text, 0)
    except ValueError:
        try:
            value = int(text, 8) if text.startswith("0") else int(text)
        except ValueError:
            return None
    return value if -(1 << 63) <= value < 1 << 64 else None


def _is_integer(node: Node) -> bool:
    return node.number is not None


def _is_boolean(node: Node) -> bool:
    return node.text in ("true", "false")


def _is_text(node: Node) -> bool:
    return node.text is not None and not (node.is_plain and (node.number is not None or _is_boolean(node)))


def _is_list(node: Node) -> bool:
    return node.items is not None or (node.text == "" and node.is_plain)


def _one_of(*choices: str) -> "_Kind":
    return (lambda node: node.text in choices), "one of " + ", ".join(f"`{choice}`" for choice in choices)


def _integers(count: int) -> "_Kind":
    def check(node: Node) -> bool:
        return node.items is not None and len(node.items) == count and all(map(_is_integer, node.items))

    return check, f"a list of {count} numbers"


_Kind = tuple[Callable[[Node], bool], str]

_NUMBER: _Kind = (_is_integer, "a number")
_BOOLEAN: _Kind = (_is_boolean, "`true` or `false`")
_TEXT: _Kind = (_is_text, "text; a number needs quotes")
_LIST: _Kind = (_is_list, "a list")
_ACCESS: _Kind = _one_of("read_only", "write_only", "read_write")

_HIDDEN = (
    "block_count_x block_count_y block_count_z group_size_x group_size_y group_size_z remainder_x remainder_y "
    "remainder_z global_offset_x global_offset_y global_offset_z grid_dims none printf_buffer hostcall_buffer heap_v1 "
    "default_queue completion_action multigrid_sync_arg dynamic_lds_size private_base shared_base queue_ptr"
)
_PASSED = ("by_value", "global_buffer", "dynamic_shared_pointer", "sampler", "image", "pipe", "queue")
VALUE_KINDS = frozenset(_PASSED).union(f"hidden_{name}" for name in _HIDDEN.split())
"""How an argument may be passed."""

_REQUIRED, _OPTIONAL = True, False
_ROOT: Mapping[str, tuple[bool, _Kind]] = {
    VERSION: (_REQUIRED, _integers(2)),
    PRINTF: (_OPTIONAL, _LIST),
    KERNELS: (_REQUIRED, _LIST),
}
_KERNEL: Mapping[str, tuple[bool, _Kind]] = {
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
    ".wavefront_size": (_REQUIRED, _NUMBER),
    ".sgpr_count": (_REQUIRED, _NUMBER),
    ".vgpr_count": (_REQUIRED, _NUMBER),
    ".max_flat_workgroup_size": (_REQUIRED, _NUMBER),
    ".sgpr_spill_count": (_OPTIONAL, _NUMBER),
    ".vgpr_spill_count": (_OPTIONAL, _NUMBER),
    ".uniform_work_group_size": (_OPTIONAL, _NUMBER),
}
_ARGUMENT: Mapping[str, tuple[bool, _Kind]] = {
    ".name": (_OPTIONAL, _TEXT),
    ".type_name": (_OPTIONAL, _TEXT),
    ".size": (_REQUIRED, _NUMBER),
    ".offset": (_REQUIRED, _NUMBER),
    ".value_kind": (_REQUIRED, (lambda node: node.text in VALUE_KINDS, "a kind of argument, such as `by_value`")),
    ".pointee_align": (_OPTIONAL, _NUMBER),
    ".address_space": (_OPTIONAL, _one_of("private", "global", "constant", "local", "generic", "region")),
    ".access": (_OPTIONAL, _ACCESS),
    ".actual_access": (_OPTIONAL, _ACCESS),
    ".is_const": (_OPTIONAL, _BOOLEAN),
    ".is_restrict": (_OPTIONAL, _BOOLEAN),
    ".is_volatile": (_OPTIONAL, _BOOLEAN),
    ".is_pipe": (_OPTIONAL, _BOOLEAN),
}

KEYS = frozenset((*_ROOT, *_KERNEL, *_ARGUMENT))
"""The keys with checked values."""


def _mistakes(root: Node) -> Iterator[Mistake]:
    if root.entries is None:
        yield Mistake(root.line, root.start, root.end, "the metadata must be a map of keys such as `amdhsa.version`")
        return
    yield from _checked(root, _ROOT, "the metadata")
    kernels = root.get(KERNELS)
    for kernel in _maps(kernels):
        yield from _checked(kernel, _KERNEL, "a kernel")
        for argument in _maps(kernel.get(".args")):
            yield from _checked(argument, _ARGUMENT, "an argument")


def _maps(node: "Node | None") -> Iterable[Node]:
    return node.items if node is not None and node.items is not None else ()


def _checked(node: Node, table: Mapping[str, tuple[bool, _Kind]], what: str) -> Iterator[Mistake]:
    """The problems of a map, by a table of its keys."""
    if node.entries is None:
        yield Mistake(node.line, node.start, node.end, f"{what} must be a map of keys and values")
        return
    seen: set[str] = set()
    for key, value in node.entries:
        name = key.text or ""
        if name in seen:
            yield Mistake(key.line, key.start, key.end, f"`{name}` is given twice")
        seen.add(name)
        if name in table and not table[name][1][0](value):
            yield Mistake(value.line, value.start, value.end, f"`{name}` takes {table[name][1][1]}")
    missing = [name for name, (required, _) in table.items() if required and name not in seen]
    if missing:
        place = node.entries[0][0] if node.entries else node
        listed = ", ".join(f"`{name}`" for name in missing)
        yield Mistake(place.line, place.start, place.end, f"{what} needs {listed}")
