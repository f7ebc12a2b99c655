"""The report of a file as JSON, and the JSON schemas of what `gcn-lsp check` and `gcn-lsp report` print."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from gcn_lsp.api.assembly import Assembly
from gcn_lsp.api.records import KernelResources
from gcn_lsp.project.opened import OpenFile
from gcn_lsp.project.reported import ReportedFinding
from gcn_lsp.text import json_bytes


class FileReport(msgspec.Struct, frozen=True):
    """What `gcn-lsp report --format json` prints.

    file: as it was given. target: the processor that it was checked for. findings: as of `check`, the worst severity of
    which is `error`. kernels: those with a descriptor, in order.
    """

    file: str
    target: str
    findings: tuple[ReportedFinding, ...]
    kernels: tuple[KernelResources, ...]


def json(opened: OpenFile) -> str:
    """The report of an opened file."""
    assembly = Assembly(opened)
    made = FileReport(opened.path, assembly.target, assembly.findings(), assembly.kernels())
    return f"{json_bytes(made).decode()}\n"


def _schema(about: Any, title: str, description: str) -> dict[str, Any]:
    made = msgspec.json.schema(about)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **made,
        "description": description,
    }


SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "check": lambda: _schema(
        tuple[ReportedFinding, ...],
        "gcn-lsp check --format json",
        "All findings of all files, in order. Lines and columns count from 1; ends are exclusive.",
    ),
    "report": lambda: _schema(
        FileReport, "gcn-lsp report --format json", "The findings of a file and the resources of its kernels."
    ),
}
"""By command: makes the JSON schema of its format `json`."""
