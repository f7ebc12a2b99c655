"""The JSON schema of `gcn-lsp.toml`, for editors that complete and check TOML by one. Made from the settings."""

from itertools import chain
from typing import Any

import msgspec

from gcn_lsp import isa
from gcn_lsp.isa import products
from gcn_lsp.isa.target import other_names
from gcn_lsp.project.settings import Settings
from gcn_lsp.rules import RULES

_TITLE = "gcn-lsp.toml"
_LEVELS = ("error", "warning", "information", "hint", "off")


def schema() -> dict[str, Any]:
    """The schema of the file: the settings, and `[[files]]` with settings for some files."""
    made = msgspec.json.schema(Settings)
    definitions = made["$defs"]
    general = definitions.pop("Settings")
    for name, about in named_values().items():
        general["properties"][name] = about | {"description": general["properties"][name]["description"]}
    for each in general["properties"].values():
        _without_null(each)
    general["additionalProperties"] = False
    for definition in definitions.values():
        definition["additionalProperties"] = False
    glob = {"type": "string", "description": "The files that these settings are for, from this file's folder."}
    same = {name: {"$ref": f"#/properties/{name}"} for name in general["properties"]}
    section = {
        "type": "object",
        "properties": {"glob": glob, **same},
        "required": ["glob"],
        "additionalProperties": False,
    }
    files = {"type": "array", "description": "Settings for some of the files.", "items": section}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **general,
        "title": _TITLE,
        "description": "Settings of gcn-lsp for the files in this folder and below.",
        "properties": {**general["properties"], "files": files},
        "$defs": definitions,
    }


def named_values() -> dict[str, dict[str, Any]]:
    """The types of the settings whose values are names of targets or rules, with those names."""
    rules = {"type": "array", "items": {"type": "string", "enum": list(RULES)}, "uniqueItems": True}
    target = {"type": "string", "enum": target_names()}
    levels = {
        name: {"type": "string", "enum": list(_LEVELS), "description": rule.summary} for name, rule in RULES.items()
    }
    return {
        "target": target,
        "targets": {"type": "array", "items": target, "uniqueItems": True},
        "select": rules,
        "ignore": rules,
        "severity": {"type": "object", "properties": levels, "additionalProperties": False},
    }


def target_names() -> list[str]:
    """The targets, the likely ones first, then their other names."""
    names = list(chain(*products.offered(isa.target_names()).values()))
    return [*names, *sorted({other for name in names for other in other_names(name)})]


def _without_null(about: dict[str, Any]) -> None:
    """TOML has no null: a setting that is not set is not written."""
    if "anyOf" in about:
        (kind,) = (each for each in about.pop("anyOf") if each != {"type": "null"})
        about.update(kind)
    if about.get("default", "") is None:
        del about["default"]
