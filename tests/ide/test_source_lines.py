"""Hover, definition and numbers for the source behind compiled assembly."""

from gcn_lsp.findings.compiled_source import at_source
from gcn_lsp.ide import definition, hover, report, source_lines
from gcn_lsp.program import program
from gcn_lsp.program.program import Options, Program
from gcn_lsp.rules import RULES, check
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views import source_lines as places

SOURCE = "float f(float *x) {\n  return *x + 1.0f;\n}\n"
TEXT = """\
  .file 0 "/src" "k.cl"
kernel:
  .loc 0 2 10 ; k.cl:2:10 @[ k.cl:1:7 ]
  global_load_dword v0, v[0:1], off
  scratch_store_dword off, v3, s0 ; 4-byte Folded Spill
  v_add_f32 v0, 1.0, v0
  .loc 0 3 0
  s_waitcnt vmcnt(0)
  s_endpgm
"""


def include(includer: str, name: str) -> SourceText | None:
    return SourceText.from_bytes(name, SOURCE.encode()) if name == "/src/k.cl" else None


def made(text: str = TEXT) -> Program:
    return program.build(SourceText.from_bytes("k.s", text.encode()), Options("gfx90a", include=include))


def test_hover_shows_the_source() -> None:
    found = hover.hover(made(), 3, 4)
    assert found is not None
    said = "From `k.cl:2:10`, inlined at `k.cl:1:7`:\n\n```cpp\nreturn *x + 1.0f;\n```"
    assert said in found.markdown
    on_loc = hover.hover(made(), 2, 10)
    assert on_loc is not None
    assert on_loc.markdown == said


def test_numbers_of_loc_are_no_operands() -> None:
    assert hover.hover(made(".loc 3 10 16\n"), 0, 8) is None
    assert hover.hover(made('.file 10 "x"\n'), 0, 7) is None


def test_definition_goes_to_the_source() -> None:
    expected = [Location("/src/k.cl", 1, 9, 10), Location("/src/k.cl", 0, 6, 7)]
    assert definition.definition(made(), 3, 4) == expected
    assert definition.definition(made(), 2, 4) == expected
    assert definition.definition(made(TEXT.replace("k.cl", "gone.cl")), 3, 4)[0] == Location("/src/gone.cl", 1, 9, 9)
    assert definition.definition(made(), 0, 4) == []


def test_numbers_by_line() -> None:
    second, third = source_lines.lines(made())
    assert (second.file, second.line, second.lines) == ("/src/k.cl", 2, (3, 4, 5))
    assert (second.instructions, second.waits, second.spills) == (3, 0, 1)
    assert second.vgprs >= 3
    assert (third.instructions, third.waits) == (2, 1)
    assert "k.cl:2" in report.page(made(), (), "gfx90a")


def test_findings_at_the_source() -> None:
    found = made()
    findings = [each for each in check(found) if each.rule == "missing-wait"]
    (moved,) = at_source(
        "k.s", findings, lambda line: places.at(found, line), lambda place: source_lines.location(found, place)
    )
    assert moved.where == Location("/src/k.cl", 1, 9, 10)
    assert moved.fixes == ()
    assert [(each.where.path, each.where.line, each.message) for each in moved.related[:2]] == [
        ("k.s", 5, "the instruction"),
        ("/src/k.cl", 0, "inlined here"),
    ]
    assert "on line 4 of k.s" in moved.message
    plain = RULES["unused-symbol"].at(Location("k.s", 0, 0, 1), "x")
    assert list(at_source("k.s", [plain], lambda line: places.at(found, line), lambda place: plain.where)) == [plain]
