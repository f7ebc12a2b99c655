"""Register pressure over a kernel's instructions, as curves."""

from collections.abc import Iterator, Sequence
from html import escape

from gcn_lsp.ide.control_flow import ControlFlow, DrawnInstruction

_WIDTH, _HEIGHT = 1000, 260
_LEFT, _BOTTOM, _TOP = 44, 34, 12

# The curves: field, label, colour.
_CURVES = (("vgprs", "VGPRs", "#c93c37"), ("agprs", "AGPRs", "#8657b5"), ("sgprs", "SGPRs", "#3f7fbf"))


def drawing(flow: ControlFlow) -> str:
    """The curves as an element for a page; the axis below has the lines of the file."""
    instructions = [each for block in flow.blocks for each in block.instructions]
    curves = [curve for curve in _CURVES if any(getattr(each, curve[0]) for each in instructions)]
    highest = max((getattr(each, name) for each in instructions for name, _, _ in curves), default=0) or 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f"<title>Register pressure in {escape(flow.kernel)}</title>",
    ]
    for value in _ticks(highest):
        y = _y(value, highest)
        parts.append(f'<path d="M{_LEFT} {y}H{_WIDTH - 4}" stroke="#d0d7de"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end" fill="#57606a">{value}</text>')
    parts += _marks(flow, len(instructions))
    parts += _lines(instructions)
    for name, called, colour in curves:
        steps = _steps([getattr(each, name) for each in instructions], highest)
        parts.append(
            f'<path d="{steps}" fill="none" stroke="{colour}" stroke-width="1.6"><title>{called}</title></path>'
        )
    for number, (_, called, colour) in enumerate(curves):
        x = _LEFT + 10 + 90 * number
        parts.append(f'<path d="M{x} {_TOP + 8}h18" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{x + 24}" y="{_TOP + 12}" fill="#24292f">{called}</text>')
    return "\n".join((*parts, "</svg>")) + "\n"


def peak(flow: ControlFlow, name: str) -> "DrawnInstruction | None":
    """The first instruction at which the most registers of a file (a field's name) are in use."""
    instructions = [each for block in flow.blocks for each in block.instructions]
    return max(instructions, key=lambda each: getattr(each, name), default=None)


def _marks(flow: ControlFlow, count: int) -> list[str]:
    """Marks where blocks begin, with line numbers where there is room."""
    parts = []
    done, last = 0, -100
    for block in flow.blocks:
        x = _x(done, count)
        parts.append(f'<path d="M{x} {_TOP + 20}V{_HEIGHT - _BOTTOM}" stroke="#d0d7de" stroke-dasharray="2 3"/>')
        if x - last > 60 and x < _WIDTH - 60:
            line = block.first_line + 1
            parts.append(f'<text x="{x}" y="{_HEIGHT - _BOTTOM + 16}" fill="#57606a">line {line}</text>')
            last = x
        done += len(block.instructions)
    return parts


def _lines(instructions: Sequence[DrawnInstruction]) -> Iterator[str]:
    """Invisible bars, one for each line and at least a pixel wide, with what a pointer there shows and leads to."""
    shown = -1
    for number, each in enumerate(instructions):
        x = _x(number, len(instructions))
        if x == shown:
            continue
        shown = x
        width = max(_x(number + 1, len(instructions)) - x, 1)
        used = ", ".join(f"{getattr(each, name)} {called}" for name, called, _ in _CURVES if getattr(each, name))
        about = f"line {each.line + 1}: {' '.join(each.text.split())}\n{used or 'no registers'}"
        yield (
            f'<rect x="{x}" y="{_TOP + 20}" width="{width}" height="{_HEIGHT - _BOTTOM - _TOP - 20}" '
            f'fill="#0000" data-line="{each.line + 1}"><title>{escape(about)}</title></rect>'
        )


def _steps(values: Sequence[int], highest: int) -> str:
    """A path of steps, one for each value."""
    path = []
    for number, value in enumerate(values):
        if number == 0 or value != values[number - 1]:
            path.append(f"{'M' if number == 0 else 'H'}{_x(number, len(values))}")
            path.append(f"{' ' if number == 0 else 'V'}{_y(value, highest)}")
    return "".join((*path, f"H{_x(len(values), len(values))}"))


def _ticks(highest: int) -> range:
    step = next((step for step in (1, 2, 4, 8, 16, 32, 64, 128) if highest / step <= 6), 256)
    return range(0, highest + 1, step)


def _x(number: int, count: int) -> int:
    return _LEFT + (_WIDTH - _LEFT - 4) * number // max(count, 1)


def _y(value: int, highest: int) -> int:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP - 24) * value // highest
