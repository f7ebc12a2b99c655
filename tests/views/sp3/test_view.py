"""The view of an SP3 file: its statements as lines of LLVM's assembler, its mistakes, and its map."""

import random
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp import isa
from gcn_lsp.cli.main import main
from gcn_lsp.findings.rule import Severity
from gcn_lsp.program import program
from gcn_lsp.program.program import Options
from gcn_lsp.rules import RULES
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.map import Translated
from gcn_lsp.views.preprocessed import view as preprocessed
from gcn_lsp.views.sp3 import view as sp3
from gcn_lsp.views.sp3.view import is_sp3
from tests.support import llvm


def made(text: str, processor: str = "gfx900", limit: int = 10_000) -> Translated:
    source = SourceText.from_bytes("a.asm", text.encode())
    behind = preprocessed.of(source, lambda includer, name: None, {}, limit)
    return sp3.of(behind, isa.load_target(processor), limit)


def lines(text: str, processor: str = "gfx900") -> list[str]:
    """The lines of a shader's body."""
    found = made(f"shader main\nasic(DEFAULT)\n{text}\nend\n", processor)
    assert found.mistakes == ()
    return [line.decode() for line in found.source.lines[:-1]]


def mistakes(text: str) -> list[tuple[str, int, int, int, str]]:
    where = made(text).mistakes
    return [(each.rule, each.where.line, each.where.start, each.where.end, each.message) for each in where]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s_mov_b32 s0, 4*2+1", "s_mov_b32 s0, 9"),
        ("s_mov_b32 s0, 0x7fffffffffffffff/0x7fffffffffffff", "s_mov_b32 s0, 256"),
        ("s_mov_b32 s0, (0-7)/2 + (0-7)%2 + 10", "s_mov_b32 s0, 6"),
        ("s_mov_b32 s0, 0x3fffffffffffffff%8", "s_mov_b32 s0, 7"),
        ("s_load_dwordx4 [ttmp8,ttmp9,ttmp10, ttmp11], [s2,s3], 0 glc:1",
         "s_load_dwordx4 ttmp[8:11], s[2:3], 0 glc"),
        ("s_mov_b64 exec_lo, s4", "s_mov_b64 exec, s[4:5]"),
        ("s_mov_b32 exec_hi, exec_lo", "s_mov_b32 exec_hi, exec_lo"),
        ("v_cmp_lt_u32 vcc[0:1], v2, s3", "v_cmp_lt_u32 vcc, v2, s3"),
        ("buffer_store_dword v1, v0, ttmp8, ttmp4 slc:1 glc:1 offset:256*3",
         "buffer_store_dword v1, off, ttmp[8:11], ttmp4 offset:768 slc glc"),
        ("buffer_store_dwordx2 v[0:1], v2, s4, s8 offen:1 glc:0",
         "buffer_store_dwordx2 v[0:1], v2, s[4:7], s8 offen"),
        ("buffer_load_dword v0, v0, s4, s8 lds:1", "buffer_load_dword off, s[4:7], s8 lds"),
        ("buffer_load_dword v0, v0, s4, s8 sc0:1 nt:0", "buffer_load_dword v0, off, s[4:7], s8 glc"),
        ("s_waitcnt vmcnt(0) & lgkmcnt(0)", "s_waitcnt vmcnt(0) & lgkmcnt(0)"),
        ("s_getreg_b32 s0, hwreg(HW_REG_STATUS, 1+2, 4)", "s_getreg_b32 s0, hwreg(HW_REG_STATUS, 3, 4)"),
        ("s_getreg_b32 s0, hwreg(HW_REG_SQ_SHADER_TMA_LO)", "s_getreg_b32 s0, hwreg(18)"),
        ("s_and_b32 s0, s0, 0xFFFF0000", "s_and_b32 s0, s0, 0xffff0000"),
        ("v_mul_f32 v0, 0.5, v1", "v_mul_f32 v0, 0.5, v1"),
        ("s_sendmsg sendmsg(MSG_SAVEWAVE)", "s_sendmsg sendmsg(MSG_SAVEWAVE)"),
    ],
)  # fmt: skip
def test_instructions(text: str, expected: str) -> None:
    assert lines(text) == [expected]
    if "MSG_SAVEWAVE" not in text:
        assert llvm.assemble([expected], "gfx900")[0].code is not None or not llvm.available()


