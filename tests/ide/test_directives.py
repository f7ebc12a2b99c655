"""The table of directives covers what the assembler takes."""

import re

from gcn_lsp.asm import directives as assembler
from gcn_lsp.ide import directives
from gcn_lsp.isa import descriptor

# Of debugging and linking: kernels have them only in compilers' output.
_LEFT_OUT = re.compile(r"\.(cfi_|stabs|bundle_|pseudoprobe|line|cg_profile|no_dead_strip|lto_|dc\b|dc\.|set_dynamic)")


def test_every_directive_is_described() -> None:
    missing = [name for name in assembler.names() if directives.lookup(name) is None and not _LEFT_OUT.match(name)]
    assert missing == []


def test_every_descriptor_field_is_described() -> None:
    assert {descriptor.PREFIX + name for name in descriptor.all_names()} == set(directives.FIELDS)


def test_synonyms_lead_to_rows() -> None:
    assert all(name in directives.DIRECTIVES for name in directives.SYNONYMS.values())
    assert not set(directives.SYNONYMS) & set(directives.DIRECTIVES)


def test_texts_are_sentences() -> None:
    for row in (*directives.DIRECTIVES.values(), *directives.FIELDS.values()):
        assert row.text.rstrip("`").endswith("."), row.name
