"""Regular expressions that are compiled when they are first used: most of a process's are never."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    regex = re.compile
else:

    class regex:
        """As `re.compile`, whose result it becomes at the first use."""

        def __init__(self, text, flags=0):
            self._arguments = text, flags

        def __getattr__(self, name):
            found = getattr(re.compile(*self._arguments), name)
            setattr(self, name, found)  # so that this is asked only once
            return found
