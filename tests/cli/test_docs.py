"""`gcn-lsp docs`: the site is whole, its links lead somewhere, its pages are well formed and readable to all."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from gcn_lsp import api, isa
from gcn_lsp.cli.main import main
from gcn_lsp.isa.documentation import notation
from gcn_lsp.rules import RULES

TARGETS = ("gfx600", "gfx1100")
VOID = {"img", "meta", "link", "input", "br"}


class Document(HTMLParser):
    """What a test asks about a page: its links, ids, headings and whether elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.headings: list[int] = []
        self.open: list[str] = []
        self.labels: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.links += [value for name in ("href", "src") if (value := values.get(name))]
        if values.get("id"):
            self.ids.append(values["id"] or "")
        if values.get("for"):
            self.labels.add(values["for"] or "")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("site") / "new" / "docs"
    arguments = [part for target in TARGETS for part in ("--target", target)]
    result = CliRunner().invoke(main, ["docs", "--html", str(directory), *arguments])
    assert result.exit_code == 0, result.output
    assert re.fullmatch(r"\d+ pages in .*\n", result.output)
    return directory


@pytest.fixture(scope="module")
def documents(site: Path) -> dict[Path, Document]:
    return {path: Document(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def rows(site: Path) -> list[list[str]]:
    text = (site / "search-index.js").read_text(encoding="utf-8")
    assert text.startswith("searchIndex(")
    assert text.endswith(");\n")
    found: list[list[str]] = json.loads(text[len("searchIndex(") : -3])
    return found


def test_every_mnemonic_has_a_page(site: Path) -> None:
    names = {name for target in TARGETS for name in isa.load_target(target).mnemonics}
    assert {path.stem for path in (site / "mnemonics").iterdir()} >= names


def test_every_name_is_found_by_the_search(site: Path) -> None:
    names = {row[0] for row in rows(site)}
    assert {"v_add_f32", "v_dual_add_nc_u32", "glc", "BUF_FMT_8_UNORM", "m0", "HW_REG_MODE", "MSG_GS", "0.5"} <= names
    assert "MATRIX_FMT_FP4" not in names
    assert all(summary for _, _, summary, *_ in rows(site))


def test_the_search_has_the_words_of_notes_and_rules(site: Path) -> None:
    words = {name: said for name, _, _, said in rows(site)}
    assert "missing-wait" in words
    assert "counter" in words["missing-wait"]
    assert "vmcnt" in words["global_load_dword"]


def test_a_page_draws_the_encodings(site: Path) -> None:
    text = (site / "mnemonics" / "v_add_f32.html").read_text()
    assert "<summary>Encoding VOP2, 4 bytes on gfx1100</summary>" in text
    assert "<summary>Encoding VOP3, 8 bytes on gfx1100</summary>" in text
    assert "| fixed    | vdst  | src1 | src0 |\n| 0000011b |" in text


def test_rules_are_pages(site: Path, documents: dict[Path, Document]) -> None:
    assert {path.stem for path in (site / "rules").iterdir()} == set(RULES)
    page = (site / "rules" / "missing-wait.html").read_text()
    assert "<h2>Example</h2>" in page
    assert "<pre" in page
    assert "rules/missing-wait.html" in documents[site / "rules.html"].links


def test_links_lead_somewhere(site: Path, documents: dict[Path, Document]) -> None:
    def targets() -> Iterator[tuple[Path, str, str]]:
        for path, document in documents.items():
            for address in document.links:
                file, _, place = address.partition("#")
                yield (path.parent / file).resolve() if file else path, place, f"{path}: {address}"
        for _, address, *_ in rows(site):
            file, _, place = address.partition("#")
            yield site / file, place, address

    ids = {path.resolve(): set(document.ids) for path, document in documents.items()}
    for path, place, where in targets():
        assert path.exists(), where
        assert not place or place in ids[path.resolve()], where


def test_pages_are_well_formed(documents: dict[Path, Document]) -> None:
    for path, document in documents.items():
        assert document.open == [], path
        assert len(document.ids) == len(set(document.ids)), path
        assert document.headings.count(1) == 1, path
        assert document.headings[0] == 1, path
        assert "query" in document.labels, path


def test_nothing_comes_from_elsewhere(site: Path, documents: dict[Path, Document]) -> None:
    assert not [link for document in documents.values() for link in document.links if "//" in link]
    assert "http" not in (site / "search.js").read_text() + (site / "style.css").read_text()


def test_a_page_tells_each_group_of_targets_its_own(site: Path) -> None:
    text = (site / "mnemonics" / "v_interp_p1_f32.html").read_text()
    assert "gfx600" in text or "GFX6" in text
    both = (site / "mnemonics" / "s_waitcnt.html").read_text()
    assert both.count("<section") == 2
    assert 'href="#v-0"' in both
    assert "Operation" in both


def test_the_notation_is_explained_to_readers(site: Path) -> None:
    text = (site / "notation.html").read_text(encoding="utf-8")
    assert "OPERANDS" not in text  # the names of Python's tables
    for name in (*notation.FUNCTIONS, *notation.CONSTANTS):
        assert f"<code>{name}</code>" in text


def test_ideas_have_the_tables_of_their_targets(site: Path) -> None:
    index = (site / "ideas.html").read_text()
    assert '<a href="ideas/memory-model.html">Memory model</a>' in index
    assert '<a href="ideas/lds.html">LDS</a>' in index
    occupancy = (site / "ideas" / "occupancy.html").read_text()
    assert '<th scope="row">128</th>' in occupancy
    assert "waves on a SIMD" in occupancy
    assert "<code>hidden_group_size_x</code>" in (site / "ideas" / "kernarg.html").read_text()
    assert "<pre" in (site / "ideas" / "memory-model.html").read_text()


def test_text_is_escaped(site: Path) -> None:
    text = (site / "mnemonics" / "v_lshlrev_b32.html").read_text()
    assert "&lt;&lt;" in text


def test_a_folder_that_cannot_be_written_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = CliRunner().invoke(main, ["docs", "--html", str(tmp_path / "file" / "site"), "--target", "gfx600"])
    assert result.exit_code == 2
    assert "file" in result.output


def test_an_unknown_target_is_wrong_use(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["docs", "--html", str(tmp_path), "--target", "gfx1"])
    assert result.exit_code == 2


def test_a_matrix_instruction_shows_its_registers(site: Path) -> None:
    text = (site / "mnemonics" / "v_wmma_i32_16x16x16_iu8.html").read_text(encoding="utf-8")
    assert "<h3>Registers of the matrices</h3>" in text
    assert "register 7  D[14][l]    D[15][l]" in text
    assert "Registers of" not in (site / "mnemonics" / "v_add_f32.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def instructions() -> dict[str, Any]:
    result = CliRunner().invoke(main, ["docs", "--format", "json", "--target", "gfx90a", "--target", "gfx1100"])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    schema = json.loads(CliRunner().invoke(main, ["schema", "docs"]).stdout)
    jsonschema.Draft202012Validator(schema).validate(data)
    assert data["format"] == 1
    assert data["targets"] == ["gfx90a", "gfx1100"]
    return {each["mnemonic"]: each for each in data["instructions"]}


def test_the_data_has_every_mnemonic(instructions: dict[str, Any]) -> None:
    assert set(instructions) >= {*isa.load_target("gfx90a").mnemonics, *isa.load_target("gfx1100").mnemonics}


def test_the_data_says_what_an_instruction_does_on_each_target(instructions: dict[str, Any]) -> None:
    load = instructions["global_load_dword"]
    assert [variant["counters"] for variant in load["variants"] if "gfx90a" in variant["targets"]] == [["vmcnt"]]
    add = instructions["v_add_f32"]
    (vop2,) = [each for each in add["encodings"] if each["family"] == "VOP2" and each["variant"] == "Default"
               and "gfx90a" in each["targets"]]  # fmt: skip
    assert {each["operand"] for each in vop2["fields"]} == {"src0", "src1", "vdst"}
    assert vop2["writes"] == ["vdst"]


def test_the_fields_and_the_constant_bits_encode_an_instruction(instructions: dict[str, Any]) -> None:
    values = {"vdst": 5, "src0": 256 + 7, "src1": 9}
    for target in ("gfx90a", "gfx1100"):
        (form,) = [each for each in instructions["v_add_f32"]["encodings"] if each["variant"] == "Default"
                   and each["size"] == 4 and target in each["targets"]]  # fmt: skip
        word = int(form["fixed"], 16)
        for field in form["fields"]:
            word |= (values[field["operand"]] >> field["source"] & (1 << field["width"]) - 1) << field["bit"]
        assert word.to_bytes(4, "little").hex() == api.encode("v_add_f32 v5, v7, v9", target).hex()


def test_the_data_has_lanes_and_builtins(instructions: dict[str, Any]) -> None:
    about = instructions["v_mfma_f32_16x16x16f16"]
    places = {place.row * 16 + place.column: (place.lane, place.register)
              for place in api.matrix_elements("v_mfma_f32_16x16x16f16", "gfx90a") if place.matrix == "D"}  # fmt: skip
    (layout,) = [each for each in about["lanes"] if each["matrix"] == "D"]
    for lane, elements in enumerate(layout["elements"]):
        for register, (_, row, column) in enumerate(elements):
            assert places[row * 16 + column] == (lane, register)
    assert any("__builtin_amdgcn_mfma_f32_16x16x16f16(" in each["declaration"] for each in about["builtins"])


def test_a_form_or_a_folder() -> None:
    assert CliRunner().invoke(main, ["docs"]).exit_code == 2
    assert CliRunner().invoke(main, ["docs", "--format", "json", "--html", "x"]).exit_code == 2
