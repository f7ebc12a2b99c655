"""The kernels of a program, as a launch sees them: entry, resources, arguments."""

from collections.abc import Iterator, Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.isa.kernels import descriptor as isa_descriptor
from gcn_lsp.isa.kernels import kernel_code
from gcn_lsp.machine.image import Image
from gcn_lsp.program.kernels import descriptor, header_blocks, inputs, metadata
from gcn_lsp.program.kernels.inputs import Input
from gcn_lsp.program.kernels.metadata_tree import Node
from gcn_lsp.program.program import Program


class KernelArgument(msgspec.Struct, frozen=True):
    """An argument in the kernarg segment. kind: `by_value`, `global_buffer`, `hidden_group_size_x`, ..."""

    name: str
    offset: int
    size: int
    kind: str
    type_name: str = ""

    @property
    def is_hidden(self) -> bool:
        """Whether the runtime fills it in."""
        return self.kind.startswith("hidden_")


class Kernel(msgspec.Struct, frozen=True):
    """A kernel. All sizes are in bytes.

    entry: address of its first instruction. descriptor: address of its descriptor, 0 without one. lanes: of a wave.
    values: of the fields of its descriptor. inputs: contents of registers at the start. arguments: None if no metadata
    describes them. work_group: the size that it requires, along x, y and z. most: work-items of a group, 0 if not said.
    cluster: how many work-groups it has along x, y and z; empty without clusters. said_lds: what the metadata say of
    its LDS; a launch gets what the descriptor says.
    """

    name: str
    entry: int
    descriptor: int = 0
    lanes: int = 64
    values: "Mapping[str, int | None]" = {}
    inputs: tuple[Input, ...] = ()
    arguments: tuple[KernelArgument, ...] | None = None
    kernarg_size: int = 0
    lds: int = 0
    scratch: int = 0
    work_group: tuple[int, ...] = ()
    most: int = 0
    needs_whole_groups: bool = False
    cluster: tuple[int, ...] = ()
    said_lds: int | None = None

    @property
    def asks_for_block(self) -> bool:
        """Whether it can read the size of its work-group, in the dispatch packet or in an argument."""
        hidden = (each.kind.startswith("hidden_group_size") for each in self.arguments or ())
        return bool(self.values.get("user_sgpr_dispatch_ptr")) or any(hidden)


def of(image: Image) -> tuple[Kernel, ...]:
    """The kernels that descriptors, headers or metadata describe, in order."""
    program = image.program
    described = {each.name: each.kernel for each in metadata.described(program.metadata)}
    found: dict[str, Kernel] = {}
    for block in program.kernel_blocks:
        judgement = program.judgement(block) if block.is_closed else None
        entry = image.symbol(block.name)
        if judgement is None or entry is None:
            continue
        resources = judgement.resources
        made = Kernel(
            block.name,
            entry,
            image.symbol(f"{block.name}.kd") or 0,
            resources.wavefront_size,
            resources.values,
            resources.inputs,
            kernarg_size=resources.values.get("kernarg_size") or 0,
            lds=resources.lds or 0,
            scratch=resources.scratch or 0,
        )
        found[block.name] = _with_metadata(made, described.get(block.name))
    for made in (*_with_headers(image), *_with_data(image)):
        found.setdefault(made.name, _with_metadata(made, described.get(made.name)))
    return tuple(found.values())


def by_hand(image: Image, name: str) -> "Kernel | None":
    """A kernel of which the file says nothing but its label; None if there is no such label."""
    entry = image.symbol(name)
    return Kernel(name, entry, lanes=image.target.wavefront_size) if entry is not None else None


def _with_metadata(kernel: Kernel, node: "Node | None") -> Kernel:
    if node is None:
        return kernel
    arguments = tuple(_arguments(node))
    end = max((argument.offset + argument.size for argument in arguments), default=0)
    group = node.get(".reqd_workgroup_size")
    lds = node.get(f".{_LDS}")
    said_lds = lds.number if lds is not None else None
    return msgspec.structs.replace(
        kernel,
        arguments=arguments,
        kernarg_size=max(kernel.kernarg_size, _number(node, ".kernarg_segment_size"), end),
        lds=kernel.lds if kernel.values.get(_LDS) is not None else said_lds or 0,
        said_lds=said_lds,
        scratch=max(kernel.scratch, _number(node, ".private_segment_fixed_size")),
        work_group=tuple(each.number or 0 for each in group.items or ()) if group is not None else (),
        most=_number(node, ".max_flat_workgroup_size"),
        needs_whole_groups=_number(node, ".uniform_work_group_size") == 1,
        cluster=_cluster(node),
    )


_LDS = "group_segment_fixed_size"


