"""A value moves to another register: everything that shares it, and nothing else."""

import pytest

from gcn_lsp.analysis.control import graphs
from gcn_lsp.ide import rename
from gcn_lsp.program import program
from gcn_lsp.program.incremental import Options
from gcn_lsp.rules import check
from gcn_lsp.text import SourceText, rendered
from tests.support.check import build
from tests.support.fixture import parse
from tests.support.ide import program_and_cursor

KERNEL = """\
.text
saxpy:
  s_load_b128 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_b32 v2, v1, s[4:5]
  s_mov_b32 s10, 4
loop:
  s_waitcnt vmcnt(0)
  v_fmac_f32 v3, v2, v2
  s_sub_u32 s10, s10, 1
  s_cmp_lg_u32 s10, 0
  s_cbranch_scc1 loop
  v_mov_b32 v2, 1.0
  v_mul_f32 v4, v2, v3
  global_store_b32 v1, v4, s[6:7]
  s_endpgm
.amdhsa_kernel saxpy
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
"""


def renamed(text: str, old: str, new: str) -> "tuple[list[str], str]":
    """The lines that change, and the reason if none does; `old` has the cursor."""
    made, line, column = program_and_cursor(text.replace(old, old.replace("|", "$0"), 1).replace("|", ""), "gfx1100")
    found = rename.rename(made, line, column, new)
    lines = [each.decode() for each in made.source.lines]
    before = list(lines)
    for edit in sorted(found.edits, key=lambda each: each.where, reverse=True):
        where = edit.where
        lines[where.line] = lines[where.line][: where.start] + edit.new_text + lines[where.line][where.end :]
    changed = [after for after, old_line in zip(lines, before, strict=True) if after != old_line]
    if changed:
        rules = [
            sorted(each.rule for each in check(build(parse("\n".join(text_)), "gfx1100"))) for text_ in (before, lines)
        ]
        assert rules[0] == rules[1], "another kernel"
    return [line.strip() for text_ in changed for line in text_.split("\n")], rendered(found.refused, made.path)


def at(register: str, line: str) -> str:
    """A line of the kernel with the cursor in a register."""
    assert line in KERNEL
    return line.replace(register, f"{register[0]}|{register[1:]}", 1)


def change(register: str, line: str, new: str) -> "tuple[list[str], str]":
    marked = at(register, line)
    return renamed(KERNEL.replace(line, marked, 1), marked, new)


def test_only_one_of_two_values_in_a_register_moves() -> None:
    assert change("v2", "v_mov_b32 v2, 1.0", "v9") == (["v_mov_b32 v9, 1.0", "v_mul_f32 v4, v9, v3"], "")
    lines, _ = change("v2", "global_load_b32 v2, v1, s[4:5]", "v9")
    assert lines == ["global_load_b32 v9, v1, s[4:5]", "v_fmac_f32 v3, v9, v9"]


def test_behind_a_comment_that_is_typed() -> None:
    options = Options("gfx1100")
    version = program.build(SourceText.from_bytes("k.s", b"//\n" + KERNEL.encode()), options)
    graphs.of(version)
    edited = program.build(version.source.replace(0, 2, 0, 2, b"a"), options, version)
    line = next(number for number, text in enumerate(edited.source.lines) if b"v_mov_b32 v2, 1.0" in text)
    assert len(rename.rename(edited, line, edited.source.lines[line].index(b"v2"), "v9").edits) == 2


def test_from_a_use_too_and_around_a_loop() -> None:
    wanted = ["s_mov_b32 s11, 4", "s_sub_u32 s11, s11, 1", "s_cmp_lg_u32 s11, 0"]
    assert change("s10", "s_cmp_lg_u32 s10, 0", "s11") == (wanted, "")
    assert change("s10", "s_sub_u32 s10, s10, 1", "11") == (wanted, "")


def test_all_of_a_tuple_moves() -> None:
    lines, _ = change("s[6:7]", "global_store_b32 v1, v4, s[6:7]", "s[14:15]")
    assert lines == [
        "s_load_b128 s[12:15], s[0:1], 0x0",
        "global_load_b32 v2, v1, s[12:13]",
        "global_store_b32 v1, v4, s[14:15]",
    ]


