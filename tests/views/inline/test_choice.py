"""What is chosen for the operands of a statement: the first choice that its instructions take."""

import pytest

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from gcn_lsp.views.inline import cpp, template
from gcn_lsp.views.inline.choice import ChosenOperands, Register, Search


def search(statement: str, target: str = "gfx90a") -> Search:
    (found,) = cpp.statements(f"void f() {{ {statement} }}".encode())
    return Search(found, template.of(found), assembler.context_of(isa.load_target(target, "")))


def registers(statement: str, target: str = "gfx90a") -> list[str]:
    found = search(statement, target)
    choice, _ = found.best()
    chosen = (found.register(choice, number) for number in range(len(found.statement.operands)))
    return [register.text if register is not None else "" for register in chosen]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('asm("v_mov_b32 %0, %1" : "=v"(x) : "v"(a));', ["v2", "v3"]),
        ('asm("s_nop 0" :: "v"(a), "s"(b));', ["v2", "s4"]),  # not referred to
        ('asm("v_mov_b32 %0, %1" : "=v"(x) : "{v9}"(a));', ["v2", "v9"]),  # a register by its name
        ('asm("v_mov_b32 %0, %1" : "=v"(x) : "0"(a));', ["v2", "v2"]),  # tied
        ('asm("v_mov_b32 %0, %1" : [q] "=v"(x) : "[q]"(a));', ["v2", "v2"]),
        ('asm("v_mov_b32 %0, v3\\nv_mov_b32 %1, v[5:5]" : "=v"(x), "=v"(y) :: "v2");', ["v4", "v6"]),
        ('asm("s_mov_b32 s5, %0\\ns_mov_b64 %1, 0" :: "s"(a), "s"(b));', ["s4", "s[6:7]"]),
        ('asm("s_nop %0" :: "n"(4));', [""]),
        ('asm("ds_read_b128 %0, %1" : "=v"(x.y) : "v"(a.b));', ["v[2:5]", "v6"]),
        ('asm("global_load_dword %0, %1, off" : "=v"(x.y) : "v"(a.b));', ["v2", "v[4:5]"]),
    ],
)
def test_registers(statement: str, expected: list[str]) -> None:
    assert registers(statement) == expected


@pytest.mark.parametrize(
    ("word", "loaded", "address"),
    [
        ("s_load_dword", "s4", "s[6:7]"),
        ("s_load_dwordx2", "s[4:5]", "s[6:7]"),
        ("s_load_dwordx4", "s[4:7]", "s[8:9]"),
    ],
)
def test_scalar_registers_are_aligned(word: str, loaded: str, address: str) -> None:
    assert registers(f'asm("{word} %1, %0, 0" :: "s"(p.q), "s"(r.t));') == [address, loaded]


def test_half_of_a_register() -> None:
    found = search('asm("v_mov_b16 %0, %1" : "=v"(x.h) : "v"(a.h));', "gfx1100")
    choice, accepted = found.best()
    assert accepted
    assert choice.registers[0] == Register("v", choice.registers[0].first, 1, half=True)
    assert choice.registers[0].text.endswith(".l")


def test_a_constant_that_only_one_value_fits() -> None:
    found = search('asm("s_waitcnt vmcnt(%0)\\nv_mov_b32 v1, v[%1]" :: "n"(N), "n"(R + 2));')
    choice, accepted = found.best()
    assert accepted
    assert dict(choice.values) == {"N": 0, "R": 62}
    assert choice.numbered == (Register("v", 64, 1),)
    assert choice.chosen == {0, 1}


def test_the_first_choice_stays_where_none_is_taken() -> None:
    found = search('asm("no_such_word %0, %1" :: "v"(a.b), "n"(N));')
    choice, accepted = found.best()
    assert not accepted
    assert found.register(choice, 0) == Register("v", 2, 1)
    assert choice.values["N"] == 0


def test_a_line_follows_the_choice_of_the_lines_before() -> None:
    found = search('asm("v_mov_b32 %0, 0\\nno_such_word %1\\nv_mov_b32 %0, %2" :: "v"(a), "v"(b), "v"(c));')
    _, accepted = found.best()
    assert not accepted
    assert registers('asm("v_mov_b32 %0, 0\\nv_mov_b32 %0, %1" :: "v"(a), "v"(b));') == ["v2", "v3"]


def test_a_dual_instruction_takes_other_registers_than_the_next() -> None:
    text = '"v_dual_mov_b32 %0, %2 :: v_dual_mov_b32 %1, %3" : "=v"(x), "=v"(y) : "v"(a), "v"(b)'
    found = search(f"asm({text});", "gfx1100")
    choice, accepted = found.best()
    assert accepted
    assert choice.registers[0].first % 2 != choice.registers[1].first % 2


def test_a_reference_to_no_operand_is_never_taken() -> None:
    found = search('asm("v_mov_b32 v0, %4" :: "v"(a));')
    choice, accepted = found.best()
    assert not accepted
    assert b"".join(found.text(choice, part) for part in found.template.parts) == b"v_mov_b32 v0, asm_no_such_operand"


def test_a_choice_does_not_change() -> None:
    before = ChosenOperands()
    search('asm("v_mov_b32 v[%0], %1" :: "n"(R), "v"(a));').best()
    assert before == ChosenOperands()
    assert not ChosenOperands().registers


@pytest.mark.parametrize(
    ("register", "text"),
    [
        (Register("v", 3, 1), "v3"),
        (Register("s", 4, 2), "s[4:5]"),
        (Register("v", 3, 1, half=True), "v3.l"),
        (Register("vcc", 0, 2), "vcc"),
    ],
)
def test_how_a_register_is_written(register: Register, text: str) -> None:
    assert register.text == text
