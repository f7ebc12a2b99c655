"""The other encoding of a vector instruction, where it accepts the operands."""

import pytest

from tests.ide.refactor.test_refactor import offered

SHORT, LONG = "Encode in 32 bits (_e32)", "Encode in 64 bits (_e64)"


@pytest.mark.parametrize(
    ("line", "title", "after"),
    [
        ("v_add_f32 v0$0, v1, v2", LONG, "v_add_f32_e64 v0, v1, v2"),
        ("v_add_f32_e32 v0$0, v1, v2", LONG, "v_add_f32_e64 v0, v1, v2"),
        ("v_add_f32_e64 v0$0, v1, v2", SHORT, "v_add_f32_e32 v0, v1, v2"),
    ],
)
def test_the_suffix_changes(line: str, title: str, after: str) -> None:
    found = offered(line, "gfx900")
    assert found[title][1].source.to_bytes().decode().strip() == after


@pytest.mark.parametrize(
    "line",
    ["v_add_f32_e64 v0$0, v1, s2", "v_add_f32_e64 v0$0, -v1, v2", "s_mov_b32 s0$0, s1", "v_fma_f32 v0$0, v1, v2, v3"],
)
def test_it_is_not_offered_if_the_other_encoding_has_no_room(line: str) -> None:
    assert not {SHORT, LONG} & offered(line, "gfx900").keys()
