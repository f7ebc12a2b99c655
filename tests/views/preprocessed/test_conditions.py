"""The expressions of `#if`, also beside clang's."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from gcn_lsp.views.c.lex import Wrong, tokens
from gcn_lsp.views.c.macros import Budget
from gcn_lsp.views.preprocessed import conditions

CLANG = "clang-22"
OPERATORS = ["*", "/", "%", "+", "-", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||"]
NUMBERS = some.sampled_from([
    "0", "1", "2", "3u", "7", "010", "63", "64", "65u", "0x7fffffffffffffff", "0x8000000000000000", "X", "'a'",
    "'\\377'", "18446744073709551615u", "0xffffffffffffffffu", "0b101", "100000ll", "1ULL",
])  # fmt: skip


def _larger(inner: "some.SearchStrategy[str]") -> "some.SearchStrategy[str]":
    return some.one_of(
        some.tuples(inner, some.sampled_from(OPERATORS), inner).map(" ".join),
        some.tuples(inner, some.sampled_from(OPERATORS), inner).map(lambda parts: f"({' '.join(parts)})"),
        some.tuples(some.sampled_from(["-", "~", "!", "+"]), inner).map(" ".join),
        some.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} ? {parts[1]} : {parts[2]})"),
    )


EXPRESSIONS = some.recursive(NUMBERS, _larger, max_leaves=8)


def ours(text: str) -> str:
    try:
        return str(conditions.holds(tokens(text.encode()), {}, Budget(1000), lambda name: False))
    except Wrong:
        return "error"


def theirs(texts: list[str], folder: Path) -> list[str]:
    """The values of conditions from clang."""
    path = folder / "conditions.S"
    path.write_text("".join(f"#if {text}\nTrue\n#else\nFalse\n#endif\n" for text in texts))
    command = [CLANG, "-target", "amdgcn", "-E", "-w", "-ferror-limit=0", "-x", "assembler-with-cpp", str(path)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    wrong = {int(line.split(":")[1]) // 5 for line in made.stderr.split("\n") if ": error: " in line}
    found = [line for line in made.stdout.split("\n") if line in ("True", "False")]
    values = iter(found)
    return ["error" if number in wrong and next(values) else next(values) for number in range(len(texts))]


@pytest.mark.skipif(shutil.which(CLANG) is None, reason=f"{CLANG} is not installed")
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=some.lists(EXPRESSIONS, min_size=60, max_size=60))
def test_conditions_are_those_of_clang(texts: list[str], tmp_path: Path) -> None:
    assert list(zip(texts, map(ours, texts), strict=True)) == list(zip(texts, theirs(texts, tmp_path), strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-1 > 0u", "True"),
        ("-1 > 0", "False"),
        ("0x8000000000000000 > 0", "True"),
        ("0 && 1 / 0", "False"),
        ("1 || 1 % 0", "True"),
        ("1 ? 2 : 1 / 0", "True"),
        ("1 / 0 && 0", "error"),
        ("(0 ? 1 : 1 / 0) || 1", "error"),
        ("(1 ? -1 : 0u) > 0", "True"),
        ("(-0x7fffffffffffffff - 1) / -1 < 0", "True"),
        ("0x7fffffffffffffff + 1 < 0", "True"),
        ("1 << 64", "False"),
        ("-8 >> -1 == -1", "True"),
        ("8 >> 0x100000001 == 4", "True"),
        ("0x8000000000000000u >> 63 == 1", "True"),
        ("defined X", "False"),
        ("defined(X", "error"),
        ("1, 2", "error"),
        ("08", "error"),
        ("99999999999999999999", "error"),
        ("", "error"),
        ('"a"', "error"),
    ],
)
def test_one_condition(text: str, expected: str) -> None:
    assert ours(text) == expected
