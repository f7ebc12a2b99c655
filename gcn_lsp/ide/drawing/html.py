"""The format `html`: a page with the drawing, which needs no other file and no network."""

from html import escape

from gcn_lsp.ide.control_flow import ControlFlow
from gcn_lsp.ide.drawing import svg
from gcn_lsp.ide.drawing.colours import WAYS

STYLE = """\
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1, h2 { font-weight: 600; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .92em; }
.error { color: #c93c37; font-weight: 600; }
.warning { color: #b3701e; font-weight: 600; }
.key span { display: inline-block; margin-right: 1.2rem; }
.key i { display: inline-block; width: 1.5rem; height: .3rem; margin-right: .3rem; vertical-align: middle; }
a.line { color: inherit; text-decoration: none; font-variant-numeric: tabular-nums; }
figure svg { display: block; margin: 0 auto; }
figure { margin: 1rem 0; overflow-x: auto; background: var(--paper); border-radius: 6px; padding: 1rem; }
/* Not `display: none`: the arrows of one drawing are defined in the other. */
body:has(#whole:checked) .short, body:not(:has(#whole:checked)) .whole {
  visibility: hidden; height: 0; margin: 0; padding: 0;
}
figure marker { visibility: visible; }
:root { --paper: #f6f8fa; --box: #ffffff; --ink: #24292f; --dim: #57606a; --faint: #d0d7de; --wait: #b3541e; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #161b22; --box: #0d1117; --ink: #e6edf3; --dim: #9aa4ae; --faint: #363e48; --wait: #e8a960; }
}
/* An editor's theme, which need not be the system's. */
body.vscode-light, body.vscode-high-contrast-light {
  --paper: #f6f8fa; --box: #ffffff; --ink: #24292f; --dim: #57606a; --faint: #d0d7de; --wait: #8a4b00;
}
body.vscode-dark, body.vscode-high-contrast:not(.vscode-high-contrast-light) {
  --paper: #161b22; --box: #0d1117; --ink: #e6edf3; --dim: #9aa4ae; --faint: #363e48; --wait: #e8a960;
}
svg text[fill="#24292f"] { fill: var(--ink); }
svg text[fill="#57606a"] { fill: var(--dim); }
svg text[fill="#b3541e"] { fill: var(--wait); }
svg rect[fill="#ffffff"] { fill: var(--box); }
svg path[stroke="#d0d7de"] { stroke: var(--faint); }
"""


# A drawing that is wider than its figure begins with the kernel's first block in view.
_SCRIPT = """\
for (const figure of document.querySelectorAll("figure:has(.block)")) {
  const block = figure.querySelector(".block").getBoundingClientRect(), outer = figure.getBoundingClientRect();
  figure.scrollLeft += (block.left + block.right - outer.left - outer.right) / 2;
}
"""


def render(flow: ControlFlow) -> str:
    """The page. A box to tick draws long blocks in full, as an editor does at a click on one."""
    name = f"Control flow of {flow.kernel}"
    longest = max(len(block.instructions) for block in flow.blocks)
    drawn = figure(flow)
    if longest > svg.MOST:
        drawn = f"{_BOX}{drawn}{_figure(svg.drawing(flow, most=longest), 'whole')}"
    return page(name, f"<h1>{escape(name)}</h1>\n{drawn}")


_BOX = '<p><label><input type="checkbox" id="whole"> All instructions of long blocks</label></p>\n'


def page(title: str, body: str) -> str:
    """A page in the style of all our pages."""
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>\n{STYLE}</style>\n<body>\n{body}<script>\n{_SCRIPT}</script></body>\n</html>\n"
    )


def figure(flow: ControlFlow) -> str:
    """The drawing with its legend; a report, which has one of every kernel, leaves long blocks short."""
    return f'<p class="key">{legend()}</p>\n{_figure(svg.drawing(flow), "short")}'


def _figure(drawn: str, kind: str) -> str:
    return f'<figure class="{kind}">\n{drawn}</figure>\n'


def legend() -> str:
    """The meaning of the colours."""
    ways = "".join(f'<span><i style="background:{colour}"></i>{meaning}</span>' for colour, meaning in WAYS.values())
    return f"{ways}<span>Warmer blocks have more VGPRs in use; waits are orange.</span>"
