"""The documentation as a static site: `build(targets)` makes its files.

`content` collects the entry of each mnemonic on each target, `pages` makes pages of them, `markup` writes HTML.
"""

from gcn_lsp.site.build import build

__all__ = ["build"]
