"""The view of a preprocessed file: its map, its mistakes, what it knows at a place, and edits."""

import random
import time

import pytest

from gcn_lsp.text import Location, SourceText
from gcn_lsp.views.map import Derived
from gcn_lsp.views.preprocessed import view
from gcn_lsp.views.preprocessed.signs import is_preprocessed
from gcn_lsp.views.preprocessed.view import Inactive, Preprocessed
from tests.views.preprocessed.test_against_clang import program

FILES = {
    "regs.h": "#pragma once\n#define ACC v1\n#define ADD(a, b) v_add_f32 a, b, \\\n  ACC\n",
    "code.h": "s_nop 1\ns_nop COUNT\n",
    "self.h": '#include "self.h"\n#include "self.h"\n',
    "guarded.h": '#ifndef G\n#define G\n#include "guarded.h"\n#endif\n',
    "open.h": "#if 1\n",
    "bad.h": "\n#if 1 +\n#endif\n",
}


def include(includer: str, name: str) -> SourceText | None:
    del includer
    return SourceText.from_bytes(name, FILES[name].encode()) if name in FILES else None


def made(text: str, previous: Preprocessed | None = None, limit: int = 10_000, **macros: str) -> Preprocessed:
    return view.of(SourceText.from_bytes("a.S", text.encode()), include, macros, limit, previous)


def derived(text: str, **macros: str) -> list[str]:
    return [line.decode() for line in made(text, None, 10_000, **macros).source.lines]


def mistakes(text: str) -> list[tuple[str, str, int, str]]:
    return [(each.rule, each.where.path, each.where.line, each.message) for each in made(text).mistakes]


def test_lines_stay_where_they_are() -> None:
    text = "#define A v1\nv_mov_b32 A, 0 // A\n#if A\n#else\ns_nop 0\n#endif\n"
    assert derived(text) == ["", "v_mov_b32 v1, 0 // A", "", "", "s_nop 0", "", ""]


def test_places_go_through_an_expansion_both_ways() -> None:
    found = made('#include "regs.h"\n  ADD(v0, v22) // sum\n')
    assert found.source.lines[1] == b"  v_add_f32 v0, v22, v1 // sum"
    path = found.source.path

    def original(start: int, end: int) -> tuple[int, int]:
        place = found.to_original(Location(path, 1, start, end))
        assert (place.path, place.line) == ("a.S", 1)
        return place.start, place.end

    assert original(16, 19) == (10, 13)  # the argument v22
    assert original(2, 11) == (2, 14)  # the mnemonic, which the macro has: its whole use
    assert original(24, 30) == (15, 21)  # the comment
    assert found.to_derived(1, 10) == (1, 16)
    assert found.is_copied(Location(path, 1, 16, 19))
    assert not found.is_copied(Location(path, 1, 2, 11))


def test_included_lines_are_places_of_their_file() -> None:
    found = made('#define COUNT 2\n#include "code.h"\ns_endpgm\n')
    assert found.source.lines[:5] == (b"", b"", b"s_nop 1", b"s_nop 2", b"s_endpgm")
    assert found.to_original(Location(found.source.path, 3, 6, 7)) == Location("code.h", 1, 6, 11)
    assert found.origin(3).steps == ((Location("a.S", 1, 9, 17), "`code.h` is included here"),)
    assert found.to_derived(2, 3) == (4, 3)
    assert found.included(1) == "code.h"


def test_a_missing_file_is_left_to_the_assembler() -> None:
    found = made("#include <gone.h>\n")
    assert found.source.lines[0] == b'.include "gone.h"'
    assert found.to_original(Location(found.source.path, 0, 9, 17)) == Location("a.S", 0, 9, 17)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('#include "self.h"\n', [("include-cycle", "self.h", 0, "`self.h` includes itself")]),
        ('#include "guarded.h"\n', []),
        ('#include "regs.h"\n#include "regs.h"\n', []),
        ("#if 1\n#if 1\n#endif\n", [("unterminated-block", "a.S", 0, "`#if` lacks an `#endif`")]),
        ('#include "open.h"\n', [("unterminated-block", "a.S", 0, "`open.h`: `#if` lacks an `#endif`")]),
        ("\n#else\n", [("stray-block-end", "a.S", 1, "`#else` has no `#if`")]),
        ("#if 0\n#else\n#else\n#endif\n", [("stray-block-end", "a.S", 2, "`#else` follows `#else`")]),
        ('#include "bad.h"\n', [("malformed-directive", "bad.h", 1, "the expression ends too early")]),
        ("#if 1 / 0\n#endif\n", [("malformed-directive", "a.S", 0, "division by zero")]),
        ("#if 0\n#if 1 / 0\n#endif\n#error no\n#endif\n", []),
        ("#if 0 && 1 / 0\n#endif\n", []),
        ("#error look here\n", [("user-error", "a.S", 0, "look here")]),
        ("#warning \"w\"\n", [("user-warning", "a.S", 0, "w")]),
        ("#define\n", [("malformed-directive", "a.S", 0, "`#define` takes the name of a macro")]),
        ("#define F(a) a\nF(1, 2)\n", [("macro-arguments", "a.S", 1, "`F` takes 1 argument, not 2")]),
        ("#define F(a) a\nF(1", [("macro-arguments", "a.S", 1, "the call of `F` lacks a `)`")]),
        ("# if only this were code\n# don't\n", []),
    ],
)  # fmt: skip
def test_mistakes(text: str, expected: list[tuple[str, str, int, str]]) -> None:
    found = mistakes(text)
    if text.startswith("# if only"):  # in a .S this is a directive, as it is for clang
        assert [rule for rule, *_ in found] == ["malformed-directive", "unterminated-block"]
    else:
        assert found == expected


