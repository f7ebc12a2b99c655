"""Describes what a slot takes, for messages."""

from gcn_lsp import isa
from gcn_lsp.instruction.slots import Rule
from gcn_lsp.syntax import nodes


def source_text(line: bytes, node: nodes.Node) -> str:
    """A node as written."""
    return line[node.start : node.end].decode("utf-8", "replace")


_FILE_WORDS = {"v": "VGPR", "s": "SGPR", "a": "AccVGPR", "ttmp": "ttmp register"}


_INTEGER_WORDS = {
    "s16": "an integer of 16 bits", "u16": "an integer from 0 to 65535", "u8": "an integer from 0 to 255",
    "long": "an unsigned integer of 32 bits", "integer": "an integer", "any": "an integer", "helper": "an integer",
    "inline": "an inline constant",
}  # fmt: skip


def describe(rule: Rule) -> str:
    """What a slot takes, in words."""
    parts: list[str] = []
    if rule.token:
        return f"`{rule.token}`"
    if rule.registers is not None:
        parts.append(_describe_class(rule.registers))
    if rule.names is not None:
        parts.append(" or ".join(f"`{name.rstrip(':')}`" for name in sorted(rule.names)[:4]))
    if rule.merged:
        parts.append(f"a {rule.merged}")
    if rule.calls:
        parts.append(f"{rule.calls[0]}(...)")
    if rule.integer:
        parts.append(_INTEGER_WORDS[rule.integer])
    if rule.inline:
        parts.append("an inline constant")
    if rule.literals:
        parts.append("a literal")
    if not parts:
        return "a name"
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " or " + parts[-1]


def _describe_class(register_class: isa.RegisterClass) -> str:
    files = [file for file in ("v", "a", "s") if file in register_class.files]
    width = register_class.bits // 32
    words = " or ".join(_FILE_WORDS[file] for file in files) or " or ".join(
        f"`{name}`" for name in sorted(register_class.specials)[:3]
    )
    if not files:
        return words
    if width > 1:
        return f"a tuple of {width} {words}s" if len(files) == 1 else f"a tuple of {width} registers ({words})"
    return ("an " if words[0] in "AS" else "a ") + words
