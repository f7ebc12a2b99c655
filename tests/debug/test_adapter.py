"""Sessions of the debugger, driven over pipes as an editor does."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.debug.client import Client
from tests.running.compiled import FOLDER

SAXPY = (FOLDER / "saxpy.s").read_text()
LAUNCH: dict[str, Any] = {
    "grid": 128,
    "block": 128,
    "args": {"x": "arange:f32:128", "y": "ones:f32:128", "a": "2.0", "n": "128"},
}


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as made:
        yield made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "saxpy.s"
    made.write_text(SAXPY)
    return made


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


MAC = line_of(SAXPY, "v_mac_f32")
FIRST = line_of(SAXPY, "s_load_dwordx4")


def test_a_breakpoint_stops_every_wave(client: Client, path: Path) -> None:
    stopped = client.launch(path, (MAC,), stopOnEntry=False, **LAUNCH)
    assert stopped["reason"] == "breakpoint"
    assert client.place(stopped["threadId"]) == ("saxpy", MAC)
    assert [each["name"] for each in client.body("threads")["threads"]] == [
        "wave 0 of work-group 0,0,0",
        "wave 1 of work-group 0,0,0",
    ]
    client.body("continue", threadId=stopped["threadId"])
    second = client.event("stopped")
    assert second["threadId"] != stopped["threadId"]
    client.body("continue", threadId=1)
    assert client.event("exited") == {"exitCode": 0}
    client.event("terminated")


def test_the_command_serves_a_session(path: Path) -> None:
    with Client(is_process=True) as client:
        thread = client.launch(path, (MAC,), stopOnEntry=False, **LAUNCH)["threadId"]
        assert client.value("v2[1].f32", thread) in ("1.0", "65.0")
        client.body("disconnect")


def test_the_entry_then_steps(client: Client, path: Path) -> None:
    stopped = client.launch(path, **LAUNCH)
    assert stopped["reason"] == "entry"
    thread = stopped["threadId"]
    assert client.place(thread) == ("saxpy", FIRST)
    client.body("next", threadId=thread)
    assert client.event("stopped")["reason"] == "step"
    assert client.place(thread)[1] == FIRST + 1
    client.body("stepIn", threadId=thread)
    client.event("stopped")
    assert client.place(thread)[1] == FIRST + 2
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    assert client.place(thread)[1] == FIRST + 1
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    client.body("stepBack", threadId=thread)
    assert client.event("stopped")["reason"] == "entry"
    assert client.place(thread)[1] == FIRST


def test_conditions_and_hit_counts(client: Client, path: Path) -> None:
    client.body("initialize", adapterID="gcn")
    client.body("launch", program=str(path), stopOnEntry=False, **LAUNCH)
    client.event("initialized")
    points = [{"line": MAC, "condition": "wave == 1 && v2[3].f32 == 67"}, {"line": MAC + 1, "hitCondition": "2"}]
    found = client.body("setBreakpoints", source={"path": str(path)}, breakpoints=points)
    assert [each["verified"] for each in found["breakpoints"]] == [True, True]
    client.body("configurationDone")
    assert client.value("wave", client.event("stopped")["threadId"]) == "1"
    client.body("continue", threadId=1)
    second = client.event("stopped")
    assert client.place(second["threadId"])[1] == MAC + 1
    assert client.value("wave", second["threadId"]) == "1"


def test_a_breakpoint_beyond_the_code_is_not_verified(client: Client, path: Path) -> None:
    client.body("initialize", adapterID="gcn")
    client.body("launch", program=str(path), **LAUNCH)
    found = client.body("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": 9999}])
    assert not found["breakpoints"][0]["verified"]


def test_variables_and_changes(client: Client, path: Path) -> None:
    thread = client.launch(path, (MAC,), stopOnEntry=False, **LAUNCH)["threadId"]
    frame = client.body("stackTrace", threadId=thread)["stackFrames"][0]["id"]
    scopes = {each["name"]: each["variablesReference"] for each in client.body("scopes", frameId=frame)["scopes"]}
    assert {"SGPRs", "VGPRs", "Special registers", "Counters", "Memory"} <= set(scopes)
    scalars = {
        each["name"]: each["value"]
        for each in client.body("variables", variablesReference=scopes["SGPRs"])["variables"]
    }
    assert scalars["s9"] == "0x80 = 128"
    vectors = client.body("variables", variablesReference=scopes["VGPRs"])["variables"]
    x = next(each for each in vectors if each["name"] == "v2")
    lanes = client.body("variables", variablesReference=x["variablesReference"])["variables"]
    assert lanes[3]["name"] == "[3]"
    assert lanes[3]["value"].endswith("= 3f")
    changed = client.body("setVariable", variablesReference=x["variablesReference"], name="[3]", value="100.0")
    assert changed["value"].endswith("= 100f")
    assert client.value("v2[3].f32", thread) == "100.0"
    special = client.body("variables", variablesReference=scopes["Special registers"])["variables"]
    assert "saxpy+0x" in special[0]["value"]
    client.body("next", threadId=thread)
    client.event("stopped")
    assert client.value("v3[3].f32", thread) == "201.0"
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    assert client.value("v2[3].f32", thread) == "100.0"
    assert client.body("setExpression", expression="v2[4]", value="v2[3].f32 + 1")["value"].endswith("= 101f")
    assert client.value("v2[4].f32", thread) == "101.0"
    client.body("setExpression", expression="exec", value="0xff00000000")
    assert client.value("exec", thread) == "0xff00000000 (1095216660480)"
    assert not client.request("setExpression", expression="saxpy", value="1")["success"]


def test_expressions(client: Client, path: Path) -> None:
    thread = client.launch(path, (MAC,), stopOnEntry=False, **LAUNCH)["threadId"]
    assert client.value("s9 + 2 * 3", thread) == "0x86 (134)"
    assert client.value("s[8:9] >> 32", thread) == "0x80 (128)"
    assert client.value("v0", thread).startswith("[0, 1, 2, 3, ...]")
    assert client.value("s8.f32", thread) == "2.0"
    assert client.value("s8", thread) == client.value("s[8]", thread) == "0x40000000 = 1073741824 = 2f"
    assert client.value("v2", thread) == "[0f, 1f, 2f, 3f, ...]"
    assert client.value("v2.f32", thread) == "[0, 1, 2, 3, ...]"
    assert client.value("v2.u32", thread) == "[0, 1065353216, 1073741824, 1077936128, ...]"
    assert client.value("v2.f16x2", thread) == "[0 0, 0 1.875, 0 2, 0 2.125, ...]"
    assert client.value("v[2:3].u64", thread).startswith("[4575657221408423936, ")
    assert client.value("v2.f32[5] * 2", thread) == "10.0"
    for wrong in ("nothing", "v0[99]", "1 +", "__import__('os')", "s200", "1 / 0"):
        answer = client.request("evaluate", expression=wrong, frameId=1000 * thread)
        assert not answer["success"]
        assert answer["message"]


def test_memory_is_read_and_written(client: Client, path: Path) -> None:
    thread = client.launch(path, (MAC,), stopOnEntry=False, **LAUNCH)["threadId"]
    frame = client.body("stackTrace", threadId=thread)["stackFrames"][0]["id"]
    scopes = {each["name"]: each["variablesReference"] for each in client.body("scopes", frameId=frame)["scopes"]}
    memory = client.body("variables", variablesReference=scopes["Memory"])["variables"]
    reference = next(each["memoryReference"] for each in memory if each["name"] == "x")
    found = client.body("readMemory", memoryReference=reference, offset=8, count=8)
    assert np.frombuffer(base64.b64decode(found["data"]), np.float32).tolist() == [2, 3]
    end = client.body("readMemory", memoryReference=reference, offset=508, count=8)
    assert end["unreadableBytes"] == 4
    data = base64.b64encode(np.float32(9).tobytes()).decode()
    client.body("writeMemory", memoryReference=reference, offset=8, data=data)
    found = client.body("readMemory", memoryReference=reference, offset=8, count=4)
    assert np.frombuffer(base64.b64decode(found["data"]), np.float32).tolist() == [9]


def test_a_write_of_a_register_stops(client: Client, path: Path) -> None:
    thread = client.launch(path, **LAUNCH)["threadId"]
    assert client.body("dataBreakpointInfo", name="v3")["dataId"] == "v3"
    assert client.body("dataBreakpointInfo", name="LDS")["dataId"] is None
    client.body("setDataBreakpoints", breakpoints=[{"dataId": "v3"}])
    client.body("continue", threadId=thread)
    assert client.event("stopped")["reason"] == "data breakpoint"
    assert client.place(thread)[1] == line_of(SAXPY, "global_load_dword v3") + 1


def test_macros_are_frames_and_next_steps_over_them(client: Client, tmp_path: Path) -> None:
    text = SAXPY.replace("  v_mac_f32 v3, s8, v2", "  combine")
    text = ".macro combine\n  v_mul_f32 v2, s8, v2\n  v_add_f32 v3, v2, v3\n.endm\n" + text
    path = tmp_path / "macro.s"
    path.write_text(text)
    call = line_of(text.replace(".macro combine", ""), "combine")
    thread = client.launch(path, (call,), stopOnEntry=False, **LAUNCH)["threadId"]
    frames = client.body("stackTrace", threadId=thread)["stackFrames"]
    assert [(each["name"], each["line"]) for each in frames] == [("macro combine", 2), ("saxpy", call)]
    client.body("stepIn", threadId=thread)
    client.event("stopped")
    assert client.place(thread) == ("macro combine", 3)
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    client.body("next", threadId=thread)
    client.event("stopped")
    assert client.place(thread) == ("saxpy", call + 1)


def test_a_call_is_stepped_over_and_out_of(client: Client, tmp_path: Path) -> None:
    text = """k:
  s_getpc_b64 s[2:3]
  s_add_u32 s2, s2, callee-k-4
  s_swappc_b64 s[30:31], s[2:3]
  s_mov_b32 s1, 2
  s_endpgm
