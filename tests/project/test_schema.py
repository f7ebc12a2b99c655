"""The schema of gcn-lsp.toml takes what the settings take, and rejects what they report."""

import sys
from typing import Any

import jsonschema
import pytest

from gcn_lsp.project import schema
from tests.docs import make

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCHEMA = schema.schema()


def mistakes(text: str) -> list[Any]:
    return list(jsonschema.Draft7Validator(SCHEMA).iter_errors(tomllib.loads(text)))


def test_it_is_a_schema_and_has_every_setting() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert set(make.EXAMPLES) | {"files"} == set(SCHEMA["properties"])


@pytest.mark.parametrize("text", make.EXAMPLES.values())
def test_it_takes_the_examples(text: str) -> None:
    assert mistakes(text) == []
    assert mistakes(f'[[files]]\nglob = "*.s"\n{text}') == []


@pytest.mark.parametrize(
    "text",
    [
        *('target = "gfx90"', 'ignore = ["no-rule"]', "severity = { missing-wait = 'bad' }", "llvm = 3", "taget = 1"),
        *("inlay-hints = { register = true }", "format = { operands = 'left' }", "[[files]]\ntarget = 'gfx90a'"),
    ],
)
def test_it_rejects_mistakes(text: str) -> None:
    assert mistakes(text)
