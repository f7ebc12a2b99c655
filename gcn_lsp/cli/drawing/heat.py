"""Colours for register pressure: from cool to hot."""

# No target has fewer waves for this many registers: a kernel that stays below is nowhere hot.
_HARMLESS = 24

# The share of the highest pressure up to which a colour goes.
_STEPS = ((0.25, "#4c9f70"), (0.5, "#a3b14b"), (0.75, "#e0a03c"), (0.9, "#dd6b3d"), (1.0, "#c93c37"))


def colour(value: int, highest: int) -> str:
    """The colour for a pressure, counted in VGPRs, where `highest` is the highest in the kernel."""
    share = value / max(highest, _HARMLESS)
    return next(colour for limit, colour in _STEPS if share <= limit)
