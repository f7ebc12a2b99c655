import pytest

from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("pattern", "bits"),
    [
        ("swizzle(QUAD_PERM, 0, 1, 2, 3)", "e480"),
        ('swizzle(BITMASK_PERM, "01pi0")', "0609"),
        ("swizzle(BROADCAST, 32, 31)", "e003"),
        ("swizzle(SWAP, 16)", "1f40"),
        ("swizzle(REVERSE, 8)", "1f1c"),
        ("swizzle(FFT, 31)", "1fe0"),
        ("swizzle(ROTATE, 1, 3)", "60c4"),
        ("0xffff", "ffff"),
    ],
)
def test_swizzles(pattern: str, bits: str) -> None:
    assert code_of(f"ds_swizzle_b32 v0, v1 offset:{pattern}") == f"{bits}7ad801000000"


@pytest.mark.parametrize(
    "pattern",
    [
        "swizzle(FOO)",
        "swizzle(SWAP, 3)",
        "swizzle(ROTATE, 2, 0)",
        "swizzle(BROADCAST, 8, 8)",
        'swizzle(BITMASK_PERM, "01")',
        "65536",
    ],
)
def test_wrong_swizzles(pattern: str) -> None:
    assert problem_of(f"ds_swizzle_b32 v0, v1 offset:{pattern}")[0] == "modifier-out-of-range"


@pytest.mark.parametrize("pattern", ["swizzle(FFT, 31)", "swizzle(ROTATE, 1, 3)"])
def test_modes_that_gfx9_brought(pattern: str) -> None:
    found = problem_of(f"ds_swizzle_b32 v0, v1 offset:{pattern}", "gfx803")
    assert found[0] == "modifier-out-of-range"
    assert "gfx803 has no" in found[2]
