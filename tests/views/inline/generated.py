"""Makes correct statements of inline assembly, of which it is known what each part is for.

Each output is early, each register and memory that the instructions change is declared, and each load is waited for.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.views.inline import cpp
from gcn_lsp.views.inline.statement import Statement


class Op(NamedTuple):
    """An instruction: its text with operands by letter, the files of the one it writes and of those it reads.

    changes: the clobbers that it needs. load: whether its result comes later.
    """

    text: str
    writes: str
    reads: str
    changes: tuple[str, ...] = ()
    load: bool = False


OPS = (
    Op("v_add_u32 {d}, {0}, {1}", "v", "vv"),
    Op("v_mul_lo_u32 {d}, {0}, {1}", "v", "vv"),
    Op("v_fma_f32 {d}, {0}, {1}, {2}", "v", "vvv"),
    Op("v_lshlrev_b32 {d}, 4, {0}", "v", "v"),
    Op("v_and_b32 {d}, {0}, {1}", "v", "sv"),
    Op("v_perm_b32 {d}, {0}, {1}, {2}", "v", "vvs"),
    Op("s_add_u32 {d}, {0}, {1}", "s", "ss", ("scc",)),
    Op("s_lshl_b32 {d}, {0}, {1}", "s", "ss", ("scc",)),
    Op("s_mul_i32 {d}, {0}, {1}", "s", "ss"),
    Op("v_cmp_gt_u32 vcc, {0}, {1}", "", "vv", ("vcc",)),
    Op("v_mov_b32 v40, {0}", "", "v", ("v40",)),
    Op("s_mov_b32 s60, {0}", "", "s", ("s60",)),
    Op("ds_read_b32 {d}, {0}", "v", "v", (), load=True),
    Op("ds_bpermute_b32 {d}, {0}, {1}", "v", "vv", (), load=True),
    Op("ds_write_b32 {0}, {1}", "", "vv", ("memory",)),
    Op("ds_add_u32 {0}, {1}", "", "vv", ("memory",)),
)
WAIT = "s_waitcnt lgkmcnt(0)"


class Made(NamedTuple):
    """A statement with what is known of it.

    early: the outputs that need their `&`. needed: the clobbers. is_waited: whether its last line waits for an output.
    """

    statement: Statement
    early: frozenset[int]
    needed: frozenset[str]
    is_waited: bool


def statements(count: int, seed: int) -> Iterator[Made]:
    """So many statements."""
    chance = random.Random(seed)
    for _ in range(count):
        yield _made(chance)


def _made(chance: random.Random) -> Made:
    ops = [chance.choice(OPS) for _ in range(chance.randint(2, 5))]
    outputs: list[str] = []  # files
    inputs: list[str] = []
    arrived: list[int] = []  # outputs that may be read
    steps: list[tuple[Op, int, list[tuple[bool, int]]]] = []
    for op in ops:
        reads = []
        for file in op.reads:
            ready = [number for number in arrived if outputs[number] == file]
            known = [number for number, each in enumerate(inputs) if each == file]
            if ready and chance.random() < 0.4:
                reads.append((True, chance.choice(ready)))
            elif known and chance.random() < 0.6:
                reads.append((False, chance.choice(known)))
            else:
                inputs.append(file)
                reads.append((False, len(inputs) - 1))
        written = -1
        if op.writes:
            outputs.append(op.writes)
            written = len(outputs) - 1
            if not op.load:
                arrived.append(written)
        steps.append((op, written, reads))
    lines = []
    for op, written, reads in steps:
        named = [f"%{number if is_output else len(outputs) + number}" for is_output, number in reads]
        lines.append(op.text.format(*named, d=f"%{written}"))
    is_waited = any(op.load for op in ops)
    lines += [WAIT] if is_waited else []
    needed = tuple(dict.fromkeys(name for op in ops for name in op.changes))
    early = frozenset(
        written
        for at, (_, written, _) in enumerate(steps)
        if written >= 0
        and any(
            not is_output and inputs[number] == outputs[written]
            for _, _, reads in steps[at + 1 :]
            for is_output, number in reads
        )
    )
    return Made(_parsed(lines, outputs, inputs, needed), early, frozenset(needed), is_waited)


def _parsed(lines: list[str], outputs: list[str], inputs: list[str], clobbers: tuple[str, ...]) -> Statement:
    """The statement as the scanner reads it in a source."""
    template = "\\n\\t".join(lines)
    out = ", ".join(f'"=&{file}"(o{number})' for number, file in enumerate(outputs))
    in_ = ", ".join(f'"{file}"(a{number})' for number, file in enumerate(inputs))
    named = ", ".join(f'"{name}"' for name in clobbers)
    locals_ = "".join(f"int o{number};" for number in range(len(outputs)))
    parameters = ", ".join(f"int a{number}" for number in range(len(inputs)))
    source = f'void f({parameters}) {{ {locals_} asm volatile("{template}" : {out} : {in_} : {named}); }}'
    (statement,) = cpp.statements(source.encode())
    return statement
