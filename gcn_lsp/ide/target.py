"""The target of a file and the reason for it, as a label for the status line and as a page for its hover."""

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown


class TargetInfo(msgspec.Struct, frozen=True):
    """label: for a status line. markdown: the target, its features, and the source that named it."""

    label: str
    markdown: str


def target_info(name: str | None, mattr: str, reason: str) -> TargetInfo:
    """The target `name` with features `mattr`, as the project chose it; `reason` names the source."""
    if name is None:
        ways = "\n".join(f"- {way}" for way in _WAYS)
        said = f"The target is unknown: {reason}. Only lines that every supported target rejects are reported."
        return TargetInfo("no target", markdown.join(said, "Set it with", ways))
    target = isa.load_target(name, mattr)
    features = f" with {markdown.code(mattr)}" if mattr else ""
    facts = f"{target.generation}, waves of {target.wavefront_size} lanes, {len(target.mnemonics)} mnemonics."
    label = f"{name} {mattr}".rstrip()
    return TargetInfo(label, markdown.join(f"**{name}**{features}: {reason}.", facts))


_WAYS = (
    "a comment in the file: `; gcn-lsp: target=gfx90a`",
    '`target = "gfx90a"` in `gcn-lsp.toml`, or under `[tool.gcn-lsp]` in `pyproject.toml`',
    "the editor's setting, or the option `--target`",
)
