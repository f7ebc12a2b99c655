"""What is offered where: the start of a statement, each kind of operand, comments."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gcn_lsp.ide import completion, completion_list, mnemonics
from gcn_lsp.ide.completion_list import CompletionItem
from gcn_lsp.instruction import assembler
from gcn_lsp.program import program
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Statement, StatementKind
from gcn_lsp.text import SourceText, rendered
from tests.support.ide import check_completion, completions, program_and_cursor

KERNELS = sorted((Path(__file__).parents[1] / "data").glob("*_gfx*.s"))


def replaced(text: str, target: str = "gfx900") -> str:
    """The text that an entry at `$0` replaces."""
    built, line, column = program_and_cursor(text, target)
    found = completion.complete(built, line, column)
    assert found is not None
    return built.source.lines[line][found.where.start : found.where.end].decode()


# The start of a statement


def test_mnemonics_of_the_target() -> None:
    check_completion("v_mo$0", "v_mov_b32", absent=("v_mfma_f32_4x4x1f32", "s_wait_loadcnt"))
    check_completion("v_mfm$0", "v_mfma_f32_4x4x1f32", target="gfx908")


def test_a_mnemonic_says_what_it_does() -> None:
    assert str(completions("v_ad$0")["v_add_f32"].detail).startswith("Adds")


def test_mnemonics_behind_a_label() -> None:
    check_completion("start: s_$0", "s_endpgm")


def test_mnemonics_used_nearby_come_first() -> None:
    check_completion("s_nop 0\nv_xor_b32 v0, v1, v2\n$0", "s_nop", "v_xor_b32", "buffer_atomic_add")


def test_snippets_only_where_a_statement_begins() -> None:
    names = ("amdhsa_kernel", "kernel", "loop", "rept")
    check_completion("$0", *names)
    check_completion("start: $0", *names)
    for text in ("v_mov_b32 $0", "global_load_dword v0, v0, s[0:1] $0", "s_branch $0", ".amdhsa_kernel k\n$0"):
        check_completion(text, absent=names)
    kernel = completions("ker$0", "gfx90a")["kernel"]
    assert kernel.is_snippet
    assert ".amdhsa_accum_offset" in kernel.text


def test_a_descriptor_is_for_the_kernel_that_has_none() -> None:
    text = (
        ".globl first\n.globl second\nfirst:\ns_endpgm\nsecond:\ns_endpgm\n.rodata\n.amdhsa_kernel first\n"
        ".amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n"
    )
    assert ".amdhsa_kernel ${1:second}\n" in completions(text + "amdhsa_k$0")["amdhsa_kernel"].text
    assert ".globl ${1:kernel}\n" in completions(text + "kern$0")["kernel"].text
    # No label with a blank: where it is typed whole, Enter would still take it.
    assert not [label for label in completions(text + ".amdhsa_k$0") if " " in label]
    labels = completions(text + ".amdhsa_kernel $0")
    assert labels["second"].sort < labels["first"].sort


def test_directives() -> None:
    check_completion(".se$0", ".section", ".set")
    check_completion("s$0", "s_nop", absent=(".set",))


def test_only_what_begins_with_a_dot_behind_a_dot() -> None:
    text = """
        .macro .clear dst
        .endm
        .macro clear dst
        .endm
        .set .Lsize, 4
        .set size, 4
        .L$0
        """
    check_completion(text, ".set", ".Lsize", absent=("clear", "size", "s_nop"))
    assert {label[0] for label in completions(text)} == {"."}
    assert replaced(".amdh$0") == ".amdh"


def test_macros() -> None:
    text = """
        .macro clear dst:req
        .endm
        cl$0
        """
    check_completion(text, "clear")
    assert completions(text)["clear"].detail == "clear dst:req"


def test_on_an_empty_line() -> None:
    check_completion("$0", "buffer_atomic_add", "s_add_u32", ".align")


def test_a_long_list_is_cut_to_what_is_typed() -> None:
    for text, label in (("$0", "s_add_u32"), ("v_$0", "v_add_f32"), ("v_mov_b32 v0, $0", "s0")):
        found = completion.complete(*program_and_cursor(text))
        assert found is not None
        assert found.is_incomplete
        assert len(found.items) == completion_list.LIMIT
        assert label in {item.label for item in found.items}
    assert list(completions("v_add_f32_$0")) == []
    assert "v_add_lshl_u32" in completions("v_adls$0"), "editors match letter by letter"


def test_the_word_under_the_cursor_is_replaced() -> None:
    built, line, column = program_and_cursor("s_m$0ov")
    found = completion.complete(built, line, column)
    assert found is not None
    assert (found.where.start, found.where.end) == (0, 5)


# Operands


def test_registers_that_fit_come_first() -> None:
    check_completion("v_mov_b32 $0", "v0", "v255", absent=("s0", "exec"))
    check_completion("v_mov_b32 v0, $0", "v0", "s0", "exec_lo")
    check_completion("v_mov_b32 v0, m$0", "m0")
    check_completion("s_mov_b64 $0", "s[0:1]", "exec", "vcc", absent=("v0", "s0", "src_scc"))


def test_a_tuple_is_offered_where_one_is_wanted() -> None:
    check_completion("global_load_dwordx4 $0", "v[0:3]", absent=("v0",))
    assert completions("global_load_dwordx4 $0")["v[0:3]"].insert == "v[${1:0}:${2:3}]"


def test_what_the_operands_behind_the_cursor_leave_room_for() -> None:
    check_completion("global_load_dword v1, $0, s[0:1]", "v0", absent=("v[0:1]",))
    check_completion("global_load_dword v1, $0, off", "v[0:1]", absent=("v0",))
    check_completion("ds_read_b32 v0, v1 $0 gds", "offset:", absent=("gds",))
    check_completion("image_load $0, v[8:9], s[16:23] dmask:0xf unorm", "v[0:3]", absent=("v0", "v[0:4]"))


def test_tokens_at_their_place_only() -> None:
    assert list(completions("global_load_dwordx2 v[0:1], v[2:3], $0")) == ["off"]
    check_completion(
        "global_load_dwordx2 v[0:1], v[2:3], off $0", "glc", "offset:", "slc", absent=("off", "inst_offset:")
    )
    check_completion("v_add_co_u32 v0, $0", "vcc")


def test_only_modifiers_behind_complete_operands() -> None:
    check_completion("v_mov_b32 v0, v1 $0", "dst_sel:", "quad_perm:", absent=("v0", "s0"))
    assert {item.kind for item in completions("v_mov_b32 v0, v1 $0").values()} == {"modifier"}
    assert list(completions("s_nop 0 $0")) == []


def test_in_a_macro_body_arguments_may_be_anything() -> None:
    text = """
        .macro move dst
        v_mov_b32 v[\\dst], $0
        .endm
        """
    check_completion(text, "v0", "s0")


def test_source_modifiers_want_registers() -> None:
    check_completion("v_add_f32 v0, -$0", "v0", "s0", absent=("s[0:1]",))
    check_completion("v_add_f32 v0, v1, |v$0", "v0", absent=("v[0:1]",))


def test_what_an_entry_replaces() -> None:
    assert replaced("v_mov_b32 v$0[3], v1") == "v[3]"
    assert replaced("v_mov_b32 v1$03, v1") == "v13"
    assert replaced("v_mov_b32 v0, $06.0e-5") == "6.0e-5"
    assert replaced("v_add_f32 v0, $0-v1, v2") == "-v1"
    assert replaced("v_mov_b32_sdwa v0, v1 dst_sel:BY$0") == "BY"
    assert replaced(".set x, 4\nv_mov_b32 v[x$0], v1") == "x"
    assert replaced("ds_read_b32 v0, v1 off$0set:4") == "offset:4"
    assert completions("ds_read_b32 v0, v1 off$0set:4")["offset:"].text == "offset:4"
    assert completions("s_waitcnt vm$0(0)")["vmcnt"].text == "vmcnt(0)"


def test_symbols() -> None:
    text = """
        .set v_tmp, 4
        v_mov_b32 v[v_$0
        """
    check_completion(text, "v_tmp", absent=("v0",))
    assert completions(text)["v_tmp"].detail == "4 (0x4)"


def test_labels_for_branches() -> None:
    check_completion(
        """
        loop:
        s_branch $0
        """,
        "loop",
        absent=("s0",),
    )


def test_modifiers_of_this_instruction() -> None:
    check_completion("ds_read_b32 v0, v1 $0", "gds", "offset:", absent=("glc", "offset0:"))
    check_completion("buffer_load_dword v0, v1, s[0:3], 0 offen o$0", "glc", "offset:", absent=("dlc", "sc0"))
    check_completion("buffer_load_dword v0, v1, s[0:3], 0 $0", "idxen", "offen", target="gfx942", absent=("sc0",))
    check_completion("buffer_load_dword v0, off, s[0:3], 0 $0", "sc0", "sc1", target="gfx942", absent=("glc", "offen"))


def test_a_modifier_is_offered_once() -> None:
    check_completion("ds_read_b32 v0, v1 offset:4 $0", "gds", absent=("offset:",))
    check_completion("buffer_load_dword v0, off, s[0:3], 0 noslc $0", "glc", absent=("slc",))


def test_values_of_a_modifier() -> None:
    check_completion("v_mov_b32_sdwa v0, v1 dst_sel:$0", "BYTE_0", "DWORD", "WORD_1")


def test_symbols_in_the_value_of_a_modifier() -> None:
    text = ".set lane, 2\nv_mov_b32_dpp v0, v1 quad_perm:[0, $0"
    assert list(completions(text)) == ["lane"]
    assert list(completions(".set lane, 2\nds_read_b32 v0, v1 offset:4*$0")) == ["lane"]


def test_wait_counters() -> None:
    check_completion("s_waitcnt $0", "expcnt", "lgkmcnt", "vmcnt")


def test_names_inside_helpers() -> None:
    check_completion("s_getreg_b32 s0, $0", "hwreg")
    check_completion("s_getreg_b32 s0, hwreg(HW_$0", "HW_REG_MODE", "HW_REG_STATUS", absent=("HW_REG_SHADER_CYCLES",))
    check_completion("s_sendmsg sendmsg($0", "MSG_INTERRUPT", "MSG_GS")
    check_completion("s_sendmsg sendmsg(MSG_GS, $0", "GS_OP_CUT")


def test_arguments_of_a_macro() -> None:
    check_completion(
        """
        .macro clear dst:req
        .endm
        .set x, 1
        clear $0
        """,
        "dst=",
        "x",
    )


def test_parameters_in_a_macro_body() -> None:
    check_completion(
        """
        .macro clear dst:req, by
        v_mov_b32 v[\\$0], 0
        .endm
        """,
        "\\by",
        "\\dst",
    )


def test_without_a_target() -> None:
    check_completion("v_mov$0", "v_mov_b32", target=None)
    check_completion(".te$0", ".text", target=None)


# Comments and strings


def test_rules_in_a_suppression_comment() -> None:
    check_completion("s_nop 0 ; gcn-lsp: disable=mis$0", "misaligned-register")
    check_completion("s_nop 0 ; gcn-lsp: disable-file=a,$0", "unknown-mnemonic")


def test_nothing_in_comments_and_strings() -> None:
    assert completions("s_nop 0 ; v_$0") == {}
    assert completions('.ascii "v_$0"') == {}


# Documentation of an entry


def test_documentation_is_made_for_one_entry() -> None:
    built, line, column = program_and_cursor(
        """
        .set x, 3
        .macro clear dst
        s_nop 0
        .endm
        far:
        v_mov_b32 v0, 0
        $0
        """
    )
    offered = completion.complete(built, line, column)
    assert offered is not None
    items = {item.label: item for item in offered.items}
    said = {name: rendered(completion.resolve(built, item, line), built.path) for name, item in items.items()}
    assert "v_mov_b32 vdst, src0" in said["v_mov_b32"]
    assert "symbol" in said[".comm"]
    assert ".macro clear dst" in said["clear"]
    value, label = CompletionItem("x", "symbol", ""), CompletionItem("far", "label", "")
    assert "**symbol** `x`" in rendered(completion.resolve(built, value, line), built.path)
    assert "**label** `far`" in rendered(completion.resolve(built, label, line), built.path)
    assert completion.resolve(built, CompletionItem("gone", "label", ""), line) == ""


# Everything that is offered can be assembled

# What an entry may not lead to. Others (two scalar registers, a tie between operands) are matters of the whole line.
WRONG = {
    *("unknown-modifier", "duplicate-modifier", "wrong-operand-kind", "unsupported-on-target", "syntax-error"),
    *("misaligned-register", "register-out-of-range", "register-not-available"),
}


def test_values_of_modifiers_are_those_of_the_target_and_the_instruction() -> None:
    check_completion("ds_swizzle_b32 v0, v1 offset:$0", "swizzle")
    check_completion("ds_swizzle_b32 v0, v1 offset:swizzle($0", "FFT", "QUAD_PERM", "ROTATE")
    check_completion("ds_swizzle_b32 v0, v1 offset:swizzle($0", "QUAD_PERM", absent=("FFT", "ROTATE"), target="gfx803")
    load, store = "buffer_load_b32 v0, off, s[4:7], null th:$0", "buffer_store_b32 v0, off, s[4:7], null th:$0"
    check_completion(load, "TH_DEFAULT", "TH_LOAD_NT", absent=("TH_STORE_NT", "TH_ATOMIC_RT"), target="gfx1200")
    check_completion(store, "TH_DEFAULT", "TH_STORE_NT", absent=("TH_LOAD_NT", "TH_ATOMIC_RT"), target="gfx1200")
    typed = "tbuffer_load_format_x v0, off, s[0:3], format:$0"
    check_completion(typed, "BUF_FMT_8_UNORM", absent=("BUF_DATA_FORMAT_8",), target="gfx1030")
    check_completion(typed, "BUF_FMT_8_UNORM", absent=("BUF_FMT_10_11_11_UNORM",), target="gfx1100")
    check_completion(typed, "BUF_DATA_FORMAT_8", "BUF_NUM_FORMAT_UINT", absent=("BUF_FMT_8_UNORM",), target="gfx900")
    check_completion("v_mov_b32_dpp v0, v1 row_bcast:$0", "15", "31")


def test_operations_of_a_message() -> None:
    check_completion("s_sendmsg sendmsg(MSG_GS, $0", "GS_OP_CUT", absent=("GS_OP_NOP", "SYSMSG_OP_REG_RD"))
    check_completion("s_sendmsg sendmsg(MSG_GS_DONE, $0", "GS_OP_NOP", "GS_OP_CUT", absent=("SYSMSG_OP_REG_RD",))
    check_completion("s_sendmsg sendmsg(MSG_SYSMSG, $0", "SYSMSG_OP_REG_RD", absent=("SYSMSG_OP_HOST_TRAP_ACK",))
    check_completion("s_sendmsg sendmsg(MSG_SYSMSG, $0", "SYSMSG_OP_HOST_TRAP_ACK", target="gfx803")
    assert not completions("s_sendmsg sendmsg(MSG_GS, GS_OP_CUT, $0")


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_what_is_offered_assembles(path: Path) -> None:
    """For each operand the first offered register and each word, and after the last operand each word."""
    lines = path.read_bytes().split(b"\n")
    source = SourceText.from_bytes(path.name, b"\n".join(line + b" " for line in lines))
    built = program.build(source, program.Options(path.stem.rpartition("_")[2]))
    tried: set[str] = set()
    wrong: list[str] = []
    for number in range(len(lines)):
        for statement in built.line(number).statements:
            if not _is_instruction(built, statement) or _fails(built, statement):
                continue
            columns = {operand.start for operand in statement.operands} | {statement.end + 1}
            for changed in (text for column in columns for text in _changed(built, number, column)):
                tried.add(changed)
                (again,) = parse_line(changed.encode(), False).statements
                wrong += [f"{changed}: {message}" for message in _fails(built, again)]
    assert len(tried) > 100
    assert not wrong, "\n".join(wrong)


def _is_instruction(built: program.Program, statement: Statement) -> bool:
    assert built.target is not None
    is_known = bool(mnemonics.candidates(built.target, statement.word))
    return statement.kind is StatementKind.COMMAND and is_known and b"\\" not in statement.rest


def _fails(built: program.Program, statement: Statement) -> list[str]:
    assert built.target is not None
    values = {name: value for name, value in built.final_state.symbols.items() if type(value) is int}
    problems = assembler.assemble(built.target, statement, values).problems
    return [f"{problem.rule}: {problem.message}" for problem in problems if problem.rule in WRONG]


def _changed(built: program.Program, line: int, column: int) -> Iterator[str]:
    """The line with the first register that is offered at `column`, and with each word that needs no value."""
    found = completion.complete(built, line, column)
    if found is None:
        return
    text = built.source.lines[line]
    statement = next(each for each in built.line(line).statements if each.start <= column)
    before, after = text[statement.start : found.where.start], text[found.where.end : statement.end]
    for item in _first_ones(found.items):
        inserted = item.label if item.is_snippet else item.text
        yield (before + inserted.encode() + after).decode()


def _first_ones(items: tuple[CompletionItem, ...]) -> list[CompletionItem]:
    ranked = sorted(items, key=lambda item: item.sort)
    words = [item for item in ranked if item.kind in ("modifier", "value") and not item.is_snippet]
    return [*words, *[item for item in ranked if item.kind == "register"][:1]]


def test_fields_of_a_kernel_header_are_offered_inside_it() -> None:
    header = ".amd_kernel_code_t\n{}\n.end_amd_kernel_code_t\n{}"
    check_completion(header.format("wave$0", ""), "wavefront_sgpr_count", "wavefront_size")
    check_completion(header.format("", "wave$0"), absent=("wavefront_size",))


def test_a_mnemonic_comes_with_places_for_its_operands() -> None:
    found = completions("v_add_f$0", "gfx90a")["v_add_f32"]
    assert (found.insert, found.is_snippet) == ("v_add_f32 ${1:vdst}, ${2:src0}, ${3:src1}", True)
    assert completions("buffer_lo$0", "gfx90a")["buffer_load_dword"].insert == (
        "buffer_load_dword ${1:vdata}, off, ${2:srsrc}, ${3:soffset}"
    )
    assert completions("ex$0", "gfx900")["exp"].insert == "exp ${1:tgt}, ${2:src0}, ${3:src1}, ${4:src2}, ${5:src3}"
    assert completions("s_end$0 // c")["s_endpgm"].text == "s_endpgm"
    assert completions("v_add_f$0 v0, v1, v2")["v_add_f32"].text == "v_add_f32"
    assert completions("s_nop 0\nv_dual_mu$0", "gfx1100")["v_dual_mul_f32"].text == "v_dual_mul_f32"


def test_registers_used_nearby_come_first() -> None:
    text = ".set a, 4\nv_mov_b32 v[a+2], v9\ns_mov_b64 s[8:9], s[2:3]\nv_add_f32 v1, $0\n"
    assert list(completions(text, "gfx90a"))[:2] == ["v[a+2]", "v9"]
    check_completion("s_mov_b64 s[8:9], s[2:3]\ns_mov_b64 s[4:5], $0", "s[8:9]", "s[2:3]", "s[0:1]", absent=("v9",))
    check_completion("s_mov_b64 s[8:9], s[2:3]\nv_rcp_f32 v0, -$0", absent=("s[8:9]", "s[2:3]"))
    check_completion("v_rcp_f32 v5, v6\nv_rcp_f32 v0, -$0", "v5", "v6", "v0")


def test_what_is_written_nearby_comes_first_however_the_file_was_edited() -> None:
    far, near = "s_brev_b32 s0, s1\n", "s_ff1_i32_b32 s0, s1\n"
    text = far + "s_nop 0\n" * 150 + near + "s_nop 0\n" * 60
    options = program.Options(target="gfx900")
    fresh = program.build(SourceText.from_bytes("a.s", text.encode()), options)
    edited = program.build(SourceText("a.s", (b"s_nop 1",) * 40), options)
    for line in reversed(fresh.source.lines):
        edited = program.build(edited.source.replace(0, 0, 0, 0, line + b"\n"), options, edited)
    edited = program.build(SourceText("a.s", edited.source.lines[: len(fresh.source.lines)]), options, edited)
    for built in (fresh, edited):
        found = completion.complete(built, 160, 0)
        assert found is not None
        sorts = {item.label: item.sort for item in found.items}
        assert sorts["s_ff1_i32_b32"].startswith("00")
        assert not sorts.get("s_brev_b32", "").startswith("00")


def test_fields_of_a_descriptor_are_those_of_the_target_that_are_not_written() -> None:
    block = ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n.amdhsa_$0\n.amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n"
    present = (".amdhsa_next_free_vgpr", ".amdhsa_next_free_sgpr")
    check_completion(block, ".amdhsa_system_vgpr_workitem_id", absent=(".amdhsa_accum_offset", *present))
    check_completion(block, ".amdhsa_accum_offset", target="gfx90a")
    # After the block nothing is written yet.
    check_completion(block.replace("$0", "ieee_mode 1") + ".amdhsa_$0", ".amdhsa_next_free_vgpr")


def test_inputs_of_the_kernel_that_registers_still_hold() -> None:
    text = (
        "k:\ns_mov_b32 s2, 0\n{}\ns_endpgm\n.rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n"
        ".amdhsa_next_free_sgpr 20\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n"
    )
    pairs = completions(text.format("s_load_dword s8, s$0"))
    assert pairs["s[0:1]"].detail == "kernarg segment pointer"
    single = completions(text.format("s_lshl_b32 s8, s$0"))
    assert single["s2"].detail != "work-group id x"  # overwritten
    assert completions(text.format("s_nop 0\nv_mov_b32 v1, v$0"))["v0"].detail == "work-item id x"


@pytest.mark.parametrize("line", ["ds_read_b64 $0", "v_mfma_f32_16x16x16f16 $0"])
def test_free_registers_for_a_result_are_vgprs_before_accvgprs(line: str) -> None:
    found = completions(f"k:\nv_mov_b32 v1, 0\n{line}\ns_endpgm\n", "gfx90a")
    free = [item for item in found.values() if item.detail == "free here"]
    files = [item.label[0] for item in free]
    assert files == sorted(files, reverse=True)
    assert set(files) == {"a", "v"}


# What is complete already


@pytest.mark.parametrize(
    "text",
    [
        "v_add_f32 v0, v1, v2$0",
        "s_load_dwordx2 s[0:1], s[2:3], 0x10$0",
        "s_waitcnt vmcnt(0)$0",
        "global_load_dword v1, v[2:3], off$0",
        "loop: s_branch loop$0",
        ".set size, 4\ns_mov_b32 s0, size$0",
        "s_endpgm$0",
        "s_endpgm$0 ; the end",
        "loop:$0",
        ".text$0",
        "v_add_f32 v0$0",
    ],
)
def test_enter_ends_the_line_after_what_is_complete(text: str) -> None:
    """Editors that take the first entry with Enter find no list."""
    built, line, column = program_and_cursor(text)
    assert completion.complete(built, line, column) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("v_add_f32 v0, v1, v$0", "v2"),
        ("v_add_f32 v0, v1, v2 $0", "row_mirror"),
        ("v_add_f32 v$0, v1, v2", "v2"),
        ("loop: s_branch lo$0", "loop"),
        (".se$0", ".set"),
        ("v_add_f$0", "v_add_f32"),
        ("loop: $0", ".abort"),
    ],
)
def test_a_list_where_something_is_missing_is_asked_for_again(text: str, wanted: str) -> None:
    """A list that an editor filters by itself would remain when the word is complete."""
    built, line, column = program_and_cursor(text)
    found = completion.complete(built, line, column)
    assert found is not None
    assert wanted in {item.label for item in found.items}
    assert found.is_incomplete or built.source.lines[line][column:].strip()


def test_a_colon_asks_only_after_a_modifier() -> None:
    for text, is_asked in (
        ("loop:$0", False),
        ("s_load_dwordx2 s[0:$0", False),
        ("v_mov_b32_dpp v0, v1 row_shr:$0", True),
    ):
        built, line, column = program_and_cursor(".set size, 1\n" + text)
        assert (completion.complete(built, line, column, ":") is not None) == is_asked, text


# What comes first


KERNEL = """\
.text
saxpy:
  s_load_b128 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_b32 v2, v1, s[4:5]
  {line}
  s_endpgm
.amdhsa_kernel saxpy
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
"""


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("s_load_b64 $0", "s[8:9]"),  # s[6:7] was loaded and is not read yet
        ("s_load_b64 s[8:9], $0", "s[0:1]"),
        ("v_mov_b32 $0", "v3"),  # v0 and v1 are inputs of what may follow, v2 is in flight
        ("v_add_f32 v3, $0", "v2"),
        ("v_fmac_f32 $0", "v2"),
        ("global_load_b32 v3, v1, $0", "s[4:5]"),
        ("v_cndmask_b32 v3, v1, v2, $0", "vcc_lo"),
        ("v_cmp_gt_u32 $0", "vcc_lo"),
        ("v_add_f$0", "v_add_f16"),
        (".amdhsa_system_vgpr_workitem_id $0", "0"),
        (".p2align $0", "8"),
        (".section .$0", ".text"),
        (".type saxpy, $0", "@function"),
    ],
)
def test_the_first_entry_is_what_is_likely(line: str, first: str) -> None:
    assert next(iter(completions(KERNEL.format(line=line), "gfx1100"))) == first


def test_the_beginning_of_a_new_section_is_not_taken_for_another() -> None:
    """Editors match letter by letter: Enter after `.x` would take `.text`."""
    assert list(completions(".section .t$0")) == [".text"]
    assert not completions(".section .x$0")
    assert '"ax"' in completions(".section .x, $0")


def test_a_result_may_replace_what_was_read_last() -> None:
    after = "  v_mul_f32 v3, v2, v2\n  v_mov_b32 $0\n  global_store_b32 v1, v3, s[4:5]"
    assert next(iter(completions(KERNEL.format(line=after), "gfx1100"))) == "v2"


@pytest.mark.parametrize("line", [".set $0", ".section $0", ".p2align $0", "s_sendmsg $0", "s_nop $0"])
def test_labels_only_where_labels_fit(line: str) -> None:
    assert "saxpy" not in completions(KERNEL.format(line=line), "gfx1100")


def test_other_names_of_an_instruction_come_last() -> None:
    found = list(completions("v_add_f16$0 ", "gfx1100"))
    assert found.index("v_add_f16_t16") > found.index("v_pk_add_f16")


def test_the_counts_of_a_wait_say_what_is_done_then() -> None:
    line = "global_load_b32 v3, v1, s[6:7]\n  s_waitcnt vmcnt($0)"
    found = completions(KERNEL.format(line=line), "gfx1100")
    assert {name: rendered(item.detail, "kernel.s") for name, item in found.items()} == {
        "0": "done: global_load_b32 on line 7 (v3)",
        "1": "done: global_load_b32 on line 6 (v2)",
    }


@pytest.mark.parametrize(
    "line", ["s_load_dwordx2 s[4:5], $0", "buffer_load_dword v1, off, $0", "global_load_dword v1, v0, $0"]
)
def test_an_address_is_in_no_special_register(line: str) -> None:
    found = completions(line, "gfx90a")
    assert any(name.startswith("s[") for name in found)
    assert not {"exec", "vcc", "flat_scratch", "xnack_mask", "ttmp[0:1]", "ttmp[0:3]"} & found.keys()


def test_a_special_register_that_is_begun_is_offered_as_an_address_too() -> None:
    check_completion("s_load_dwordx2 s[4:5], v$0", "vcc", absent=("exec",), target="gfx90a")
    check_completion("s_load_dwordx2 s[4:5], ttm$0", "ttmp[0:1]", target="gfx90a")
    check_completion("v_mov_b32 v0, $0", "exec_lo", "vcc_lo", target="gfx90a")


@pytest.mark.parametrize(
    "line", [".macro load_tile b$0", ".macro l$0", ".macro copy from, b$0", ".irp b$0", ".irpc b$0"]
)
def test_a_new_name_is_not_completed(line: str) -> None:
    """An editor that takes an entry with Enter would change it to the symbol that is spelled in capitals."""
    assert completions(f".set BUF, 4\n.set length, 4\n{line}\n") == {}


def test_the_values_of_a_repetition_are_completed() -> None:
    check_completion(".set BUF, 4\n.irp i, B$0\n.endr\n", "BUF")


@pytest.mark.parametrize("end", ["", "\n.end_amdgpu_metadata\n"])
def test_nothing_is_completed_in_metadata_before_their_end_is_written(end: str) -> None:
    for line in ("  - .name: s$0", "        .address_space: global$0", "  - .va$0"):
        assert completions(f".amdgpu_metadata\n---\n{line}{end}") == {}


def test_after_metadata_code_is_completed() -> None:
    check_completion(".amdgpu_metadata\n---\n.end_amdgpu_metadata\ns_endp$0", "s_endpgm")


def test_results_are_offered_from_the_lowest_register() -> None:
    text = "k:\n v_mov_b32 v30, s0\n v_mov_b32 v2, v30\n v_mov_b32 v12, v2\n v_mov_b32 $0\n ds_write_b32 v12, v12\n"
    found = sorted(completions(text, "gfx1100").values(), key=lambda item: item.sort)
    offered = [item.label for item in found if item.kind == "register" and item.label.startswith("v")]
    assert offered[:6] == ["v1", "v2", "v3", "v12", "v30", "v0"]
    text = text.replace("v_mov_b32 $0", "global_load_dwordx2 $0")
    wide = sorted(completions(text, "gfx90a").values(), key=lambda item: item.sort)
    assert [item.label for item in wide if item.detail == "free here"][:3] == ["v[2:3]", "v[4:5]", "v[6:7]"]


def test_many_registers_are_in_the_order_of_their_numbers() -> None:
    found = sorted(completions("v_mov_b32 $0", "gfx1250").values(), key=lambda item: item.sort)
    numbers = [int(item.label[1:]) for item in found if item.label[0] == "v" and item.label[1:].isdigit()]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("other", "label"),
    [("", ".Lloop"), (".Lloop:", ".Lloop2"), (".L_body:\n.L_end:", ".L_loop"), ("L_x:", "L_loop"), ("x:", ".Lloop")],
)
def test_a_loop_counts_in_a_free_register_and_has_a_label_as_the_others(other: str, label: str) -> None:
    text = f"""
        k:
            s_load_dwordx4 s[4:7], s[0:1], 0x0
            s_waitcnt lgkmcnt(0)
        {other}
            lo$0
            s_add_u32 s3, s4, s6
            s_add_u32 s8, s5, s7
            s_endpgm
        .amdhsa_kernel k
            .amdhsa_user_sgpr_kernarg_segment_ptr 1
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_free_sgpr 12
        .end_amdhsa_kernel
        """
    loop = completions(text)["loop"]
    assert f"${{1:{label}}}:" in loop.insert
    number = int(loop.insert.partition("${2:")[2].partition("}")[0])
    assert number not in (4, 5, 6, 7)
    assert number < 12
