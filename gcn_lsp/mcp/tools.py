"""The tools: a row for each with its arguments, its answer, and the function between them.

Arguments and answers are msgspec structs: their JSON schemas are what an agent sees, and the docstrings what it reads.
An answer is what the command line prints as JSON, in parts of less than 2 kB; a longer row is cut.
"""

from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gcn_lsp import api
from gcn_lsp.mcp import paging
from gcn_lsp.mcp.kept import KeptAnswers

Target = Annotated[str, Meta(description="The processor: gfx90a, gfx942, gfx1100, or a name such as MI300X.")]
PathName = Annotated[str, Meta(description="A file: assembly, code object, listing, or a source with inline assembly.")]
SourceCode = Annotated[str, Meta(description="Assembly in place of a file.")]
Cursor = Annotated[str, Meta(description="next_cursor of the answer before, for its next part.")]
Line = Annotated[int, Meta(description="The line, from 1.", ge=1)]
KernelName = Annotated[str, Meta(description="The kernel or label; the first kernel if it is left out.")]


class ToolError(Exception):
    """Wrong use of a tool: the message says what is right, so that an agent can ask again."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a tool is asked."""

    def opened(self) -> tuple[api.Assembly, ...]:
        """The assembly that it is about. Raises ToolError, and what `api.open_file` does."""
        return ()


class AssemblyQuestion(Question, frozen=True, kw_only=True):
    """What to read: either `path` or `text`."""

    path: PathName = ""
    text: SourceCode = ""
    target: Target = ""

    def opened(self) -> tuple[api.Assembly, ...]:
        """It alone."""
        return (_opened(self.path, self.text, self.target),)


def _opened(path: str, text: str, target: str) -> api.Assembly:
    if bool(path) == bool(text):
        raise ToolError("give either a path or a text")
    return api.open_file(path, target or None) if path else api.open_text(text, target or None)


class CheckQuestion(AssemblyQuestion, frozen=True, kw_only=True):
    """Which findings."""

    severity: Annotated[str, Meta(description="The mildest: error, warning, information or hint.")] = "information"
    cursor: Cursor = ""


class CheckAnswer(msgspec.Struct, frozen=True):
    """Findings as `gcn-lsp check --format json` prints them, with their count, and the processor with its source."""

    target: str
    count: int
    findings: tuple[api.ReportedFinding, ...]
    next_cursor: str = ""


def check(question: CheckQuestion, kernel: api.Assembly) -> CheckAnswer:
    """Check AMD GPU assembly: operands, encodings, missing waits, hazards, register use, descriptors.

    Ask after every edit of a kernel. An empty list means that nothing is wrong that the checks know.
    """
    found = kernel.findings(question.severity)
    return CheckAnswer(kernel.target_reason, len(found), found)


class ExplainQuestion(Question, frozen=True, kw_only=True):
    """A topic, or a place in a file."""

    topic: Annotated[
        str, Meta(description="A mnemonic, an instruction with operands, a rule, register, modifier, counter or idea.")
    ] = ""
    target: Target = ""
    path: PathName = ""
    line: Annotated[int, Meta(description="With a path: the line, from 1.", ge=0)] = 0
    column: Annotated[int, Meta(description="With a line: the column, from 1; the first word without.", ge=0)] = 0
    cursor: Cursor = ""

    def opened(self) -> tuple[api.Assembly, ...]:
        """The file, if it is about a place in one."""
        if not self.path:
            return ()
        if not self.line:
            raise ToolError("with a path, give the line too")
        return (api.open_file(self.path, self.target or None),)


class ExplainAnswer(msgspec.Struct, frozen=True):
    """A part of a page in Markdown."""

    markdown: str
    next_cursor: str = ""


def explain(question: ExplainQuestion, *opened: api.Assembly) -> ExplainAnswer:
    """Explain an instruction, rule, register, word or idea of AMD's GPUs, or what is at a place of a file.

    The page of an instruction has its operation, operands, counters and hazards on the target.
    """
    if opened:
        text = opened[0].explained(question.line, question.column or None)
    elif not question.topic.strip():
        raise ToolError("give a topic, or a path and a line")
    else:
        text = api.explain(question.topic, question.target or None)
    if text is None:
        raise ToolError(f"nothing is known about {question.topic or question.path!r}")
    return ExplainAnswer(text)