@pytest.mark.parametrize(
    ("register", "line", "new", "along"),
    [
        (
            "s[6:7]",
            "global_store_b32 v1, v4, s[6:7]",
            "s[14:15]",
            "`s[4:5]` moved along to `s[12:13]`, because `s_load_b128 s[4:7]` on line 3 needs them together",
        ),
        # All that moves is under the cursor, or keeps its numbers.
        ("s[4:7]", "s_load_b128 s[4:7], s[0:1], 0x0", "s[12:15]", ""),
        ("v4", "v_mul_f32 v4, v2, v3", "v9", ""),
        ("s[4:5]", "global_load_b32 v2, v1, s[4:5]", "s_x", ""),
    ],
)
def test_what_moves_along_is_told(register: str, line: str, new: str, along: str) -> None:
    made, at_line, column = program_and_cursor(
        KERNEL.replace(line, at(register, line).replace("|", "$0"), 1), "gfx1100"
    )
    found = rename.rename(made, at_line, column, new)
    assert found.edits
    assert rendered(found.along, made.path) == along


def test_a_new_name_becomes_a_symbol() -> None:
    lines, _ = change("v4", "v_mul_f32 v4, v2, v3", "v_result")
    assert lines == [
        ".set v_result, 4",
        "saxpy:",
        "v_mul_f32 v[v_result], v2, v3",
        "global_store_b32 v1, v[v_result], s[6:7]",
    ]
    lines, _ = change("s[4:5]", "global_load_b32 v2, v1, s[4:5]", "s_x")
    assert "s_load_b128 s[s_x:s_x+3], s[0:1], 0x0" in lines
    assert "global_store_b32 v1, v4, s[s_x+2:s_x+3]" in lines


def test_an_old_name_means_its_register() -> None:
    text = ".set v_free, 9\n" + KERNEL.replace("v_mov_b32 v2, 1.0", "v_mov_b32 v|2, 1.0")
    text = text.replace("s_endpgm", "v_mov_b32 v[v_free], v3\n  s_endpgm", 1)
    lines, _ = renamed(text, "v_mov_b32 v|2, 1.0", "v_free")
    assert lines == ["v_mov_b32 v[v_free], 1.0", "v_mul_f32 v4, v[v_free], v3"]


@pytest.mark.parametrize(
    ("register", "line", "new", "why"),
    [
        ("v4", "v_mul_f32 v4, v2, v3", "v1", "`v1` holds another value at line 15, `v_mul_f32`"),
        ("v1", "v_lshlrev_b32 v1, 2, v0", "v2", "`v2` holds another value at line 6, `global_load_b32`"),
        (
            "v0",
            "v_lshlrev_b32 v1, 2, v0",
            "v9",
            "`v0` may come from the hardware, at the start of the kernel",
        ),
        (
            "s[4:5]",
            "global_load_b32 v2, v1, s[4:5]",
            "s[5:6]",
            "line 3 would not assemble as `s_load_b128 s[5:8], s[0:1], 0x0`",
        ),
        ("v4", "v_mul_f32 v4, v2, v3", "s4", "`s4` is neither a register of the same file as `v4` nor a name"),
        ("v4", "v_mul_f32 v4, v2, v3", "vcc_lo", "`vcc_lo` is a register of another kind than `v4`"),
        ("v4", "v_mul_f32 v4, v2, v3", "loop", "`loop` has no number on line 15"),
    ],
)
def test_conflicts_are_named(register: str, line: str, new: str, why: str) -> None:
    assert change(register, line, new) == ([], why)


@pytest.mark.parametrize("file", ["s", "v"])
def test_what_moves_along_needs_a_register_too(file: str) -> None:
    pair = "{0}_mov_b64 {0}[2:3], {0}[4:5]".format
    text = f"k:\n  {pair(file)}\n  {file}_mov_b32 {file}6, {file}$03\n  {file}_mov_b32 {file}7, {file}2\n  s_endpgm\n"
    made, line, column = program_and_cursor(text, "gfx942")
    why = rename.rename(made, line, column, f"{file}0").refused
    assert rendered(why, made.path) == f"`{file}2` moves along, but there is no `{file}-1`"