def test_a_flag_has_the_name_of_the_target() -> None:
    text = "buffer_load_dword v1, v0, s4, s8 slc:1 glc:1"
    assert lines(text, "gfx942") == ["buffer_load_dword v1, off, s[4:7], s8 nt sc0"]


def test_variables_conditions_and_loops() -> None:
    text = """var base = s4
var count = 2, unused
if count == 2 && base == s4
  for var i = 0; i < count; i ++
    s_mov_b32 base[i], i + 1
  end
elsif 1
  s_nop 1
else
  s_nop 2
end
count = count - 3
while count < 1
  s_nop count + 1
  count++
end
"""
    assert lines(text) == ["s_mov_b32 s4, 1", "s_mov_b32 s5, 2", "s_nop 0", "s_nop 1"]


def test_commas_in_brackets_divide_no_variables() -> None:
    text = "var a = pair[2 - 1], b = f((1), [s2, s3]), c = 4\ns_nop b + c\n"
    assert lines(f"var pair = s4\n{text}s_mov_b32 s0, a\nend\nfunction f(x, y)\nreturn x") == [
        "s_nop 5",
        "s_mov_b32 s0, s5",
    ]


def test_functions_are_written_out() -> None:
    text = """  store(s8, ttmp4)
  store(s12, ttmp4)
  s_add_u32 s0, s0, size()
end
function store(s, offset)
L_AGAIN:
  s_buffer_store_dwordx4 s[4], s, offset glc:1
  s_cbranch_scc1 L_AGAIN
  s_branch L_DONE
  helper
end
function helper
  s_nop 0
end
function size
  return 64*2
"""
    assert lines(f"L_DONE:\n{text}") == [
        "L_DONE:",
        "L_AGAIN_1:",
        "s_buffer_store_dwordx4 s[12:15], s[8:11], ttmp4 glc",
        "s_cbranch_scc1 L_AGAIN_1",
        "s_branch L_DONE",
        "s_nop 0",
        "L_AGAIN_3:",
        "s_buffer_store_dwordx4 s[16:19], s[12:15], ttmp4 glc",
        "s_cbranch_scc1 L_AGAIN_3",
        "s_branch L_DONE",
        "s_nop 0",
        "s_add_u32 s0, s0, 128",
    ]


def test_what_sp3_adds_from_gfx10() -> None:
    found = made("shader main\nwave_size(32)\ns_branch L\nL:\ns_nop 0\nend\n", "gfx1030")
    assert [line.decode() for line in found.source.lines] == [
        "s_branch L",
        "L:",
        "s_version UC_VERSION_GFX10|UC_VERSION_W32_BIT",
        "s_nop 0",
        *["s_code_end"] * 5,
        ".balign 8, 0",
    ]
    code = program.build(found.source, Options("gfx1030")).section_bytes(".text")
    assert code.hex() == "000082bf" + "044080b0" + "000080bf" + "00009fbf" * 5


