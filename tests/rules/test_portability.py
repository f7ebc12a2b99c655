"""Lines that only some of a file's targets take."""

from pathlib import Path

import pytest

from gcn_lsp import rules
from gcn_lsp.cli import kernel
from gcn_lsp.findings.model import Finding
from gcn_lsp.program import program
from gcn_lsp.program.program import Options, Program
from gcn_lsp.project import Settings
from gcn_lsp.text import SourceText

OLD_ACCUMULATE = "v_mfma_f32_32x32x4bf16 v[0:15], v32, v33, v[0:15]"


def source(text: str) -> SourceText:
    return SourceText.from_bytes("k.s", text.encode())


def options(*targets: str) -> Options:
    return Options(targets[0], others=tuple((name, "") for name in targets[1:]))


def findings(text: str, *targets: str) -> list[Finding]:
    return rules.check(program.build(source(text), options(*targets)))


def told(text: str, *targets: str) -> list[tuple[int, str, str]]:
    return [(found.where.line, found.rule, found.message) for found in findings(text, *targets)]


def test_a_line_that_another_target_rejects_is_told_with_its_reason() -> None:
    ((line, rule, message),) = told(f"s_nop 0\n{OLD_ACCUMULATE}\n", "gfx90a", "gfx942")
    assert (line, rule) == (1, "portability")
    assert message.startswith("gfx942 rejects this line; ")
    assert "`v[0:15]` has 16 dwords" in message


def test_several_rejecting_targets_are_one_finding() -> None:
    ((_, rule, message),) = told("v_mad_f32 v0, v1, v2, v3\n", "gfx900", "gfx1100", "gfx1200", "gfx908")
    assert rule == "portability"
    assert message.startswith("gfx1100 and gfx1200 reject this line; gfx1100: ")


def test_what_the_first_target_rejects_is_reported_as_what_it_is() -> None:
    assert [rule for _, rule, _ in told("buffer_load_b32 v0, off, s[0:3], 0\n", "gfx900", "gfx906")] == [
        "unsupported-on-target"
    ]
    assert [rule for _, rule, _ in told("buffer_load_b32 v0, off, s[0:3], 0\n", "gfx900", "gfx1100")] == [
        "unsupported-on-target"
    ]


def test_silent_where_all_take_it() -> None:
    assert told("v_add_f32 v0, v1, v2\ns_endpgm\n", "gfx900", "gfx90a", "gfx1100") == []


def test_in_a_macro_it_is_told_once_where_it_is_written() -> None:
    text = f".macro step\n{OLD_ACCUMULATE}\n.endm\nstep\nstep\n"
    (found,) = findings(text, "gfx90a", "gfx942")
    assert (found.where.line, found.rule) == (1, "portability")
    assert [related.where.line for related in found.related] == [3]


def test_values_of_symbols_count() -> None:
    text = ".set n, {}\nv_mov_b32 v[n], 0\ns_mov_b32 s[n], 0\n"
    assert told(text.format(101), "gfx900", "gfx1030") == []
    assert told(text.format(103), "gfx1030", "gfx1100") == []
    ((line, rule, _),) = told(text.format(103), "gfx1030", "gfx900")
    assert (line, rule) == (2, "portability")


@pytest.mark.parametrize("other", ["gfx90a", "gfx1100"])
def test_every_target_takes_its_own_branches(other: str) -> None:
    text = """\
.if .amdgcn.gfx_generation_number == 11
v_fma_f32 v0, v1, v2, v3
.else
v_mad_f32 v0, v1, v2, v3
.endif
"""
    assert "portability" not in [rule for _, rule, _ in told(text, "gfx900", other)]
    wrong = text.replace("== 11", "== 12")
    assert ("portability" in [rule for _, rule, _ in told(wrong, "gfx900", other)]) == (other == "gfx1100")


def test_a_branch_of_another_target_is_reachable() -> None:
    text = ".if .amdgcn.gfx_generation_number == 11\ns_nop 0\n.endif\n"
    assert [rule for _, rule, _ in told(text, "gfx900")] == ["unreachable-branch"]
    assert told(text, "gfx900", "gfx1100") == []