class CodeQuestion(Question, frozen=True, kw_only=True):
    """Either instructions or machine code, and the processor."""

    text: Annotated[str, Meta(description="Instructions to encode, one on each line.")] = ""
    code: Annotated[str, Meta(description="Bytes to decode, as hexadecimal digits in the order of memory.")] = ""
    target: Target
    cursor: Cursor = ""


class CodeAnswer(msgspec.Struct, frozen=True):
    """Each instruction with its bytes as hexadecimal digits, its registers and counters."""

    instructions: tuple[api.EncodedInstruction, ...]
    next_cursor: str = ""


def machine_code(question: CodeQuestion) -> CodeAnswer:
    """Encode instructions or decode machine code for a processor, with the registers and counters of each."""
    if bool(question.text) == bool(question.code):
        raise ToolError("give either a text or a code")
    text = question.text or _decoded(question.code, question.target)
    found = api.open_text(text, question.target).instructions()
    if not all(each.code for each in found):
        api.encode(text, question.target)  # says what is wrong with the line
    return CodeAnswer(found)


def _decoded(digits: str, target: str) -> str:
    """Machine code as instructions, one on each line."""
    try:
        code = bytes.fromhex(digits)
    except ValueError:
        raise ToolError("`code` has something else than hexadecimal digits") from None
    lines = []
    for each in api.decode(code, target):
        if not each.text:
            words = code[each.offset : each.offset + each.size].hex()
            raise ToolError(f"{words} at byte {each.offset} is no instruction of {target}")
        lines.append(each.text)
    return "\n".join(lines)


class LegalQuestion(Question, frozen=True, kw_only=True):
    """An instruction."""

    instruction: Annotated[str, Meta(description="One instruction with its operands.")]


class LegalAnswer(msgspec.Struct, frozen=True):
    """The processors that take it as written; each stands for all with the same instructions."""

    targets: tuple[str, ...]


def legal_on(question: LegalQuestion) -> LegalAnswer:
    """Which processors have an instruction with these operands."""
    return LegalAnswer(api.legal_targets(question.instruction))


class InFlightQuestion(AssemblyQuestion, frozen=True, kw_only=True):
    """A line of it."""

    line: Line
    cursor: Cursor = ""


class InFlightAnswer(msgspec.Struct, frozen=True):
    """Operations that may not be done before the line, by counter, the youngest first. count: of all parts."""

    count: int
    operations: tuple[api.OperationInFlight, ...]
    next_cursor: str = ""


def in_flight(question: InFlightQuestion, kernel: api.Assembly) -> InFlightAnswer:
    """Which memory operations are in flight before a line, along every path that leads there.

    To wait for one, wait until its counter is at most `younger`.
    """
    found = kernel.in_flight(question.line)
    return InFlightAnswer(len(found), found)


class DistanceQuestion(Question, frozen=True, kw_only=True):
    """Two instructions, the second right after the first."""

    first: Annotated[str, Meta(description="The first instruction.")]
    second: Annotated[str, Meta(description="The instruction after it.")]
    target: Target
    cursor: Cursor = ""


class DistanceAnswer(msgspec.Struct, frozen=True):
    """What must be between them; empty if nothing must be."""

    needs: tuple[api.DistanceNeed, ...]
    next_cursor: str = ""


def distance(question: DistanceQuestion) -> DistanceAnswer:
    """Which wait or how many wait states two instructions need between them, with the reason."""
    return DistanceAnswer(api.distance(question.first, question.second, question.target))


class KernelQuestion(AssemblyQuestion, frozen=True, kw_only=True):
    """A kernel of it."""

    kernel: KernelName = ""
    cursor: Cursor = ""


class MixAnswer(msgspec.Struct, frozen=True):
    """The basic blocks of the kernel; `in_loop` names the loops around each. kernels: all names in the file."""

    kernels: tuple[str, ...]
    blocks: tuple[api.BlockMix, ...]
    next_cursor: str = ""


