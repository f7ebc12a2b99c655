"""What an earlier session found in a long file: shown from its opening until its first check is done.

It is found again only if all that it was made of is as it was: the text and where it is, its surroundings, the client,
this program, and every file that was included or looked for. The check follows at once all the same.
"""

from functools import cache

import msgspec

from gcn_lsp.project import states, store
from gcn_lsp.server.client import Client
from gcn_lsp.server.diagnostics import Diagnostics, diagnose
from gcn_lsp.server.snapshot import Snapshot


class _EarlierCheck(msgspec.Struct, frozen=True):
    """The diagnostics by file, and what was at each path that was asked for."""

    seen: dict[str, bytes]
    found: dict[str, Diagnostics]


def find(snapshot: Snapshot) -> dict[str, Diagnostics] | None:
    """The diagnostics of a snapshot by file, as `diagnostics.diagnose` gave them; None if they are not kept."""
    file = _file(snapshot)
    body = store.read(file) if file is not None else None
    if body is None:
        return None
    try:
        kept = msgspec.msgpack.decode(body, type=_EarlierCheck)
    except msgspec.DecodeError:
        return None
    files = snapshot.document.files
    is_as_it_was = states.are_now(kept.seen) and not any(map(files.is_open, kept.seen))
    return kept.found if is_as_it_was and snapshot.document.uri in kept.found else None


def keep(snapshot: Snapshot) -> None:
    """Keep the diagnostics of a snapshot that has all findings."""
    file = _file(snapshot)
    seen = _seen(snapshot) if file is not None else None
    if file is not None and seen is not None:
        store.write(file, msgspec.msgpack.encode(_EarlierCheck(seen, diagnose(snapshot.as_opened()))))


def _seen(snapshot: Snapshot) -> dict[str, bytes] | None:
    """What was at each path that the program asked for; None if an editor has such a file, or nobody can read it."""
    included = snapshot.program.included
    seen = {
        path: states.of_content(included[path].to_bytes()) if path in included else states.of(path)
        for path in snapshot.document.around.resolver.touched
    }
    is_sure = all(state == states.ABSENT or path in included for path, state in seen.items())
    return seen if is_sure and not any(map(snapshot.document.files.is_open, seen)) else None


def _file(snapshot: Snapshot) -> str | None:
    """The file of what is kept for a text; None if nothing is, as for one that is checked soon."""
    document, around = snapshot.document, snapshot.document.around
    common = _common(document.client) if snapshot.has_stages and snapshot.is_plain else None
    if common is None:
        return None
    about = (
        *(document.uri, document.path, document.language),
        *(around.preferred, around.sources, around.settings, around.resolver.directories, around.findings),
    )
    text = states.of_content(b"\n".join(snapshot.source.lines))
    try:
        return store.path(common[0], b"\0".join((common[1], msgspec.msgpack.encode(about), text)))
    except (TypeError, UnicodeError):  # a name is no text
        return None


@cache
def _common(client: Client) -> "tuple[str, bytes] | None":
    """The folder, and what all texts of a client have in common."""
    return store.of(store.DIAGNOSTICS, client)
