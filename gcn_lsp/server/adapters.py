"""Finds the adapter of a request by its name in `app.REQUESTS`."""

import importlib
from collections.abc import Callable
from typing import Any


def adapter(name: str) -> Callable[..., Any]:
    """`module.function` of this package, or the function with its module's name.

    Imported on first use, so that the first check does not wait for other features.
    """
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(importlib.import_module(f"gcn_lsp.server.{module}"), function or module)
    return found
