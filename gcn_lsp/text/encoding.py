"""JSON of any value, also with text that contains half a character: a byte of a file that belongs to none."""

import msgspec


def json_bytes(value: object) -> bytes:
    """`value` as JSON, with `?` for each half of a character."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        import json  # late: hardly any text needs it

        whole = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
        return whole.encode("utf-8", "replace")
