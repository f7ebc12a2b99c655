"""`.amdgcn_target` and `.amd_amdgpu_isa`: the parts of their target ID, as LLVM 23 reads them."""

from collections.abc import Callable

from gcn_lsp import isa
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.isa import versions
from gcn_lsp.isa.tables import target_id
from gcn_lsp.program.emitter import Emitter
from gcn_lsp.syntax.statement import Statement

_EXAMPLE = "amdgcn-amd-amdhsa--gfx90a"


def _target(out: Emitter, statement: Statement) -> None:
    text = statement.rest.decode("utf-8", "replace").strip()
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        _report(out, statement, f'`{statement.word}` takes a string such as `"{_EXAMPLE}"`')
        return
    found = target_id.parse(text[1:-1])
    current = target_id.current_spelling(found.processor) if found is not None else ""
    if found is not None and current:
        start = statement.rest_start + statement.rest.rfind(found.processor.encode())
        end = start + len(found.processor)
        message = f"`{found.processor}` is the spelling of code object version 3; assemblers now take `{current}`"
        fix = LineFix(f"Change to `{current}`", start, end, current)
        out.report(Problem("malformed-directive", start, end, message, (fix,)), statement.line)
        return
    wrong = mistake(text[1:-1])
    if not wrong and found is not None and _is_of_hsa(statement.word, found):
        start, end = statement.name_start, statement.name_end
        message = f"`{statement.word}` is for `amdpal` and `mesa3d`; on `amdhsa` the directive is `.amdgcn_target`"
        fix = LineFix("Change to `.amdgcn_target`", start, end, ".amdgcn_target")
        out.report(Problem("malformed-directive", start, end, message, (fix,)), statement.line)
        return
    if not wrong and found is not None and not _compares_parts(out):
        wrong = _of_former(found)
    if wrong:
        _report(out, statement, wrong)


def mistake(text: str) -> str:
    """What is wrong with a target ID; empty if LLVM accepts it, or if its processor is one that nobody knows yet."""
    found = target_id.parse(text)
    if found is None:
        return f"`{text}` is not a target ID such as `{_EXAMPLE}`"
    foreign = target_id.foreign_part(found)
    if foreign:
        return foreign
    if found.subarch and not _exists(target_id.processor_of(found.subarch)):
        return f"`{found.architecture}` is not an architecture; that of gfx90a is `amdgpu9.0a`"
    if not found.processor:
        return "" if found.subarch else f"`{text}` names no processor"
    known = isa.resolve_target(found.processor)
    if known is not None and known != found.processor and isa.former_name(found.processor) is None:
        return f"a target ID has the processor's own name: {known}, not {found.processor}"
    if known is not None and found.subarch and not target_id.covers(found.subarch, known):
        own = f"amdgpu{target_id.subarch_of(known)}"
        return f"`{found.architecture}` does not cover {known}, whose architecture is `{own}`"
    return ""


def _is_of_hsa(word: str, found: target_id.TargetId) -> bool:
    """Whether it is `.amd_amdgpu_isa` on the one system that does not have it."""
    return word != ".amdgcn_target" and found.system.startswith("amdhsa")


def _compares_parts(out: Emitter) -> bool:
    target = out.assembler.target
    return target is None or target.has(versions.TARGET_ID_PARTS)


def _of_former(found: target_id.TargetId) -> str:
    """What LLVM 22 does not take, which compares the text with one of its own."""
    if found.architecture != "amdgcn":
        return f"`{found.architecture}` is an architecture only from LLVM 23; before, it is `amdgcn`"
    if found.environment not in ("", "llvm"):
        return f"before LLVM 23 an unknown environment is left empty: `-{found.system}--{found.processor}`"
    return ""


def _exists(processor: str) -> bool:
    return isa.resolve_target(processor) == processor


def _report(out: Emitter, statement: Statement, message: str) -> None:
    out.reporter.problem("malformed-directive", statement.rest_start, statement.end, message)


HANDLERS: dict[str, Callable[[Emitter, Statement], None]] = {".amdgcn_target": _target, ".amd_amdgpu_isa": _target}
