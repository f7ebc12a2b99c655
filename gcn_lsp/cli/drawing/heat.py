"""Colours for register pressure: from cool to hot."""

# The share of the highest pressure up to which a colour goes.
_STEPS = ((0.25, "#4c9f70"), (0.5, "#a3b14b"), (0.75, "#e0a03c"), (0.9, "#dd6b3d"), (1.0, "#c93c37"))


def colour(value: int, highest: int) -> str:
    """The colour for a pressure where `highest` is the hottest there is."""
    share = value / highest if highest else 0.0
    return next(colour for limit, colour in _STEPS if share <= limit)
