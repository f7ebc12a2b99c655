"""The tools for agents: answers equal the command line's, stay below 2 kB, and say what is right after wrong use."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from gcn_lsp.mcp import tools
from gcn_lsp.text import json_bytes

DATA = Path(__file__).parents[1] / "data"
WAIT = "k:\n  global_load_dword v1, v0, s[2:3]\n  v_add_f32 v1, v1, v1\n  s_endpgm\n"
WRONG = "v_mov_b33 v0, v1\n" * 30
MFMA = "v_mfma_f32_16x16x16f16"

QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("check", {"text": WAIT, "target": "gfx90a"}),
    ("check", {"text": WRONG, "target": "gfx90a"}),
    ("check", {"path": str(DATA / "saxpy_gfx900.s"), "severity": "hint"}),
    ("explain", {"topic": "v_mfma_f32_32x32x8f16", "target": "gfx90a"}),
    ("explain", {"path": str(DATA / "saxpy_gfx900.s"), "line": 44}),
    ("explain", {"topic": "s_waitcnt 0xcf7e", "target": "gfx900"}),
    ("machine_code", {"text": "s_nop 0\nv_mov_b32 v0, v1\n" * 20, "target": "gfx90a"}),
    ("machine_code", {"code": "00 00 80 bf 01 03 00 7e", "target": "gfx90a"}),
    ("legal_on", {"instruction": "v_accvgpr_read_b32 v0, a0"}),
    ("in_flight", {"text": WAIT, "line": 3, "target": "gfx90a"}),
    (
        "distance",
        {"first": f"{MFMA} a[0:3], v[0:1], v[2:3], a[0:3]", "second": "v_accvgpr_read_b32 v0, a0", "target": "gfx908"},
    ),
    ("instruction_mix", {"path": str(DATA / "gemm_tile_gfx90a.s")}),
    ("occupancy", {"path": str(DATA / "gemm_tile_gfx90a.s")}),
    ("matrix_element", {"mnemonic": MFMA, "target": "gfx90a"}),
    ("compare", {"first_text": WAIT, "second_text": WAIT + "s_nop 0\n", "target": "gfx90a", "kernel": "k"}),
)


@pytest.mark.parametrize(("name", "arguments"), QUESTIONS)
def test_an_answer_fits_its_schema_and_2_kb_in_every_part(name: str, arguments: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(tools.schema(tools.TOOLS[name].question)).validate(arguments)
    cursor, parts = "", 0
    while True:
        answer = tools.answer(name, {**arguments, **({"cursor": cursor} if cursor else {})})
        jsonschema.Draft202012Validator(tools.schema(tools.TOOLS[name].answer)).validate(answer)
        assert len(json_bytes(answer)) < 2048
        parts += 1
        cursor = answer.get("next_cursor", "")
        if not cursor or parts > 60:
            break
    assert parts < 60


def test_every_tool_is_asked_above() -> None:
    assert {name for name, _ in QUESTIONS} == set(tools.TOOLS)
    assert 8 <= len(tools.TOOLS) <= 10
    for tool in tools.TOOLS.values():
        assert tool.description
        assert tool.title


def every(name: str, rows: str, **arguments: Any) -> list[Any]:
    """The rows of all parts of an answer."""
    found, cursor = [], ""
    while True:
        answer = tools.answer(name, {**arguments, **({"cursor": cursor} if cursor else {})})
        found += answer[rows]
        cursor = answer.get("next_cursor", "")
        if not cursor:
            return found


def test_findings_are_those_of_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text("; gcn-lsp: target=gfx90a\n" + WRONG)
    printed = json.loads(CliRunner().invoke(main, ["check", "--format", "json", str(path)]).stdout)
    assert len(printed) > 20
    assert every("check", "findings", path=str(path)) == printed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("check", ".macro m\n  m\n.endm\n  m\n"),  # a hundred places lead to the mistake
        ("instruction_mix", "L" * 9000 + ":\n  s_nop 0\n  s_endpgm\n"),
        ("instruction_mix", "".join(f"{'k' * 300}{number}:\n  s_nop 0\n  s_endpgm\n" for number in range(20))),
        ("machine_code", "s_mov_b32 s0, " + " " * 3000 + "1"),
    ],
)
def test_an_answer_with_a_long_row_is_cut(name: str, text: str) -> None:
    cursor, count = "", 0
    while True:
        answer = tools.answer(name, {"text": text, "target": "gfx90a", **({"cursor": cursor} if cursor else {})})
        jsonschema.Draft202012Validator(tools.schema(tools.TOOLS[name].answer)).validate(answer)
        assert len(json_bytes(answer)) <= 2000
        rows = next(value for key, value in answer.items() if key in ("findings", "blocks", "instructions"))
        count += len(rows)
        cursor = answer.get("next_cursor", "")
        if not cursor:
            break
    assert count == 1  # block, instruction or finding


def test_a_page_is_that_of_the_command_line() -> None:
    printed = CliRunner().invoke(main, ["explain", "--target", "gfx90a", MFMA]).stdout
    assert "".join(every("explain", "markdown", topic=MFMA, target="gfx90a")) == printed


def test_numbers_choose_elements_of_a_matrix() -> None:
    answer = tools.answer(
        "matrix_element", {"mnemonic": MFMA, "target": "gfx90a", "matrix": "D", "row": 5, "column": 3}
    )
    assert answer["count"] == 1
    assert (answer["elements"][0]["lane"], answer["elements"][0]["register"]) == (19, 1)


def test_a_comparison_has_what_differs_only() -> None:
    second = WAIT.replace("v_add_f32 v1, v1, v1", "s_nop 0")
    answer = tools.answer("compare", {"first_text": WAIT, "second_text": second, "target": "gfx90a"})
    assert [(each["what"], each["first"], each["second"]) for each in answer["differences"]] == [
        ("v_add_f32", 1, None),
        ("s_nop", None, 1),
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("check", {}, "give either a path or a text"),
        ("check", {"text": "s_nop 0", "target": "gfx1"}, "unknown target 'gfx1'"),
        ("check", {"text": "s_nop 0", "severity": "fatal"}, "'fatal' is not a valid Severity"),
        ("check", {"path": "/nowhere/k.s"}, "cannot read /nowhere/k.s: there is no such file"),
        ("check", {"text": WRONG, "target": "gfx90a", "cursor": "99999"}, "'99999' is not a cursor of this answer"),
        ("check", {"txt": "s_nop 0"}, "contains unknown field `txt`"),
        ("check", {"text": WRONG, "target": "gfx90a", "cursor": "9" * 5000}, "is not a cursor of this answer"),
        ("check", {"text": "\ud800"}, "the text has half of a character"),
        ("explain", {}, "give a topic, or a path and a line"),
        ("legal_on", {"instruction": ""}, "'' is not one instruction"),
        ("legal_on", {"instruction": "s_nop 0\ns_nop 0"}, "is not one instruction"),
        ("legal_on", {"instruction": ".rept 3"}, "'.rept 3' is not one instruction"),
        ("distance", {"first": "", "second": "s_nop 0", "target": "gfx90a"}, "'' is not one instruction"),
        ("distance", {"first": "s_nop 0\ns_nop 0", "second": "", "target": "gfx90a"}, "is not one instruction"),
        ("instruction_mix", {"text": "; nothing\n", "target": "gfx90a"}, "the file has no code; the kernels are none"),
        ("compare", {"first_text": WAIT, "second_text": "\n", "target": "gfx90a"}, "the file has no code"),
        ("occupancy", {"text": WAIT, "target": "gfx90a", "kernel": "k"}, "the kernels with one are none"),
        (
            "matrix_element",
            {"mnemonic": MFMA, "target": "gfx90a", "matrix": "Z"},
            f"Z is no matrix of {MFMA}; it has A, B",
        ),
        ("explain", {"topic": "qqqqq"}, "nothing is known about 'qqqqq'"),
        ("machine_code", {"text": "v_mov_b33 v0, v1", "target": "gfx90a"}, "line 1: "),
        ("machine_code", {"code": "xx", "target": "gfx90a"}, "`code` has something else than hexadecimal digits"),
        ("machine_code", {"code": "ffffffff", "target": "gfx90a"}, "ffffffff at byte 0 is no instruction of gfx90a"),
        ("instruction_mix", {"text": WAIT, "target": "gfx90a", "kernel": "m"}, "m has no code; the kernels are k"),
        (
            "matrix_element",
            {"mnemonic": "v_mov_b32", "target": "gfx90a"},
            "the layout of v_mov_b32 on gfx90a is not known",
        ),
        ("in_flight", {"text": WAIT, "target": "gfx90a", "line": 0}, ">= 1"),
        ("in_flight", {"text": WAIT, "target": "gfx90a", "line": 1}, "line 1 has no instruction that is assembled"),
        ("in_flight", {"text": WAIT, "target": "gfx90a", "line": 5}, "line 5 has no instruction that is assembled"),
    ],
)
def test_wrong_use_says_what_is_right(name: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(tools.ToolError) as caught:
        tools.answer(name, arguments)
    assert message in str(caught.value)
