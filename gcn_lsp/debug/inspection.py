"""The requests of an editor for the threads, stacks and values of a stopped launch."""

import base64
import os
from bisect import bisect_left
from typing import Any

from gcn_lsp.debug import values
from gcn_lsp.debug.breakpoints import registers_of
from gcn_lsp.debug.execution import Execution
from gcn_lsp.debug.messages import Message, RefusedRequest
from gcn_lsp.debug.places import Lines
from gcn_lsp.debug.variables import LDS, Variables
from gcn_lsp.machine.observations import WaveName
from gcn_lsp.machine.waves import WaveRun, WaveStatus
from gcn_lsp.running.opened import RunnableFile

_FRAMES = 1000  # numbers of frames of a thread
_WORD = 4  # bytes


class LaunchedRun:
    """A launch with all that shows it. first_line: the number that the client gives to the first line of a file."""

    def __init__(self, file: RunnableFile, execution: Execution, lines: Lines, first_line: int) -> None:
        self.file = file
        self.execution = execution
        self.lines = lines
        self.variables = Variables(file, execution, lines)
        self.first_line = first_line
        self._threads: dict[WaveName, int] = {}

    def on_threads(self, given: Message) -> Message:
        """The waves of the work-groups at work."""
        return {"threads": [{"id": self.thread_id(run.name), "name": _title(run)} for run in self.waves()]}

    def on_stackTrace(self, given: Message) -> Message:
        """The instruction of a wave, the expansions that it comes from, and the calls of functions."""
        run = self.thread(given)
        frames: list[Message] = []
        for number, address in enumerate(self._return_addresses(run)):
            step = run.image.steps.get(address)
            for level, each in enumerate(self.lines.frames(step) if step is not None else ()):
                frames.append(
                    {
                        "id": self.thread_id(run.name) * _FRAMES + len(frames),
                        "name": each.name,
                        "source": self.source(each.path),
                        "line": each.line + self.first_line,
                        "column": self.first_line,
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
        calls = [_call_at(run, address) for address in reversed(self.execution.calls.get(run.name, []))]
        return [current, *calls]

    def on_scopes(self, given: Message) -> Message:
        """The groups of registers and memory of a wave."""
        run = self._wave_of(int(given.get("frameId") or 0) // _FRAMES)
        return {"scopes": self.variables.scopes(run)}

    def on_variables(self, given: Message) -> Message:
        """What is in a group, or in a register of all lanes."""
        return {"variables": self.variables.children(int(given.get("variablesReference") or 0))}

    def on_setVariable(self, given: Message) -> Message:
        """Change a register."""
        reference = int(given.get("variablesReference") or 0)
        change = self.variables.change(reference, str(given.get("name") or ""), str(given.get("value") or ""))
        self.execution.edit(change.apply)
        return {"value": change.shown}

    def on_setExpression(self, given: Message) -> Message:
        """Change a register that an expression names."""
        run = self._wave_of(int(given.get("frameId") or 0) // _FRAMES)
        name, text = str(given.get("expression") or ""), str(given.get("value") or "")
        change = self.variables.change_named(run, name, text)
        self.execution.edit(change.apply)
        return {"value": change.shown}

    def on_evaluate(self, given: Message) -> Message:
        """The value of an expression in a wave."""
        text = str(given.get("expression") or "")
        run = self._wave_of(int(given.get("frameId") or 0) // _FRAMES)
        value = values.evaluate(text, run)
        shown = values.shown(value, run, is_word=values.is_scalar(text))
        return {"result": shown, "variablesReference": self.variables.reference(run, value)}

    def on_disassemble(self, given: Message) -> Message:
        """The instructions around an address, as they are written."""
        steps, lines = self.file.image.steps, self.lines
        addresses = sorted(steps)
        start = address(given.get("memoryReference")) + int(given.get("offset") or 0)
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
                    "location": self.source(frame.path),
                    "line": frame.line + self.first_line,
                }
            )
        return {"instructions": made}

    def on_readMemory(self, given: Message) -> Message:
        """Bytes of memory or of LDS, in base64."""
        count = int(given.get("count") or 0)
        address, data, beyond = self.variables.bytes_at(
            str(given.get("memoryReference") or ""), int(given.get("offset") or 0), count
        )
        return {"address": f"{address:#x}", "data": base64.b64encode(data).decode(), "unreadableBytes": beyond}

    def on_writeMemory(self, given: Message) -> Message:
        """Change bytes of memory or of LDS."""
        data = base64.b64decode(str(given.get("data") or ""))
        reference, offset = str(given.get("memoryReference") or ""), int(given.get("offset") or 0)
        self.execution.edit(self.variables.write(reference, offset, data))
        return {"bytesWritten": len(data)}

    def on_source(self, given: Message) -> Message:
        """The assembly of a file that is not text, such as a code object."""
        return {"content": b"\n".join(self.file.image.program.source.lines).decode("utf-8", "replace")}

    def on_dataBreakpointInfo(self, given: Message) -> Message:
        """Whether writes of a variable, or of bytes at an address, can stop the run."""
        name, reference = str(given.get("name") or ""), int(given.get("variablesReference") or 0)
        count = int(given.get("bytes") or 0)
        if given.get("asAddress"):
            found = self.variables.memory_of(self._address_text(name, given), count or _WORD)
        elif reference:
            found = self.variables.data_of(reference, name)
        else:
            found = name if registers_of(name) else None
        if found is None:
            return {"dataId": None, "description": f"{name} is neither a register nor memory"}
        return {"dataId": found, "description": f"writes of {name}", "accessTypes": ["write"], "canPersist": True}

    def _address_text(self, name: str, given: Message) -> str:
        """An address as text: that of LDS stays, an expression has a value in the wave of the frame."""
        if name.startswith(LDS):
            return name
        run = self._wave_of(int(given.get("frameId") or 0) // _FRAMES)
        return f"{values.plain(values.evaluate(name, run), run):#x}"

    # Helpers

    def source(self, path: str) -> Message:
        """A file for an editor; without a path the text that `on_source` gives."""
        if path:
            return {"name": os.path.basename(path), "path": path}
        return {"name": f"{os.path.basename(self.file.path)}.s", "sourceReference": 1}

    def waves(self) -> list[WaveRun]:
        """The waves at work, and the one that could not go on."""
        execution = self.execution
        found = execution.machine.waves
        if execution.halted is not None and execution.last is not None and execution.last not in found:
            found.append(execution.last)
        return found

    def thread_id(self, name: WaveName) -> int:
        """The number of a wave as a thread."""
        return self._threads.setdefault(name, len(self._threads) + 1)

    def thread(self, given: Message) -> WaveRun:
        """The wave that a request is about. Raises RefusedRequest."""
        return self._wave_of(int(given.get("threadId") or 0))

    def _wave_of(self, number: int) -> WaveRun:
        for run in self.waves():
            if self.thread_id(run.name) == number or not number:
                return run
        raise RefusedRequest(f"There is no wave {number} at work.")


def address(text: Any) -> int:
    """The address that a client sends. Raises RefusedRequest."""
    try:
        return int(str(text), 0)
    except ValueError as error:
        raise RefusedRequest(f"{text!r} is not an address.") from error


def _title(run: WaveRun) -> str:
    return f"{run.name}" if run.state is WaveStatus.RUNS else f"{run.name}, {run.state.value}"


def _call_at(run: WaveRun, after: int) -> int:
    """The address of the call that returns to an address; 0 if it is not found."""
    return next((after - size for size in (4, 8, 12) if after - size in run.image.steps), 0)
