"""Loads the classes of the protocol without what the server never asks of them: to be compared and to be printed.

lsprotocol has a class for everything in the protocol, several hundred, and attrs compiles these methods for each: two
fifths of the instructions of loading them. For slots it makes each class twice: a tenth of the rest.
"""

import functools

import attrs


def load() -> None:
    """Load `lsprotocol.types`; what imports it afterwards gets these classes."""
    define = attrs.define
    attrs.define = functools.partial(define, eq=False, repr=False, slots=False)
    try:
        import lsprotocol.types  # noqa: F401 # loaded for those that follow
    finally:
        attrs.define = define
