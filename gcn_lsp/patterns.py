"""Regular expressions that are compiled when they are first used: most of a process's are never."""

import re

_compiled = re.compile  # which `load` replaces for a while

TYPE_CHECKING = False
if TYPE_CHECKING:
    regex = re.compile
else:

    class regex:
        """As `re.compile`, whose result it becomes at the first use."""

        def __init__(self, text, flags=0):
            self._arguments = text, flags

        def __getattr__(self, name):
            found = getattr(_compiled(*self._arguments), name)
            setattr(self, name, found)  # so that this is asked only once
            return found


def load(library: str) -> None:
    """Import a library whose own expressions are compiled at their first use too, for those who import it next."""
    re.compile = regex
    try:
        __import__(library)
    finally:
        re.compile = _compiled