@pytest.mark.parametrize(
    ("text", "cursor", "why"),
    [
        (KERNEL, "2, v$00", "`v0` may come from the hardware, at the start of the kernel"),
        (KERNEL, "v_mul_f32 v$04", ""),
        (
            "k:\n s_and_saveexec_b32 s4, vcc_lo\n v_add_f32 v7, v7, v8\n s_endpgm\n",
            "v7, v$07",
            "`v7` may come from the caller: no `.amdhsa_kernel` says that this is a kernel",
        ),
        (
            KERNEL + "f:\n v_add_f32 v7, v7, v8\n s_setpc_b64 s[30:31]\n.type f, @function\n",
            "v7, v$07",
            "`v7` may come from the caller",
        ),
        ("k:\n s_branch k\n", "branch $0k", ""),
    ],
)
def test_a_value_from_before_the_code_is_refused_before_a_name_is_asked_for(text: str, cursor: str, why: str) -> None:
    made, line, column = program_and_cursor(text.replace(cursor.replace("$0", ""), cursor, 1), "gfx1100")
    assert rendered(rename.refused(made, line, column), made.path) == why


def test_a_line_that_does_not_assemble_is_the_reason() -> None:
    """What it reads is not known: `v9` is free, and nothing else says so."""
    wrong = KERNEL.replace("s_endpgm", "v_mull_f32 v5, v4\n  s_endpgm", 1)
    marked = "v_mul_f32 v|4, v2, v3"
    text = wrong.replace(marked.replace("|", ""), marked)
    assert renamed(text, marked, "v9") == ([], "line 17 does not assemble, so it may use `v9`")
    marked = "global_store_b32 v1, v|4, s[6:7]"
    text = KERNEL.replace(marked.replace("|", ""), f"v_mull_f32 v5, v2\n  {marked}")
    assert renamed(text, marked, "v9") == ([], "line 16 does not assemble, so it may write `v4`")


def test_an_accumulator_without_a_first_value_moves() -> None:
    lines, _ = change("v3", "v_fmac_f32 v3, v2, v2", "v9")
    assert lines == ["v_fmac_f32 v9, v2, v2", "v_mul_f32 v4, v2, v9"]


def test_macros_and_symbols_are_refused_with_the_reason() -> None:
    macro = ".macro double r\n  v_add_f32 \\r, \\r, \\r\n.endm\n" + KERNEL
    text = macro.replace("  v_mul_f32 v4", "  double v2\n  v_mul_f32 v4").replace("v_mov_b32 v2", "v_mov_b32 v|2")
    assert renamed(text, "v_mov_b32 v|2", "v9") == ([], "line 18 uses it in `double`, a macro or a repetition")
    text = ".set x, 2\n" + KERNEL.replace("v_mul_f32 v4, v2", "v_mul_f32 v4, v[x]").replace(
        "v_mov_b32 v2", "v_mov_b32 v|2"
    )
    assert renamed(text, "v_mov_b32 v|2", "v9") == ([], "line 16 names it as `v[x]`")


def test_lanes_that_are_off_keep_the_old_value() -> None:
    """With EXEC changed in between both writes belong together."""
    masked = KERNEL.replace(
        "  v_mov_b32 v2, 1.0\n", "  v_mov_b32 v5, 0\n  s_mov_b32 exec_lo, 3\n  v_mov_b32 v|5, 1.0\n"
    )
    masked = masked.replace("v_mul_f32 v4, v2, v3", "s_mov_b32 exec_lo, -1\n  v_mul_f32 v4, v5, v3")
    lines, _ = renamed(masked, "v_mov_b32 v|5, 1.0", "v9")
    assert lines == ["v_mov_b32 v9, 0", "v_mov_b32 v9, 1.0", "v_mul_f32 v4, v9, v3"]
