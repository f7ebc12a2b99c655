"""The text that a statement stands for: what is chosen for its operands, and the map to the source."""

import pytest

from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.inline import cpp, document, template
from gcn_lsp.views.inline.document import StatementAssembly


def read(statement: str, target: str = "gfx90a", before: str = "") -> StatementAssembly:
    (found,) = cpp.statements(f"{before}\nvoid f() {{ {statement} }}".encode())
    return document.of(found, target)


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ('asm("v_mov_b32 %0, %1" : "=v"(x) : "s"(a));', "v_mov_b32 v2, s4"),
        ('asm("ds_read_b128 %0, %1" : "=v"(x[0]) : "v"(a.b));', "ds_read_b128 v[2:5], v6"),
        ('asm("v_add_u32 %0, %0, %[n]" : "+v"(x) : [n] "n"(4 * 8));', "v_add_u32 v2, v2, 32"),
        ('asm("v_mov_b32 %0, %1" : "=v"(x) : "0"(a));', "v_mov_b32 v2, v2"),
        ('asm("v_mov_b32 %0, v3" : "=v"(x) :: "v2");', "v_mov_b32 v4, v3"),
        ('asm("v_mov_b32 %0, 1" : "={v7}"(x));', "v_mov_b32 v7, 1"),
        ('asm("s_waitcnt vmcnt(%0)" :: "n"(N));', "s_waitcnt vmcnt(0)"),
        ('asm("s_mov_b32 s7, %c0 ; 100%%" :: "i"(0x10));', "s_mov_b32 s7, 16 ; 100%"),
        ('asm("v_mov_b32 v[%0], a[%1]" :: "n"(R), "n"(A - 256));', "v_mov_b32 v[64], a[64]"),
        ('asm("s_load_dwordx4 %0, %1, 0" : "=s"(x.y) : "s"(&a));', "s_load_dwordx4 s[4:7], s[8:9], 0"),
    ],
)
def test_operands(statement: str, text: str) -> None:
    found = read(statement)
    assert found.text.decode() == text
    assert found.accepted or "a[" in text


def test_registers_that_constants_number() -> None:
    statement = 'asm("v_mfma_f32_32x32x8f16 a[%0:%1], v[%2:%3], v[%4:%5], a[%0:%1]" :: "n"(D), "n"(D + 15), "n"(A),'
    found = read(statement + ' "n"(A_END), "n"(B), "n"(B + 1));')
    assert found.accepted
    assert found.text.decode() == "v_mfma_f32_32x32x8f16 a[64:79], v[64:65], v[96:97], a[64:79]"


@pytest.mark.parametrize(
    ("declared", "accepted"),
    [
        ("float4 q;", False), ("float2 q;", True), ("float q;", False), ("T q;", True), ("double q;", True),
        ("long q;", True), ("unsigned long long q;", True), ("int* q;", True), ("half4 q;", True), ("uint2 q;", True),
    ],
)  # fmt: skip
def test_the_width_of_a_plain_type(declared: str, accepted: bool) -> None:
    statement = f'{declared} asm("ds_write_b64 %0, %1" :: "v"(p), "v"(q));'
    assert read(statement).accepted is accepted


@pytest.mark.parametrize(
    ("expression", "accepted"),
    [
        ("*reinterpret_cast<float4*>(&q)", False), ("*(float2*)&q", True), ("(float)q", False),
        ("static_cast<double>(q)", True), ("q.data[0]", True),
    ],
)  # fmt: skip
def test_the_width_of_a_cast(expression: str, accepted: bool) -> None:
    assert read(f'asm("ds_write_b64 %0, %1" :: "v"(p), "v"({expression}));').accepted is accepted


def test_registers_of_a_dual_instruction() -> None:
    statement = 'asm("v_dual_add_f32 %0, 0, %2 :: v_dual_mul_f32 %1, 0, %3" : "=v"(x), "=v"(y) : "v"(a), "v"(b));'
    assert read(statement, "gfx1100").accepted


def test_constants_of_the_file() -> None:
    before = "#define SIZE (4 << 2)\nconstexpr int more = 3;"
    assert read('asm("s_nop %0\\ns_nop %1" :: "n"(SIZE - 9), "n"(more));', before=before).text == b"s_nop 7\ns_nop 3"


def test_every_place_maps_back() -> None:
    text = '\nvoid f() {\n asm volatile("v_mov_b32 %0, \\x31\\n\\t"\n   R"(v_add_u32 %[b], %0, 4\n s_nop 0)"\n'
    text += '  : "=&v"(x), [b] "=v"(y));\n}'
    lines = text.split("\n")
    source_text = SourceText.from_bytes("a.cpp", text.encode())
    (statement,) = cpp.statements(text.encode())
    found = document.of(statement, "gfx90a")
    assert found.text == b"v_mov_b32 v2, 1\n\tv_add_u32 v3, v2, 4\n s_nop 0"

    def source(line: int, start: int, end: int) -> str:
        span = found.span(Location("", line, start, end))
        return lines[span.line][span.start : span.end]

    assert source(0, 0, 9) == "v_mov_b32"
    assert source(0, 10, 12) == "%0"
    assert source(0, 14, 15) == "\\x31"
    assert source(1, 1, 10) == "v_add_u32"
    assert source(1, 11, 13) == "%[b]"
    assert source(2, 1, 8) == "s_nop 0"
    for line, row in enumerate(found.text.decode().split("\n")):
        for column, character in enumerate(row):
            span = found.span(Location("", line, column, column + 1))
            back = document.derived(found, source_text).to_derived(span.line, span.start)
            assert back is not None
            assert character in "v23" or back == (line, column)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("v_mov_b32 %0, 1", True), ("\\n\\tS_NOP 0", True), ("label: s_nop 0", True), ("pause", False), ("", False),
        ("mul.f16 %0, %1, %2;", False), ("; v_mov_b32", False), ("llvm.amdgcn.raw.buffer.load", False),
    ],
)  # fmt: skip
def test_whose_assembly_it_is(text: str, expected: bool) -> None:
    (statement,) = cpp.statements(f'asm("{text}" : "=v"(x));'.encode())
    assert template.is_amd(statement) is expected
