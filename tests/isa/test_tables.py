"""The generated tables are sound: what is named exists, every bit has one meaning, nothing is there twice."""

from collections import Counter
from pathlib import Path

import pytest

from gcn_lsp.isa import generate, tables, target

FORM_FILES = sorted((tables.DATA / "forms").glob("*.tsv"))


def form_lines(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text().split("\n")[1:-1] if not line.startswith("@ ")]


def conditional_lines(path: Path) -> list[tuple[str, list[str]]]:
    found = []
    for section in path.read_text().split("\n@ ")[1:]:
        condition, _, body = section.partition("\n")
        found += [(condition, line.split("\t")) for line in body.rstrip("\n").split("\n")]
    return found


@pytest.mark.parametrize("path", sorted(tables.DATA.rglob("*.*")), ids=lambda path: path.name)
def test_a_generated_file_says_so(path: Path) -> None:
    assert path.read_text().split("\n", 1)[0] == generate.HEADER


def test_layouts_have_no_overlap_and_account_for_every_bit() -> None:
    for id_ in tables._layout_rows():
        layout = tables.layout(id_)
        seen = layout.fixed_mask
        for field in layout.fields:
            sources = 0
            for piece in field.pieces:
                bits = ((1 << piece.width) - 1) << piece.bit
                assert not seen & bits, (id_, field.name)
                seen |= bits
                source = ((1 << piece.width) - 1) << piece.source
                assert not sources & source, (id_, field.name)
                sources |= source
        assert not seen & layout.free_mask, id_
        assert seen | layout.free_mask == (1 << layout.size * 8) - 1, id_


def test_shapes_name_operands_that_exist() -> None:
    for id_ in tables._shape_rows():
        variant, syntax, list_id, layout_id, constraints, _, presets = tables.shape(id_)
        names = [name for name, _, _ in tables.operand_list(list_id)]
        assert len(set(names)) == len(names), id_
        assert variant in ("Default", "VOP3", "SDWA", "SDWA9", "DPP", "VOP3_DPP"), id_
        assert {field.name for field in tables.layout(layout_id).fields} <= set(names), id_
        assert {part.partition("=")[0] for part in presets.split()} <= set(names), id_
        written = [slot.strip("$") for slot in target._SLOT.findall(syntax) if slot.startswith("$")]
        assert set(written) <= set(names), id_
        tied = [name.strip(" $") for pair in constraints.split(",") if "=" in pair for name in pair.split("=")]
        assert set(tied) <= set(names), id_


def test_operand_kinds_are_known() -> None:
    kinds = tables.kind_rows()
    classes = tables.register_classes().keys() | tables.classes_by_mode().keys()
    for id_ in tables._operand_list_rows():
        for name, kind, _ in tables.operand_list(id_):
            assert kind in kinds, (id_, name, kind)
    for kind in kinds.values():
        assert not kind.registers or kind.registers in classes, kind
        assert kind.registers or kind.type.startswith("OPERAND_"), kind


def test_classes_by_mode_choose_known_classes() -> None:
    modes = {name for name, _ in tables.modes()}
    for name, choices in tables.classes_by_mode().items():
        assert choices.keys() <= modes, name
        assert set(choices.values()) <= tables.register_classes().keys(), name


@pytest.mark.parametrize("path", FORM_FILES, ids=lambda path: path.stem)
def test_forms_name_what_exists_and_fix_only_fixed_bits(path: Path) -> None:
    shapes, traits = tables._shape_rows(), tables._trait_rows()
    for cells in form_lines(path):
        name, shape, trait, fixed = cells[2:6]
        assert shape in shapes, name
        assert trait in traits, name
        layout = tables.layout(tables.shape(shape)[3])
        assert not int(fixed, 16) & ~layout.fixed_mask, name


def test_no_form_is_there_twice() -> None:
    count = Counter(
        (condition, cells[0], cells[2], cells[3]) for path in FORM_FILES for condition, cells in conditional_lines(path)
    )
    assert [key for key, times in count.items() if times > 1] == []


def test_the_order_within_a_mnemonic_is_strict() -> None:
    count = Counter((cells[0], cells[1].rstrip("*")) for path in FORM_FILES for cells in form_lines(path))
    assert max(count.values()) == 1


def test_features_and_processors_name_features_that_exist() -> None:
    known = tables.implied_features()
    assert {name for implied in known.values() for name in implied} <= known.keys()
    for processor in tables.processors().values():
        assert set(processor.features) <= known.keys(), processor.name
    assert set(tables.feature_names().values()) == known.keys() - {"FeatureDisable"}


def test_the_index_of_mnemonics_agrees_with_the_targets() -> None:
    for name in ("gfx900", "gfx90a", "gfx1250"):
        mnemonics = target.load_target(name).mnemonics
        assert set(mnemonics) == {mnemonic for mnemonic, who in tables.mnemonic_targets().items() if name in who}
