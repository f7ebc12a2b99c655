"""Directives that reserve room: space, alignment, `.org`, common symbols and LDS."""

from collections.abc import Callable

from gcn_lsp.isa.kernels import allocation
from gcn_lsp.preproc import macros
from gcn_lsp.program.chunk import Piece
from gcn_lsp.program.data_bytes import split_arguments
from gcn_lsp.program.directives import linkage
from gcn_lsp.program.emitter import Emitter, is_without_bytes, sane_size
from gcn_lsp.syntax import expressions
from gcn_lsp.syntax.directives import DIRECTIVES, EXPONENTS, Family, words
from gcn_lsp.syntax.expressions import Address
from gcn_lsp.syntax.statement import Statement

MAX_ALIGNMENT_LOG2 = 29


def _space(out: Emitter, statement: Statement) -> None:
    arguments = split_arguments(statement)
    numbers = [out.symbols.absolute(statement, start, end) for start, end in arguments[:2]]
    if not 1 <= len(arguments) <= 2:
        out.reporter.whole("malformed-directive", statement, f"`{statement.name}` takes a size and a value")
        return
    size = numbers[0]
    if size is not None and sane_size(out, size, statement, arguments[0]):
        fill = numbers[1] if len(numbers) > 1 and numbers[1] is not None else 0
        if fill & 0xFF and not size and is_without_bytes(out.section):
            out.no_bytes(statement)
        out.data(statement, bytes((fill & 0xFF,)) * size)


def _align(out: Emitter, statement: Statement) -> None:
    is_exponent, fill_size = statement.word in EXPONENTS, DIRECTIVES[statement.word].size
    arguments = split_arguments(statement)
    if not arguments:
        return  # LLVM ignores it too
    if len(arguments) > 3:
        out.reporter.whole("malformed-directive", statement, f"`{statement.name}` takes an alignment")
        return
    numbers = [
        out.symbols.absolute(statement, start, end) if statement.line[start:end].strip() else None
        for start, end in arguments
    ]
    alignment = numbers[0]
    if alignment is None:
        return
    start, end = arguments[0]
    if is_exponent:
        if not 0 <= alignment < MAX_ALIGNMENT_LOG2:
            out.reporter.problem(
                "invalid-expression", start, end, f"alignment exponent {alignment} is out of range (0 to 28)"
            )
            return
        alignment = 1 << alignment
    elif alignment < 0 or alignment & (alignment - 1) or alignment >= 1 << MAX_ALIGNMENT_LOG2:
        message = f"an alignment of {alignment} bytes is not a power of two"
        out.reporter.problem("invalid-expression", start, end, message)
        return
    fill: bytes | None = None
    if len(numbers) > 1 and numbers[1] is not None:
        fill = (numbers[1] & ((1 << (8 * fill_size)) - 1)).to_bytes(fill_size, "little")
    max_skip = numbers[2] if len(numbers) > 2 and numbers[2] is not None else 0
    out.new_piece(Piece(out.section, max(1, alignment), fill, max_skip))


def org(out: Emitter, statement: Statement) -> None:
    """Move the current address: `.org`, or an assignment to `.`."""
    arguments = split_arguments(statement)
    if not arguments:
        out.reporter.whole("malformed-directive", statement, "`.org` takes an address")
        return
    node = statement.expression(arguments[0][0], arguments[0][1])
    value = out.symbols.evaluate(node)
    address = value.offset if isinstance(value, Address) else value if type(value) is int else None
    if address is None or not sane_size(out, address, statement, arguments[0]):
        return
    fill = out.symbols.absolute(statement, *arguments[1]) if len(arguments) > 1 else 0
    if fill is None:
        return
    here = out.address(".")
    is_relative = isinstance(value, Address)
    if here is not None and address < here.offset and (is_relative or expressions.PART not in here.section):
        message = f"`.org` cannot go back from byte {here.offset} of the section to byte {address}"
        out.reporter.problem("invalid-expression", *arguments[0], message)
        return
    if fill & 0xFF and is_without_bytes(out.section):
        out.no_bytes(statement)
    if is_relative and here is not None:  # so many bytes from here, wherever that is in the end
        out.data(statement, bytes((fill & 0xFF,)) * (address - here.offset))
        return
    piece = Piece(out.section, 1, bytes((fill & 0xFF,)))
    piece.target = address
    out.new_piece(piece)


def _common(out: Emitter, statement: Statement) -> None:
    """`.comm`: room reserved by the linker; `.lcomm`: a label and zeros in `.bss`."""
    arguments = split_arguments(statement)
    is_local = statement.word == ".lcomm"
    if linkage.malformed(statement.word, statement.rest) or len(arguments) > 3 - is_local:
        form = "a name and a size" if is_local else "a name, a size and an alignment"
        message = f"`{statement.word}` takes {form}"
        out.reporter.whole("malformed-directive", statement, message)
        return
    size = out.symbols.absolute(statement, *arguments[1])
    exponent = out.symbols.absolute(statement, *arguments[2]) if len(arguments) > 2 else 0
    if size is None or not sane_size(out, size, statement, arguments[1]):
        return
    if exponent is None:
        return
    if not 0 <= exponent < MAX_ALIGNMENT_LOG2:
        message = f"alignment exponent {exponent} is out of range (0 to {MAX_ALIGNMENT_LOG2 - 1})"
        out.reporter.problem("invalid-expression", *arguments[2], message)
        return
    start, end = arguments[0]
    name = statement.line[start:end].strip(b'"').decode("utf-8", "surrogateescape")
    if not is_local:
        out.note(name, statement)
        if name not in out.local_names:
            out.chunk.declared.add(name)
            return
    current, out.section = out.section, ".bss"
    out.new_piece(Piece(".bss", 1 << exponent))
    out.place_label(name, len(out.items))
    out.data(statement, bytes(size))
    out.section, out.previous_section = current, ".bss"


def _lds(out: Emitter, statement: Statement) -> None:
    """`.amdgpu_lds`: room in LDS, placed by the linker."""
    arguments = split_arguments(statement)
    name = statement.line[slice(*arguments[0])].strip(b'"') if arguments else b""
    if not 2 <= len(arguments) <= 3 or not macros.is_identifier(name):
        message = "`.amdgpu_lds` takes a name, a size and an alignment"
        out.reporter.whole("malformed-directive", statement, message)
        return
    out.chunk.declared.add(name.decode("utf-8", "surrogateescape"))
    size = out.symbols.absolute(statement, *arguments[1])
    target = out.assembler.target
    limit = allocation.lds_limit(target.features) if target is not None else None
    if size is not None and (size < 0 or (limit is not None and size > limit)):
        allowed = "" if limit is None or target is None else f" (0 to {limit} on {target.name})"
        message = f"`.amdgpu_lds` of {size} bytes is out of range{allowed}"
        out.reporter.problem("invalid-expression", *arguments[1], message)
    align = out.symbols.absolute(statement, *arguments[2]) if len(arguments) > 2 else 4
    if align is not None and (not 0 < align < 1 << 31 or align & (align - 1)):
        message = f"an alignment of {align} bytes is not a power of two below 2**31"
        out.reporter.problem("invalid-expression", *arguments[2], message)


HANDLERS: dict[str, Callable[[Emitter, Statement], None]] = {
    **dict.fromkeys(words(Family.SPACE), _space),
    **dict.fromkeys(words(Family.ALIGNMENT), _align),
    **dict.fromkeys(words(Family.COMMON), _common),
    ".org": org,
    ".amdgpu_lds": _lds,
}
