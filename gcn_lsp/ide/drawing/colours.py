"""The colours of drawings: of ways between blocks, and of register pressure, from cool to hot."""

# Each kind of edge: its colour, and the words of the legend.
WAYS = {
    "next": ("#8a8f98", "falls through"),
    "branch": ("#3f8fd0", "branch"),
    "back": ("#d9534f", "loop back"),
    "call": ("#9a6dd0", "call"),
}

# VGPRs that limit nothing: a kernel that uses no more is not hot anywhere.
_HARMLESS = 8

# Each colour with the share of the highest pressure up to which it is used. White text is readable on all of them.
_STEPS = ((0.25, "#3a7d57"), (0.5, "#667022"), (0.75, "#97631a"), (0.9, "#b3501f"), (1.0, "#b3302b"))


def heat(value: int, highest: int) -> str:
    """The colour for a pressure, counted in VGPRs, where `highest` is the highest in the kernel."""
    share = value / max(highest, _HARMLESS)
    return next(colour for limit, colour in _STEPS if share <= limit)
