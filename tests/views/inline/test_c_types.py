"""The widths of C types."""

import pytest

from gcn_lsp.views.inline import c_types, cpp


@pytest.mark.parametrize(
    ("definition", "dwords"),
    [
        ("typedef float f __attribute__((ext_vector_type(4)));", 4),
        ("typedef _Float16 __attribute__((ext_vector_type(8))) f;", 4),
        ("typedef __attribute__((ext_vector_type(2))) unsigned int f;", 2),
        ("using f = float __attribute__((ext_vector_type(16)));", 16),
        ("using f = __attribute__((__vector_size__(4 * sizeof(float)))) float;", 4),
        ("typedef long f __attribute__((vector_size(32)));", 8),
        ("typedef int f __attribute__((vector_size(sizeof(int) * 2)));", 2),
        ("typedef unsigned char f __attribute__((ext_vector_type(16)));", 4),
        ("typedef float f __attribute__((ext_vector_type(N)));", 0),
        ("typedef other f __attribute__((ext_vector_type(4)));", 0),
        (
            "typedef float f __attribute__((ext_vector_type(4)));\n#else\n"
            "typedef float f __attribute__((ext_vector_type(2)));",
            0,
        ),
    ],
)
def test_vectors_that_a_file_names(definition: str, dwords: int) -> None:
    assert c_types.aliases(definition.encode()) == {"f": dwords}
    assert c_types.width("const f", c_types.aliases(definition.encode())) == dwords


@pytest.mark.parametrize(
    ("parameters", "expression", "width"),
    [
        ("f4 x", "x", 4),
        ("f4* x", "*x", 4),
        ("f4* x, int i", "x[i + 1]", 4),
        ("const f4* __restrict__ x", "x[0]", 4),
        ("const float* __restrict__ x", "x", 2),
        ("f4* x", "x", 2),
        ("f4** x", "*x", 0),
        ("f4 x", "x[1]", 0),  # an element of the vector
        ("S x", "x.a", 0),
        ("__attribute__((ext_vector_type(4))) float x", "x", 0),  # not float
        ("float __attribute__((__vector_size__(4 * sizeof(float)))) x", "x", 0),
        ("__attribute__((ext_vector_type(4))) float y, float x", "x", 1),
        ("__int128 x", "x", 4),
    ],
)
def test_the_width_of_an_operand(parameters: str, expression: str, width: int) -> None:
    head = "typedef float f4 __attribute__((ext_vector_type(4)));\n"
    text = f'{head}void f({parameters}) {{ asm volatile("; %0" : : "v"({expression})); }}'
    (statement,) = cpp.statements(text.encode())
    assert statement.operands[0].width == width


def test_elements_of_arrays() -> None:
    text = "typedef int v __attribute__((ext_vector_type(2)));\nvoid f() { v x[4]; v y[2][2]; "
    text += 'asm("; %0 %1" : : "v"(x[1]), "v"(y[1])); }'
    (statement,) = cpp.statements(text.encode())
    assert [each.width for each in statement.operands] == [2, 0]


def test_a_definition_that_changes_changes_the_statement() -> None:
    text = 'typedef float f __attribute__((ext_vector_type({})));\nvoid g(f x) {{ asm("; %0" : : "v"(x)); }}'
    widths = [cpp.statements(text.format(count).encode())[0].operands[0].width for count in (4, 2)]
    assert widths == [4, 2]
