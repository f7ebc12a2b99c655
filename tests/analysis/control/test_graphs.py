"""The control flow graph: labels, branches, loops, calls, and unknown ends."""

import random

import pytest

from gcn_lsp.analysis.control import functions, graphs, paths, starting_points, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.analysis.values import defined
from gcn_lsp.analysis.waits import waits
from gcn_lsp.analysis.waits.walk import pass_through
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import SourceText
from tests.analysis.support import program
from tests.benchmarks.kernel import kernel

LOOP = """\
start:
  s_mov_b32 s0, 4
loop:
  s_sub_u32 s0, s0, 1
  s_cmp_eq_u32 s0, 0
  s_cbranch_scc0 loop
1:
  s_cbranch_scc1 1b
  s_branch 2f
  s_nop 0
2:
  s_endpgm
"""


def shape(text: str) -> list[tuple[tuple[str, ...], int, tuple[int, ...]]]:
    found = graphs.of(program(text))
    assert found is not None
    return [
        (segment.labels, len(segment.sites), after)
        for segment, after in zip(found.nodes, found.successors, strict=True)
    ]


def test_loops_and_local_labels() -> None:
    assert shape(LOOP) == [
        (("start",), 1, (1,)),
        (("loop",), 3, (2, 1)),
        (("1",), 1, (3, 2)),
        ((), 1, (5,)),
        ((), 1, (5,)),
        (("2",), 1, ()),
    ]


def test_calls_go_on_behind_and_name_the_function() -> None:
    found = graphs.of(program("a:\n s_call_b64 s[0:1], f\n s_endpgm\nf:\n s_setpc_b64 s[0:1]\n"))
    assert found is not None
    assert (found.calls, found.successors, sorted(found.open_ends)) == ({0: 2}, [(1,), (), ()], [2])
    assert found.entries == (0, 2)


def test_code_that_falls_off_its_end() -> None:
    found = graphs.of(program("a:\n s_nop 0\n"))
    assert found is not None
    assert found.fallen == {0}


def test_branches_by_distance() -> None:
    assert shape("a:\n s_branch 1\n s_nop 0\n s_nop 1\n s_branch -2\n") == [
        (("a",), 1, (2,)),
        ((), 1, (2,)),
        ((), 2, (2,)),
    ]


def test_sections_are_apart() -> None:
    text = "a:\n s_nop 0\n.section .other\n s_nop 1\n.text\n s_endpgm\n"
    assert shape(text) == [(("a",), 1, (2,)), ((), 1, ()), ((), 1, ())]


def test_code_that_begins_with_a_loop_is_come_to_from_outside() -> None:
    found = graphs.of(program("a:\n s_nop 0\n s_cbranch_scc1 a\n s_endpgm\n"))
    assert found is not None
    assert found.entries == (0,)


def test_control_comes_into_a_loop_at_the_very_start() -> None:
    found = graphs.of(program("a:\n s_nop 0\nb:\n s_cbranch_scc0 b\n s_branch a\nc:\n s_branch c\n"))
    assert found is not None
    assert found.entries == (0, 3)


def test_what_is_reached() -> None:
    text = "a:\n s_cbranch_scc0 b\n s_call_b64 s[0:1], f\n s_endpgm\nb:\n s_branch b\nf:\n s_setpc_b64 s[0:1]\n"
    found = graphs.of(program(text))
    assert found is not None
    assert found.reached((0,)) == {0, 1, 2, 3}
    assert found.reached((0,), into_calls=True) == {0, 1, 2, 3, 4}
    assert found.reached((0,), barred=((0, 3),)) == {0, 1, 2}


