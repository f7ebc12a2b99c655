"""Random files through our preprocessor and through clang's: the tokens have to be equal."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from gcn_lsp.text import SourceText
from gcn_lsp.views.c.lex import comment_after, tokens
from gcn_lsp.views.preprocessed import view

CLANG = "clang-22"
NAMES = ["A", "B", "C", "D", "E_1", "defined", "x"]


def spelled(text: str) -> list[bytes]:
    """The tokens of a text, without comments."""
    found, in_comment = [], False
    for line in text.encode().split(b"\n"):
        begin = 0
        if in_comment:
            closed = line.find(b"*/")
            if closed < 0:
                continue
            begin = closed + 2
        found += [token.text for token in tokens(line, 0, begin)]
        in_comment = comment_after(line[begin:], False)
    return found


def ours(source: SourceText) -> list[bytes]:
    made = view.of(source, lambda includer, name: None, {}, 100_000)
    return spelled("\n".join(line.decode() for line in made.source.lines))


def theirs(path: Path) -> list[bytes] | None:
    """The tokens from clang; None for a file with an error, of which clang leaves out what we keep."""
    command = [CLANG, "-target", "amdgcn", "-E", "-P", "-undef", "-w", "-x", "assembler-with-cpp", str(path)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if "error:" in made.stderr else spelled(made.stdout)


def words(random_: random.Random, parameters: tuple[str, ...], count: int) -> str:
    found = []
    for _ in range(random_.randrange(count)):
        kind = random_.randrange(12)
        if kind < 4:
            found.append(random_.choice([*NAMES[:5], "x", "v0", "s[0:1]"]))
        elif kind < 6 and parameters:
            found.append(random_.choice(parameters))
        elif kind < 7 and parameters:
            found.append(f"#{random_.choice(parameters)}")
        elif kind < 8:
            left, right = (random_.choice([*parameters, "A", "q", "1"]) for _ in range(2))
            found.append(f"{left}##{right}")
        elif kind < 10:
            name, inner = random_.choice(NAMES[:5]), words(random_, parameters, 3)
            found.append(f"{name}({inner}, {random_.randrange(9)})" if kind == 8 else f"{name}({inner})")
        else:
            found.append(random_.choice(["1", "0x1f", '"A"', "+", ",", "/* A */", "1.5e+3", "(B)", "."]))
    return " ".join(found)


def program(seed: int) -> str:
    random_ = random.Random(seed)
    lines, depth = [], 0
    for _ in range(random_.randrange(5, 40)):
        kind = random_.randrange(14)
        name = random_.choice(NAMES[:5])
        if kind < 3:
            lines.append(f"#define {name} {words(random_, (), 5)}")
        elif kind < 5:
            parameters = random_.choice([("x",), ("x", "y"), ()])
            more = random_.choice(["", "", ", ..."]) if parameters else ""
            body = words(random_, (*parameters, *(("__VA_ARGS__",) if more else ())), 6)
            lines.append(f"#define {name}({', '.join(parameters)}{more}) {body}")
        elif kind == 5:
            lines.append(f"#undef {name}")
        elif kind == 6:
            condition = random_.choice([
                f"defined({name})", f"!defined {name}", "1 + 1 == 2 && 0 || 1", "3 > 4 ? 1 : 0", "-1 > 0",
                "(1 << 4) & 16", "B_2 == 0", "'a' == 97", "7 / 2 == 3 && -7 % 3 == -1",
            ])  # fmt: skip
            lines.append(random_.choice([f"#if {condition}", f"#ifdef {name}", f"#  ifndef {name} // why"]))
            depth += 1
        elif kind == 7 and depth:
            lines.append(random_.choice(["#else", "#elif 1", "#elif 0", f"#elif defined({name})"]))
        elif kind == 8 and depth:
            lines.append("#endif")
            depth -= 1
        elif kind == 9:
            lines.append(f"# a comment about {name} and don't")
        elif kind == 10:
            lines.append(f"x {name} \\")
            lines.append(f"  y {words(random_, (), 4)}")
        elif kind == 11:
            lines.append(f"/* {name}")
            lines.append(f"#define {name} 1 */ {name}")
        else:
            lines.append(words(random_, (), 7))
    return "\n".join([*lines, *["#endif"] * depth]) + "\n"


def differing(seeds: range, folder: Path) -> list[int]:
    """The seeds whose files differ."""
    found = []
    for seed in seeds:
        text = program(seed)
        path = folder / "random.S"
        path.write_text(text)
        expected = theirs(path)
        if expected is not None and ours(SourceText.from_bytes("random.S", text.encode())) != expected:
            found.append(seed)
    return found


@pytest.mark.skipif(shutil.which(CLANG) is None, reason=f"{CLANG} is not installed")
def test_random_files_have_the_tokens_of_clang(tmp_path: Path) -> None:
    assert differing(range(20), tmp_path) == []
