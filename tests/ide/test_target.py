"""The sentence that names the target of a file."""

from gcn_lsp.ide.target import target_info


def test_known_target() -> None:
    info = target_info("gfx90a", "-xnack", "`.amdgcn_target` says so (line 1)")
    assert info.label == "gfx90a -xnack"
    assert "**gfx90a** with `-xnack`: `.amdgcn_target` says so (line 1)." in info.markdown
    assert "waves of 64 lanes" in info.markdown


def test_unknown_target_says_how_to_name_one() -> None:
    info = target_info(None, "", "nothing names a target for this file")
    assert info.label == "no target"
    assert "gcn-lsp: target=gfx90a" in info.markdown
