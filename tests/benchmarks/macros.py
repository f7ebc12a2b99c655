"""Times kernels that are mostly macro calls: `python -m tests.benchmarks.macros`.

Cold: a kernel whose calls expand to 100,000 instructions. After an edit: a kernel of 10,000 lines, most of them calls
of macros with arithmetic, conditionals and nested calls; a key is pressed in the middle.
"""

import time

from gcn_lsp.program import problems as problems_of
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import SourceText

COLD_BUDGET_SECONDS = 2.0
EDIT_BUDGET_SECONDS = 0.016
INSTRUCTIONS = 100_000
LINES = 10_000
EDITS = 30

HEAD = """\
.set vA, 0
.set vB, 64
.set vC, 128
.set offset, 0

.macro MULTIPLY row, column, last=0
  v_mac_f32 v[vC+\\row*8+\\column], v[vA+\\row], v[vB+\\column]
  v_mac_f32 v[vC+\\row*8+\\column+1], v[vA+\\row+1], v[vB+\\column]
  v_mac_f32 v[vC+\\row*8+\\column+2], v[vA+\\row+2], v[vB+\\column]
  v_mac_f32 v[vC+\\row*8+\\column+3], v[vA+\\row+3], v[vB+\\column]
  .if \\last
  s_waitcnt lgkmcnt(0)
  .else
  s_nop 0
  .endif
.endm

.macro ROW row
  .irp column, 0, 1, 2, 3
  MULTIPLY \\row, \\column
  .endr
  .set offset, offset+16
  ds_read_b128 v[vA:vA+3], v200 offset:(offset&0xff0)
  MULTIPLY \\row, 4, 1
.endm

.macro BLOCK rows
  .set i, 0
  .rept \\rows
  ROW i
  .set i, i+1
  .endr
.endm

start:
"""
PER_ROW = 26


def expanding(instructions: int) -> bytes:
    """A kernel of few lines that expands to about so many instructions."""
    rows = 8
    calls = instructions // (PER_ROW * rows)
    return (HEAD + f"  BLOCK {rows}\n" * calls + "  s_endpgm\n").encode()


def long_kernel(lines: int) -> bytes:
    """A kernel of so many lines, most of them calls."""
    body = [
        f"  MULTIPLY {line % 8}, {line // 8 % 8}, {line % 7 == 0:d}" if line % 5 else f"  .set offset, {line}*4"
        for line in range(lines)
    ]
    return (HEAD + "\n".join(body) + "\n  s_endpgm\n").encode()


def cold() -> tuple[float, int]:
    """Seconds to interpret and assemble, and how many instructions there were."""
    source = SourceText.from_bytes("k.s", expanding(INSTRUCTIONS))
    started = time.process_time()  # of one core, whatever else the machine does
    program = build(source, Options(target="gfx900"))
    seconds = time.process_time() - started
    assert not list(problems_of.of(program))
    return seconds, sum(item.kind == "instruction" for chunk in program.chunks for item in chunk.items)


def edits() -> list[float]:
    """Seconds that each of some keystrokes costs, the problems included."""
    source = SourceText.from_bytes("k.s", long_kernel(LINES))
    options = Options(target="gfx900")
    program: Program = build(source, options)
    assert not list(problems_of.of(program))
    found: list[float] = []
    for number in range(EDITS):
        line = LINES // 2 + number
        end = len(source.lines[line])
        source = source.replace(line, end, line, end, b" " if number % 2 else b" ; a remark")
        started = time.perf_counter()
        program = build(source, options, program)
        problems = list(problems_of.of(program))
        found.append(time.perf_counter() - started)
        assert not problems
    return sorted(found)


def main() -> None:
    """Print each measurement beside its budget."""
    seconds, instructions = cold()
    print(f"{instructions:,} expanded instructions, cold: {seconds:.2f} s (budget {COLD_BUDGET_SECONDS} s)")
    times = edits()
    median, worst = times[len(times) // 2], times[-1]
    print(
        f"edit in {LINES:,} lines of calls: median {1e3 * median:.1f} ms, worst {1e3 * worst:.1f} ms"
        f" (budget {1e3 * EDIT_BUDGET_SECONDS:.0f} ms)"
    )


if __name__ == "__main__":
    main()
