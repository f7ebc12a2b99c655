"""The debug adapter: requests of an editor over standard input and output, and a launch that is stepped.

A request is answered by the method of its name; what an editor may ask for is in the Debug Adapter Protocol.
"""

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import IO, Any

from gcn_lsp.debug import breakpoints, launching, messages
from gcn_lsp.debug.breakpoints import Breakpoint, StopCondition, Watch
from gcn_lsp.debug.execution import Execution
from gcn_lsp.debug.inspection import LaunchedRun, address
from gcn_lsp.debug.messages import Malformed, Message, RefusedRequest
from gcn_lsp.debug.places import Lines
from gcn_lsp.debug.values import CannotEvaluate
from gcn_lsp.machine.arguments import WrongLaunch
from gcn_lsp.machine.observations import Observation
from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.running import report

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
        self._run: LaunchedRun | None = None
        self._breakpoints: dict[str, list[Breakpoint]] = {}
        self._watches: list[Watch] = []
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
        try:
            handler = self._handler(command) if message.get("type") == "request" else None
            if handler is None:
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

    def _handler(self, command: str) -> "Callable[[Message], Any] | None":
        """What answers a request: a method of this, or of the launch. Raises RefusedRequest before that."""
        name = f"on_{command}"
        own: Callable[[Message], Any] | None = getattr(self, name, None)
        if own is not None or not hasattr(LaunchedRun, name):
            return own
        found: Callable[[Message], Any] = getattr(self._launched(), name)
        return found

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
        lines = Lines(prepared.file, at_source=self._at_source)
        execution = Execution(prepared.make, prepared.order, prepared.limit)
        self._run = LaunchedRun(prepared.file, execution, lines, self._first_line)
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
            found = self._launched().lines.at(path, int(each.get("line", 1)) - self._first_line)
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
            place = address(each.get("instructionReference")) + int(each.get("offset") or 0)
            is_there = place in self._launched().file.image.steps
            told.append(self._breakpoint_answer(is_there, "no instruction is at this address"))
            if is_there:
                made.append(Breakpoint((place,), _condition(each)))
        self._breakpoints[_AT_ADDRESSES] = made
        return {"breakpoints": told}

    def _breakpoint_answer(self, is_there: bool, otherwise: str) -> Message:
        number, self._next_breakpoint = self._next_breakpoint, self._next_breakpoint + 1
        return {"id": number, "verified": is_there, **({} if is_there else {"message": otherwise})}

    def on_setExceptionBreakpoints(self, given: Message) -> Message:
        """There are none: a wave that cannot go on always stops."""
        return {"breakpoints": []}

    def on_setDataBreakpoints(self, given: Message) -> Message:
        """Replace the registers and the bytes whose writes stop the run."""
        for each in self._watches:
            each.end()
        self._watches = []
        told = []
        for each in given.get("breakpoints") or ():
            watch = breakpoints.watch(str(each.get("dataId") or ""), _condition(each), self._launched().variables.place)
            told.append(self._breakpoint_answer(watch is not None, "this is neither a register nor memory"))
            if watch is not None:
                self._watches.append(watch)
        return {"breakpoints": told}

    def on_configurationDone(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Begin."""
        execution = self._launched().execution
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
        run = self._launched().thread(given)
        if given.get("granularity") == "instruction":
            return None, self._go(self._step_of(run, into_calls=False))
        return None, self._go(self._line_of(run, into_calls=False))

    def on_stepIn(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Carry out one instruction of the wave, into macros and calls; where the source is shown, one line of that."""
        run = self._launched().thread(given)
        if self._at_source and given.get("granularity") != "instruction":
            return None, self._go(self._line_of(run, into_calls=True))
        return None, self._go(self._step_of(run, into_calls=True))

    def on_stepOut(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go on until the function of the wave returns, or to a breakpoint."""
        run, execution = self._launched().thread(given), self._launched().execution
        depth = execution.depth(run.name)
        if not depth:
            return None, self._go(_never)
        return None, self._go(lambda wave: wave.name == run.name and execution.depth(run.name) < depth)

    def on_stepBack(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go back before the last instruction of the wave; where the source is shown, before its last line."""
        execution, lines, steps = self._launched().execution, self._launched().lines, self._launched().file.image.steps
        by_line = self._at_source and given.get("granularity") != "instruction"
        line_of = (lambda address: lines.line_of(steps[address]) if address in steps else None) if by_line else None
        position = execution.before(self._launched().thread(given).name, line_of)

        def back() -> None:
            execution.back(position or 0)
            self._stopped("entry" if position is None else "step")

        return None, back

    def on_reverseContinue(self, given: Message) -> "tuple[None, Callable[[], None]]":
        """Go back to the last breakpoint, or to the start."""
        execution = self._launched().execution

        def back() -> None:
            found = execution.go_back(self._hit)
            self._stopped("breakpoint" if found else "entry")

        return None, back

    def on_pause(self, given: Message) -> None:
        """Nothing: a run that goes on sees it among the requests, see `_is_interrupted`."""

    def _go(self, stops: Stops) -> Callable[[], None]:
        execution = self._launched().execution

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
        execution = self._launched().execution
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
        position = self._launched().execution.position
        points = (point for each in self._breakpoints.values() for point in each)
        return bool([point for point in points if point.stops(wave, position, self._say)])

    def _step_of(self, run: WaveRun, *, into_calls: bool) -> Stops:
        execution = self._launched().execution
        depth = execution.depth(run.name)
        return lambda wave: wave.name == run.name and (into_calls or execution.depth(run.name) <= depth)

    def _line_of(self, run: WaveRun, *, into_calls: bool) -> Stops:
        lines, execution = self._launched().lines, self._launched().execution
        step, depth = run.image.steps.get(run.wave.pc), execution.depth(run.name)
        here = lines.line_of(step) if step is not None else None
        # The compiler mixes the instructions of several source lines: only another line is a step.
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

    # Events

    def _stopped(self, reason: str) -> None:
        execution = self._launched().execution
        self._launched().variables.clear()
        if execution.wave is None:
            self._ended()
            return
        self._report()
        self._event(
            "stopped",
            {"reason": reason, "threadId": self._launched().thread_id(execution.wave.name), "allThreadsStopped": True},
        )

    def _ended(self) -> None:
        execution = self._launched().execution
        self._launched().variables.clear()
        self._report()
        halted, last = execution.halted, execution.last
        if halted is not None and last is not None:
            body = {"reason": "exception", "threadId": self._launched().thread_id(last.name), "allThreadsStopped": True}
            self._event("stopped", {**body, "description": halted.rule, "text": halted.said})
            return
        self._event("exited", {"exitCode": int(bool(execution.machine.result.log.found))})
        self._event("terminated")

    def _report(self) -> None:
        """Tell what the run has found since the last time."""
        found: list[Observation] = list(self._launched().execution.machine.result.log.found.values())
        for each in found[self._reported :]:
            finding = report.finding(self._launched().file, each)
            said = f"{finding.severity.value}[{finding.rule}]: {finding.message}\n"
            frame = self._launched().lines.frames(each.step)[0] if each.step is not None else None
            place = (
                {}
                if frame is None
                else {"source": self._launched().source(frame.path), "line": frame.line + self._first_line}
            )
            self._event("output", {"category": "important", "output": said, **place})
        self._reported = max(self._reported, len(found))

    def _say(self, text: str) -> None:
        self._event("output", {"category": "console", "output": f"{text}\n"})

    def _launched(self) -> LaunchedRun:
        if self._run is None:
            raise RefusedRequest("Nothing is launched yet.")
        return self._run


_AT_ADDRESSES = "\0"  # no file is called that


def _never(wave: WaveRun) -> bool:
    return False  # breakpoints count for every way to go on


def _condition(given: Message) -> StopCondition:
    return StopCondition(str(given.get("condition") or ""), str(given.get("hitCondition") or ""))


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