def _cluster(node: Node) -> tuple[int, ...]:
    listed = node.get(".cluster_dims")
    found = tuple(each.number or 0 for each in listed.items or ()) if listed is not None else ()
    return found if len(found) == 3 and all(0 < size < _DIMS_OF_THE_LAUNCH for size in found) else ()


_DIMS_OF_THE_LAUNCH = 1024  # "amdgpu-cluster-dims" for clusters whose size the launch decides


def _arguments(node: Node) -> Iterator[KernelArgument]:
    listed = node.get(".args")
    for number, each in enumerate(listed.items or () if listed is not None else ()):
        yield KernelArgument(
            _text(each, ".name") or f"{number}",
            _number(each, ".offset"),
            _number(each, ".size"),
            _text(each, ".value_kind"),
            _text(each, ".type_name"),
        )


def _number(node: Node, key: str) -> int:
    found = node.get(key)
    return found.number or 0 if found is not None else 0


def _text(node: Node, key: str) -> str:
    found = node.get(key)
    return found.text or "" if found is not None else ""


# Headers: what the descriptor of a newer kernel calls otherwise.
_OF_HEADER = {
    **{
        f"user_sgpr_{name}": f"enable_sgpr_{name}"
        for name in (
            *("private_segment_buffer", "dispatch_ptr", "queue_ptr", "kernarg_segment_ptr", "dispatch_id"),
            *("flat_scratch_init", "private_segment_size"),
        )
    },
    **{f"system_sgpr_workgroup_id_{axis}": f"enable_sgpr_workgroup_id_{axis}" for axis in "xyz"},
    "system_sgpr_workgroup_info": "enable_sgpr_workgroup_info",
    "system_sgpr_private_segment_wavefront_offset": "enable_sgpr_private_segment_wave_byte_offset",
    "system_vgpr_workitem_id": "enable_vgpr_workitem_id",
    "user_sgpr_count": "user_sgpr_count",
    "group_segment_fixed_size": "workgroup_group_segment_byte_size",
    "private_segment_fixed_size": "workitem_private_segment_byte_size",
    "wavefront_size32": "enable_wavefront_size32",
}
_HEADER_MODE = "float_mode"
_MODES = (
    (0, "float_round_mode_32"),
    (2, "float_round_mode_16_64"),
    (4, "float_denorm_mode_32"),
    (6, "float_denorm_mode_16_64"),
)


def _with_headers(image: Image) -> Iterator[Kernel]:
    program, target = image.program, image.target
    written = list(header_blocks.of(program.chunks, program.final_state.symbols))
    for label, fields in zip(_header_labels(program), written, strict=False):
        address = image.symbol(label)
        if address is None:
            continue
        known = {**kernel_code.defaults(target), **fields}
        yield _of_header(target, label, address, known)


def _of_header(target: isa.Target, label: str, address: int, known: Mapping[str, int]) -> Kernel:
    fields = isa_descriptor.directives(target.features)
    ours = {name: known.get(theirs, 0) for name, theirs in _OF_HEADER.items() if name in fields}
    mode = known.get(_HEADER_MODE, 0)
    ours |= {name: mode >> shift & 3 for shift, name in _MODES}
    values = descriptor.all_values(target, ours)
    made = _described(target, label, address + known["kernel_code_entry_byte_offset"], address, values)
    return msgspec.structs.replace(made, kernarg_size=known.get("kernarg_segment_byte_size", 0))


def _described(target: isa.Target, name: str, entry: int, address: int, values: "Mapping[str, int | None]") -> Kernel:
    """A kernel with the fields of its descriptor, or of the header at that address."""
    return Kernel(
        name,
        entry,
        address,
        32 if descriptor.is_wave32(target, values) else 64,
        values,
        tuple(inputs.of(target, values)),
        kernarg_size=values.get("kernarg_size") or 0,
        lds=values.get("group_segment_fixed_size") or 0,
        scratch=values.get("private_segment_fixed_size") or 0,
    )


_DESCRIPTOR = ".kd"


def _with_data(image: Image) -> Iterator[Kernel]:
    """The kernels whose descriptors are data, which no block gives: in objects whose bytes mean nothing in part."""
    for label in image.program.layout.labels:
        name = label.removesuffix(_DESCRIPTOR)
        address, entry = image.symbol(label), image.symbol(name)
        if name == label or address is None or entry is None:
            continue
        section = image.section_at(address)
        data = section.data[address - section.base :][: isa_descriptor.SIZE] if section is not None else b""
        if len(data) == isa_descriptor.SIZE:
            values = descriptor.all_values(image.target, descriptor.decode(image.target, data))
            yield _described(image.target, name, entry, address, values)


def _header_labels(program: Program) -> Iterator[str]:
    """The label before each header."""
    label = ""
    for chunk in program.chunks:
        for item in chunk.items:
            if item.kind == "label":
                label = item.statement.name
            elif item.statement.word == header_blocks.ENDING:
                yield label
