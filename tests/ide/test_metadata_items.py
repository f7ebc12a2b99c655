"""What is offered in `.amdgpu_metadata`: missing keys and known values, and nothing of the assembler's."""

import pytest

from gcn_lsp.ide import completion
from gcn_lsp.isa import documentation
from gcn_lsp.program.kernels import metadata
from tests.support.ide import check_completion, completions, program_and_cursor

HEAD = """
copy: s_endpgm
.amdhsa_kernel copy
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
"""
KERNEL = """  - .name: copy
    .symbol: copy.kd  # its descriptor
    .kernarg_segment_size: 16
    .args:
      - .name: x
        .size: 8
        .offset: 0
        .value_kind: global_buffer
      - .size: 8
        .offset: 8
    .wavefront_size: 64
"""
END = "...\n.end_amdgpu_metadata\n"
ENDS = pytest.mark.parametrize("end", ["", "\n", f"\n{END}"], ids=["last line", "open", "closed"])


@ENDS
@pytest.mark.parametrize("typed", ["", ".", ".sg"])
def test_the_missing_keys_of_the_kernel(typed: str, end: str) -> None:
    found = completions(f"{HEAD}{KERNEL}    {typed}$0{end}")
    present = {".name", ".symbol", ".kernarg_segment_size", ".args", ".wavefront_size"}
    assert set(found) - {".end_amdgpu_metadata"} == metadata.KERNEL.keys() - present
    assert next(iter(found)) == ".group_segment_fixed_size"  # required
    assert found[".sgpr_count"].text == ".sgpr_count: "
    assert found[".sgpr_count"].detail == documentation.metadata_key(".sgpr_count")


@ENDS
def test_the_missing_keys_of_an_argument(end: str) -> None:
    found = completions(f"{HEAD}{KERNEL.partition('    .wave')[0]}        .$0{end}")
    assert set(found) - {".end_amdgpu_metadata"} == metadata.ARGUMENT.keys() - {".size", ".offset"}
    assert next(iter(found)) == ".value_kind"


def test_keys_below_the_line_are_present() -> None:
    before, name, after = KERNEL.partition("        .value_kind: global_buffer\n")
    found = completions(f"{HEAD}{before}        .$0\n{name}{after}{END}")
    assert set(found) == metadata.ARGUMENT.keys() - {".name", ".size", ".offset", ".value_kind"}


def test_a_new_item_has_all_keys() -> None:
    assert completions(f"{HEAD}{KERNEL}  - .$0\n{END}").keys() == metadata.KERNEL.keys()
    assert completions(f"{HEAD}{KERNEL}    .args:\n    - .$0\n{END}").keys() == metadata.ARGUMENT.keys()
    assert completions(f"{HEAD}- .name: a\n- .$0\n{END}").keys() == metadata.KERNEL.keys()


def test_the_keys_of_the_metadata() -> None:
    assert completions(f"{HEAD}{KERNEL}amd$0\n{END}").keys() == {"amdhsa.target", "amdhsa.printf"}


@pytest.mark.parametrize(
    ("key", "values"),
    [
        (".value_kind", set(metadata.VALUE_KINDS)),
        (".address_space", {"private", "global", "constant", "local", "generic", "region"}),
        (".access", {"read_only", "write_only", "read_write"}),
        (".is_const", {"true", "false"}),
    ],
)
@ENDS
def test_the_values_of_an_argument(key: str, values: set[str], end: str) -> None:
    for typed in ("", "g", "glo"):
        text = f"{HEAD}{KERNEL.partition('    .wave')[0]}        {key}: {typed}$0{end}"
        assert completions(text).keys() == values
    last = min(values, key=len)
    assert completions(f"{HEAD}{KERNEL.partition('    .wave')[0]}        {key}: {last}$0{end}") == {}


def test_the_values_of_a_kernel() -> None:
    kernel = KERNEL.partition("    .wave")[0]
    for typed in ("", "3"):
        assert completions(f"{HEAD}{kernel}    .wavefront_size: {typed}$0\n{END}").keys() == {"32", "64"}
    assert completions(f"{HEAD}{kernel}    .wavefront_size: 32$0\n{END}") == {}
    assert completions(f"{HEAD}{kernel}    .language: OpenCL$0\n{END}").keys() >= {"OpenCL C", "HIP"}
    assert completions(f"{HEAD}  - .name: $0\n{END}").keys() == {"copy"}
    assert completions(f"{HEAD}  - .name: copy\n    .symbol: c$0\n{END}").keys() == {"copy.kd"}


@pytest.mark.parametrize(
    "line",
    [
        "    .value_kind:$0", "    .wavefront_size: 64 $0", "    .vgpr_count: 4$0", "    .sgpr_count: $0", "...$0",
        "---$0", "        .name: c$0", "    .symbol: copy.kd$0", "    .name: copy$0", "  # .val$0",
        "    .wavefront_size: 64 # s$0", "    .vgpr_count$0: 4", "      .v$0", "    .symbol: \"c$0",
    ],
)  # fmt: skip
def test_nothing_where_the_line_is_complete_or_free(line: str) -> None:
    kernel = "  - .kernarg_segment_size: 16\n"
    assert completions(f"{HEAD}{kernel}{line}\n{END}") == {}


@ENDS
def test_no_instruction_is_offered(end: str) -> None:
    assert completions(f"{HEAD}{KERNEL}    v_$0{end}").keys() <= metadata.KERNEL.keys()
    assert completions(f".amdgpu_metadata\n    v_$0{end}").keys() <= metadata.ROOT.keys()


def test_the_wave_of_the_target_comes_first() -> None:
    text = f"{HEAD}  - .wavefront_size: $0\n{END}"
    assert list(completions(text, "gfx90a")) == ["64", "32"]
    assert list(completions(text, "gfx1100")) == ["32", "64"]


def test_the_end_of_a_block_that_has_none() -> None:
    check_completion(f"{HEAD}{KERNEL}.e$0", ".end_amdgpu_metadata")
    assert completions(f"{HEAD}{KERNEL}.end_amdgpu_metadata$0") == {}
    assert ".end_amdgpu_metadata" not in completions(f"{HEAD}{KERNEL}    .e$0\n{END}")


def test_a_list_is_asked_for_again_at_each_key() -> None:
    """An editor that filters it by itself would not see that the value is complete, and take an entry with Enter."""
    found = completion.complete(*program_and_cursor(f"{HEAD}{KERNEL}    .v$0\n{END}"))
    assert found is not None
    assert found.is_incomplete


def test_an_entry_says_what_it_means() -> None:
    program, line, column = program_and_cursor(f"{HEAD}{KERNEL}    .v$0\n{END}")
    found = completion.complete(program, line, column)
    assert found is not None
    for item in found.items:
        assert completion.resolve(program, item, line) == documentation.metadata_key(item.label)


def test_other_metadata_have_no_completion() -> None:
    assert completions(".amdgpu_pal_metadata\n---\namdhsa.k$0\n.end_amdgpu_pal_metadata\n") == {}
