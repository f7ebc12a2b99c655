"""The variables of a stopped wave: registers by number and by the names of the source, counters, LDS, buffers."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from gcn_lsp.debug import breakpoints, values
from gcn_lsp.debug.execution import Execution
from gcn_lsp.debug.places import Lines
from gcn_lsp.debug.values import CannotEvaluate, Vector
from gcn_lsp.machine.memory import Memory, Region
from gcn_lsp.machine.observations import WaveName
from gcn_lsp.machine.run import Machine
from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.records import NamedTuple
from gcn_lsp.running.opened import RunnableFile

SCALARS, VECTORS, ACCUMULATORS, SPECIAL, IN_FLIGHT, MEMORY = (
    *("SGPRs", "VGPRs", "AccVGPRs", "Special registers", "Counters", "Memory"),
)
_SCOPES = (SCALARS, VECTORS, ACCUMULATORS, SPECIAL, IN_FLIGHT, MEMORY)
_SPECIAL = ("pc", "exec", "vcc", "scc", "m0", "mode")
LDS = "lds:"
"""What a reference to memory begins with that counts in the LDS of a work-group."""

_WIDE = ("exec", "vcc", "pc")  # of 64 bits
_NAMED = re.compile(rb"([vsa])\[\s*([A-Za-z_.$][\w.$]*)\s*\]")
_NUMBERED = re.compile(r"([vsa])(\d+)")


class ChangedVariable(NamedTuple):
    """A change of a register. apply: makes it in a machine, now or when the run comes here again."""

    apply: Callable[[Machine], None]
    shown: str


class _Handle(NamedTuple):
    """What a reference stands for: a scope of a wave, or a register of all lanes."""

    wave: WaveName
    scope: str
    register: str = ""
    vector: "Vector | None" = None


class Variables:
    """The variables of the waves, with the references by which a client asks for what is in them."""

    def __init__(self, file: RunnableFile, execution: Execution, lines: Lines) -> None:
        self._execution = execution
        self._lines = lines
        self._handles: list[_Handle] = []
        self._names = _source_names(file)

    def clear(self) -> None:
        """Forget all references: the run goes on."""
        self._handles.clear()

    def scopes(self, run: WaveRun) -> list[dict[str, Any]]:
        """The scopes of a wave that have anything in them."""
        found = []
        for name in _SCOPES:
            if name == ACCUMULATORS and not len(run.wave.accvgprs):
                continue
            reference = self._handle(_Handle(run.name, name))
            hint = {} if name in (IN_FLIGHT, MEMORY) else {"presentationHint": "registers"}
            found.append({"name": name, "variablesReference": reference, "expensive": False, **hint})
        return found

    def reference(self, run: WaveRun, value: "int | float | Vector") -> int:
        """A reference to the lanes of a value; 0 for a number."""
        return self._handle(_Handle(run.name, "", "", value)) if isinstance(value, Vector) else 0

    def children(self, reference: int) -> list[dict[str, Any]]:
        """What is in a scope or a register."""
        handle = self._handle_of(reference)
        run = self._run(handle.wave)
        if handle.vector is not None or handle.register:
            return self._lanes(run, handle)
        makers = {
            SCALARS: self._scalars,
            VECTORS: self._vectors,
            ACCUMULATORS: self._accumulators,
            SPECIAL: self._special,
            IN_FLIGHT: self._counters,
            MEMORY: self._memory,
        }
        return makers[handle.scope](run)

    def change(self, reference: int, name: str, text: str) -> ChangedVariable:
        """The change of a register, or of a lane of one. Raises CannotEvaluate."""
        handle = self._handle_of(reference)
        run, plain = self._run(handle.wave), name.split(" ")[0]
        lane = plain.strip("[]")
        if handle.register and lane.isdecimal():
            return self._change(run, handle.register, int(lane), text)
        return self._change(run, plain, None, text)

    def change_named(self, run: WaveRun, name: str, text: str) -> ChangedVariable:
        """The change of what an expression names: `v3`, `v3[5]`, `s4`, `vcc`. Raises CannotEvaluate."""
        register, _, lane = name.strip().removesuffix("]").partition("[")
        return self._change(run, register, int(lane) if lane.isdecimal() else None, text)

    def _change(self, run: WaveRun, register: str, lane: "int | None", text: str) -> ChangedVariable:
        match = _NUMBERED.fullmatch(register)
        if match is None and register not in _SPECIAL:
            raise CannotEvaluate(f"{register} cannot be changed")
        size = 64 if register in _WIDE else 32
        bits = values.number_of(text, run, size)
        name = run.name

        def apply(machine: Machine) -> None:
            found = next((each for each in machine.waves if each.name == name), None)
            if found is not None:
                _write(found, match, register, lane, bits)

        return ChangedVariable(apply, values.word_text(bits, size))

    # Data that breakpoints watch

    def data_of(self, reference: int, name: str) -> "str | None":
        """The data of a variable in a scope or a register; None if nothing can be watched there."""
        handle = self._handle_of(reference)
        if handle.register:
            return handle.register
        if handle.scope != MEMORY:
            return name.split(" ")[0] if breakpoints.registers_of(name) else None
        for each in self._memory(self._run(handle.wave)):
            if each["name"] == name:
                return breakpoints.memory_data(each["memoryReference"], each["indexedVariables"])
        return None

    def memory_of(self, reference: str, count: int) -> "str | None":
        """The data of bytes of memory; None if there are none."""
        return breakpoints.memory_data(reference, count) if len(self.read(reference, count)) == count else None

    def read(self, reference: str, count: int) -> bytes:
        """Bytes of memory; fewer at the end of a region."""
        return self.bytes_at(reference, 0, count)[1]

    # Memory

    def bytes_at(self, reference: str, offset: int, count: int) -> tuple[int, bytes, int]:
        """The address, the bytes from there, and how many of `count` do not exist."""
        region, start = self.place(reference, offset)
        if region is None:
            return start, b"", count
        inside = start - region.base
        data = region.data[inside : inside + count].tobytes()
        return start, data, count - len(data)

    def write(self, reference: str, offset: int, data: bytes) -> "Callable[[Machine], None]":
        """The change of bytes of memory. Raises CannotEvaluate where there are none."""
        region, start = self.place(reference, offset)
        if region is None or start + len(data) > region.end:
            raise CannotEvaluate(f"there are no {len(data)} bytes of memory there")

        def apply(machine: Machine) -> None:
            found = self.place(reference, offset)[0]
            if found is not None:
                inside = start - found.base
                found.data[inside : inside + len(data)] = np.frombuffer(data, np.uint8)

        return apply

    def place(self, reference: str, offset: int) -> "tuple[Region | None, int]":
        """The memory that a reference means, and the address with an offset; None where there is none now."""
        if reference.startswith(LDS):
            place, _, start = reference.removeprefix(LDS).partition("+")
            at = int(start or "0", 0) + offset
            for run in self._execution.machine.waves:
                if ",".join(map(str, run.group.place)) == place:
                    return (run.group.lds if 0 <= at < run.group.lds.size else None), at
            return None, at
        try:
            address = int(reference, 0) + offset
        except ValueError as error:
            raise CannotEvaluate(f"{reference!r} is not an address") from error
        return self._memory_of().at(address), address

    def _memory_of(self) -> Memory:
        return self._execution.machine.prepared.memory

    # Scopes

    def _scalars(self, run: WaveRun) -> list[dict[str, Any]]:
        written = run.wave.written_sgprs
        return [self._word(f"s{number}", int(run.wave.sgprs[number])) for number in range(106) if bool(written[number])]

    def _vectors(self, run: WaveRun) -> list[dict[str, Any]]:
        return self._registers(run, "v", run.wave.written_vgprs)

    def _accumulators(self, run: WaveRun) -> list[dict[str, Any]]:
        return self._registers(run, "a", run.wave.written_accvgprs)

    def _registers(self, run: WaveRun, file: str, written: Any) -> list[dict[str, Any]]:
        found = []
        for number in np.flatnonzero(written.any(axis=1)).tolist():
            name = f"{file}{number}"
            vector = values.vector(run, file, number, 1)
            found.append(
                {
                    "name": self._named(name),
                    "value": values.vector_text(vector, run),
                    "variablesReference": self._handle(_Handle(run.name, "", name)),
                    "evaluateName": name,
                    "indexedVariables": run.wave.lanes,
                }
            )
        return found

    def _special(self, run: WaveRun) -> list[dict[str, Any]]:
        found = []
        for name in _SPECIAL:
            value = values.evaluate(name, run)
            text = f"{value:#x}"
            if name == "pc":
                text = f"{value:#x} {run.image.symbol_at(run.wave.pc)}".rstrip()
            elif name == "exec":
                text = f"{value:#x}, {int(run.wave.exec).bit_count()} lanes"
            found.append({"name": name, "value": text, "variablesReference": 0, "evaluateName": name})
        return found

    def _memory(self, run: WaveRun) -> list[dict[str, Any]]:
        found = []
        if run.group.lds.size:
            place = ",".join(map(str, run.group.place))
            found.append(_bytes("LDS", f"{run.group.lds.size} bytes", f"{LDS}{place}", run.group.lds.size))
        prepared = self._execution.machine.prepared
        regions = (*prepared.buffers.values(), prepared.kernarg, run.scratch)
        for region in regions:
            text = f"{region.base:#x}, {region.size} bytes"
            found.append(_bytes(region.name, text, f"{region.base:#x}", region.size))
        return found

    def _lanes(self, run: WaveRun, handle: _Handle) -> list[dict[str, Any]]:
        vector = handle.vector
        if vector is None:
            vector = values.vector(run, handle.register[0], int(handle.register[1:]), 1)
        return [
            {
                "name": f"[{lane}]" + ("" if run.wave.exec >> lane & 1 else " off"),
                "value": values.lane_text(vector, lane),
                "variablesReference": 0,
                **({"evaluateName": f"{handle.register}[{lane}]"} if handle.register else {}),
                **({} if run.wave.exec >> lane & 1 else {"presentationHint": {"attributes": ["readOnly"]}}),
            }
            for lane in range(len(vector.bits))
        ]

    def _counters(self, run: WaveRun) -> list[dict[str, Any]]:
        """The counters with operations in flight, and these, the oldest first."""
        found = [
            {"name": counter, "value": f"{count}", "variablesReference": 0}
            for counter, count in run.in_flight.counts().items()
        ]
        for number, operation in enumerate(run.in_flight.operations):
            line = self._lines.frames(operation.step)[0].line + 1
            text = f"{self._lines.text_of(operation.step)} (line {line})"
            found.append({"name": f"in flight {number}", "value": text, "variablesReference": 0})
        return found

    def _word(self, name: str, bits: int) -> dict[str, Any]:
        text = values.word_text(bits)
        return {"name": self._named(name), "value": text, "variablesReference": 0, "evaluateName": name}

    def _named(self, name: str) -> str:
        known = self._names.get(name)
        return f"{name} {known}" if known else name

    def _handle(self, handle: _Handle) -> int:
        self._handles.append(handle)
        return len(self._handles)

    def _handle_of(self, reference: int) -> _Handle:
        if not 0 < reference <= len(self._handles):
            raise CannotEvaluate("the run has gone on since")
        return self._handles[reference - 1]

    def _run(self, name: WaveName) -> WaveRun:
        last = self._execution.last
        waves: list[WaveRun] = [*self._execution.machine.waves, *((last,) if last is not None else ())]
        found = next((each for each in waves if each.name == name), None)
        if found is None:
            raise CannotEvaluate(f"{name} has ended")
        return found


def _bytes(name: str, text: str, reference: str, size: int) -> dict[str, Any]:
    """Memory as a variable, whose bytes a client reads when it shows them."""
    return {
        "name": name,
        "value": text,
        "variablesReference": 0,
        "memoryReference": reference,
        "indexedVariables": size,
    }


def _write(run: WaveRun, match: "re.Match[str] | None", special: str, lane: "int | None", bits: int) -> None:
    wave = run.wave
    if match is None:
        if special in ("exec", "vcc"):
            setattr(wave, special, bits)
        elif special == "scc":
            wave.scc = bits & 1
        elif special in ("m0", "mode", "pc"):
            setattr(wave, special, bits)
        return
    number = int(match[2])
    if match[1] == "s":
        wave.set_scalars(number, (bits,))
        return
    registers = wave.vgprs if match[1] == "v" else wave.accvgprs
    registers[number, slice(None) if lane is None else lane] = bits


def _source_names(file: RunnableFile) -> dict[str, str]:
    """The names that the source gives to registers: `v3` to `v_sum`, as in `v[v_sum]`; the first one of each."""
    found: dict[str, str] = {}
    for step in file.image.steps.values():
        for operand in step.instruction.operands:
            if operand.kind == "register" and operand.count == 1 and operand.file in ("v", "s", "a"):
                line = step.instruction.statement.line[operand.node.start : operand.node.end]
                match = _NAMED.search(line)
                if match is not None:
                    found.setdefault(f"{operand.file}{operand.first}", match[2].decode())
    return found