def test_what_never_ends_is_one_mistake_each() -> None:
    doubling = "".join(f"#define A{number} A{number + 1} A{number + 1}\n" for number in range(40))
    started = time.perf_counter()
    assert [rule for rule, *_ in mistakes(f"{doubling}A0\n")] == ["expansion-limit"]
    assert mistakes("#define A B\n#define B A\nA\n") == []
    large = "x\n" * 6000
    FILES["large.h"] = large
    try:
        assert [rule for rule, *_ in mistakes('#include "large.h"\n' * 5)] == ["expansion-limit"]
    finally:
        del FILES["large.h"]
    assert time.perf_counter() - started < 20


def test_line_and_file() -> None:
    assert derived("\nlabel_ ## __LINE__ __FILE__\n")[1] == 'label_ ## 2 "a.S"'


def test_what_is_known_at_a_place() -> None:
    found = made("#define A v1\n#undef A\n#define A(x) \\\n  x\nA(v2)\n", BUILD="3")
    macro, where = found.macro(4, 1) or (None, None)
    assert macro is not None
    assert macro.heading == "#define A(x) x"
    assert where == Location("a.S", 4, 0, 1)
    assert found.definition(b"A", 4) == Location("a.S", 2, 8, 9)
    assert found.definition(b"A", 0) == Location("a.S", 0, 8, 9)
    assert found.definition(b"BUILD", 4) is None
    assert set(found.macros_at(1)) == {b"A", b"BUILD"}
    assert [place.line for place in found.uses(b"A")] == [0, 1, 2, 4]
    assert made("A // A\n").macro(0, 0) is None


def test_inactive_lines() -> None:
    found = made("#ifdef A\nx\n\n#else\ny\n#endif\n#if 0\n#if 1\n#endif\nz\n#endif\n")
    assert found.inactive == (Inactive(1, 2, "#ifdef A"), Inactive(7, 9, "#if 0"))


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.S", "s_nop 0\n", True),
        ("a.s", "#define A v1\nv_mov_b32 A, 0\n", True),
        ("a.s", "#define A v1\nv_mov_b32 v1, 0 ; A\n", False),
        ("a.s", "# define what A is\nA:\n", False),
        ("a.s", "#if the loop is short\ns_nop 0\n", False),
        ("a.s", "#ifdef A\ns_nop 0\n#endif\n", True),
        ("a.s", '#include "x.h"\ns_nop 0\n', False),  # for LLVM a comment
        ("a.s", '# 1 "a.c"\n# comment\n', False),
    ],
)
def test_which_files_are_preprocessed(path: str, text: str, expected: bool) -> None:
    assert is_preprocessed(path, text.encode().split(b"\n")) is expected


def test_an_edit_gives_what_a_fresh_run_gives() -> None:
    for seed in range(60):
        random_ = random.Random(seed)
        lines = program(seed).split("\n")
        found = made("\n".join(lines))
        for step in range(12):
            at = random_.randrange(len(lines))
            other = program(seed * 100 + step).split("\n")
            lines[at : at + random_.randrange(3)] = random_.sample(other, min(random_.randrange(3), len(other)))
            lines = lines or [""]
            found = made("\n".join(lines), found)
            fresh = made("\n".join(lines))
            assert found.source == fresh.source, (seed, step)
            assert found.mistakes == fresh.mistakes
            assert found.inactive == fresh.inactive
            assert [found.origin(line) for line in range(len(lines))] == [
                fresh.origin(line) for line in range(len(lines))
            ]


def test_an_edit_runs_over_its_lines_only() -> None:
    lines = ["#define A v1", *["v_mov_b32 A, 0"] * 3000]
    before = made("\n".join(lines))
    lines[1500] = "v_mov_b32 A, 1"
    after = made("\n".join(lines), before)
    assert sum(step not in before.steps for step in after.steps) <= 1
    assert sum(new is not old for new, old in zip(after.steps, before.steps, strict=True)) <= 3


def test_a_derived_text_without_blocks_is_one_empty_line() -> None:
    assert Derived(SourceText("a", (b"",)), ()).source.lines == (b"",)


def test_conditionals_that_nest_too_deep() -> None:
    text = (
        "#if 1\n" * 200
        + "#ifdef X\n#if 1\n#else\n#endif\ns_nop 0\n#else\ns_nop 1\n#endif\ns_nop 2\n"
        + "#endif\n" * 200
    )
    assert [line for line in derived(text) if line] == ["s_nop 2"]
    message = "conditionals nest more than 200 deep; what is in this one is not assembled"
    assert mistakes(text) == [("expansion-limit", "a.S", 200, message)]


@pytest.mark.parametrize(
    "text",
    [
        "#if " + "(" * 50_000 + "1" + ")" * 50_000 + "\n#endif",
        "#if " + "1?1:" * 50_000 + "1\n#endif",
        "#if 1\n" * 20_000,
        "#define F(x) x\n" + "F(" * 5_000 + ")" * 5_000,
        "#define A0 1 1\n" + "".join(f"#define A{n + 1} A{n} A{n}\n" for n in range(60)) + "#if A60\n#endif\nA60",
        '"\\' * 100_000,
        "'\\" * 100_000,
        "\\\n" * 5_000,
    ],
)
def test_no_depth_raises_or_takes_long(text: str) -> None:
    started = time.process_time()
    assert made(text).mistakes is not None
    assert time.process_time() - started < 10
