"""The entries of directives are true to the assembler: every name, what its arguments may be, what counts without."""

import re

import pytest

from gcn_lsp import isa
from gcn_lsp.ide.describe import directive as directives
from gcn_lsp.ide.describe import targets
from gcn_lsp.isa import documentation
from gcn_lsp.isa.kernels import descriptor, kernel_code, predefined
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.program import Options, build
from gcn_lsp.syntax import directives as assembler
from gcn_lsp.text import SourceText
from tests.program.test_language_oracle import mistakes
from tests.support import llvm, llvm_object

ALL = sorted(documentation.names("directives"))
FIELDS = documentation.names("descriptor_fields")
# Words for arguments that are numbers: what they may be has to be said.
_NUMBERS = re.compile(r"\b(expressions?|numbers?|count|bytes|power|size|fill|max|align|skip|values?|version|file)\b")
# Those that speak of debug information, whose numbers nobody writes by hand, and of text or of names.
_WITHOUT_RANGE = re.compile(
    r"\.(cfi_|cv_|pseudoprobe|cg_profile|line|if(eq|ne|ge|gt|le|lt)\b|include|reloc|lto_|symver|irpc?)"
)


def test_every_directive_is_described() -> None:
    assert [name for name in assembler.names() if directives.lookup(name) is None] == []


def test_every_described_directive_is_known() -> None:
    assert sorted({*ALL} - {*assembler.names()}) == []


def test_no_directive_is_taken_for_a_descriptor_field() -> None:
    assert not {*ALL} & {*FIELDS}


def test_every_descriptor_field_is_described() -> None:
    assert {descriptor.PREFIX + name for name in descriptor.all_names()} == set(FIELDS)


@pytest.mark.parametrize("field", FIELDS)
def test_the_targets_of_a_descriptor_field_are_those_that_know_it(field: str) -> None:
    row = directives.lookup(field)
    assert row is not None
    said = row.text.partition("Targets: ")[2]
    knowing = [name for name in isa.target_names() if field.removeprefix(descriptor.PREFIX) in _fields(name)]
    assert said == f"{targets.summary(knowing)}."


def _fields(target: str) -> frozenset[str]:
    return frozenset(descriptor.directives(isa.load_target(target).features))


@pytest.mark.parametrize("field", [".amdhsa_accum_offset", ".amdhsa_tg_split"])
def test_a_field_names_later_targets_and_no_dropped_one(field: str) -> None:
    row = directives.lookup(field)
    assert row is not None
    assert "gfx942 gfx950" in row.text
    assert "gfx940" not in row.text


def test_spellings_that_mean_the_same_have_one_entry() -> None:
    assert directives.lookup(".EQU") == directives.lookup(".set")
    assert directives.values(".equ", None) == directives.values(".set", None) != ""


@pytest.mark.parametrize("kind", documentation.TEXT_KINDS)
def test_texts_are_sentences(kind: str) -> None:
    texts = {
        "metadata_keys": documentation.metadata_key,
        "value_kinds": documentation.value_kind,
        "symbols": documentation.symbol,
    }
    for name in documentation.names(kind):
        row = directives.lookup(name) if kind not in texts else None
        text = texts[kind](name) if row is None else row.text
        assert text is not None
        assert text[0].isupper() or text[0] in "`1", name
        assert text.rstrip("`").endswith("."), name


def test_every_symbol_of_the_assembler_is_described() -> None:
    """Besides those with values here: the ones of triples without an HSA system, asked for with `.ifdef`."""
    versions = {f".option.machine_version_{part}" for part in ("major", "minor", "stepping")}
    counts = {f".kernel.{file}gpr_count" for file in "vsa"}
    known = {name.lower() for name in predefined.symbols("gfx90a")}
    assert {*known, *versions, *counts, "."} == set(documentation.names("symbols"))


def test_every_key_of_the_metadata_is_described() -> None:
    assert set(documentation.names("metadata_keys")) == metadata.KEYS


def test_every_way_to_pass_an_argument_is_described() -> None:
    assert set(documentation.names("value_kinds")) == set(metadata.VALUE_KINDS)


def test_numbers_have_a_range() -> None:
    rows = [row for row in map(directives.lookup, ALL) if row is not None and not _WITHOUT_RANGE.match(row.name)]
    numeric = [row.name for row in rows if _NUMBERS.search(row.syntax.removeprefix(row.name))]
    assert [name for name in numeric if not directives.values(name, None)] == []


