"""The colours of drawings: white text is readable on each, and few registers are never hot."""

from gcn_lsp.ide.drawing import colours


def luminance(colour: str) -> float:
    """Relative luminance by WCAG."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_white_text_is_readable_on_every_step() -> None:
    steps = {colours.heat(value, 100) for value in range(101)}
    assert len(steps) == 5
    assert all(1.05 / (luminance(colour) + 0.05) >= 4.5 for colour in steps)


def test_few_registers_are_not_hot() -> None:
    assert colours.heat(2, 2) == colours.heat(0, 256)
    assert colours.heat(256, 256) != colours.heat(128, 256)
