"""The debug adapter: requests of an editor over standard input and output, and a launch that is stepped.

A request is answered by the method of its name; what an editor may ask for is in the Debug Adapter Protocol.
"""

import base64
import contextlib
import os
import queue
import threading
from bisect import bisect_left
from collections.abc import Callable
from typing import IO, Any

from gcn_lsp.debug import breakpoints, launching, messages, values
from gcn_lsp.debug.breakpoints import Breakpoint, StopCondition, Watch, registers_of
from gcn_lsp.debug.execution import Execution
from gcn_lsp.debug.messages import Malformed, Message, RefusedRequest
from gcn_lsp.debug.places import Lines
from gcn_lsp.debug.values import CannotEvaluate
from gcn_lsp.debug.variables import LDS, Variables
from gcn_lsp.machine.arguments import WrongLaunch
from gcn_lsp.machine.image import Image
from gcn_lsp.machine.observations import Observation, WaveName
from gcn_lsp.machine.waves import WaveRun, WaveStatus
from gcn_lsp.running import report
from gcn_lsp.running.opened import RunnableFile

CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsSetVariable": True,
    "supportsSetExpression": True,
    "supportsReadMemoryRequest": True,
    "supportsWriteMemoryRequest": True,
    "supportsDataBreakpoints": True,
    "supportsDataBreakpointBytes": True,
    "supportsDisassembleRequest": True,
    "supportsInstructionBreakpoints": True,
    "supportsSteppingGranularity": True,
    "supportsTerminateRequest": True,
}

