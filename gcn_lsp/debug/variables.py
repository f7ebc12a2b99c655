"""The variables of a stopped wave: registers by number and by the names of the source, counters, LDS, buffers."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gcn_lsp.debug import values
from gcn_lsp.debug.execution import Execution
from gcn_lsp.debug.values import CannotEvaluate, Vector
from gcn_lsp.machine.memory import Memory, Region
from gcn_lsp.machine.observations import WaveName
from gcn_lsp.machine.run import Machine
from gcn_lsp.machine.waves import WaveRun
from gcn_lsp.running.opened import RunnableFile

SCALARS, VECTORS, ACCUMULATORS, SPECIAL, IN_FLIGHT, MEMORY = (
    *("SGPRs", "VGPRs", "AccVGPRs", "Special registers", "Counters", "Memory"),
)
_SCOPES = (SCALARS, VECTORS, ACCUMULATORS, SPECIAL, IN_FLIGHT, MEMORY)
_SPECIAL = ("pc", "exec", "vcc", "scc", "m0", "mode")
_LDS = "lds:"
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

    def __init__(self, file: RunnableFile, execution: Execution) -> None:
        self._execution = execution
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
            found.append({"name": name, "variablesReference": reference, "expensive": name in (VECTORS, ACCUMULATORS)})
        return found

    def reference(self, run: WaveRun, value: "int | float | Vector") -> int:
        """A reference to the lanes of a value; 0 for a number."""
        return self._handle(_Handle(run.name, "", "", value)) if isinstance(value, Vector) else 0

    def children(self, reference: int) -> list[dict[str, Any]]:
        """What is in a scope or a register."""
        if not 0 < reference <= len(self._handles):
            return []
        handle = self._handles[reference - 1]
        run = self._run(handle.wave)
        if handle.vector is not None or handle.register:
            return self._lanes(run, handle)
        makers = {
            SCALARS: self._scalars,
            VECTORS: self._vectors,
            ACCUMULATORS: self._accumulators,
            SPECIAL: self._special,
            IN_FLIGHT: _counters,
            MEMORY: self._memory,
        }
        return makers[handle.scope](run)

    def change(self, reference: int, name: str, text: str) -> ChangedVariable:
        """The change of a register, or of a lane of one. Raises CannotEvaluate."""
        if not 0 < reference <= len(self._handles):
            raise CannotEvaluate("the run has gone on since")
        handle = self._handles[reference - 1]
        bits = values.number_of(text)
        wave, plain = handle.wave, name.split(" ")[0]
        match = _NUMBERED.fullmatch(handle.register or plain)
        lane = int(plain.strip("[]")) if handle.register and plain.strip("[]").isdecimal() else None

        def apply(machine: Machine) -> None:
            run = next((each for each in machine.waves if each.name == wave), None)
            if run is not None:
                _write(run, match, plain, lane, bits)

        if match is None and plain not in _SPECIAL:
            raise CannotEvaluate(f"{name} cannot be changed")
        return ChangedVariable(apply, values.word_text(bits))

    # Memory

    def bytes_at(self, reference: str, offset: int, count: int) -> tuple[int, bytes, int]:
        """The address, the bytes from there, and how many of `count` do not exist."""
        region, start = self._place(reference, offset)
        if region is None:
            return start, b"", count
        inside = start - region.base
        data = region.data[inside : inside + count].tobytes()
        return start, data, count - len(data)

    def write(self, reference: str, offset: int, data: bytes) -> "Callable[[Machine], None]":
        """The change of bytes of memory. Raises CannotEvaluate where there are none."""
        region, start = self._place(reference, offset)
        if region is None or start + len(data) > region.end:
            raise CannotEvaluate(f"there are no {len(data)} bytes of memory there")

        def apply(machine: Machine) -> None:
            found = self._place(reference, offset)[0]
            if found is not None:
                inside = start - found.base
                found.data[inside : inside + len(data)] = np.frombuffer(data, np.uint8)

        return apply

    def _place(self, reference: str, offset: int) -> "tuple[Region | None, int]":
        if reference.startswith(_LDS):
            place, _, start = reference.removeprefix(_LDS).partition("+")
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
            text = f"{run.group.lds.size} bytes"
            reference = f"{_LDS}{place}"
            found.append({"name": "LDS", "value": text, "variablesReference": 0, "memoryReference": reference})
        prepared = self._execution.machine.prepared
        regions = (*prepared.buffers.values(), prepared.kernarg, run.scratch)
        for region in regions:
            text = f"{region.base:#x}, {region.size} bytes"
            reference = f"{region.base:#x}"
            found.append({"name": region.name, "value": text, "variablesReference": 0, "memoryReference": reference})
        return found

    def _lanes(self, run: WaveRun, handle: _Handle) -> list[dict[str, Any]]:
        vector = handle.vector
        if vector is None:
            vector = values.vector(run, handle.register[0], int(handle.register[1:]), 1)
        return [
            {
                "name": f"[{lane}]" + ("" if run.wave.exec >> lane & 1 else " off"),
                "value": values.word_text(bits, vector.size),
                "variablesReference": 0,
                **({"evaluateName": f"{handle.register}[{lane}]"} if handle.register else {}),
                **({} if run.wave.exec >> lane & 1 else {"presentationHint": {"attributes": ["readOnly"]}}),
            }
            for lane, bits in enumerate(vector.bits)
        ]

    def _word(self, name: str, bits: int) -> dict[str, Any]:
        text = values.word_text(bits)
        return {"name": self._named(name), "value": text, "variablesReference": 0, "evaluateName": name}

    def _named(self, name: str) -> str:
        known = self._names.get(name)
        return f"{name} {known}" if known else name

    def _handle(self, handle: _Handle) -> int:
        self._handles.append(handle)
        return len(self._handles)

    def _run(self, name: WaveName) -> WaveRun:
        last = self._execution.last
        waves: list[WaveRun] = [*self._execution.machine.waves, *((last,) if last is not None else ())]
        found = next((each for each in waves if each.name == name), None)
        if found is None:
            raise CannotEvaluate(f"{name} has ended")
        return found


def _counters(run: WaveRun) -> list[dict[str, Any]]:
    """The counters with operations in flight, and these."""
    found = [
        {"name": counter, "value": f"{count}", "variablesReference": 0}
        for counter, count in run.in_flight.counts().items()
    ]
    found += [
        {"name": f"in flight {number}", "value": operation.step.mnemonic, "variablesReference": 0}
        for number, operation in enumerate(run.in_flight.operations)
    ]
    return found


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