def test_places() -> None:
    text = "#define TO s1\nshader main\n  f(s4)\nend\nfunction f(from)\n  s_mov_b32 TO, from // copy\nend\n"
    found = made(text)
    assert found.source.lines[0] == b"s_mov_b32 s1, s4"
    path = found.source.path

    def place(start: int, end: int) -> Location:
        return found.to_original(Location(path, 0, start, end))

    assert place(0, 9) == Location("a.asm", 5, 2, 11)
    assert place(10, 12) == Location("a.asm", 5, 12, 14)
    assert place(14, 16) == Location("a.asm", 5, 16, 20)
    assert found.origin(0).steps == ((Location("a.asm", 2, 2, 3), "called here: `f`"),)
    assert found.to_derived(5, 4) == (0, 2)
    assert found.to_derived(5, 17) == (0, 14)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shader main\n  s_mov_b32 s0,\nend", ("syntax-error", 1, 14, 15, "an operand is missing after `,`")),
        ("shader main\n  s_mov_b32 s0, (1\nend", ("syntax-error", 1, 17, 18, "`)` is missing after `1`")),
        ("shader main\n  s_nop [s0, s2]\nend", ("syntax-error", 1, 8, 16, "`s2` does not follow `s0`")),
        ("shader main\n  s_nop 1/0\nend", ("syntax-error", 1, 9, 10, "division by zero")),
        ("shader main\n  if 1\n  s_nop 0\nend", ("unterminated-block", 0, 0, 6, "`shader` lacks an `end`")),
        ("shader main\nend\nend", ("stray-block-end", 2, 0, 3, "`end` ends nothing")),
        ("shader main\nelse\nend", ("stray-block-end", 1, 0, 4, "`else` has no `if`")),
        ("shader main\n  f(1)\nend\nfunction f\nend",
         ("macro-arguments", 1, 2, 3, "`f` takes 0 arguments, not 1")),
        ("shader main\n  var 3\nend", ("syntax-error", 1, 6, 7, "a variable is missing here")),
        ("shader main\n  for i\n  end\nend", ("syntax-error", 1, 2, 7, "`for` takes a start, a condition and a step")),
        ("#if 1\nshader main\nend", ("unterminated-block", 0, 0, 5, "`#if` lacks an `#endif`")),
    ],
)  # fmt: skip
def test_one_mistake_is_one_sentence_at_its_place(text: str, expected: tuple[str, int, int, int, str]) -> None:
    assert mistakes(text) == [expected]


def test_what_only_the_build_defines_is_said_once() -> None:
    text = "shader main\nvar lost = (FAMILY <= 4)\nif lost\ns_nop 1\nend\nif FAMILY > 2\ns_nop 2\nend\nend"
    found = mistakes(text)
    assert [(rule, line) for rule, line, *_ in found] == [("build-defined-symbols", 1)]
    assert found[0][-1].startswith("only the build can define `FAMILY`")
    assert RULES["build-defined-symbols"].severity is Severity.INFORMATION


def test_names_do_not_double_without_end() -> None:
    text = "shader main\nvar a = vmcnt(0)\nfor var i = 0; i < 100; i++\na = a & a\nend\nvar b = hwreg(a, a, a)\nend\n"
    assert mistakes(text) == [
        ("expansion-limit", 3, 4, 9, "this expands to more than 1,024 characters"),
        ("expansion-limit", 5, 8, 22, "this expands to more than 1,024 characters"),
    ]


def test_a_function_after_one_without_an_end_is_known() -> None:
    found = made("shader main\n  f\nend\nfunction g\n  if 1\nend\nfunction f\n  s_nop 0\nend\n")
    assert found.source.lines[0] == b"s_nop 0"
    assert [(each.where.line, each.message) for each in found.mistakes] == [(3, "`function` lacks an `end`")]


def test_a_block_after_a_label() -> None:
    assert lines("L: M: if 1\ns_nop 1\nend\ns_nop 2") == ["L:", "M:", "s_nop 1", "s_nop 2"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("shader main\nwhile 1\nend\nend\n", 1),
        ("shader main\nwhile 1\ns_nop 0\nend\nend\n", 1),
        ("shader main\nf\nend\nfunction f\nf\nend\n", 4),
        ("shader main\nf\nend\nfunction f\nf\nf\nend\n", 4),
        ("shader main\nfor var i = 0; 1; i++\nend\nend\n", 1),
    ],
)
def test_what_never_ends_is_one_mistake(text: str, where: int) -> None:
    started = time.perf_counter()
    assert [(rule, line) for rule, line, *_ in mistakes(text)] == [("expansion-limit", where)]
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    "text",
    [
        "s_nop " + "(" * 50_000 + "1" + ")" * 50_000,
        "s_nop " + "s[" * 50_000,
        "s_nop " + "[" * 50_000,
        "if 1\n" * 10_000 + "end\n" * 10_000,
        "if 1\n" * 10_000,
        "if 0\n" + "elsif 0\n" * 10_000 + "end",
        "L: " * 10_000,
        "f\nend\nfunction f\ns_nop " + "s[" * 60 + "f" + "]" * 60,
    ],
)
def test_no_depth_raises_or_takes_long(text: str) -> None:
    started = time.process_time()
    made(f"shader main\n{text}\nend\n", limit=100_000)
    assert time.process_time() - started < 10