def instruction_mix(question: KernelQuestion, kernel: api.Assembly) -> MixAnswer:
    """Count the instructions of a kernel by class and mnemonic, block by block, with the loops around each block."""
    return MixAnswer(kernel.labels()[:_NAMED], _blocks(kernel, question.kernel))


_NAMED = 8


def _blocks(kernel: api.Assembly, name: str) -> tuple[api.BlockMix, ...]:
    try:
        return kernel.mix(name)
    except KeyError:
        known = ", ".join(kernel.labels()[:_NAMED]) or "none"
        raise ToolError(f"{name or 'the file'} has no code; the kernels are {known}") from None


class OccupancyAnswer(msgspec.Struct, frozen=True):
    """The resources of each kernel with a descriptor, and the waves that fit on a SIMD."""

    kernels: tuple[api.KernelResources, ...]
    next_cursor: str = ""


def occupancy(question: KernelQuestion, assembly: api.Assembly) -> OccupancyAnswer:
    """Registers, LDS and scratch of kernels, how many waves fit on a SIMD, and what limits them."""
    every = assembly.kernels()
    found = tuple(each for each in every if question.kernel in ("", each.name))
    if question.kernel and not found:
        known = ", ".join(each.name for each in every[:_NAMED]) or "none"
        raise ToolError(f"{question.kernel} has no descriptor; the kernels with one are {known}")
    return OccupancyAnswer(found)


class MatrixQuestion(Question, frozen=True, kw_only=True):
    """An instruction, and which elements; without further numbers all."""

    mnemonic: Annotated[str, Meta(description="A matrix instruction: v_mfma_*, v_smfmac_*, v_wmma_*, v_swmmac_*.")]
    target: Target
    matrix: Annotated[str, Meta(description="A, B or D; C lies as D does.")] = ""
    row: int | None = None
    column: int | None = None
    lane: int | None = None
    register: Annotated[int | None, Meta(description="From the operand's first register, from 0.")] = None
    lanes: Annotated[int | None, Meta(description="Of the wave, where the layout depends on it: 32 or 64.")] = None
    cursor: Cursor = ""


class MatrixAnswer(msgspec.Struct, frozen=True):
    """Where the elements lie: lane, register and bit. count: of all parts."""

    count: int
    elements: tuple[api.MatrixElement, ...]
    next_cursor: str = ""


def matrix_element(question: MatrixQuestion) -> MatrixAnswer:
    """Where elements of a matrix lie in lanes and registers, or which elements a lane or a register has."""
    wanted = [
        (name, value)
        for name in ("matrix", "row", "column", "lane", "register")
        if (value := getattr(question, name)) not in (None, "")
    ]
    every = api.matrix_elements(question.mnemonic, question.target, lanes=question.lanes)
    known = sorted({each.matrix for each in every})
    if question.matrix not in ("", *known):
        raise ToolError(f"{question.matrix} is no matrix of {question.mnemonic}; it has {', '.join(known)}")
    found = tuple(each for each in every if all(getattr(each, name) == value for name, value in wanted))
    return MatrixAnswer(len(found), found)


class CompareQuestion(Question, frozen=True, kw_only=True):
    """Two kernels, each in a file or a text."""

    first_path: PathName = ""
    first_text: SourceCode = ""
    second_path: PathName = ""
    second_text: SourceCode = ""
    target: Target = ""
    kernel: KernelName = ""
    cursor: Cursor = ""

    def opened(self) -> tuple[api.Assembly, ...]:
        """Both."""
        first = _opened(self.first_path, self.first_text, self.target)
        return first, _opened(self.second_path, self.second_text, self.target)


class NumberDifference(msgspec.Struct, frozen=True):
    """A number that differs. what: a mnemonic, or a resource such as `vgprs`. None: there is no such number."""

    what: str
    first: int | None
    second: int | None


class CompareAnswer(msgspec.Struct, frozen=True):
    """What differs: resources first, then mnemonics. count: of all parts."""

    count: int
    differences: tuple[NumberDifference, ...]
    next_cursor: str = ""


