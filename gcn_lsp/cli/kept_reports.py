"""Keeps the reports of files between calls, in the user's cache directory.

A report is found again if all that it was made of is as it was: the arguments, the folder, the program itself, and
every file that was read or looked for. A report that cannot be read, written or understood counts as missing.
"""

import io
import os
import pickle
import zlib
from typing import Any

import msgspec

from gcn_lsp.findings.model import Finding, Fix, Related, Severity
from gcn_lsp.project import states, store
from gcn_lsp.project.report import Report
from gcn_lsp.text import Location, Message, TextEdit

_CLASSES = {
    (each.__module__, each.__qualname__): each
    for each in (Report, Finding, Severity, Related, Fix, Location, Message, TextEdit)
}


class KeptReports(msgspec.Struct, frozen=True):
    """The reports under `folder` that calls with the same arguments made; `about` is what these have in common."""

    folder: str
    about: bytes

    def find(self, name: str) -> Report | None:
        """The report of a file, if it is kept and nothing has changed since."""
        data = store.read(self._path(name))
        found = _decoded(data) if data is not None else None
        return found[1] if found is not None and states.are_now(found[0]) else None

    def keep(self, name: str, report: Report, seen: dict[str, bytes]) -> None:
        """Keep the report of a file; seen: what was at each path that was asked for."""
        if states.UNKNOWN not in seen.values():
            store.write(self._path(name), zlib.compress(pickle.dumps((seen, report), 5), 1))

    def _path(self, name: str) -> str:
        names = (os.path.realpath(name), name)
        key = b"\0".join((self.about, *(each.encode("utf-8", "surrogateescape") for each in names)))
        return store.path(self.folder, key)


def of(*arguments: Any) -> KeptReports | None:
    """The reports of calls with these arguments in this folder; None if no directory is there to keep them."""
    try:
        found = store.of(store.REPORTS, os.getcwd(), arguments)
    except OSError:  # the folder is gone
        return None
    return KeptReports(*found) if found is not None else None


def _decoded(data: bytes) -> tuple[dict[str, bytes], Report] | None:
    try:
        seen, report = _Reader(io.BytesIO(zlib.decompress(data))).load()
    except (zlib.error, pickle.UnpicklingError, ValueError, TypeError, EOFError):
        return None
    return (seen, report) if isinstance(seen, dict) and isinstance(report, Report) else None


class _Reader(pickle.Unpickler):
    """Makes no object but those that a report consists of."""

    def find_class(self, module: str, name: str) -> Any:
        """One of the classes of a report."""
        found = _CLASSES.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a report")
        return found
