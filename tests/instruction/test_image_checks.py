import pytest

from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx900", "image_load v0, v1, s[0:7] dmask:0x1"),
        ("gfx900", "image_load v0, v0, s[0:7] dmask:0x3 d16"),
        ("gfx900", "image_load v[0:4], v1, s[0:7] dmask:0xf tfe"),
        ("gfx900", "image_load v[0:1], v1, s[0:7] dmask:0xf d16"),
        ("gfx1030", "image_load v0, v[1:2], s[0:7] dmask:0x1 dim:2D"),
        ("gfx1030", "image_load v0, [v1, v7], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D"),
        ("gfx1030", "image_load v0, v1, s[0:7] dmask:0x1 dim:2D a16"),
        ("gfx1030", "image_sample_d v0, v[0:5], s[0:7], s[8:11] dmask:0x1 dim:2D"),
        ("gfx1030", "image_sample_d v0, [v0,v2,v4,v6,v8,v10], s[0:7], s[8:11] dmask:0x1 dim:2D"),
    ],
)
def test_right(cpu: str, line: str) -> None:
    assert code_of(line, cpu)


@pytest.mark.parametrize(
    ("cpu", "line", "rule", "text"),
    [
        ("gfx900", "image_load v[0:1], v1, s[0:7] dmask:0x1", "wrong-register-width", "v[0:1]"),
        ("gfx900", "image_load v[0:2], v0, s[0:7] dmask:0x3", "wrong-register-width", "v[0:2]"),
        ("gfx900", "image_atomic_add v[0:1], v0, s[0:7] dmask:0x5", "modifier-out-of-range", "dmask:0x5"),
        ("gfx900", "image_gather4 v[0:3], v[0:1], s[0:7], s[0:3] dmask:0x3", "modifier-out-of-range", "dmask:0x3"),
        ("gfx1030", "image_load v0, v1, s[0:7] dmask:0x1", "missing-modifier", "image_load"),
        ("gfx1030", "image_load v0, v1, s[0:7] dmask:0x1 dim:2D", "wrong-register-width", "v1"),
        ("gfx1030", "image_load v0, v[1:2], s[0:7] dmask:0x1 dim:5D", "modifier-out-of-range", "5D"),
        ("gfx1030", "image_msaa_load v[0:3], v[0:2], s[0:7] dmask:0x1 dim:2D", "modifier-out-of-range", "dim:2D"),
    ],
)
def test_wrong(cpu: str, line: str, rule: str, text: str) -> None:
    assert problem_of(line, cpu)[:2] == (rule, text)


def test_further_addresses_follow_the_encoding() -> None:
    assert code_of("image_load v0, [v1, v7], s[0:7] dmask:0x1 dim:2D", "gfx1030").endswith("07000000")
