"""Directives that describe kernels: `.amdhsa_kernel` blocks and `.amd_kernel_code_t` blocks, line by line."""

import difflib
from collections.abc import Callable

from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.isa.kernels import descriptor as isa_descriptor
from gcn_lsp.isa.kernels import kernel_code
from gcn_lsp.program.chunk import DescriptorLine
from gcn_lsp.program.emitter import Emitter
from gcn_lsp.program.kernels import descriptor
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement


def _kernel(out: Emitter, statement: Statement) -> None:
    name = statement.rest.strip().decode("utf-8", "replace")
    if not name:
        out.reporter.whole("malformed-directive", statement, "`.amdhsa_kernel` takes the name of the kernel")
        return
    out.descriptor = name
    _descriptor_line(out, statement, None)


def _end_kernel(out: Emitter, statement: Statement) -> None:
    if not out.descriptor:
        out.reporter.whole(
            "stray-block-end",
            statement,
            "`.end_amdhsa_kernel` ends nothing: no `.amdhsa_kernel` is open",
        )
        return
    _descriptor_line(out, statement, None)
    out.descriptor = None
    out.data(statement, bytes(isa_descriptor.SIZE))


def field(out: Emitter, statement: Statement) -> None:
    """A field of the open `.amdhsa_kernel` block."""
    node = statement.expression(statement.rest_start, statement.end)
    if isinstance(node, nodes.Malformed):
        out.reporter.problem("descriptor-field", node.start, max(node.end, node.start), node.message)
        _descriptor_line(out, statement, None)
        return
    value = out.symbols.evaluate(node)
    number = value if type(value) is int else None
    for problem in descriptor.field_problems(out.assembler.target, statement, number):
        out.report(problem, statement.line)
    _descriptor_line(out, statement, number)


def _descriptor_line(out: Emitter, statement: Statement, value: "int | None") -> None:
    assert out.descriptor is not None
    out.chunk.descriptors.append(DescriptorLine(out.descriptor, statement, out.reporter.written, value))


def _open_kernel_code(out: Emitter, statement: Statement) -> None:
    out.descriptor = ""


def _kernel_code(out: Emitter, statement: Statement) -> None:
    out.descriptor = None
    out.chunk.headers.append(("", None))
    out.data(statement, bytes(kernel_code.SIZE))


def header_field(out: Emitter, statement: Statement) -> None:
    """A field of the open `.amd_kernel_code_t` block."""
    node = statement.expression(statement.rest_start, statement.end)
    name = statement.name
    if name not in kernel_code.FIELDS:
        near = difflib.get_close_matches(name, kernel_code.FIELDS, 1, 0.7)
        fixes = tuple(
            LineFix(f"Change to `{near[0]}`", statement.name_start, statement.name_end, near[0]) for _ in near
        )
        message = f"`{name}` is not a kernel header field"
        problem = Problem("descriptor-field", statement.name_start, statement.name_end, message, fixes)
        out.report(problem, statement.line)
    elif isinstance(node, nodes.Malformed):
        out.reporter.problem("descriptor-field", node.start, max(node.end, node.start), node.message)
    else:
        value = out.symbols.evaluate(node)
        out.chunk.headers.append((name, value if type(value) is int else node))
        if type(value) is int:
            _header_value(out, statement, value)


def _header_value(out: Emitter, statement: Statement, value: int) -> None:
    """Report what is wrong with the value of a field of an `.amd_kernel_code_t` block."""
    name, target = statement.name, out.assembler.target
    start, end = statement.rest_start, statement.end
    wrong = kernel_code.mistake(name, value, target) if target is not None else ""
    bits = kernel_code.FIELDS[name].bits or 8 * kernel_code.FIELDS[name].size
    if wrong:
        out.reporter.problem("descriptor-field", start, end, f"`{name}` is {value}, but {wrong}")
    elif not -(1 << (bits - 1)) <= value < 1 << bits:
        message = f"`{name}` is {value}, but its field has {bits} bits: it becomes {value & ((1 << bits) - 1)}"
        out.reporter.problem("silently-truncated", start, end, message)


HANDLERS: dict[str, Callable[[Emitter, Statement], None]] = {
    ".amdhsa_kernel": _kernel,
    ".end_amdhsa_kernel": _end_kernel,
    ".amd_kernel_code_t": _open_kernel_code,
    ".end_amd_kernel_code_t": _kernel_code,
}
