"""Breakpoints of the debugger: at lines of files, on data, with counts and messages, and at source lines."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.debug.client import Client
from tests.debug.test_adapter import LAUNCH, MAC, SAXPY, line_of
from tests.running import compiled

STORE = line_of(SAXPY, "global_store_dword")
LDS = """.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
k:
  v_lshlrev_b32 v1, 2, v0
  s_mov_b32 m0, -1
  v_mov_b32 v2, 7
  ds_write_b32 v1, v2
  s_waitcnt lgkmcnt(0)
  s_endpgm
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 256
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 12
.end_amdhsa_kernel
"""


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as made:
        yield made


def written(folder: Path, text: str, name: str = "kernel.s") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def go_on(client: Client) -> dict[str, Any]:
    client.body("continue", threadId=1)
    return client.event("stopped")


def reference_of(client: Client, thread: int, scope: str) -> int:
    scopes = client.body("scopes", frameId=1000 * thread)["scopes"]
    found: int = next(each["variablesReference"] for each in scopes if each["name"] == scope)
    return found


def test_a_write_of_what_was_there_stops_too(client: Client, tmp_path: Path) -> None:
    launch = {**LAUNCH, "args": {**LAUNCH["args"], "a": 0}}
    thread = client.launch(written(tmp_path, SAXPY), **launch)["threadId"]
    memory = reference_of(client, thread, "Memory")
    found = client.body("dataBreakpointInfo", variablesReference=memory, name="y")
    client.body("setDataBreakpoints", breakpoints=[{"dataId": found["dataId"]}])
    assert go_on(client)["reason"] == "data breakpoint"
    # It stops there again after the run has gone back, in memory that is made anew.
    place = client.place(thread)
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    assert go_on(client)["reason"] == "data breakpoint"
    assert client.place(thread) == place


def test_a_write_of_memory_stops(client: Client, tmp_path: Path) -> None:
    thread = client.launch(written(tmp_path, SAXPY), **LAUNCH)["threadId"]
    memory = reference_of(client, thread, "Memory")
    found = client.body("dataBreakpointInfo", variablesReference=memory, name="y")
    assert found["description"] == "writes of y"
    told = client.body("setDataBreakpoints", breakpoints=[{"dataId": found["dataId"]}, {"dataId": "nothing"}])
    assert [each["verified"] for each in told["breakpoints"]] == [True, False]
    stopped = go_on(client)
    assert stopped["reason"] == "data breakpoint"
    assert client.place(stopped["threadId"])[1] == STORE + 2  # after the label


def test_bytes_at_an_address_are_watched(client: Client, tmp_path: Path) -> None:
    thread = client.launch(written(tmp_path, SAXPY), (MAC,), stopOnEntry=False, **LAUNCH)["threadId"]
    assert client.value("wave", thread) == "0"
    # Element 100 is of wave 1.
    asked = {"asAddress": True, "bytes": 4, "frameId": 1000 * thread}
    found = client.body("dataBreakpointInfo", name="s[14:15] + 4 * 100", **asked)
    assert client.body("dataBreakpointInfo", name="16", **asked)["dataId"] is None
    client.body("setBreakpoints", source={"path": str(tmp_path / "kernel.s")}, breakpoints=[])
    client.body("setDataBreakpoints", breakpoints=[{"dataId": found["dataId"]}])
    stopped = go_on(client)
    assert stopped["reason"] == "data breakpoint"
    client.body("next", threadId=stopped["threadId"])
    assert client.event("exited") == {"exitCode": 0}


def test_lds_is_watched_and_its_bytes_read(client: Client, tmp_path: Path) -> None:
    thread = client.launch(written(tmp_path, LDS), grid=64, block=64)["threadId"]
    found = client.body("dataBreakpointInfo", name="lds:0,0,0+8", asAddress=True, bytes=4)
    client.body("setDataBreakpoints", breakpoints=[{"dataId": found["dataId"]}])
    assert go_on(client)["reason"] == "data breakpoint"
    assert client.place(thread)[1] == line_of(LDS, "ds_write_b32") + 1
    assert client.body("readMemory", memoryReference="lds:0,0,0+8", count=4)["data"] == "BwAAAA=="


def test_a_watched_pair_of_registers_with_a_condition(client: Client, tmp_path: Path) -> None:
    client.launch(written(tmp_path, SAXPY), **LAUNCH)
    client.body("setDataBreakpoints", breakpoints=[{"dataId": "s[8:11]", "condition": "wave == 1"}])
    stopped = go_on(client)
    assert client.value("wave", stopped["threadId"]) == "1"


@pytest.mark.parametrize(("hits", "waves"), [("2", ["1"]), (">= 1", ["0", "1"]), ("% 2", ["1"]), ("> 5", [])])
def test_hit_counts(hits: str, waves: list[str], client: Client, tmp_path: Path) -> None:
    path = written(tmp_path, SAXPY)
    client.launch(path, **LAUNCH)
    points = [{"line": MAC, "hitCondition": hits}]
    client.body("setBreakpoints", source={"path": str(path)}, breakpoints=points)
    for wave in waves:
        assert client.value("wave", go_on(client)["threadId"]) == wave
    client.body("continue", threadId=1)
    client.event("exited")


def test_a_hit_that_was_gone_back_over_counts_again(client: Client, tmp_path: Path) -> None:
    path = written(tmp_path, SAXPY)
    thread = client.launch(path, **LAUNCH)["threadId"]
    client.body("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": MAC, "hitCondition": "1"}])
    assert go_on(client)["threadId"] == thread
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    assert go_on(client)["threadId"] == thread
    assert client.place(thread)[1] == MAC


def test_backwards_to_the_last_breakpoint(client: Client, tmp_path: Path) -> None:
    path = written(tmp_path, SAXPY)
    thread = client.launch(path, (MAC, STORE), stopOnEntry=False, **LAUNCH)["threadId"]
    go_on(client)
    client.body("reverseContinue", threadId=thread)
    assert client.event("stopped")["reason"] == "breakpoint"
    assert client.place(thread)[1] == MAC
    client.body("reverseContinue", threadId=thread)
    assert client.event("stopped")["reason"] == "entry"


def test_a_message_does_not_stop(client: Client, tmp_path: Path) -> None:
    path = written(tmp_path, SAXPY)
    client.launch(path, **LAUNCH)
    points = [{"line": MAC, "logMessage": "wave {wave}: {v2.f32}, {nothing}"}]
    client.body("setBreakpoints", source={"path": str(path)}, breakpoints=points)
    client.body("continue", threadId=1)
    said = [client.event("output")["output"] for _ in range(2)]
    assert said[0] == "wave 0: [0, 1, 2, 3, ...], {nothing is called nothing}\n"
    assert said[1].startswith("wave 1: [64, 65")
    client.event("exited")


def test_in_a_macro_of_an_included_file(client: Client, tmp_path: Path) -> None:
    macros = written(tmp_path, ".macro combine\n  v_mul_f32 v2, s8, v2\n  v_add_f32 v3, v2, v3\n.endm\n", "macros.inc")
    text = SAXPY.replace("  v_mac_f32 v3, s8, v2", "  combine").replace(".text", '.include "macros.inc"\n.text')
    path = written(tmp_path, text)
    client.body("initialize", adapterID="gcn")
    client.body("launch", program=str(path), stopOnEntry=False, **LAUNCH)
    found = client.body("setBreakpoints", source={"path": str(macros)}, breakpoints=[{"line": 3}])
    assert found["breakpoints"][0]["line"] == 3
    client.body("configurationDone")
    thread = client.event("stopped")["threadId"]
    frames = client.body("stackTrace", threadId=thread)["stackFrames"]
    assert [(each["source"]["name"], each["line"]) for each in frames] == [
        ("macros.inc", 3),
        ("kernel.s", line_of(text, "combine")),
    ]


def test_a_preprocessed_file_stops_at_its_own_lines(client: Client, tmp_path: Path) -> None:
    text = "#define COMBINE v_mac_f32 v3, s8, v2\n" + SAXPY.replace("v_mac_f32 v3, s8, v2", "COMBINE")
    path = written(tmp_path, text, "kernel.S")
    line = line_of(text, "  COMBINE")
    thread = client.launch(path, (line,), stopOnEntry=False, **LAUNCH)["threadId"]
    frame = client.body("stackTrace", threadId=thread)["stackFrames"][0]
    assert (frame["source"]["path"], frame["line"]) == (str(path), line)


def test_at_an_address_of_the_disassembly(client: Client, tmp_path: Path) -> None:
    thread = client.launch(written(tmp_path, SAXPY), **LAUNCH)["threadId"]
    address = client.body("stackTrace", threadId=thread)["stackFrames"][0]["instructionPointerReference"]
    asked = {"memoryReference": address, "instructionOffset": -1, "instructionCount": 5}
    shown = client.body("disassemble", **asked)["instructions"]
    assert [each["instruction"] for each in shown] == [
        "",
        "s_load_dwordx4 s[12:15], s[4:5], 0x0",
        "s_load_dwordx2 s[8:9], s[4:5], 0x10",
        "s_waitcnt lgkmcnt(0)",
        "s_lshl_b32 s7, s6, 8",
    ]
    points = [{"instructionReference": shown[4]["address"]}, {"instructionReference": "0x1"}]
    told = client.body("setInstructionBreakpoints", breakpoints=points)
    assert [each["verified"] for each in told["breakpoints"]] == [True, False]
    go_on(client)
    assert client.place(thread)[1] == line_of(SAXPY, "s_lshl_b32")


SOURCE = """kernel void twice(global float *x, int n) {
  int i = __builtin_amdgcn_workitem_id_x();
  float y = x[i];
  y = y * 2.0f;
  y = y + 1.0f;
  x[i] = y;
}
"""
TWICE: dict[str, Any] = {"grid": 64, "args": {"x": "arange:f32:64", "n": "64"}}


@pytest.fixture
def twice(tmp_path: Path) -> tuple[Path, Path]:
    """A source and its assembly with debug information."""
    if compiled.CLANG is None:
        pytest.skip("clang-22 is not installed (Debian package clang-22)")
    source, path = written(tmp_path, SOURCE, "twice.cl"), tmp_path / "twice.s"
    command = [
        *(compiled.CLANG, "-x", "cl", "-nogpulib", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900", "-O1", "-g"),
        *("-ffp-contract=off", "-S", "-o", str(path), str(source)),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return source, path


def test_at_lines_of_the_source(client: Client, twice: tuple[Path, Path]) -> None:
    source, path = twice
    client.body("initialize", adapterID="gcn")
    client.body("launch", program=str(path), stopOnEntry=False, at="source", **TWICE)
    point = client.body("setBreakpoints", source={"path": str(source)}, breakpoints=[{"line": 4}])["breakpoints"][0]
    assert (point["verified"], point["line"]) == (True, 4)
    client.body("configurationDone")
    thread = client.event("stopped")["threadId"]
    frames = client.body("stackTrace", threadId=thread)["stackFrames"]
    # The body of an OpenCL kernel is inlined into its stub, line 1.
    assert [(each["source"]["path"], each["line"], each["presentationHint"]) for each in frames[:2]] == [
        (str(source), 4, "normal"),
        (str(source), 1, "normal"),
    ]
    assert (frames[2]["source"]["path"], frames[2]["presentationHint"]) == (str(path), "subtle")
    client.body("next", threadId=thread)
    client.event("stopped")
    assert client.place(thread) == ("twice", 5)
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    assert client.place(thread) == ("twice", 4)


def test_the_source_is_beside_its_assembly(client: Client, twice: tuple[Path, Path]) -> None:
    source, path = twice
    line = line_of(path.read_text(), "1.0, v")
    thread = client.launch(path, (line,), stopOnEntry=False, **TWICE)["threadId"]
    frames = client.body("stackTrace", threadId=thread)["stackFrames"]
    places = [(each["source"]["path"], each["line"]) for each in frames]
    assert places == [(str(path), line), (str(source), 5), (str(source), 1)]


def test_a_code_object_is_shown_as_its_text(client: Client, tmp_path: Path) -> None:
    if compiled.CLANG is None or shutil.which("ld.lld-22") is None:
        pytest.skip("clang-22 and ld.lld-22 are not installed (Debian packages clang-22, lld-22)")
    made = tmp_path / "kernel.co"
    command = [compiled.CLANG, "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900", "-fuse-ld=lld", "-o", str(made)]
    subprocess.run([*command, str(written(tmp_path, SAXPY))], check=True)
    thread = client.launch(made, **LAUNCH)["threadId"]
    frame = client.body("stackTrace", threadId=thread)["stackFrames"][0]
    assert "path" not in frame["source"]
    text = client.body("source", sourceReference=frame["source"]["sourceReference"])["content"]
    assert "s_load_dwordx4" in text.splitlines()[frame["line"] - 1]
    line = line_of(text, "v_mac_f32")
    client.body("setBreakpoints", source={"sourceReference": 1}, breakpoints=[{"line": line}])
    go_on(client)
    assert client.place(thread)[1] == line


def test_arguments_that_a_launch_leaves_out_are_made_up(client: Client, tmp_path: Path) -> None:
    client.body("initialize", adapterID="gcn")
    client.body("launch", program=str(written(tmp_path, SAXPY)), grid=64)
    said = client.event("output")["output"]
    assert "made up: x=random:f32:4096, y=random:f32:4096, a=2.0, n=64" in said
    client.event("initialized")
    client.body("configurationDone")
    client.event("stopped")
    client.body("continue", threadId=1)
    assert client.event("exited") == {"exitCode": 0}
