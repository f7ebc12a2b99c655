import pytest

from tests.instruction.support import code_of, problem_of


def format_bits(text: str, cpu: str) -> int:
    return (
        int.from_bytes(bytes.fromhex(code_of(f"tbuffer_load_format_x v0, off, s[0:3], {text}", cpu)), "little") >> 19
        & 0x7F
    )


@pytest.mark.parametrize(
    ("cpu", "text", "bits"),
    [
        ("gfx900", "0", 1),
        ("gfx900", "dfmt:4, nfmt:7, 0", 4 | 7 << 4),
        ("gfx900", "nfmt:7 dfmt:4 0", 4 | 7 << 4),
        ("gfx900", "0 format:127", 127),
        ("gfx900", "0 format:[BUF_NUM_FORMAT_FLOAT,BUF_DATA_FORMAT_32]", 4 | 7 << 4),
        ("gfx900", "0 format:[BUF_DATA_FORMAT_32]", 4),
        ("gfx1030", "0", 1),
        ("gfx1030", "format:22, 0", 22),
        ("gfx1030", "0 format:[BUF_FMT_32_FLOAT]", 22),
        ("gfx1030", "0 format:[BUF_DATA_FORMAT_32_32_32_32,BUF_NUM_FORMAT_FLOAT]", 77),
        ("gfx1100", "0 format:[BUF_FMT_32_32_32_32_FLOAT]", 63),
    ],
)
def test_formats(cpu: str, text: str, bits: int) -> None:
    assert format_bits(text, cpu) == bits


@pytest.mark.parametrize(
    ("cpu", "text", "rule"),
    [
        ("gfx900", "dfmt:16, 0", "modifier-out-of-range"),
        ("gfx900", "0 format:128", "modifier-out-of-range"),
        ("gfx900", "0 format:[BUF_FMT_32_FLOAT]", "modifier-out-of-range"),
        ("gfx900", "0 format:[BUF_DATA_FORMAT_8,BUF_DATA_FORMAT_8]", "modifier-out-of-range"),
        ("gfx1030", "0 format:128", "modifier-out-of-range"),
        ("gfx1030", "0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UNORM]", "unsupported-on-target"),
    ],
)
def test_wrong_formats(cpu: str, text: str, rule: str) -> None:
    assert problem_of(f"tbuffer_load_format_x v0, off, s[0:3], {text}", cpu)[0] == rule
