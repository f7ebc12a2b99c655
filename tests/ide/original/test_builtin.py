"""Builtins in a source: hover and completion, for the targets that are named or for all."""

from gcn_lsp import isa
from gcn_lsp.ide.original import builtin
from gcn_lsp.text import SourceText

SOURCE = SourceText.from_bytes("k.hip", b"x = __builtin_amdgcn_fdot2(a, b, c, 0);\ny = __builtin_amdgcn_perm")


def test_what_a_builtin_becomes_on_each_target() -> None:
    found = builtin.hover(SOURCE, 0, 10, [isa.load_target("gfx906"), isa.load_target("gfx1030")])
    assert found is not None
    assert (found.where.start, found.where.end) == (4, 26)
    assert "On gfx906 it becomes `v_dot2_f32_f16`." in found.markdown
    assert "On gfx1030 it becomes `v_dot2c_f32_f16`." in found.markdown


def test_without_a_target() -> None:
    found = builtin.hover(SOURCE, 0, 10, [])
    assert found is not None
    assert "- gfx906" in found.markdown
    assert "`v_dot2acc_f32_f16`" in found.markdown


def test_a_target_without_it() -> None:
    found = builtin.hover(SOURCE, 0, 10, [isa.load_target("gfx900")])
    assert found is not None
    assert "gfx900 does not have it; targets that do:" in found.markdown


def test_other_places() -> None:
    assert builtin.hover(SOURCE, 0, 1, []) is None
    assert builtin.hover(SOURCE, 5, 0, []) is None
    assert builtin.completed(SOURCE, 0, 2, []) is None


def test_completion_offers_those_of_the_target() -> None:
    column = len(SOURCE.lines[1])
    found = builtin.completed(SOURCE, 1, column, [isa.load_target("gfx90a")])
    assert found is not None
    assert {item.label: item.detail for item in found.items} == {"__builtin_amdgcn_perm": "v_perm_b32"}
    everywhere = builtin.completed(SOURCE, 1, column, [])
    assert everywhere is not None
    assert "__builtin_amdgcn_permlane64" in {item.label for item in everywhere.items}


def test_a_builtin_that_one_version_of_clang_has() -> None:
    text = b"x = __builtin_amdgcn_image_bvh8_intersect_ray"
    source = SourceText.from_bytes("k.hip", text)
    older, newer = isa.load_target("gfx1200", "+llvm22"), isa.load_target("gfx1200")
    hovers = [builtin.hover(source, 0, 10, targets) for targets in ([older], [newer], [])]
    said = [found.markdown if found is not None else "" for found in hovers]
    assert "On gfx1200 it becomes `image_bvh8_intersect_ray`." in said[0]
    assert "clang 23 does not have it. Only clang 22 has it." in said[1]
    assert "Only clang 22 has it." in said[2]
    assert "- GFX12" in said[2]
    assert builtin.completed(source, 0, len(text), [older]) is not None
    assert builtin.completed(source, 0, len(text), [newer]) is None
    assert builtin.completed(source, 0, len(text), []) is not None


def test_a_target_of_the_older_version_names_the_targets_that_it_knows() -> None:
    source = SourceText.from_bytes("k.hip", b"x = __builtin_amdgcn_image_bvh8_intersect_ray")
    found = builtin.hover(source, 0, 10, [isa.load_target("gfx900", "+llvm22")])
    assert found is not None
    assert "gfx900 does not have it; targets that do: GFX12" in found.markdown