def compare(question: CompareQuestion, *opened: api.Assembly) -> CompareAnswer:
    """Compare two kernels: registers, LDS, waves, and how often each mnemonic occurs."""
    first, second = (_numbers(each, question.kernel) for each in opened)
    found = tuple(
        NumberDifference(what, first.get(what), second.get(what))
        for what in dict.fromkeys((*first, *second))
        if first.get(what) != second.get(what)
    )
    return CompareAnswer(len(found), found)


_COMPARED = ("vgprs", "agprs", "sgprs", "lds", "scratch", "waves", "used_vgprs", "used_agprs", "used_sgprs")


def _numbers(kernel: api.Assembly, name: str) -> dict[str, int | None]:
    """The resources of a kernel and the number of each of its mnemonics."""
    chosen = name or next(iter(kernel.labels()), "")
    found: dict[str, int | None] = {}
    for each in kernel.kernels():
        if each.name == chosen:
            found.update((what, getattr(each, what)) for what in _COMPARED)
    counts: Counter[str] = Counter()
    for block in _blocks(kernel, name):
        counts.update(block.mnemonics)
    return found | dict(sorted(counts.items()))


class Tool(msgspec.Struct, frozen=True):
    """A tool: its title, what it is asked and answers, and its function, whose docstring describes it.

    The function gets the question and the assembly that this is about, and answers in one part.
    """

    title: str
    question: type[Question]
    answer: type[msgspec.Struct]
    function: Callable[..., msgspec.Struct]

    @property
    def description(self) -> str:
        """What it does, in one paragraph."""
        return " ".join((self.function.__doc__ or "").split())


TOOLS: dict[str, Tool] = {
    "check": Tool("Check assembly", CheckQuestion, CheckAnswer, check),
    "explain": Tool("Explain an instruction, rule or word", ExplainQuestion, ExplainAnswer, explain),
    "machine_code": Tool("Encode or decode instructions", CodeQuestion, CodeAnswer, machine_code),
    "legal_on": Tool("Targets of an instruction", LegalQuestion, LegalAnswer, legal_on),
    "in_flight": Tool("Operations in flight at a line", InFlightQuestion, InFlightAnswer, in_flight),
    "distance": Tool("Distance between two instructions", DistanceQuestion, DistanceAnswer, distance),
    "instruction_mix": Tool("Instructions by block and loop", KernelQuestion, MixAnswer, instruction_mix),
    "occupancy": Tool("Resources and occupancy", KernelQuestion, OccupancyAnswer, occupancy),
    "matrix_element": Tool("Place of a matrix element", MatrixQuestion, MatrixAnswer, matrix_element),
    "compare": Tool("Compare two kernels", CompareQuestion, CompareAnswer, compare),
}


_KEPT = KeptAnswers()


def answer(name: str, arguments: dict[str, Any]) -> Any:
    """The answer of a tool as JSON values. Raises ToolError for wrong use, and KeyError for an unknown tool."""
    tool = TOOLS[name]
    try:
        question = msgspec.convert(arguments, tool.question)
        part = paging.part_of_answer(_whole(tool, question), getattr(question, "cursor", ""))
        return paging.shortened(api.to_builtins(part))
    except msgspec.ValidationError as error:
        raise ToolError(str(error)) from error
    except UnicodeEncodeError as error:
        raise ToolError("the text has half of a character, which no file can have") from error
    except (api.NotReadable, ValueError, LookupError, OSError) as error:
        raise ToolError(str(error.args[0] if error.args else error)) from error


def _whole(tool: Tool, question: Question) -> msgspec.Struct:
    """The answer in one part."""
    asked = msgspec.structs.replace(question, cursor="") if hasattr(question, "cursor") else question

    def ask() -> tuple[msgspec.Struct, tuple[api.Assembly, ...]]:
        opened = question.opened()
        return tool.function(question, *opened), opened

    whole: msgspec.Struct = _KEPT.of((tool.title, asked), ask)
    return whole


def schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON schema of a struct, with an object at its root."""
    (root,), parts = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    name = root["$ref"].rpartition("/")[2]
    own = parts.pop(name)
    return {**own, "$defs": parts} if parts else own
