"""The debug adapter: requests of an editor over standard input and output, and a launch that is stepped.

A request is answered by the method of its name; what an editor may ask for is in the Debug Adapter Protocol.
"""

import base64
import contextlib
import os
import queue
import threading
from collections.abc import Callable, Iterable
from typing import IO, Any

from gcn_lsp import project
from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.debug import messages, values
from gcn_lsp.debug.execution import Execution
from gcn_lsp.debug.messages import Malformed, Message
from gcn_lsp.debug.places import Lines
from gcn_lsp.debug.values import CannotEvaluate
from gcn_lsp.debug.variables import Variables
from gcn_lsp.machine import arguments, launch, orders
from gcn_lsp.machine.arguments import WrongLaunch
from gcn_lsp.machine.launch import Launch, Prepared
from gcn_lsp.machine.memory import Memory
from gcn_lsp.machine.observations import Observation, WaveName
from gcn_lsp.machine.orders import Order
from gcn_lsp.machine.run import LIMIT
from gcn_lsp.machine.waves import WaveRun, WaveStatus
from gcn_lsp.running import opened as opening
from gcn_lsp.running import report, runs
from gcn_lsp.running.opened import RunnableFile

CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsSetVariable": True,
    "supportsReadMemoryRequest": True,
    "supportsWriteMemoryRequest": True,
    "supportsDataBreakpoints": True,
    "supportsSteppingGranularity": True,
    "supportsTerminateRequest": True,
}

Stops = Callable[[WaveRun], bool]


class RefusedRequest(Exception):
    """A request that cannot be carried out; the text is a sentence for the user."""


class Breakpoint:
    """A breakpoint at a line. condition: an expression, or nothing. hits: the count of passes at which it stops."""

    def __init__(self, number: int, addresses: "Iterable[int]", condition: str, hits: str) -> None:
        self.number = number
        self.addresses = frozenset(addresses)
        self.condition = condition
        self.hits = hits.strip()
        self.passed = 0

    def stops(self, run: WaveRun) -> bool:
        """Whether it stops a wave that comes by."""
        if self.condition:
            try:
                if not values.truth(self.condition, run):
                    return False
            except CannotEvaluate:
                return True  # a condition without a value is better seen than passed over
        self.passed += 1
        if not self.hits:
            return True
        sign, number = (self.hits[:1], self.hits[1:]) if self.hits[:1] in "%>" else ("=", self.hits)
        if not number.strip().isdecimal():
            return True
        count = int(number)
        return {"%": self.passed % max(count, 1) == 0, ">": self.passed > count, "=": self.passed == count}[sign]


