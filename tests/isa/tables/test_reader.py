"""The generated tables are sound: what is named exists, every bit has one meaning, nothing is there twice."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from gcn_lsp.isa import generate, target, versions
from gcn_lsp.isa.schema import BitPiece, Field
from gcn_lsp.isa.tables import columns, reader

FILES = sorted(path.relative_to(reader.DATA).as_posix() for path in reader.DATA.rglob("*.*"))
FORM_FILES = sorted(reader.DATA.glob("*/forms/*.tsv"))
of_every_version = pytest.mark.parametrize(
    "known", [reader.of(version) for version in versions.VERSIONS], ids=versions.VERSIONS
)


def form_lines(path: Path) -> list[list[str]]:
    """The cells of every row, as many as there are columns."""
    rows = [line.split("\t") for line in path.read_text().split("\n")[2:-1] if not line.startswith("@ ")]
    return [cells + [""] * (len(columns.FORMS) - len(cells)) for cells in rows]


def conditional_lines(path: Path) -> list[tuple[str, list[str]]]:
    found = []
    for section in path.read_text().split("\n@ ")[1:]:
        condition, _, body = section.partition("\n")
        found += [(condition, line.split("\t")) for line in body.rstrip("\n").split("\n")]
    return found


@pytest.mark.parametrize("name", FILES)
def test_a_generated_file_is_as_the_generator_wrote_it(name: str) -> None:
    assert generate.is_whole((reader.DATA / name).read_text())


def test_a_table_edited_by_hand_is_noticed() -> None:
    text = (reader.DATA / str(versions.USUAL) / "images.tsv").read_text()
    assert not generate.is_whole(text.replace("IMAGE_LOAD", "IMAGE_LOAF", 1))
    assert not generate.is_whole(text.removesuffix(text.splitlines(keepends=True)[-1]))


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".tsv")])
def test_a_table_names_its_columns_and_fills_no_others(name: str) -> None:
    rows = [line.split("\t") for line in (reader.DATA / name).read_text().split("\n")[1:-1] if line[0] != "@"]
    assert rows[0] == list(columns.of(name.partition("/")[2]))
    assert max(map(len, rows)) == len(rows[0])


def test_every_described_table_is_there() -> None:
    for version in versions.VERSIONS:
        assert {f"{version}/{name}" for name in columns.TABLES} <= set(FILES)


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """A copy of the tables."""
    return shutil.copytree(reader.DATA / str(versions.USUAL), tmp_path / "data")


@pytest.mark.parametrize("name", ["traits.tsv", "forms/gfx9.tsv"])
def test_other_columns_are_an_error_with_its_place(edited: Path, name: str) -> None:
    path = edited / name
    path.write_text(path.read_text().replace("\ttraits" if "/" in name else "\tuses", "\tused", 1))
    known = reader.Tables(edited)
    with pytest.raises(reader.TableError, match=rf"{name}:2: the columns are .*'used'"):
        known.form_sections("gfx9") if "/" in name else known.traits("s_nop")


@of_every_version
@pytest.mark.parametrize("name", ["shapes.tsv", "layouts.tsv", "traits.tsv", "images.tsv"])
def test_rows_are_found_by_their_first_cell(known: reader.Tables, name: str) -> None:
    found = known._by_name(name)
    lines = known.lines(name)
    assert [found[line.split("\t")[0]] for line in lines] == lines
    assert list(found) == sorted(found)
    assert len(found) == len(lines)
    for missing in ("", "~", f"{next(iter(found))}!"):
        assert missing not in found


def test_a_wrong_layout_is_an_error_with_its_place(edited: Path) -> None:
    path = edited / "layouts.tsv"
    number, line = next((n, row) for n, row in enumerate(path.read_text().split("\n"), 1) if "\t31..30=0x2 " in row)
    path.write_text(path.read_text().replace(line, line.replace("31..30=0x2", "31..29=0x2")))
    with pytest.raises(reader.TableError, match=rf"layouts\.tsv:{number}: \S+: bits 31\.\.29 do not follow"):
        reader.Tables(edited).layout(line.partition("\t")[0])


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("7..4=0x1 4..0=src", "do not follow"),
        ("7..4=0x1 2..0=src", "do not follow"),
        ("7..4=0x1 3..1=src", "do not follow"),
        ("3..7=src", "do not follow"),
        ("6..0=src", "ends no byte"),
        ("", "not every part"),
        ("7..4=0x1f 3..0=src", "more than the 4 bits"),
        ("7..4=?0x1f 3..0=src", "more than the 4 bits"),
        ("7..4=1 3..0=src", "not every part"),
        ("7..4 3..0=src", "not every part"),
    ],
)
def test_a_layout_accounts_for_every_bit_once(written: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        reader.read_layout(written)


def test_a_layout_is_read_as_it_is_written() -> None:
    layout = reader.read_layout("15..14=0x2 13=? 12..10=OP 9=src[3] 8=OP[3] 7..5=dst 4..2=src 1..0=0x0")
    src = Field("src", (BitPiece(0, 2, 3), BitPiece(3, 9, 1)))
    assert layout.fields == (src, Field("dst", (BitPiece(0, 5, 3),)))
    assert (layout.size, layout.fixed_mask, layout.free_mask) == (2, 0b11_0_111_0_1_000_000_11, 1 << 13)
    assert layout.with_opcode("13") == 0b10_0_101_0_1_000_000_00


def test_unspecified_bits_may_be_written_as_something() -> None:
    layout = reader.read_layout("15..8=?0x80 7..4=? 3..0=src")
    assert (layout.fixed_mask, layout.free_mask, layout.filler) == (0, 0xFFF0, 0x8000)


@of_every_version
def test_layouts_put_no_bit_of_an_operand_in_two_places(known: reader.Tables) -> None:
    for name in known.layout_rows:
        layout = known.layout(name)
        for field in (*layout.fields, *layout.opcode):
            sources = [at for piece in field.pieces for at in range(piece.source, piece.source + piece.width)]
            assert len(set(sources)) == len(sources), (name, field.name)


@of_every_version
def test_shapes_name_operands_that_exist(known: reader.Tables) -> None:
    for id_ in known.shape_rows:
        _, variant, syntax, listed, layout, constraints, _, presets, _ = known.shape(id_)
        names = [name for name, _, _ in reader.operand_list(listed)]
        assert len(set(names)) == len(names), id_
        assert variant in ("Default", "VOP3", "SDWA", "SDWA9", "DPP", "VOP3_DPP"), id_
        assert {field.name for field in known.layout(layout).fields} <= set(names), id_
        assert {part.partition("=")[0] for part in presets.split()} <= set(names), id_
        written = [slot.strip("$") for slot in target._SLOT.findall(syntax) if slot.startswith("$")]
        assert set(written) <= set(names), id_
        tied = [name.strip(" $") for pair in constraints.split(",") if "=" in pair for name in pair.split("=")]
        assert set(tied) <= set(names), id_


@of_every_version
def test_operand_kinds_are_known(known: reader.Tables) -> None:
    kinds = known.kind_rows
    classes = known.register_classes.keys() | known.classes_by_mode.keys()
    for id_ in known.shape_rows:
        for name, kind, _ in reader.operand_list(known.shape(id_)[3]):
            assert kind in kinds, (id_, name, kind)
    for row in kinds.values():
        assert not row.registers or row.registers in classes, row
        assert row.registers or row.type.startswith("OPERAND_"), row


@of_every_version
def test_classes_by_mode_choose_known_classes(known: reader.Tables) -> None:
    modes = {name for name, _ in known.modes}
    for name, choices in known.classes_by_mode.items():
        assert choices.keys() <= modes, name
        assert set(choices.values()) <= known.register_classes.keys(), name


@pytest.mark.parametrize("path", FORM_FILES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_forms_name_what_exists_and_have_the_opcodes_that_fit(path: Path) -> None:
    known = reader.of(int(path.parent.parent.name))
    for _, _, record, shape, trait, opcode, _, image in form_lines(path):
        assert shape in known.shape_rows, record
        assert trait in known.trait_rows, record
        assert not image or image in known.image_rows, record
        layout = known.layout(known.shape(shape)[4])
        widths = [sum(piece.width for piece in field.pieces) for field in layout.opcode]
        assert [int(number) >> width for number, width in zip(opcode.split(), widths, strict=True)] == [0] * len(widths)


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_every_shape_layout_and_traits_is_in_use(version: int) -> None:
    known = reader.of(version)
    rows = [cells for path in FORM_FILES if str(version) in path.parts for cells in form_lines(path)]
    assert {cells[3] for cells in rows} == known.shape_rows.keys()
    assert {cells[4] for cells in rows} == known.trait_rows.keys()
    assert {known.shape(cells[3])[4] for cells in rows} == known.layout_rows.keys()


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_no_form_is_there_twice(version: int) -> None:
    count = Counter(
        (condition, cells[0], cells[2], cells[3])
        for path in FORM_FILES
        if str(version) in path.parts
        for condition, cells in conditional_lines(path)
    )
    assert [key for key, times in count.items() if times > 1] == []


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_the_order_within_a_mnemonic_is_strict_on_every_target(version: int) -> None:
    for name in reader.of(version).processors:
        for mnemonic, rows in target.load_target(name, f"+llvm{version}")._lines.items():
            orders = [line.split("\t")[1].rstrip("*") for _, line in rows]
            assert len(set(orders)) == len(orders), (name, mnemonic)


@of_every_version
def test_features_and_processors_name_features_that_exist(known: reader.Tables) -> None:
    implied = known.implied_features
    assert {name for names in implied.values() for name in names} <= implied.keys()
    for processor in known.processors.values():
        assert set(processor.features) <= implied.keys(), processor.name
    assert set(known.feature_names.values()) == implied.keys() - {"FeatureDisable"}


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_the_index_of_mnemonics_agrees_with_the_targets(version: int) -> None:
    known = reader.of(version)
    for name in ("gfx900", "gfx90a", "gfx1250"):
        mnemonics = target.load_target(name, f"+llvm{version}").mnemonics
        assert set(mnemonics) == {mnemonic for mnemonic, who in known.mnemonic_targets.items() if name in who}
