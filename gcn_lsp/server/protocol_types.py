"""Loads the classes of the protocol at a third of the cost: attrs completes each of them when it is first used.

lsprotocol has a class for everything in the protocol, several hundred, of which a session uses a few dozen. attrs
compiles the methods of each, and lsprotocol resolves the types of all fields, before the first message is read. attrs
does the same here, but later, and without what the server never asks of these classes: to be compared, to be printed,
and to have slots, for which attrs makes a class twice.
"""

import functools
import sys
import threading
from collections.abc import Callable
from typing import Any

import attrs

_Class = type[Any]

_FIELDS = "__attrs_attrs__"  # by which attrs and cattrs recognise a class, and read its fields

_lock = threading.RLock()
_incomplete: dict[_Class, Callable[[_Class], _Class]] = {}


def load() -> None:
    """Load `lsprotocol.types`; what imports it afterwards gets these classes."""
    if "lsprotocol.types" in sys.modules:
        return
    define = attrs.define
    attrs.define = functools.partial(_later, define)
    try:
        import lsprotocol.types  # noqa: F401 # loaded for those that follow
    finally:
        attrs.define = define
    from lsprotocol import _hooks

    _hooks._resolved_forward_references = True  # each class's are resolved when it is completed


def incomplete() -> frozenset[_Class]:
    """The classes that nothing has used yet."""
    return frozenset(_incomplete)


def _later(define: Callable[..., _Class], cls: _Class | None = None, **options: Any) -> Any:
    """As `attrs.define`, which is called at the first use of the class."""
    if cls is None:
        return functools.partial(_later, define, **options)
    # attrs overwrites both when it completes the class, so that another thread never sees the class without them.
    setattr(cls, _FIELDS, _LaterFields())
    cls.__init__ = _first_init
    given = {"init": True, "eq": False, "repr": False, "slots": False, **options}
    _incomplete[cls] = functools.partial(define, **given)
    return cls


class _LaterFields:
    """Stands for the fields of a class until somebody asks for them."""

    def __get__(self, instance: object, cls: _Class) -> Any:
        _complete(cls)
        return getattr(cls, _FIELDS)


def _first_init(self: Any, *arguments: Any, **keywords: Any) -> None:
    _complete(type(self))
    self.__init__(*arguments, **keywords)


def _complete(cls: _Class) -> None:
    from lsprotocol import types

    with _lock:
        for each in reversed(cls.__mro__):
            define = _incomplete.get(each)
            if define is not None:
                define(each)
                attrs.resolve_types(each, types.ALL_TYPES_MAP, {})
                del _incomplete[each]
