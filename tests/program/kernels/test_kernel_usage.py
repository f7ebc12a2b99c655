"""Which registers the code of each kernel names."""

from gcn_lsp.program import program
from gcn_lsp.program.kernels import kernel_usage
from gcn_lsp.text import SourceText


def counts(text: str, target: str = "gfx90a") -> dict[str, tuple[int, ...]]:
    built = program.build(SourceText.from_bytes("k.s", text.encode()), program.Options(target))
    return {name: usage.counts for name, usage in built.register_usage.items()}


def descriptors(*names: str) -> str:
    fields = " .amdhsa_next_free_vgpr 8\n .amdhsa_next_free_sgpr 8\n .amdhsa_accum_offset 4\n"
    return ".rodata\n" + "".join(f".amdhsa_kernel {name}\n{fields}.end_amdhsa_kernel\n" for name in names)


def test_the_highest_of_each_file() -> None:
    text = "k:\n v_mov_b32 v3, s9\n v_accvgpr_write_b32 a5, v1\n s_load_dwordx4 s[12:15], s[0:1], 0\n s_endpgm\n"
    assert counts(text + descriptors("k")) == {"k": (4, 6, 16)}


def test_a_kernel_ends_where_the_next_begins() -> None:
    text = "a:\n v_mov_b32 v3, s9\nloop:\n v_mov_b32 v4, s9\nb:\n v_mov_b32 v9, 0\n"
    assert counts(text + descriptors("a", "b")) == {"a": (5, 0, 10), "b": (10, 0, 0)}


def test_functions_and_exported_labels_are_not_the_kernels() -> None:
    text = "a:\n s_endpgm\n.type f,@function\nf:\n v_mov_b32 v3, 0\n"
    assert counts(text + descriptors("a")) == {"a": (0, 0, 0)}
    text = "a:\n s_endpgm\n.globl f\nf:\n v_mov_b32 v3, 0\n"
    assert counts(text + descriptors("a")) == {"a": (0, 0, 0)}


def test_code_of_another_section_is_not_the_kernels() -> None:
    text = "a:\n v_mov_b32 v1, 0\n.section .other\n v_mov_b32 v8, 0\n.text\n v_mov_b32 v2, 0\n"
    assert counts(text + descriptors("a")) == {"a": (3, 0, 0)}


def test_expansions_count_and_what_is_not_assembled_does_not() -> None:
    text = ".macro m r\n v_mov_b32 v[\\r], 0\n.endm\na:\n m 7\n.if 0\n m 9\n.endif\n"
    assert counts(text + descriptors("a")) == {"a": (8, 0, 0)}


def test_over_many_chunks() -> None:
    text = "a:\n" + "s_nop 0\n" * 300 + "v_mov_b32 v7, 0\n" + "s_nop 0\n" * 300
    assert counts(text + descriptors("a")) == {"a": (8, 0, 0)}


def test_a_chunk_between_other_states_is_named_itself() -> None:
    """It keeps the results of the chunk that it is a copy of; that one is no longer in the program."""
    built = program.build(SourceText.from_bytes("k.s", b"k:\n v_mov_b32 v1, v2"), program.Options("gfx90a"))
    (chunk,) = built.chunks
    copy = chunk.moved(chunk.before, chunk.after)
    for each in (chunk, copy):
        ((part, _),) = next(kernel_usage.groups_of([each])).parts
        assert part is each
