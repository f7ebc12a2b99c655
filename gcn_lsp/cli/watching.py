"""Repeats a check whenever a file that it depends on changes, until it is interrupted."""

import os
import time
from collections.abc import Callable, Iterable

import click

from gcn_lsp.project.report import Report

PAUSE = 0.3  # seconds between two looks at the files

_Stamps = dict[str, tuple[int, int]]


def run_again(run: Callable[[], tuple[Report, ...]], named: Callable[[], Iterable[str]]) -> tuple[Report, ...]:
    """Call `run` now and after each change; `named` has the files that are checked. Ends with the last reports."""
    reports: tuple[Report, ...] = ()
    try:
        while True:
            started = _stamps(named(), reports)
            click.clear()
            reports = run()
            click.echo("watching for changes, Ctrl+C ends", err=True)
            known = {path: started.get(path, stamp) for path, stamp in _stamps(named(), reports).items()}
            while _stamps(named(), reports) == known:
                time.sleep(PAUSE)
    except KeyboardInterrupt:
        return reports


def _stamps(names: Iterable[str], reports: Iterable[Report]) -> _Stamps:
    """The time and size of each file that there is, of those named and those that the reports depend on."""
    found: _Stamps = {}
    for path in {*names, *(path for report in reports for path in report.read)}:
        try:
            status = os.stat(path)
        except OSError:
            continue
        found[path] = (status.st_mtime_ns, status.st_size)
    return found
