"""Arguments of clang and llvm-mc as settings."""

import pytest

from gcn_lsp.project import arguments
from gcn_lsp.project.settings import Settings

_MACROS = Settings(defines={"N": 4, "FLAG": 1, "M": 1}, macros={"N": "4", "FLAG": "1", "M": "1", "TEXT": "abc"})


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("llvm-mc -triple=amdgcn -mcpu=gfx90a -mattr=-xnack k.s", Settings(target="gfx90a", mattr="-xnack")),
        ("llvm-mc --mcpu gfx900 -I inc -Iother", Settings(target="gfx900", include_paths=("inc", "other"))),
        ("llvm-mc -defsym N=4 --defsym=M=0x10", Settings(defines={"N": 4, "M": 16})),
        ("clang -x assembler --offload-arch=gfx942 -c k.s", Settings(target="gfx942")),
        ("clang -mcpu=gfx906:xnack- k.s", Settings(target="gfx906:xnack-")),
        ("clang -Wa,-defsym,N=4,-I,inc k.s", Settings(defines={"N": 4}, include_paths=("inc",))),
        ("clang -DN=4 -DFLAG -D M=1 -DTEXT=abc k.s", _MACROS),
        ("clang -DN=4 -Wa,-defsym,N=5 k.s", Settings(defines={"N": 5}, macros={"N": "4"})),
        ("clang -mno-xnack -mcumode -msram-ecc", Settings(mattr="-xnack,+cumode,+sramecc")),
        ("clang --offload-arch=native k.s", Settings()),
        ("clang -mcpu", Settings()),
        ("", Settings()),
    ],
)
def test_read(command: str, expected: Settings) -> None:
    assert arguments.read(arguments.split(command)) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("-4", -4),
        ("0x1F", 31),
        ("0b101", 5),
        ("010", 8),
        ("089", None),
        ("", None),
        ("x", None),
        ("1.5", None),
    ],
)
def test_number(text: str, value: int | None) -> None:
    assert arguments.number(text) == value


def test_open_quote_is_no_exception() -> None:
    assert arguments.split("clang 'k.s") == ["clang", "'k.s"]


@pytest.mark.parametrize(
    ("command", "target"),
    [
        ("llvm-mc -triple=amdgpu12.50-amd-amdhsa", "gfx1250"),
        ("clang --target=amdgpu9.4-amd-amdhsa", "gfx9-4-generic"),
        ("clang --target=amdgpu9-amd-amdhsa -mcpu=gfx906", "gfx906"),
        ("llvm-mc -triple amdgcn-amd-amdhsa", None),
    ],
)
def test_a_triple_may_name_the_target(command: str, target: str | None) -> None:
    assert arguments.read(arguments.split(command)).target == target
