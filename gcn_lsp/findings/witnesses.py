"""Which findings of a check a run can show: those about waits, barriers and values that nothing has written."""

from collections.abc import Mapping
from types import MappingProxyType

_RACES = ("lds-race", "unwritten-lds-read", "order-dependent-result")

SHOWN_BY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "missing-wait": ("missing-wait",),
        "insufficient-wait": ("missing-wait",),
        "uninitialised-register": ("uninitialised-register",),
        "unpublished-lds-write": _RACES,
        "unpublished-lds-copy": (*_RACES, "missing-wait"),
        "overwritten-lds-read": _RACES,
        "early-lds-write": _RACES,
        "skipped-barrier": ("skipped-barrier", "stopped-run"),
        "unpaired-barrier": ("stopped-run",),
    }
)
"""The rules whose findings a run can show, each with the rules of what it finds then."""

NEVER_SHOWN = ("missing-wait-states", "broken-clause", "missing-entry-wait", "unsaved-register")
"""Rules about what a run does not carry out, though they are of the same kind."""
