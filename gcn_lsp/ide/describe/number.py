"""Describes a number in every notation: bases, the floats with its bits, and whether it is an inline constant."""

from gcn_lsp.ide.describe import markdown, numbers

_WIDTHS = (16, 32, 64)


def describe(value: int | float, width: int = 32, *, is_operand: bool = True, floats: int = 0) -> str:
    """The table of a number in an operand of `width` bits; a float is shown with its bits in that width.

    is_operand: whether to say how an instruction encodes it. floats: the bits of the operand's floats, 0 if it is
    not a float: then every width is shown whose float is not denormal, as those of small integers are.
    """
    bits = numbers.as_bits(value, width) if isinstance(value, float) or fits(value, width) else value
    rows = [("hexadecimal", _grouped(f"{bits:x}", 4, "0x")) if bits >= 0 else ("hexadecimal", f"{bits:#x}")]
    if isinstance(value, int):
        rows.insert(0, ("decimal", _decimal(value, width)))
    if bits >= 0:
        rows += [("binary", _grouped(f"{bits:b}", 4, "0b")), ("octal", f"0{bits:o}" if bits else "0")]
        if isinstance(value, int):
            rows += [
                (f"as f{each}", numbers.float_text(numbers.as_float(bits, each), each))
                for each in _WIDTHS
                if bits < 1 << each
                and each <= max(width, 32)
                and (each == floats if floats else not numbers.is_denormal(bits, each))
            ]
    said = "inline constant" if numbers.is_inline(value, width) else "literal"
    return markdown.join(
        markdown.table(("", ""), [(name, markdown.code(text)) for name, text in rows]),
        f"In an operand of {width} bits: {said}." if is_operand else "",
    )


def fits(value: int, width: int) -> bool:
    """Whether an integer is a pattern of so many bits, signed or not."""
    return -(1 << (width - 1)) <= value < 1 << width


def _decimal(value: int, width: int) -> str:
    if value >= 1 << (width - 1) and value < 1 << width:
        return f"{value}, signed {value - (1 << width)}"
    return str(value)


def _grouped(digits: str, size: int, prefix: str) -> str:
    """Digits in groups, counted from the last: `0b1_0000`."""
    first = len(digits) % size or size
    groups = [digits[:first], *(digits[start : start + size] for start in range(first, len(digits), size))]
    return prefix + "_".join(groups)