@pytest.mark.parametrize("cpu", ["gfx600", "gfx900", "gfx90a", "gfx1030", "gfx1200", "gfx1250"])
def test_every_field_has_a_range_on_its_targets(cpu: str) -> None:
    target = isa.load_target(cpu)
    fields = descriptor.directives(target.features)
    for name in descriptor.all_names():
        said = directives.values(descriptor.PREFIX + name, target)
        assert bool(said) == (name in fields)
        if name in fields and name not in ("accum_offset", "next_free_vgpr", "next_free_sgpr"):
            assert f"0 to {fields[name].maximum}" in said


@pytest.mark.parametrize(
    ("name", "cpu", "said"),
    [
        ("group_segment_fixed_size", "gfx600", "32768 bytes at most, in blocks of 256"),
        ("group_segment_fixed_size", "gfx950", "163840 bytes at most, in blocks of 1280"),
        ("next_free_vgpr", "gfx900", "blocks of 4 in waves of 64 lanes"),
        ("next_free_vgpr", "gfx90a", "blocks of 8 in waves of 64 lanes"),
        ("next_free_vgpr", "gfx1030", "blocks of 16 in waves of 32 lanes and 8 in waves of 64 lanes"),
        ("next_free_vgpr", "gfx1200", "blocks of 24 in waves of 32 lanes and 12 in waves of 64 lanes"),
        ("next_free_sgpr", "gfx700", "blocks of 8"),
        ("next_free_sgpr", "gfx900", "blocks of 16"),
        ("next_free_sgpr", "gfx1030", "Every wave has all SGPRs"),
        ("reserve_xnack_mask", "gfx900", "the default is 1"),
        ("reserve_xnack_mask", "gfx1030", "the default is 0"),
    ],
)
def test_what_a_target_hands_out(name: str, cpu: str, said: str) -> None:
    assert said in directives.values(descriptor.PREFIX + name, isa.load_target(cpu))


def test_fields_of_kernel_headers() -> None:
    target = isa.load_target("gfx900")
    assert directives.header_field("wavefront_size", target) == (
        "Field of the kernel header: bytes 103 to 103. It takes 0 to 255; the default is 6."
    )
    assert directives.header_field("enable_sgpr_dispatch_ptr", target) == (
        "Field of the kernel header: bytes 56 to 59, bit 1. It takes 0 to 1; the default is 0."
    )
    assert all(directives.header_field(name, target) for name in kernel_code.FIELDS)
    assert directives.header_field("no_such_field", target) is None


# Arguments that are just inside the range that is told, and just outside it.
_BOUNDS = [
    (".byte", ("-128", "255"), ("-129", "256")),
    (".short", ("-32768", "65535"), ("-32769", "65536")),
    (".long", ("-0x80000000", "0xffffffff"), ("-0x80000001", "0x100000000")),
    (".quad", ("-0x8000000000000000", "0xffffffffffffffff"), ("0x1ffffffffffffffff",)),
    (".octa", ("0", "0xffffffffffffffffffffffffffffffff"), ("-1",)),
    (".dcb.b 1,", ("-128", "255"), ("-129", "256")),
    (".dcb.w 1,", ("-32768", "65535"), ("-32769", "65536")),
    (".dcb.l 1,", ("-0x80000000", "0xffffffff"), ("-0x80000001", "0x100000000")),
    (".p2align", ("0", "28"), ("-1", "32")),
    (".balign", ("1", "8", "0x10000000"), ("3", "-4")),
    (".skip", ("0", "1, 255"), ("-1",)),
    (".amdgpu_lds x,", ("0", "65536", "4, 1", "4, 0x40000000"), ("-1", "65537", "4, 3", "4, 0x80000000")),
    (".amdhsa_code_object_version", ("4", "6"), ()),
    (".rept", ("0\n.endr", "2\n.endr"), ("-1\n.endr",)),
]


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize(("directive", "accepted", "refused"), _BOUNDS)
def test_ranges_are_those_of_the_reference(directive: str, accepted: tuple[str, ...], refused: tuple[str, ...]) -> None:
    for arguments in (*accepted, *refused):
        text = f".data\n{directive} {arguments}\n".encode()
        is_accepted = llvm_object.assemble(text, "gfx900").sections is not None
        assert is_accepted == (arguments in accepted), arguments
        assert is_accepted == (not mistakes(build(SourceText.from_bytes("k.s", text), Options(target="gfx900")))), (
            arguments
        )
