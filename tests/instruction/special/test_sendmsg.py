import pytest

from gcn_lsp import isa
from gcn_lsp.instruction.special import sendmsg
from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "operand", "code"),
    [
        ("gfx900", "sendmsg(MSG_INTERRUPT)", "010090bf"),
        ("gfx900", "sendmsg(MSG_GS, GS_OP_EMIT, 1)", "220190bf"),
        ("gfx900", "sendmsg(MSG_GS_DONE, GS_OP_NOP)", "030090bf"),
        ("gfx900", "sendmsg(2, 3, 3)", "320390bf"),
        ("gfx900", "sendmsg(MSG_SYSMSG, SYSMSG_OP_REG_RD)", "2f0090bf"),
    ],
)
def test_messages(cpu: str, operand: str, code: str) -> None:
    assert code_of(f"s_sendmsg {operand}", cpu) == code


@pytest.mark.parametrize(
    ("operand", "rule", "text"),
    [
        ("sendmsg(MSG_FOO)", "wrong-operand-kind", "MSG_FOO"),
        ("sendmsg(MSG_GET_DDID)", "unsupported-on-target", "MSG_GET_DDID"),
        ("sendmsg(MSG_GS)", "wrong-operand-count", "MSG_GS"),
        ("sendmsg(MSG_GS, GS_OP_NOP)", "immediate-out-of-range", "GS_OP_NOP"),
        ("sendmsg(MSG_INTERRUPT, 1)", "wrong-operand-count", "1"),
        ("sendmsg(MSG_GS, GS_OP_CUT, 4)", "immediate-out-of-range", "4"),
        ("sendmsg(16)", "immediate-out-of-range", "16"),
        ("MSG_GS", "wrong-operand-kind", "MSG_GS"),
    ],
)
def test_wrong_messages(operand: str, rule: str, text: str) -> None:
    assert problem_of(f"s_sendmsg {operand}")[:2] == (rule, text)


@pytest.mark.parametrize("text", ["sendmsg(MSG_INTERRUPT)", "sendmsg(MSG_GS, GS_OP_EMIT, 1)"])
def test_messages_are_told_back(text: str) -> None:
    immediate = int.from_bytes(bytes.fromhex(code_of(f"s_sendmsg {text}"))[:2], "little")
    assert sendmsg.render(isa.load_target("gfx900"), immediate) == text