Stops = Callable[[WaveRun], bool]


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
        self._watches: list[Watch] = []
        self._threads: dict[WaveName, int] = {}
        self._next_breakpoint = 1
        self._reported = 0
        self._stops_on_entry = True
        self._at_source = False
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
        except (ValueError, TypeError) as error:  # a value of another type than the protocol says
            self._respond(message, None, f"The request {command} cannot be read: {error}.")
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
            # Editors ask for the value of every word under the pointer: that one has none is no message to the user.
            is_shown = request.get("command") != "evaluate"
            answer["body"] = {"error": {"id": 1, "format": error, "showUser": is_shown}}
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
        prepared = launching.prepare(given)
        at = str(given.get("at") or "assembly")
        if at not in ("assembly", "source"):
            raise RefusedRequest(f"`at` is assembly or source, not {at}.")
        self._at_source = at == "source"
        self._file, self._lines = prepared.file, Lines(prepared.file, at_source=self._at_source)
        self._execution = Execution(prepared.make, prepared.order, prepared.limit)
        self._variables = Variables(prepared.file, self._execution, self._lines)
        self._stops_on_entry = bool(given.get("stopOnEntry", True))

        def after() -> None:
            if prepared.said:
                self._say(prepared.said)
            self._event("initialized")

        return None, after

    def on_setBreakpoints(self, given: Message) -> Message:
        """Replace the breakpoints of a file."""
        source = given.get("source") or {}
        path = "" if source.get("sourceReference") else str(source.get("path") or "")
        made, told = [], []
        for each in given.get("breakpoints") or ():
            found = self._place_lines().at(path, int(each.get("line", 1)) - self._first_line)
            answer = self._breakpoint_answer(found is not None, "no instruction is on this line or after it")
            told.append(answer)
            if found is not None:
                answer["line"] = found[0] + self._first_line
                made.append(Breakpoint(found[1], _condition(each), str(each.get("logMessage") or "")))
        self._breakpoints[path] = made
        return {"breakpoints": told}

    def on_setInstructionBreakpoints(self, given: Message) -> Message:
        """Replace the breakpoints at addresses."""
        made, told = [], []
        for each in given.get("breakpoints") or ():
            address = _address(each.get("instructionReference")) + int(each.get("offset") or 0)
            is_there = address in self._image().steps
            told.append(self._breakpoint_answer(is_there, "no instruction is at this address"))
            if is_there:
                made.append(Breakpoint((address,), _condition(each)))
        self._breakpoints[_AT_ADDRESSES] = made
        return {"breakpoints": told}

    def _breakpoint_answer(self, is_there: bool, otherwise: str) -> Message:
        number, self._next_breakpoint = self._next_breakpoint, self._next_breakpoint + 1
        return {"id": number, "verified": is_there, **({} if is_there else {"message": otherwise})}

    def on_setExceptionBreakpoints(self, given: Message) -> Message:
        """There are none: a wave that cannot go on always stops."""
        return {"breakpoints": []}

    def on_dataBreakpointInfo(self, given: Message) -> Message:
        """Whether writes of a variable, or of bytes at an address, can stop the run."""
        name, reference = str(given.get("name") or ""), int(given.get("variablesReference") or 0)
        count = int(given.get("bytes") or 0)
        if given.get("asAddress"):
            found = self._shown().memory_of(self._address_text(name, given), count or _WORD)
        elif reference:
            found = self._shown().data_of(reference, name)
        else:
            found = name if registers_of(name) else None
        if found is None:
            return {"dataId": None, "description": f"{name} is neither a register nor memory"}
        kind = "changes of" if breakpoints.is_memory(found) else "writes of"
        return {"dataId": found, "description": f"{kind} {name}", "accessTypes": ["write"], "canPersist": True}

    def _address_text(self, name: str, given: Message) -> str:
        """An address as text: that of LDS stays, an expression has a value in the wave of the frame."""
        if name.startswith(LDS):
            return name
        run = self._wave_of(int(given.get("frameId") or 0) // _FRAMES)
        return f"{values.plain(values.evaluate(name, run), run):#x}"

    def on_setDataBreakpoints(self, given: Message) -> Message:
        """Replace the registers and the bytes whose writes stop the run."""
        self._watches = []
        told = []
        for each in given.get("breakpoints") or ():
            watch = breakpoints.watch(str(each.get("dataId") or ""), _condition(each), self._shown().read)
            told.append(self._breakpoint_answer(watch is not None, "this is neither a register nor memory"))
            if watch is not None:
                self._watches.append(watch)
        return {"breakpoints": told}

    def on_configurationDone(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Begin."""
        execution = self._running()
        if self._stops_on_entry or execution.wave is None:
            return None, lambda: self._stopped("entry")
        if self._hit(execution.wave):
            return None, lambda: self._stopped("breakpoint")
        return None, self._go(_never)

    def on_disconnect(self, given: Message) -> None:
        """End the session."""
        self._is_over = True

    def on_terminate(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """End the run."""
        return None, lambda: self._event("terminated")

    # Going on

    def on_continue(self, given: Message) -> "tuple[Message, Callable[[], None]]":
        """Go on to a breakpoint or the end."""
        return {"allThreadsContinued": True}, self._go(_never)

    def on_next(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go on to the next line of the same wave, over macros and calls."""
        run = self._thread(given)
        if given.get("granularity") == "instruction":
            return None, self._go(self._step_of(run, into_calls=False))
        return None, self._go(self._line_of(run, into_calls=False))

    def on_stepIn(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Carry out one instruction of the wave, into macros and calls; where the source is shown, one line of that."""
        run = self._thread(given)
        if self._at_source and given.get("granularity") != "instruction":
            return None, self._go(self._line_of(run, into_calls=True))
        return None, self._go(self._step_of(run, into_calls=True))

    def on_stepOut(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go on until the function of the wave returns, or to a breakpoint."""
        run, execution = self._thread(given), self._running()
        depth = execution.depth(run.name)
        if not depth:
            return None, self._go(_never)
        return None, self._go(lambda wave: wave.name == run.name and execution.depth(run.name) < depth)

    def on_stepBack(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go back before the last instruction of the wave; where the source is shown, before its last line."""
        execution, lines, steps = self._running(), self._place_lines(), self._image().steps
        by_line = self._at_source and given.get("granularity") != "instruction"
        line_of = (lambda address: lines.line_of(steps[address]) if address in steps else None) if by_line else None
        position = execution.before(self._thread(given).name, line_of)

        def back() -> None:
            execution.back(position or 0)
            self._stopped("entry" if position is None else "step")

        return None, back

    def on_reverseContinue(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go back to the last breakpoint, or to the start."""
        execution = self._running()

        def back() -> None:
            found = execution.go_back(self._hit)
            self._stopped("breakpoint" if found else "entry")

        return None, back

    def on_pause(self, given: Message) -> None:
        """Nothing: a run that goes on sees it among the requests, see `_is_interrupted`."""

    def _go(self, stops: Stops) -> Callable[[], None]:
        execution = self._running()

        def go() -> None:
            self._why = "step"
            for each in self._watches:
                each.refresh()
            if execution.go(lambda wave: self._passes(wave, stops), self._is_interrupted):
                self._stopped(self._why)
            else:
                self._ended()

        return go

    def _passes(self, wave: WaveRun, stops: Stops) -> bool:
        """Whether a wave before its instruction stops the run."""
        execution = self._running()
        last = execution.last
        # All are asked, since each keeps account of what it has seen.
        changed = [each for each in self._watches if last is not None and each.stops(last, execution.position)]
        if changed:
            self._why = "data breakpoint"
            return True
        if self._hit(wave):
            self._why = "breakpoint"
            return True
        return stops(wave)

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

    def _hit(self, wave: WaveRun) -> bool:
        position = self._running().position
        points = (point for each in self._breakpoints.values() for point in each)
        return bool([point for point in points if point.stops(wave, position, self._say)])

    def _step_of(self, run: WaveRun, *, into_calls: bool) -> Stops:
        execution = self._running()
        depth = execution.depth(run.name)
        return lambda wave: wave.name == run.name and (into_calls or execution.depth(run.name) <= depth)

    def _line_of(self, run: WaveRun, *, into_calls: bool) -> Stops:
        lines, execution = self._place_lines(), self._running()
        step, depth = run.image.steps.get(run.wave.pc), execution.depth(run.name)
        here = lines.line_of(step) if step is not None else None
        # Of a source line the compiler moves instructions about: only another line is a step.
        start = -1 if self._at_source else run.wave.pc
        one = self._step_of(run, into_calls=into_calls)

        def stops(wave: WaveRun) -> bool:
            if not one(wave):
                return False
            now = wave.image.steps.get(wave.wave.pc)
            if now is None:
                return True
            there = lines.line_of(now)
            is_other = there != here or now.address <= start or execution.depth(run.name) > depth
            return there is not None and is_other

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
            for level, each in enumerate(self._place_lines().frames(step) if step is not None else ()):
                frames.append(
                    {
                        "id": self._thread_id(run.name) * _FRAMES + len(frames),
                        "name": each.name,
                        "source": self._source(each.path),
                        "line": each.line + self._first_line,
                        "column": self._first_line,
                        "instructionPointerReference": f"{address:#x}",
                        "presentationHint": "subtle" if each.is_beside or (level and number) else "normal",
                    }
                )
        start, count = int(given.get("startFrame") or 0), int(given.get("levels") or 0)
        shown = frames[start : start + count] if count else frames[start:]
        return {"stackFrames": shown, "totalFrames": len(frames)}

    def _return_addresses(self, run: WaveRun) -> list[int]:
        current = run.wave.pc if run.state is not WaveStatus.ENDED else run.step.address
        if current not in run.image.steps:
            current = run.step.address
        calls = [_call_at(run, address) for address in reversed(self._running().calls.get(run.name, []))]
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

    def on_setExpression(self, given: Message) -> Message:
        """Change a register that an expression names."""
        run = self._wave_of(int(given.get("frameId") or 0) // _FRAMES)
        name, text = str(given.get("expression") or ""), str(given.get("value") or "")
        change = self._shown().change_named(run, name, text)
        self._running().edit(change.apply)
        return {"value": change.shown}

    def on_evaluate(self, given: Message) -> Message:
        """The value of an expression in a wave."""
        text = str(given.get("expression") or "")
        run = self._wave_of(int(given.get("frameId") or 0) // _FRAMES)
        value = values.evaluate(text, run)
        shown = values.shown(value, run, is_word=values.is_scalar(text))
        return {"result": shown, "variablesReference": self._shown().reference(run, value)}

    def on_disassemble(self, given: Message) -> Message:
        """The instructions around an address, as they are written."""
        steps, lines = self._image().steps, self._place_lines()
        addresses = sorted(steps)
        start = _address(given.get("memoryReference")) + int(given.get("offset") or 0)
        first = bisect_left(addresses, start) + int(given.get("instructionOffset") or 0)
        made: list[Message] = []
        for number in range(first, first + int(given.get("instructionCount") or 0)):
            if not 0 <= number < len(addresses):
                beyond = addresses[0] + _WORD * number if number < 0 else addresses[-1] + _WORD * (1 + number - first)
                invalid = {"address": f"{max(beyond, 0):#x}", "instruction": "", "presentationHint": "invalid"}
                made.append(invalid)
                continue
            step = steps[addresses[number]]
            frame = lines.frames(step)[0]
            made.append(
                {
                    "address": f"{step.address:#x}",
                    "instructionBytes": step.code.hex(" "),
                    "instruction": lines.text_of(step),
                    "location": self._source(frame.path),
                    "line": frame.line + self._first_line,
                }
            )
        return {"instructions": made}

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
            said = f"{finding.severity.value}[{finding.rule}]: {finding.message}\n"
            frame = self._place_lines().frames(each.step)[0] if each.step is not None else None
            place = {} if frame is None else {"source": self._source(frame.path), "line": frame.line + self._first_line}
            self._event("output", {"category": "important", "output": said, **place})
        self._reported = max(self._reported, len(found))

    def _say(self, text: str) -> None:
        self._event("output", {"category": "console", "output": f"{text}\n"})

    # Helpers

    def _source(self, path: str) -> Message:
        """A file for an editor; without a path the text that `on_source` gives."""
        if path:
            return {"name": os.path.basename(path), "path": path}
        assert self._file is not None, "a launch comes first"
        return {"name": f"{os.path.basename(self._file.path)}.s", "sourceReference": 1}

    def _image(self) -> Image:
        if self._file is None:
            raise RefusedRequest("Nothing is launched yet.")
        return self._file.image

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
_WORD = 4  # bytes
_AT_ADDRESSES = "\0"  # no file is called that


def _never(wave: WaveRun) -> bool:
    return False  # breakpoints count for every way to go on


def _condition(given: Message) -> StopCondition:
    return StopCondition(str(given.get("condition") or ""), str(given.get("hitCondition") or ""))


def _address(text: Any) -> int:
    try:
        return int(str(text), 0)
    except ValueError as error:
        raise RefusedRequest(f"{text!r} is not an address.") from error


def _title(run: WaveRun) -> str:
    return f"{run.name}" if run.state is WaveStatus.RUNS else f"{run.name}, {run.state.value}"


def _call_at(run: WaveRun, after: int) -> int:
    """The address of the call that returns to an address; 0 if it is not found."""
    return next((after - size for size in (4, 8, 12) if after - size in run.image.steps), 0)


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
