"""Loads the classes of the protocol at a fifth of the cost: each of them is completed when it is first used.

lsprotocol has a class for everything in the protocol, several hundred, of which a session uses a few dozen. Python runs
the body of each, which makes some 1,600 fields and the types in their annotations, attrs compiles the methods, and
lsprotocol resolves the types of all fields, before the first message is read. The same is done here, but later, and
without what the server never asks of these classes: to be compared, to be printed, and to have slots, for which attrs
makes a class twice.
"""

import builtins
import functools
import sys
import threading
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import attrs

_Class = type[Any]

_FIELDS = "__attrs_attrs__"  # by which attrs and cattrs recognise a class, and read its fields

_lock = threading.RLock()
_incomplete: dict[_Class, Callable[[_Class], _Class]] = {}
_bodies: dict[_Class, FunctionType] = {}


def load() -> None:
    """Load `lsprotocol.types`; what imports it afterwards gets these classes."""
    if "lsprotocol.types" in sys.modules:
        return
    define, build = attrs.define, builtins.__build_class__
    attrs.define = functools.partial(_later, define)
    builtins.__build_class__ = functools.partial(_without_body, build)
    try:
        import lsprotocol.types  # noqa: F401 # loaded for those that follow
    finally:
        attrs.define, builtins.__build_class__ = define, build
    for cls in _bodies.keys() - _incomplete.keys():  # which attrs has nothing to do with
        delattr(cls, _FIELDS)
        delattr(cls, "__init__")
        _run_body(cls)
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
    if cls not in _bodies:
        setattr(cls, _FIELDS, _LATER)
        cls.__init__ = _first_init
    given = {"init": True, "eq": False, "repr": False, "slots": False, **options}
    _incomplete[cls] = functools.partial(define, **given)
    return cls


class _LaterFields:
    """Stands for the fields of a class until somebody asks for them."""

    def __get__(self, instance: object, cls: _Class) -> Any:
        _complete(cls)
        return getattr(cls, _FIELDS)


_LATER = _LaterFields()


def _first_init(self: Any, *arguments: Any, **keywords: Any) -> None:
    _complete(type(self))
    self.__init__(*arguments, **keywords)


def _without_body(build: Callable[..., _Class], body: FunctionType, name: str, *bases: Any, **options: Any) -> _Class:
    """As `__build_class__`, but a class of fields alone, without methods, has none of them yet."""
    if bases or options or not _has_fields_alone(body):
        return build(body, name, *bases, **options)
    cls = type(name, (), {"__module__": body.__module__, _FIELDS: _LATER, "__init__": _first_init})
    _bodies[cls] = body
    return cls


def _has_fields_alone(body: FunctionType) -> bool:
    constants = body.__code__.co_consts
    return body.__module__ == "lsprotocol.types" and not any(isinstance(each, CodeType) for each in constants)


def _run_body(cls: _Class) -> None:
    body = _bodies.pop(cls, None)
    if body is not None:
        found: dict[str, Any] = {}
        exec(body.__code__, body.__globals__, found)
        for name, value in found.items():
            setattr(cls, name, value)


def _complete(cls: _Class) -> None:
    from lsprotocol import types

    with _lock:
        for each in reversed(cls.__mro__):
            define = _incomplete.get(each)
            if define is not None:
                _run_body(each)
                define(each)
                attrs.resolve_types(each, types.ALL_TYPES_MAP, {})
                del _incomplete[each]
