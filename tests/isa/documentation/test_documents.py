"""The documents that entries refer to: one for every target, with the heading of the encoding where it is known."""

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import documents


@pytest.mark.parametrize("target", isa.target_names())
def test_every_target_has_a_reference(target: str) -> None:
    published = documents.document(target)
    assert documents.reference(target) == published or (not published and "LLVM" in documents.reference(target))


def test_a_target_without_a_document_has_llvms() -> None:
    assert documents.reference("gfx1310").startswith("LLVM's")


@pytest.mark.parametrize("target", [name for name in isa.target_names() if name[3] not in "678"])
def test_headings_are_those_of_the_targets_encodings(target: str) -> None:
    loaded = isa.load_target(target)
    title = documents.document(target)
    found = {form.family for mnemonic in loaded.mnemonics for form in loaded.forms(mnemonic)}
    without = {family for family in found if title and documents.reference(target, family) == title}
    assert without <= {"DS", "VINTRP"}  # those whose headings differ between the documents of gfx9 and gfx10


@pytest.mark.parametrize(
    ("mnemonic", "target", "encoding", "expected"),
    [
        ("s_add_u32", "gfx1100", "SOP2", ('"RDNA3" Instruction Set Architecture, "SOP2 Instructions"',)),
        (
            "v_mfma_f32_4x4x1f32",
            "gfx908",
            "MAI",
            ('AMD Instinct MI100 "CDNA" Instruction Set Architecture, "VOP3P Instructions"', "LLVM's wait"),
        ),
        ("buffer_load_b32", "gfx1200", "MUBUF", ('"RDNA4" Instruction Set Architecture, "VBUFFER', "LLVM's wait")),
        ("v_bitop3_b32", "gfx950", "VOP3", ('AMD Instinct "CDNA4" Instruction Set Architecture, "VOP3A & VOP3B',)),
    ],
)
def test_sources_of_an_entry(mnemonic: str, target: str, encoding: str, expected: tuple[str, ...]) -> None:
    entry = documentation.entry(mnemonic, isa.load_target(target))
    assert entry is not None
    found = documents.of_entry(entry, target, encoding)
    assert len(found) == len(expected) + len(entry.sources)
    assert all(text.startswith(start) for text, start in zip(found, expected, strict=False)), found


def test_what_is_documented_besides_mnemonics_has_a_source() -> None:
    for kind in documentation.KINDS:
        assert documents.of_kind(kind, "gfx90a")
    assert documents.of_kind("registers") == ""