def test_blocks_in_each_other_and_without_an_end() -> None:
    text = "if 0\nif 1\nelse\ns_nop 1\nend\nelsif 1\nwhile a < 2\nif a\ns_nop 2\nend\na++\nend\nelse\ns_nop 3\nend"
    assert lines(f"var a\n{text}") == ["s_nop 2"]
    found = made("shader main\nif 1\ns_nop 1\nwhile 0\ns_nop 2")
    assert found.source.lines[0] == b"s_nop 1"
    assert [each.message for each in found.mistakes] == [
        f"`{word}` lacks an `end`" for word in ("shader", "if", "while")
    ]


def test_a_mistake_in_an_elsif_is_at_its_line() -> None:
    text = "shader main\nif 0\nelsif 1/0\nend\nend"
    assert mistakes(text) == [("syntax-error", 2, 7, 8, "division by zero")]


def test_which_files_are_sp3() -> None:
    assert is_sp3([b"shader main", b"  asic(VI)"])
    assert not is_sp3([b"shader main:", b"  s_endpgm"])
    assert not is_sp3([b"; shader main", b"asic(VI)"])


@pytest.mark.parametrize(
    "line", ["function WriteTo(Reg)", "var COUNT = 4", "for var i = 0; i < 4; i += 1", "shader main"]
)
def test_a_part_of_a_shader_is_sp3_if_the_file_is_named_so(line: str) -> None:
    assert is_sp3([line.encode()], is_named_so=True)
    assert not is_sp3([line.encode()])
    assert not is_sp3([b"s_endpgm"], is_named_so=True)


def test_a_semicolon_may_end_a_statement() -> None:
    assert mistakes("shader main\nvar a = 1;\nv_mov_b32 v0, a ;\nend") == []


def test_junk_raises_nothing() -> None:
    words = [
        "shader",
        "end",
        "if",
        "(",
        ")",
        "[",
        "]",
        "var",
        "s0",
        "=",
        "1",
        ":",
        "f",
        "function",
        ";",
        ",",
        "for",
        "+",
        '"x"',
    ]
    for seed in range(300):
        random_ = random.Random(seed)
        text = "\n".join(" ".join(random_.choices(words, k=random_.randrange(6))) for _ in range(12))
        made(f"shader main\n{text}\nend\n", limit=500)


def test_check_reports_at_the_source(tmp_path: Path) -> None:
    path = tmp_path / "trap.asm"
    path.write_text(
        "shader main\n  asic(DEFAULT)\n  type(CS)\n  f(s0)\n  s_endpgm\nend\nfunction f(s)\n  s_mov_b33 s, 1\nend\n"
    )
    result = CliRunner().invoke(main, ["check", "--target", "gfx900", str(path)])
    assert f"{path}:8:3: error[unknown-mnemonic]" in result.stdout
    assert f"{path}:4:3: note: called here: `f`" in result.stdout
    assert result.exit_code == 1


def test_a_changed_variable_is_used_in_the_next_version() -> None:
    """Instructions are kept by the values of the names in them."""
    text = "var a = {}\nfunction f\n s_branch L\n L:\n s_mov_b32 s[a], a\nend\ns_mov_b32 s0, a\nf\nf"
    one, two = lines(text.format(1)), lines("\n" + text.format(2))
    assert one == [
        "s_mov_b32 s0, 1",
        "s_branch L_1",
        "L_1:",
        "s_mov_b32 s1, 1",
        "s_branch L_2",
        "L_2:",
        "s_mov_b32 s1, 1",
    ]
    assert two == [line.replace("1", "2") if "mov" in line else line for line in one]
    found = made(f"shader main\nasic(DEFAULT)\n\n\n{text.format(2)}\nend\n")
    assert found.to_original(Location(found.source.path, 0, 0, 9)).line == 10