class Adapter:
    """A session with one client. send: passes a message on to it."""

    def __init__(self, send: Callable[[Message], None], incoming: "queue.Queue[Message | None]") -> None:
        self._send_message = send
        self._incoming = incoming
        self._sequence = 0
        self._file: RunnableFile | None = None
        self._lines: Lines | None = None
        self._execution: Execution | None = None
        self._variables: Variables | None = None
        self._breakpoints: dict[str, list[Breakpoint]] = {}
        self._watched: dict[int, str] = {}  # sets of registers, and their names
        self._threads: dict[WaveName, int] = {}
        self._depths: dict[WaveName, list[int]] = {}
        self._next_breakpoint = 1
        self._reported = 0
        self._stops_on_entry = True
        self._waiting: list[Message] = []
        self._is_over = False

    # Messages

    def serve(self) -> None:
        """Answer requests until the client disconnects."""
        while not self._is_over:
            message = self._waiting.pop(0) if self._waiting else self._incoming.get()
            if message is None:
                return
            self.answer(message)

    def answer(self, message: Message) -> None:
        """Answer one request."""
        command = str(message.get("command", ""))
        body: Any = None
        handler = getattr(self, f"on_{command}", None)
        try:
            if message.get("type") != "request" or handler is None:
                raise RefusedRequest(f"gcn-lsp has no request {command}.")
            given = message.get("arguments")
            body = handler(given if isinstance(given, dict) else {})
        except (RefusedRequest, WrongLaunch, CannotEvaluate) as error:
            self._respond(message, None, str(error))
            return
        after = None
        if isinstance(body, tuple):
            body, after = body
        self._respond(message, body, "")
        if after is not None:
            after()

    def _respond(self, request: Message, body: Any, error: str) -> None:
        answer: Message = {
            "type": "response",
            "request_seq": request.get("seq", 0),
            "command": request.get("command", ""),
            "success": not error,
        }
        if error:
            answer["message"] = error
            answer["body"] = {"error": {"id": 1, "format": error, "showUser": True}}
        elif body is not None:
            answer["body"] = body
        self._send(answer)

    def _event(self, name: str, body: "Message | None" = None) -> None:
        self._send({"type": "event", "event": name, **({"body": body} if body is not None else {})})

    def _send(self, message: Message) -> None:
        self._sequence += 1
        self._send_message({"seq": self._sequence, **message})

    # The session

    def on_initialize(self, given: Message) -> Message:
        """The first request: what this adapter can do."""
        self._first_line = 1 if given.get("linesStartAt1", True) else 0
        return CAPABILITIES

    def on_launch(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Open the file and prepare the launch."""
        path = given.get("program")
        if not isinstance(path, str):
            raise RefusedRequest("The launch needs `program`, the file with the kernel.")
        settings = project.Settings(
            target=given.get("target") or None,
            mattr=str(given.get("mattr") or ""),
            defines={str(name): int(value) for name, value in (given.get("defines") or {}).items()},
            include_paths=tuple(map(str, given.get("include") or ())),
        )
        file = opening.read(path, settings)
        kernel = runs.kernel_of(file, str(given.get("kernel") or ""))
        folder = str(given.get("cwd") or os.path.dirname(os.path.abspath(path)))
        seed = int(given.get("seed") or 0)
        parsed = {
            str(name): arguments.parse(str(value), folder, seed) for name, value in (given.get("args") or {}).items()
        }
        registers = {str(name): str(value) for name, value in (given.get("registers") or {}).items()}
        asked = Launch(
            _sizes(given.get("grid"), "grid"), _sizes(given.get("block") or 64, "block"), parsed, registers,
            int(given.get("lds") or 0),
        )  # fmt: skip

        def make() -> Prepared:
            memory = Memory()
            file.image.load(memory)
            return launch.prepare(file.image, memory, kernel, asked)

        self._file, self._lines = file, Lines(file)
        limit = int(given.get("limit") or LIMIT)
        self._execution = Execution(make, _order(str(given.get("order") or ""), file, seed), limit)
        self._variables = Variables(file, self._execution)
        self._stops_on_entry = bool(given.get("stopOnEntry", True))
        return None, lambda: self._event("initialized")

    def on_setBreakpoints(self, given: Message) -> Message:
        """Replace the breakpoints of a file."""
        path = str(given.get("source", {}).get("path") or "")
        made, told = [], []
        for each in given.get("breakpoints") or ():
            number, self._next_breakpoint = self._next_breakpoint, self._next_breakpoint + 1
            line = int(each.get("line", 1)) - self._first_line
            found = self._place_lines().at(path, line)
            if found is None:
                told.append({"id": number, "verified": False, "message": "no instruction is on this line or after it"})
                continue
            made.append(
                Breakpoint(number, found[1], str(each.get("condition") or ""), str(each.get("hitCondition") or ""))
            )
            told.append({"id": number, "verified": True, "line": found[0] + self._first_line})
        self._breakpoints[path] = made
        return {"breakpoints": told}

    def on_setExceptionBreakpoints(self, given: Message) -> Message:
        """There are none: a wave that cannot go on always stops."""
        return {"breakpoints": []}

    def on_dataBreakpointInfo(self, given: Message) -> Message:
        """Whether writes of a variable can stop the run."""
        name = str(given.get("name") or "")
        try:
            _register_set(name)
        except RefusedRequest:
            return {"dataId": None, "description": f"{name} is not a register"}
        return {"dataId": name, "description": f"writes of {name}", "accessTypes": ["write"], "canPersist": True}

    def on_setDataBreakpoints(self, given: Message) -> Message:
        """Replace the registers whose writes stop the run."""
        self._watched = {}
        told = []
        for each in given.get("breakpoints") or ():
            name = str(each.get("dataId") or "")
            self._watched[_register_set(name)] = name
            told.append({"verified": True})
        return {"breakpoints": told}

    def on_configurationDone(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Begin."""
        execution = self._running()
        if self._stops_on_entry or execution.wave is None:
            return None, lambda: self._stopped("entry")
        if self._hit(execution.wave):
            return None, lambda: self._stopped("breakpoint")
        return None, self._go(self._at_breakpoint)

    def on_disconnect(self, given: Message) -> None:
        """End the session."""
        self._is_over = True

    def on_terminate(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """End the run."""
        return None, lambda: self._event("terminated")

    # Going on

    def on_continue(self, given: Message) -> "tuple[Message, Callable[[], None]]":
        """Go on to a breakpoint or the end."""
        return {"allThreadsContinued": True}, self._go(self._at_breakpoint)

    def on_next(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go on to the next line of the same wave, over macros and calls."""
        run = self._thread(given)
        if given.get("granularity") == "instruction":
            return None, self._go(self._step_of(run, into_calls=False))
        return None, self._go(self._line_of(run))

    def on_stepIn(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Carry out one instruction of the wave, into macros and calls."""
        return None, self._go(self._step_of(self._thread(given), into_calls=True))

    def on_stepOut(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go on until the function of the wave returns, or to a breakpoint."""
        run = self._thread(given)
        depth = len(self._depths.get(run.name, ()))
        if not depth:
            return None, self._go(self._at_breakpoint)

        def stops(wave: WaveRun) -> bool:
            return wave.name == run.name and len(self._depths.get(run.name, ())) < depth

        return None, self._go(stops)

    def on_stepBack(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go back before the last instruction of the wave."""
        execution = self._running()
        position = execution.before(self._thread(given).name)

        def back() -> None:
            execution.back(position or 0)
            self._depths.clear()
            self._stopped("entry" if position is None else "step")

        return None, back

    def on_reverseContinue(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go back to the last breakpoint, or to the start."""
        execution = self._running()

        def back() -> None:
            found = execution.go_back(self._hit)
            self._depths.clear()
            self._stopped("breakpoint" if found else "entry")

        return None, back

    def on_pause(self, given: Message) -> None:
        """Nothing: a run that goes on sees it among the requests, see `_is_interrupted`."""

    def _go(self, stops: Stops) -> Callable[[], None]:
        execution = self._running()

        def go() -> None:
            before = execution.wave
            self._why = "step"
            if before is not None:
                self._note_call(before)
            there = execution.go(lambda wave: self._passes(wave, stops), self._is_interrupted)
            if there:
                self._stopped(self._why)
            else:
                self._ended()

        return go

    def _passes(self, wave: WaveRun, stops: Stops) -> bool:
        """Whether a wave before its instruction stops the run; keeps account of its calls."""
        last = self._running().last
        if last is not None:
            self._note_return(last)
            written = next((name for mask, name in self._watched.items() if last.step.effects.writes & mask), None)
            if written is not None:
                self._why = "data breakpoint"
                return True
        found = self._hit(wave)
        if found:
            self._why = "breakpoint"
        found = found or stops(wave)
        if not found:
            self._note_call(wave)
        return found

    def _note_call(self, wave: WaveRun) -> None:
        step = wave.image.steps.get(wave.wave.pc)
        if step is not None and step.effects.flow == "call":
            self._depths.setdefault(wave.name, []).append(step.address + step.size)

    def _note_return(self, wave: WaveRun) -> None:
        stack = self._depths.get(wave.name)
        if stack and wave.step.effects.flow == "jump" and wave.wave.pc == stack[-1]:
            stack.pop()

    def _is_interrupted(self) -> bool:
        """Look at what the client wants meanwhile: a pause or the end stops the run, the rest waits or is answered."""
        while True:
            try:
                message = self._incoming.get_nowait()
            except queue.Empty:
                return False
            if message is None or message.get("command") in ("pause", "disconnect", "terminate"):
                self._waiting.append(message if message is not None else {"type": "request", "command": "disconnect"})
                self._why = "pause"
                return True
            self.answer(message)

    def _at_breakpoint(self, wave: WaveRun) -> bool:
        return False  # breakpoints count for every way to go on

    def _hit(self, wave: WaveRun) -> bool:
        pc = wave.wave.pc
        found = False
        for each in self._breakpoints.values():
            for point in each:
                if pc in point.addresses and point.stops(wave):
                    found = True
        return found

    def _step_of(self, run: WaveRun, *, into_calls: bool) -> Stops:
        depth = len(self._depths.get(run.name, ()))
        step = run.image.steps.get(run.wave.pc)
        after = step.address + step.size if step is not None and step.effects.flow == "call" else None

        def stops(wave: WaveRun) -> bool:
            if wave.name != run.name:
                return False
            if into_calls or after is None:
                return True
            return wave.wave.pc == after and len(self._depths.get(run.name, ())) <= depth

        return stops

    def _line_of(self, run: WaveRun) -> Stops:
        lines = self._place_lines()
        step = run.image.steps.get(run.wave.pc)
        here = lines.outermost(step) if step is not None else None
        start = run.wave.pc
        one = self._step_of(run, into_calls=False)

        def stops(wave: WaveRun) -> bool:
            if not one(wave):
                return False
            now = wave.image.steps.get(wave.wave.pc)
            return now is None or lines.outermost(now) != here or now.address <= start

        return stops

    # What there is to see

    def on_threads(self, given: Message) -> Message:
        """The waves of the work-groups at work."""
        return {"threads": [{"id": self._thread_id(run.name), "name": _title(run)} for run in self._waves()]}

    def on_stackTrace(self, given: Message) -> Message:
        """The instruction of a wave, the expansions that it comes from, and the calls of functions."""
        run = self._thread(given)
        frames: list[Message] = []
        for number, address in enumerate(self._return_addresses(run)):
            step = run.image.steps.get(address)
            if step is None:
                continue
            for level, each in enumerate(self._place_lines().frames(step)):
                frames.append(
                    {
                        "id": self._thread_id(run.name) * _FRAMES + len(frames),
                        "name": each.name,
                        "source": {"name": os.path.basename(each.path), "path": each.path},
                        "line": each.line + self._first_line,
                        "column": self._first_line,
                        "instructionPointerReference": f"{address:#x}",
                        "presentationHint": "normal" if not level or not number else "subtle",
                    }
                )
        start, count = int(given.get("startFrame") or 0), int(given.get("levels") or 0)
        shown = frames[start : start + count] if count else frames[start:]
        return {"stackFrames": shown, "totalFrames": len(frames)}

    def _return_addresses(self, run: WaveRun) -> list[int]:
        current = run.wave.pc if run.state is not WaveStatus.ENDED else run.step.address
        if current not in run.image.steps:
            current = run.step.address
        calls = [_call_at(run, address) for address in reversed(self._depths.get(run.name, []))]
        return [current, *calls]

    def on_scopes(self, given: Message) -> Message:
        """The groups of registers and memory of a wave."""
        run = self._wave_of(int(given.get("frameId") or 0) // _FRAMES)
        return {"scopes": self._shown().scopes(run)}

    def on_variables(self, given: Message) -> Message:
        """What is in a group, or in a register of all lanes."""
        return {"variables": self._shown().children(int(given.get("variablesReference") or 0))}

    def on_setVariable(self, given: Message) -> Message:
        """Change a register."""
        reference = int(given.get("variablesReference") or 0)
        change = self._shown().change(reference, str(given.get("name") or ""), str(given.get("value") or ""))
        self._running().edit(change.apply)
        return {"value": change.shown}

    def on_evaluate(self, given: Message) -> Message:
        """The value of an expression in a wave."""
        text = str(given.get("expression") or "")
        run = self._wave_of(int(given.get("frameId") or 0) // _FRAMES)
        value = values.evaluate(text, run)
        return {"result": values.shown(value, run), "variablesReference": self._shown().reference(run, value)}

    def on_readMemory(self, given: Message) -> Message:
        """Bytes of memory or of LDS, in base64."""
        count = int(given.get("count") or 0)
        address, data, beyond = self._shown().bytes_at(
            str(given.get("memoryReference") or ""), int(given.get("offset") or 0), count
        )
        return {"address": f"{address:#x}", "data": base64.b64encode(data).decode(), "unreadableBytes": beyond}

    def on_writeMemory(self, given: Message) -> Message:
        """Change bytes of memory or of LDS."""
        data = base64.b64decode(str(given.get("data") or ""))
        reference, offset = str(given.get("memoryReference") or ""), int(given.get("offset") or 0)
        self._running().edit(self._shown().write(reference, offset, data))
        return {"bytesWritten": len(data)}

    def on_source(self, given: Message) -> Message:
        """The text of a file that is no text itself, such as a code object: its assembly."""
        assert self._file is not None, "a launch comes first"
        return {"content": b"\n".join(self._file.image.program.source.lines).decode("utf-8", "replace")}

    # Events

    def _stopped(self, reason: str) -> None:
        execution = self._running()
        self._shown().clear()
        if execution.wave is None:
            self._ended()
            return
        self._report()
        self._event(
            "stopped",
            {"reason": reason, "threadId": self._thread_id(execution.wave.name), "allThreadsStopped": True},
        )

    def _ended(self) -> None:
        execution = self._running()
        self._shown().clear()
        self._report()
        halted, last = execution.halted, execution.last
        if halted is not None and last is not None:
            body = {"reason": "exception", "threadId": self._thread_id(last.name), "allThreadsStopped": True}
            self._event("stopped", {**body, "description": halted.rule, "text": halted.said})
            return
        self._event("exited", {"exitCode": int(bool(execution.machine.result.log.found))})
        self._event("terminated")

    def _report(self) -> None:
        """Tell what the run has found since the last time."""
        assert self._file is not None, "a launch comes first"
        found: list[Observation] = list(self._running().machine.result.log.found.values())
        for each in found[self._reported :]:
            finding = report.finding(self._file, each)
            where = finding.where
            self._event(
                "output",
                {
                    "category": "important",
                    "output": f"{finding.severity.value}[{finding.rule}]: {finding.message}\n",
                    "source": {"name": os.path.basename(where.path), "path": where.path},
                    "line": where.line + self._first_line,
                },
            )
        self._reported = max(self._reported, len(found))

    # Helpers

    def _running(self) -> Execution:
        if self._execution is None:
            raise RefusedRequest("Nothing is launched yet.")
        return self._execution

    def _place_lines(self) -> Lines:
        if self._lines is None:
            raise RefusedRequest("Nothing is launched yet.")
        return self._lines

    def _shown(self) -> Variables:
        if self._variables is None:
            raise RefusedRequest("Nothing is launched yet.")
        return self._variables

    def _waves(self) -> list[WaveRun]:
        execution = self._running()
        found = execution.machine.waves
        if execution.halted is not None and execution.last is not None and execution.last not in found:
            found.append(execution.last)
        return found

    def _thread_id(self, name: WaveName) -> int:
        return self._threads.setdefault(name, len(self._threads) + 1)

    def _thread(self, given: Message) -> WaveRun:
        return self._wave_of(int(given.get("threadId") or 0))

    def _wave_of(self, number: int) -> WaveRun:
        for run in self._waves():
            if self._thread_id(run.name) == number or not number:
                return run
        raise RefusedRequest(f"There is no wave {number} at work.")


_FRAMES = 1000  # numbers of frames of a thread


def _title(run: WaveRun) -> str:
    return f"{run.name}" if run.state is WaveStatus.RUNS else f"{run.name}, {run.state.value}"


def _call_at(run: WaveRun, after: int) -> int:
    """The address of the call that returns to an address; 0 if it is not found."""
    return next((after - size for size in (4, 8, 12) if after - size in run.image.steps), 0)


def _sizes(value: Any, name: str) -> tuple[int, int, int]:
    parts = value if isinstance(value, list) else [value]
    if not 1 <= len(parts) <= 3 or not all(type(part) is int and part > 0 for part in parts):
        raise RefusedRequest(f"The launch needs `{name}`, one to three numbers above 0.")
    x, y, z = (*parts, 1, 1)[:3]
    return x, y, z


def _order(name: str, file: RunnableFile, seed: int) -> Order:
    known = list(orders.of(file.image.target, seed))
    if name in ("", "early"):
        return known[0]
    if name == "late":
        return known[1]
    raise RefusedRequest(f"`order` is early or late, not {name}.")


def _register_set(name: str) -> int:
    """The registers of a variable's name, as a set. Raises RefusedRequest."""
    plain = name.split(" ")[0]
    file, number = plain[:1], plain[1:]
    if file in "vsa" and number.isdecimal():
        return sets.of_tuple(file, int(number), 1)
    found = sets.of_tuple(plain, 0, 0)
    if not found:
        raise RefusedRequest(f"{name} is not a register.")
    return found


def serve(source: IO[bytes], target: IO[bytes]) -> None:
    """Serve one session over two streams."""
    incoming: queue.Queue[Message | None] = queue.Queue()

    def receive() -> None:
        try:
            while (message := messages.read(source)) is not None:
                incoming.put(message)
        except (Malformed, OSError):
            pass
        incoming.put(None)

    def send(message: Message) -> None:
        with contextlib.suppress(OSError, ValueError):  # the client has gone, which ends the input too
            messages.write(target, message)

    threading.Thread(target=receive, daemon=True).start()
    Adapter(send, incoming).serve()
