"""The editor's settings: from `initializationOptions`, `workspace/didChangeConfiguration`, or by request."""

import os
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from gcn_lsp.project import Settings, configuration, settings

SECTION = "gcn-lsp"
_MOST_KEYS = 200  # that are looked at for a misspelt name
_MOST_MESSAGES = 20
_CLIENTS = ("server", "trace", "recognise-by-content")  # what concerns only the client, as VS Code's has it


def read(value: Any, folders: Sequence[str]) -> tuple[Settings, list[str]]:
    """Settings as a client sends them, and a message for each that cannot be used.

    They may be under our section's name or at the top level. Settings of the client alone (how to start the server) are
    ignored. Relative include paths count from the first workspace folder.
    """
    if isinstance(value, Mapping) and isinstance(value.get(SECTION), Mapping):
        value = value[SECTION]
    if not isinstance(value, Mapping):
        return Settings(), []
    # Editors send unset settings as null or empty.
    ours = {
        key: part
        for key, part in value.items()
        if settings.kebab_case(key) in settings.FIELDS and part not in (None, "", [], {})
    }
    found, mistakes = settings.read(ours)
    messages = [
        f"setting '{SECTION}.{key}': {settings.unknown_key(key, tuple(settings.FIELDS))}"
        for key in islice(value, _MOST_KEYS)
        if settings.kebab_case(key) not in (*settings.FIELDS, *_CLIENTS)
        and settings.nearest(settings.kebab_case(key), tuple(settings.FIELDS))
    ]
    messages += [f"setting '{SECTION}.{'.'.join(mistake.key)}': {mistake.message}" for mistake in mistakes]
    messages += [f"setting '{SECTION}.{name}': {message}" for name, message in configuration.unknown_rules(found)]
    if found.target is not None:
        message = configuration.unknown_target(found.target)
        if message is not None:
            messages.append(f"setting '{SECTION}.target': {message}")
            found = msgspec.structs.replace(found, target=None)
    messages += [f"setting '{SECTION}.targets': {message}" for message in configuration.unknown_targets(found)]
    found = configuration.with_known_targets(found)
    root = folders[0] if folders else ""
    paths = tuple(os.path.normpath(os.path.join(root, path)) for path in found.include_paths)
    return msgspec.structs.replace(found, include_paths=paths), messages[:_MOST_MESSAGES]