def test_descriptor_fields_count() -> None:
    text = """\
.amdhsa_kernel k
.amdhsa_next_free_vgpr 4
.amdhsa_next_free_sgpr 4
.amdhsa_accum_offset 4
.end_amdhsa_kernel
"""
    found = [(line, rule) for line, rule, _ in told(text, "gfx90a", "gfx908") if rule == "portability"]
    assert found == [(3, "portability")]


def test_a_comment_switches_it_off() -> None:
    assert told(f"{OLD_ACCUMULATE} ; gcn-lsp: disable=portability\n", "gfx90a", "gfx942") == []


def test_after_an_edit_it_is_as_in_a_fresh_build() -> None:
    chosen = options("gfx90a", "gfx942")
    before = source("v_mov_b32 v200, v201\n" * 200 + OLD_ACCUMULATE + "\n" + "v_mov_b32 v202, v203\n" * 200)
    first = program.build(before, chosen)
    assert [found.where.line for found in rules.check(first)] == [200]
    after = before.replace(10, 0, 10, 0, b"v_mov_b32 v0, v1\n")
    second = program.build(after, chosen, first)
    assert rules.check(second) == rules.check(program.build(after, chosen))
    assert _shared(first.others[0], second.others[0]) > len(second.others[0].chunks) // 2


def test_one_target_costs_nothing() -> None:
    built = program.build(source("s_nop 0\n"), options("gfx900"))
    rules.check(built)
    assert built.others == ()


def _shared(one: Program, two: Program) -> int:
    return len(set(map(id, one.chunks)) & set(map(id, two.chunks)))


CONFIGURED = 'targets = ["gfx90a", "gfx942"]\n'


def in_project(folder: Path, configuration: str, text: str, settings: Settings | None = None) -> list[str]:
    (folder / "gcn-lsp.toml").write_text(configuration)
    file = folder / "k.s"
    file.write_text(text)
    return [found.rule for found in kernel.open_kernel(str(file), settings or Settings()).findings()]


def test_targets_of_the_configuration(tmp_path: Path) -> None:
    assert in_project(tmp_path, CONFIGURED, OLD_ACCUMULATE + "\n") == ["portability"]


def test_a_target_in_the_file_is_the_first_of_those_that_are_configured(tmp_path: Path) -> None:
    text = "; gcn-lsp: target=gfx942\nv_mfma_f32_32x32x4bf16 v[0:31], v[32:33], v[34:35], v[0:31]\n"
    assert in_project(tmp_path, CONFIGURED, text) == ["portability"]
    text = "; gcn-lsp: target=gfx900\ns_nop 0\n"
    assert in_project(tmp_path, CONFIGURED, text) == ["conflicting-targets"]


def test_one_target_as_an_option_wants_no_more(tmp_path: Path) -> None:
    assert in_project(tmp_path, CONFIGURED, OLD_ACCUMULATE + "\n", Settings(target="gfx90a")) == []


def test_a_section_with_one_target_wants_no_more(tmp_path: Path) -> None:
    one = CONFIGURED + '[[files]]\nglob = "*.s"\ntarget = "gfx90a"\n'
    assert in_project(tmp_path, one, OLD_ACCUMULATE + "\n") == []


def test_features_of_a_target_id_count(tmp_path: Path) -> None:
    text = "; gcn-lsp: targets=gfx900:xnack+, gfx906:xnack-, gfx900, gfx908\n"
    (tmp_path / "k.s").write_text(text)
    found = kernel.open_kernel(str(tmp_path / "k.s"), Settings(mattr="+cumode"))
    assert found.setup.target_choice.mattr == "+xnack"
    assert found.setup.options.others == (("gfx906", "-xnack"), ("gfx908", "+cumode"))


def test_the_features_of_a_rejecting_target_are_told() -> None:
    chosen = Options("gfx1100", others=(("gfx1100", "-real-true16"),))
    ((found),) = rules.check(program.build(source("v_mov_b16 v0.l, v1.l\n"), chosen))
    assert found.message.startswith("gfx1100 -real-true16 rejects this line; ")


def test_unknown_names_are_told_and_left_out(tmp_path: Path) -> None:
    assert in_project(tmp_path, 'targets = ["gfx90a", "gfx99"]\n', "s_nop 0\n") == ["configuration-error"]
