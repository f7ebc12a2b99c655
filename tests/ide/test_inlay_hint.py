"""The registers of computed indices."""

from gcn_lsp.ide import inlay_hint
from gcn_lsp.program import program as programs
from gcn_lsp.program.program import Options
from gcn_lsp.text import SourceText
from gcn_lsp.views.objects import view
from tests.support import check, fixture
from tests.support.elf import Part, code_object


def hints(text: str, first: int = 1, last: int = 1000, target: str = "gfx90a") -> list[str]:
    """The hints on lines `first` to `last` (from 1) as `line: text before the hint -> hint`."""
    program = check.build(fixture.parse(text), target)
    found = inlay_hint.inlay_hints(program, first - 1, last - 1)
    return [
        f"{hint.line + 1}: {program.source.lines[hint.line][: hint.column].split()[-1].decode()} -> {hint.text}"
        for hint in found
    ]


def test_registers_behind_symbols() -> None:
    assert hints(
        """
        .set v_acc, 32
        .set s_ptr, 8
        global_load_dwordx2 v[v_acc:v_acc+1], v[v_acc+3], s[s_ptr:s_ptr+1]
        v_add_f32 v0, -|v[v_acc*2]|, s[s_ptr]
        """
    ) == [
        "3: v[v_acc:v_acc+1] -> v[32:33]",
        "3: v[v_acc+3] -> v35",
        "3: s[s_ptr:s_ptr+1] -> s[8:9]",
        "4: -|v[v_acc*2] -> v64",
        "4: s[s_ptr] -> s8",
    ]


def test_plain_registers_need_none() -> None:
    assert hints("v_mov_b32 v[3], v1\ns_load_dwordx2 s[2:3], s[4:5], 0x0\n") == []


def test_the_value_is_the_one_of_the_line() -> None:
    assert hints(".set a, 1\nv_mov_b32 v[a], 0\n.set a, 2\nv_mov_b32 v[a], 0\n") == ["2: v[a] -> v1", "4: v[a] -> v2"]


def test_only_the_lines_asked_for() -> None:
    assert hints(".set a, 1\n" + "v_mov_b32 v[a], 0\n" * 300, 150, 151) == ["150: v[a] -> v1", "151: v[a] -> v1"]


def test_bodies_and_mistakes_have_none() -> None:
    assert hints(".set a, 1\n.macro m\nv_mov_b32 v[a], 0\n.endm\nm\n.rept 2\nv_mov_b32 v[a], 0\n.endr\n") == []
    assert hints("v_mov_b32 v[nothing], 0\nv_mov_b32 v[1+300], 0\n") == []


def by_kind(text: str, *kinds: str) -> list[str]:
    program = check.build(fixture.parse(text), "gfx90a")
    found = inlay_hint.inlay_hints(program, 0, 1000, kinds)
    return [f"{hint.line + 1}:{hint.column} {hint.text}" for hint in found]


def test_offsets_and_encodings() -> None:
    text = ".macro M\ns_nop 0\ns_nop 1\n.endm\ns_endpgm // c\nM\nx: v_mov_b32 v0, 0x1234\n.set a, 1\n.long 1, 2"
    assert by_kind(text, "offset") == ["5:8 +0x0", "6:1 +0x4", "7:23 +0xc", "9:10 +0x14"]
    assert by_kind(text, "encoding") == ["5:8 BF810000", "7:23 7E0002FF 00001234"]
    assert by_kind(text, "offset", "encoding", "registers")[:2] == ["5:8 +0x0", "5:8 BF810000"]
    assert by_kind(text) == []


def test_repetitions_have_none() -> None:
    assert by_kind(".rept 2\ns_nop 0\n.endr\ns_nop 1", "offset", "encoding") == ["4:7 +0x8", "4:7 BF800001"]


def test_instructions_in_data_among_the_code() -> None:
    text = "s_nop 0\n.long 0xbf800001, 0xbf8c0f70 // c\n.long 0xbe8000ff\n.long 7\ns_endpgm\n.long 0xbf800000"
    assert by_kind(text, "data") == ["2:28 s_nop 1; s_waitcnt vmcnt(0)", "3:16 s_mov_b32 s0, lit(0x7)"]


KERNEL = """
copy:
s_load_dwordx2 s[8:9], s[0:1], 0x8
s_lshl_b32 s3, s2, 8
s_add_u32 s10, s0, 16
s_addc_u32 s11, s1, 0
s_load_dword s12, s[10:11], 0x0
s_mov_b32 s2, 0
s_lshl_b32 s3, s2, 8
s_endpgm
.rodata
.amdhsa_kernel copy
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 20
  .amdhsa_accum_offset 4
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: copy
    .symbol: copy.kd
    .kernarg_segment_size: 24
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer}
      - {.offset: 8, .size: 8, .value_kind: global_buffer}
      - {.name: n, .offset: 16, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
"""


def test_inputs_of_a_kernel() -> None:
    assert by_kind(KERNEL.strip(), "inputs") == [
        "2:34 argument 1",
        "3:17 work-group id x",
        "4:17 kernarg segment pointer",
        "5:18 kernarg segment pointer",
        "6:31 n",
    ]


def test_addresses_and_encodings_of_an_object() -> None:
    code = bytes.fromhex("ff0080be78563412ffffffff000081bf")
    data = code_object(code, [("k", 0, 16, 1), ("k.kd", 0, 64, 2)], [Part(".rodata", bytes(64), 1, 2, 64)])
    made = view.of(data)
    program = programs.build(SourceText.from_bytes("k.co", made.text), Options(target="gfx942"))
    found = inlay_hint.of_object(program, made, 0, 1000)
    shown = [(program.source.lines[hint.line][: hint.column].decode().strip(), hint.text) for hint in found]
    start = made.runs[0].address
    assert shown[:3] == [
        ("s_mov_b32 s0, 0x12345678", f"{start:#x}: BE8000FF 12345678"),
        (".long 0xffffffff", f"{start + 8:#x}"),
        ("s_endpgm", f"{start + 12:#x}: BF810000"),
    ]
    assert inlay_hint.of_object(program, made, 0, 3) == []
