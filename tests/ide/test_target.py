"""The sentence that names the target of a file."""

from gcn_lsp.ide.target import configuration, target_info
from gcn_lsp.program.program import Options, build
from gcn_lsp.text import SourceText


def test_known_target() -> None:
    info = target_info("gfx90a", "-xnack", "`.amdgcn_target` says so (line 1)")
    assert info.label == "gfx90a -xnack"
    assert "**gfx90a** with `-xnack`: `.amdgcn_target` says so (line 1)." in info.markdown
    assert "waves of 64 lanes" in info.markdown


def test_an_assumed_target_says_why_and_how_to_name_one() -> None:
    source = SourceText.from_bytes("k.s", b"s_nop 0")
    candidates = build(source, Options(candidates=("gfx90a", "gfx942", "gfx908"))).candidates
    info = target_info("gfx90a", "", "only CDNA has mnemonics such as v_mfma_f32_4x4x1f32", candidates)
    assert info.label == "gfx90a?"
    why = "only CDNA has mnemonics such as v_mfma_f32_4x4x1f32; it may also be for gfx942 or gfx908"
    assert f"**gfx90a** is assumed: {why}" in info.markdown
    assert "gcn-lsp: target=gfx90a" in info.markdown


def test_the_symbols_of_the_build() -> None:
    def said(text: str) -> str:
        return configuration(build(SourceText.from_bytes("k.s", text.encode()), Options("gfx90a")))

    assert said("s_nop 0") == ""
    assert "only the build can define `FOO`, `BAR`." in said("s_nop FOO\ns_nop BAR")
    many = "\n".join(f"s_nop NAME{number}" for number in range(20))
    assert "`NAME7` and 12 more." in said(many)
