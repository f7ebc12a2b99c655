"""Colours for register pressure: from cool to hot."""

# VGPRs that limit nothing: a kernel that uses no more is not hot anywhere.
_HARMLESS = 8

# Each colour with the share of the highest pressure up to which it is used.
_STEPS = ((0.25, "#4c9f70"), (0.5, "#a3b14b"), (0.75, "#e0a03c"), (0.9, "#dd6b3d"), (1.0, "#c93c37"))


def colour(value: int, highest: int) -> str:
    """The colour for a pressure, counted in VGPRs, where `highest` is the highest in the kernel."""
    share = value / max(highest, _HARMLESS)
    return next(colour for limit, colour in _STEPS if share <= limit)
