"""JSON of text that came from bytes."""

import json

import msgspec

from gcn_lsp import text


class Value(msgspec.Struct, rename="camel"):
    some_text: str


def test_json_of_half_a_character() -> None:
    assert text.json_bytes(Value("é")) == '{"someText":"é"}'.encode()
    half = b"v\xff".decode("utf-8", "surrogateescape")
    assert json.loads(text.json_bytes([Value(half)])) == [{"someText": "v?"}]
