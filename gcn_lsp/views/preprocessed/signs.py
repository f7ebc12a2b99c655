"""What shows that a file is meant for the C preprocessor: asked of every file, so it imports little."""

import re
from collections.abc import Sequence

from gcn_lsp.patterns import regex
from gcn_lsp.views.c.lex import NAME

_LINE = regex(rb"#[ \t]*(define|undef|if|ifdef|ifndef|elif|else|endif)\b[ \t]*([A-Za-z_]\w*)?")
_OPENS, _ENDS = (b"if", b"ifdef", b"ifndef"), b"endif"


def is_preprocessed(path: str, lines: Sequence[bytes]) -> bool:
    """Whether a file is meant for the C preprocessor.

    A `.S` file is, by the convention of all compilers. In any other file `#` begins a comment for LLVM, so it takes
    what no comment is by chance: a `#define` of a name that a line outside of comments uses, or an `#if` with its
    `#endif`, all at the start of the line.
    """
    if path.endswith(".S"):
        return True
    if b"\n#" not in b"\n".join((b"", *lines)):  # ten times faster than to look at each line
        return False
    marked = [line for line in lines if line[:1] == b"#"]
    defined: set[bytes] = set()
    depth = closed = 0
    for line in marked:
        match = _LINE.match(line)
        if match is None:
            continue
        if match[1] == b"define" and match[2]:
            defined.add(match[2])
        elif match[1] in _OPENS:
            depth += 1
        elif match[1] == _ENDS and depth:
            depth -= 1
            closed += 1
    if closed and not depth:
        return True
    return bool(defined) and any(_uses(line, defined) for line in lines if line[:1] != b"#")


def _uses(line: bytes, names: set[bytes]) -> bool:
    code = re.split(rb";|//|#", line, maxsplit=1)[0]
    return not names.isdisjoint(NAME.findall(code))
