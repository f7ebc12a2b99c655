"""Metadata is written as YAML, where the assembler makes the same bytes of it."""

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gcn_lsp.isa.machine import elf_machines
from gcn_lsp.views.objects import metadata
from gcn_lsp.views.objects.elf import Section

TEXT = st.one_of(
    st.text(max_size=8),
    st.sampled_from(("k.kd", ".name", "no", "True", "~", "float*", "1", ".5", "a b", "", "12:30", "-")),
)
CONTENT = st.dictionaries(
    TEXT,
    st.recursive(
        st.one_of(TEXT, st.integers(-(1 << 31), 1 << 32), st.booleans()),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
        max_leaves=8,
    ),
    max_size=4,
)


def note(content: bytes) -> Section:
    owner = elf_machines.METADATA_VENDOR
    head = len(owner).to_bytes(4, "little") + len(content).to_bytes(4, "little")
    data = head + elf_machines.METADATA_NOTE.to_bytes(4, "little") + owner + bytes(-len(owner) % 4) + content
    data += bytes(-len(content) % 4)
    return Section(".note", "NOTE", Section.ALLOCATED, 0, 0, len(data), 4, 0, data)


@given(CONTENT)
def test_what_is_written_reads_as_the_same(content: dict[str, object]) -> None:
    ordered = metadata._sorted(content)
    found = metadata.read(note(msgspec.msgpack.encode(ordered)))
    if found is not None:
        assert yaml.safe_load("\n".join(found.lines())) == content


def test_kernels_in_block_style() -> None:
    content = {"amdhsa.kernels": [{".args": [], ".name": "k", ".sizes": [1, 2]}], "amdhsa.version": [1, 2]}
    found = metadata.read(note(msgspec.msgpack.encode(content)))
    assert found is not None
    assert "\n".join(found.lines()) == (
        "amdhsa.kernels:\n- .args: []\n  .name: k\n  .sizes:\n  - 1\n  - 2\namdhsa.version:\n- 1\n- 2"
    )


def test_the_metadata_of_some_kernels() -> None:
    kernels = [{".name": name, ".symbol": f"{name}.kd"} for name in ("a", "b", "c")]
    found = metadata.read(note(msgspec.msgpack.encode({"amdhsa.kernels": kernels, "amdhsa.version": [1, 2]})))
    assert found is not None
    shown = yaml.safe_load("\n".join(found.lines(["c.kd", "d.kd", "a.kd"])))
    assert shown == {"amdhsa.kernels": [kernels[2], kernels[0]], "amdhsa.version": [1, 2]}


@pytest.mark.parametrize(
    "content", [b"", b"\xc1", msgspec.msgpack.encode([1]), msgspec.msgpack.encode({"b": 1, "a": 1.5})]
)
def test_what_yaml_does_not_give_again_has_no_text(content: bytes) -> None:
    assert metadata.read(note(content)) is None