callee:
  s_mov_b32 s0, 1
  s_setpc_b64 s[30:31]
"""
    path = tmp_path / "call.s"
    path.write_text(text)
    launch = {"grid": 64, "block": 64, "target": "gfx900", "kernel": "k"}
    thread = client.launch(path, (4,), stopOnEntry=False, **launch)["threadId"]
    client.body("next", threadId=thread)
    client.event("stopped")
    assert client.place(thread)[1] == 5
    assert client.value("s0", thread) == "0x1 = 1"
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    client.body("stepBack", threadId=thread)
    client.event("stopped")
    client.body("stepIn", threadId=thread)
    client.event("stopped")
    assert [each["name"] for each in client.body("stackTrace", threadId=thread)["stackFrames"]] == ["callee", "k"]
    client.body("stepOut", threadId=thread)
    client.event("stopped")
    assert client.place(thread) == ("k", 5)


def test_a_wave_that_cannot_go_on_stops_with_the_reason(client: Client, path: Path) -> None:
    path.write_text(SAXPY.replace("v_cmp_gt_u32 vcc, s9, v0", "s_mov_b64 vcc, exec"))
    launch = {**LAUNCH, "args": {**LAUNCH["args"], "x": "arange:f32:100"}}
    thread = client.launch(path, **launch)["threadId"]
    client.body("continue", threadId=thread)
    stopped = client.event("stopped")
    assert stopped["reason"] == "exception"
    assert stopped["description"] == "access-outside-memory"
    assert "right at the end of x of 400 bytes" in stopped["text"]
    assert client.place(stopped["threadId"])[1] == line_of(SAXPY, "global_load_dword v2")


def test_findings_are_told_as_they_come(client: Client, path: Path) -> None:
    path.write_text(SAXPY.replace("s_waitcnt vmcnt(0)", "s_nop 0"))
    thread = client.launch(path, **LAUNCH, order="late")["threadId"]
    client.body("continue", threadId=thread)
    assert "error[missing-wait]" in client.event("output")["output"]
    assert client.event("exited") == {"exitCode": 1}


def test_an_endless_loop_is_paused(client: Client, path: Path) -> None:
    path.write_text(SAXPY.replace("s_endpgm", "s_branch done"))
    thread = client.launch(path, **LAUNCH)["threadId"]
    client.body("continue", threadId=thread)
    client.request("pause", threadId=thread)
    assert client.event("stopped")["reason"] == "pause"
    client.body("disconnect")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"program": None}, "The launch needs `program`"),
        ({"program": "/absent.s"}, ""),
        ({"grid": None}, "The launch needs `grid`"),
        ({"grid": [64, 0]}, "one to three numbers above 0"),
        ({"grid": [64, 1, 1, 1]}, "one to three numbers above 0"),
        ({"kernel": "gemm"}, "has no kernel gemm; its kernels: saxpy"),
        ({"args": {}}, "needs an argument x"),
        ({"order": "sideways"}, "`order` is early or late"),
    ],
)
def test_a_wrong_launch_is_a_sentence(change: dict[str, Any], said: str, client: Client, path: Path) -> None:
    client.body("initialize", adapterID="gcn")
    answer = client.request("launch", **{"program": str(path), **LAUNCH, **change})
    assert not answer["success"]
    assert said in answer["message"]
    assert not client.request("continue", threadId=1)["success"]
    assert not client.request("whatever", known=False)["success"]
