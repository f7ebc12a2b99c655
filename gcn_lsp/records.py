"""`NamedTuple` as in `typing`, made in a tenth of the time: a process makes some 200 before its first answer.

`typing` compiles a constructor for each class and checks its annotations. Here the classes with as many fields have one
constructor, in which only the names of the arguments differ.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING or sys.version_info >= (3, 14):  # where annotations are not evaluated, and names of fields are in them
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter
    from functools import cache
    from types import FunctionType

    _NEW = {"new": tuple.__new__}

    class _Record(tuple):
        """The base of all named tuples."""

        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values):
            found = tuple.__new__(cls, values)
            if len(found) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(found)}")
            return found

        def _replace(self, /, **values):
            found = self._make(map(values.pop, self._fields, self))
            if values:
                raise TypeError(f"{type(self).__name__} has no field {', '.join(values)}")
            return found

        __replace__ = _replace

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({shown})"

        def __getnewargs__(self):
            return tuple(self)

    @cache
    def _constructor(count):
        """The code that makes a tuple of so many values."""
        names = "".join(f"_{number}, " for number in range(count))
        return eval(f"lambda _cls, {names}: new(_cls, ({names}))", _NEW).__code__

    class _Maker(type):
        """Makes the classes."""

        def __new__(cls, name, bases, namespace):
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = tuple([namespace[field] for field in fields if field in namespace])
            if any(field not in namespace for field in fields[len(fields) - len(defaults) :]):
                raise TypeError(f"{name}: a field without a default follows one with it")
            for number, field in enumerate(fields):
                namespace[field] = _tuplegetter(number, None)
            new = FunctionType(_constructor(len(fields)).replace(co_varnames=("_cls", *fields)), _NEW, "__new__")
            new.__defaults__ = defaults or None
            new.__qualname__ = f"{name}.__new__"
            namespace.update(__slots__=(), _fields=fields, __match_args__=fields, __new__=new)
            namespace["_field_defaults"] = dict(zip(fields[len(fields) - len(defaults) :], defaults, strict=True))
            return type(name, tuple([_Record if base is NamedTuple else base for base in bases]), namespace)

    class NamedTuple(metaclass=_Maker):
        """The base that a class names; in its place the class gets one that is a tuple."""
