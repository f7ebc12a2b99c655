"""The documentation as a static site: `build(directory, targets)`.

What is told of each mnemonic on each target is collected by `content`, made to pages by `pages`; `markup` writes HTML.
"""

from gcn_lsp.site.build import build

__all__ = ["build"]
