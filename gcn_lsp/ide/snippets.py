"""Snippets: frames of a kernel and of its parts for a target, with placeholders as editors know them: `${1:name}`."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from gcn_lsp import isa
from gcn_lsp.isa.kernels import descriptor
from gcn_lsp.patterns import regex
from gcn_lsp.program.kernels import metadata_text

KERNEL, METADATA, LOOP = "kernel", "amdgpu_metadata", "loop"
NAME = "kernel"
"""What a kernel is called if nothing else is known."""


class Snippet(msgspec.Struct, frozen=True):
    """A text with placeholders, and what it is."""

    summary: str
    body: str

    @property
    def text(self) -> str:
        """The text if nothing is typed into the placeholders."""
        values = dict(_PLACEHOLDER.findall(self.body))
        text = _REFERENCE.sub(lambda match: values.get(match[1], ""), self.body)
        return _PLACEHOLDER.sub(lambda match: match[2], text).replace("\\\\", "\\")


_PLACEHOLDER = regex(r"\$\{(\d+):([^{}]*)\}")
_REFERENCE = regex(r"\$\{(\d+)\}|\$0")


@lru_cache(maxsize=8)
def snippets(target: isa.Target, name: str = NAME, counter: int = 20, label: str = ".Lloop") -> Mapping[str, Snippet]:
    """The snippets for a target, by the words that they are completed from.

    name: of the kernel to be described. counter, label: the SGPR and the label of a loop.
    """
    described = f"${{1:{NAME if _MARKS.search(name) else name}}}"
    return {
        KERNEL: Snippet("A kernel with its descriptor and metadata", _kernel(target)),
        "amdhsa_kernel": Snippet("A kernel descriptor", _section(_descriptor(target, described))),
        METADATA: Snippet(
            "The metadata by which the runtime finds a kernel", _metadata(target, described, is_alone=True)
        ),
        "macro": Snippet("A macro with a required argument", _MACRO),
        LOOP: Snippet("A loop that counts an SGPR down to zero", _loop(counter, label)),
        "rept": Snippet("Lines repeated with a counter", _REPETITION),
    }


_MARKS = regex(r"[${}\\]")  # what a name may have and a placeholder may not


_MACRO = """\
.macro ${1:name} ${2:argument}:req
\t${0:v_mov_b32 v0, \\\\${2}}
.endm"""


def _loop(counter: int, label: str) -> str:
    return f"""\
s_mov_b32 s${{2:{counter}}}, ${{3:16}}
${{1:{label}}}:
\t${{0:s_nop 0}}
\ts_sub_u32 s${{2}}, s${{2}}, 1
\ts_cmp_lg_u32 s${{2}}, 0
\ts_cbranch_scc1 ${{1}}"""


_REPETITION = """\
.set ${1:i}, 0
.rept ${2:4}
\t${0:v_mov_b32 v[${1}], 0}
\t.set ${1}, ${1} + 1
.endr"""


def _kernel(target: isa.Target) -> str:
    head = (
        f'.amdgcn_target "amdgcn-amd-amdhsa--{target.name}"',
        "",
        ".text",
        ".globl ${1:kernel}",
        ".p2align 8",
        ".type ${1},@function",
        "${1}:",
        "\t$0",
        "\ts_endpgm",
        ".size ${1}, .-${1}",
        "",
    )
    return "\n".join((*head, _section(_descriptor(target, "${1}")), "", _metadata(target, "${1}")))


def _section(text: str) -> str:
    return f'.section .rodata,"a"\n.p2align 6\n{text}'


# Fields of a descriptor with the values that a new kernel has; a target leaves out those that it does not have.
_FIELDS = (
    ("group_segment_fixed_size", "0"),
    ("private_segment_fixed_size", "0"),
    ("kernarg_size", "8"),
    ("user_sgpr_kernarg_segment_ptr", ""),
    ("wavefront_size32", ""),
    ("system_sgpr_workgroup_id_x", ""),
    ("system_vgpr_workitem_id", "0"),
    ("next_free_vgpr", "32"),
    ("accum_offset", "32"),
    ("next_free_sgpr", "16"),
)


# Placeholders in the order in which somebody who begins a kernel knows the values: the body of the kernel comes last.
_ORDER = (
    "name", "argument", "kernarg_size", "max_flat_workgroup_size", "system_vgpr_workitem_id", "next_free_vgpr",
    "accum_offset", "next_free_sgpr", "group_segment_fixed_size", "private_segment_fixed_size",
)  # fmt: skip
_NUMBERS = {name: number for number, name in enumerate(_ORDER, 1)}


def _place(name: str, value: str = "") -> str:
    """A placeholder with a value; one that repeats another without."""
    return f"${{{_NUMBERS[name]}:{value}}}" if value else f"${{{_NUMBERS[name]}}}"


def _descriptor(target: isa.Target, name: str) -> str:
    """The descriptor of kernel `name`. A field without a value in the table is 1."""
    known = descriptor.directives(target.features)
    lines = [f".amdhsa_kernel {name}"]
    for field, value in _FIELDS:
        if field in known:
            fixed = f"{target.wavefront_size == 32:d}" if field == _WAVE else "1"
            lines.append(f"\t.amdhsa_{field} {_place(field, value) if value else fixed}")
    return "\n".join((*lines, ".end_amdhsa_kernel"))


_WAVE = "wavefront_size32"


def _metadata(target: isa.Target, name: str, *, is_alone: bool = False) -> str:
    """The metadata of kernel `name`, with the values of its descriptor unless they are alone."""
    sizes = {field: _place(field, value if is_alone else "") for field, value in _FIELDS if field in _ORDER}
    return f"""\
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: {name}
    .symbol: ${{1}}.kd
    .kernarg_segment_size: {sizes["kernarg_size"]}
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {sizes["group_segment_fixed_size"]}
    .private_segment_fixed_size: {sizes["private_segment_fixed_size"]}
    .wavefront_size: {target.wavefront_size}
    .sgpr_count: {sizes["next_free_sgpr"]}
    .vgpr_count: {sizes["next_free_vgpr"]}
    .max_flat_workgroup_size: {_place("max_flat_workgroup_size", str(metadata_text.WORK_GROUP))}
    .args:
      - .name: {_place("argument", "out")}
        .address_space: global
        .offset: 0
        .size: 8
        .value_kind: global_buffer
...
.end_amdgpu_metadata"""