def what_is_known(found: Graph, at_start: int = 7) -> object:
    """All that a graph and the analyses that reuse earlier results know, without the identity of segments."""
    opaque = frozenset({len(found.nodes) // 2})
    unset = defined.unset_reads(found, opaque, 0, at_start) if found.nodes else ()
    return (
        [(each.labels, each.flow, len(each.sites), each.first) for each in found.nodes],
        (found.chunks, found.successors, found.predecessors, found.entries, found.fallen, found.open_ends, found.calls),
        [found.node_of(each) for each in found.nodes],
        (straight.stretches(found), straight.loops(found)),
        [(found.order(site), registers) for site, registers in unset],
        [(node, site.index) for node, site in starting_points.of(found, starting_points.BARRIER)],
    )


def in_words(version: Program) -> object:
    found, dangers, in_flight = graphs.of(version), hazards.of(version), waits.of(version)
    assert found is not None
    assert dangers is not None
    assert in_flight is not None
    engine = in_flight.engine
    # Along the paths that exist, and everywhere: the analysis itself asks for the first only if it finds something.
    apart = paths.forward(
        found, "test", in_flight.entries, lambda each, state: pass_through(each, state, engine).after, engine.join
    )
    states = [in_flight.before(node) for node in range(len(found.nodes))], apart
    calls = [
        (each.name, each.nodes, [found.order(site) for _, site in each.returns])
        for each in functions.of(version, found)
    ]
    near = [(found.order(each.first), found.order(each.second), each.row.id) for each in dangers.found]
    return what_is_known(found), calls, near, states, in_flight.missing, in_flight.redundant


TYPED = (
    *(b"s_nop 0", b"s_barrier", b"here:", b"s_branch here", b"s_cbranch_scc0 here", b"x", b"// x", b"s_branch 2"),
    *(b"s_setpc_b64 s[30:31]", b"s_getpc_b64 s[2:3]", b".long 7", b'.section other,"ax"', b".text", b"s_endpgm", b""),
    *(b".long 0xbf800003", b".long 0xbf810000", b"data:\n.long 0xbf800003"),
    *(b"s_cmp_eq_u32 s12, 1\ns_cbranch_scc1 label_round_%d" % (number % 3) for number in range(5)),
    b"v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7]\nv_accvgpr_read_b32 v0, a0",
)


@pytest.mark.parametrize("seed", range(6))
def test_the_graph_after_an_edit_is_that_of_the_version_alone(seed: int) -> None:
    dice = random.Random(seed)
    options = Options("gfx90a")
    version = build(SourceText.from_bytes("k.s", kernel(700).encode()), options)
    shapes = set()
    for _ in range(25):
        first = graphs.of(version)
        assert first is not None
        shapes.add(id(first.shape))
        line = dice.randrange(len(version.source.lines))
        length = len(version.source.lines[line])
        if dice.randrange(3):
            edited = version.source.replace(line, 0, line, length, dice.choice(TYPED))
        else:
            place = dice.randrange(length + 1)
            edited = version.source.replace(line, place, line, place, dice.choice((b"4", b"x", b"\n", b" ")))
        in_words(version)
        version = build(edited, options, version)
        alone = Program(options, version.assembler, version.built)  # with the same chunks, and nothing from earlier
        assert in_words(version) == in_words(alone)
    assert 1 < len(shapes) < 25, "some edits leave the shape as it is"


def test_typing_in_a_comment_of_its_own_leaves_all_segments() -> None:
    options = Options("gfx90a")
    text = "k:\n  v_mov_b32 v0, v1\n\n  s_nop 0\n  s_endpgm\n"
    version = build(SourceText.from_bytes("k.s", text.encode()), options)
    before = graphs.of(version)
    assert before is not None
    for place, typed, remain in ((0, b"//", True), (2, b" a", True), (4, b"\n", False), (0, b"x", False)):
        after = build(version.source.replace(2, place, 2, place, typed), options, version)
        found = graphs.of(after)
        assert found is not None
        alone = graphs.of(build(after.source, options))
        assert alone is not None
        assert what_is_known(found) == what_is_known(alone)
        assert (found.nodes[0] is before.nodes[0]) is remain, typed
        version, before = after, found


def test_a_label_that_is_there_twice_is_no_target() -> None:
    for between in ("", "s_nop 0\n"):
        found = graphs.of(program(f"s_cbranch_scc0 twice\ns_nop 0\ntwice:\n{between}twice:\ns_endpgm\n"))
        assert found is not None
        assert 0 in found.open_ends


PART = """\
.type a,@function
a:
  s_cbranch_scc0 .Lout
  s_nop 0
.Lout:
.Lend:
.size a, .Lend-a
.type b,@function
b:
  s_cbranch_scc1 b
  s_endpgm
"""


def test_control_leaves_a_part_of_a_shader_at_its_end() -> None:
    assert shape(PART) == [(("a",), 1, (1,)), ((), 1, ()), ((".Lout", ".Lend", "b"), 1, (3, 2)), ((), 1, ())]
    found = graphs.of(program(PART))
    assert found is not None
    assert (found.open_ends, found.shape.parted) == ({0, 1}, {2: [0, 1]})


def test_without_a_size_control_goes_on_into_the_next_function() -> None:
    text = PART.replace(".size a, .Lend-a\n", "")
    assert [after for _, _, after in shape(text)] == [(1, 2), (2,), (3, 2), ()]


def test_the_ends_of_functions_after_an_edit() -> None:
    text = PART + "s_nop 1\n" * 200
    first = program(text)
    before, fresh = graphs.of(first), graphs.of(program(text.replace(".size a", ".size c")))
    assert before is not None
    assert fresh is not None
    start = text[: text.index(".size a")].count("\n")
    after = graphs.of(build(first.source.replace(start, 6, start, 7, b"c"), first.options, first))
    assert after is not None
    assert after.successors == fresh.successors != before.successors
