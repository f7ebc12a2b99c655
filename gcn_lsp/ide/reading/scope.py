"""The context of a written line: the macro around it, and the instructions that result from it."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.flow.kept import latest, once
from gcn_lsp.patterns import regex
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.program.kernels import descriptor_blocks, header_blocks
from gcn_lsp.syntax.directives import assigned_name
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Chunk, Item
    from gcn_lsp.program.program import PlacedItem, Program

_PARAMETER = regex(rb"[A-Za-z_.$?@][A-Za-z0-9_.$?@]*")
# More expansions of one line are ignored: the first ones show what they have in common.
MAX_EXPANSIONS = 64


class MacroBody(msgspec.Struct, frozen=True):
    """A macro and the line of its header in the main file."""

    macro: Macro
    header: int


def macro_at(program: "Program", line: int) -> MacroBody | None:
    """The innermost macro of the main file whose header or body contains `line`."""
    found: MacroBody | None = None
    for number, chunk in enumerate(program.chunks):
        for macro, container, header, _ in chunk.definitions:
            path, first = program.line_place(number, container, header)
            if path != program.path or not first <= line <= first + len(macro.body):
                continue
            if found is None or first > found.header:
                found = MacroBody(macro, first)
    return found


def parameter_at(program: "Program", line: int, name: str) -> tuple[MacroBody, str] | None:
    r"""The macro around a line that has the parameter which `name` writes there, and the parameter's name.

    In the header a parameter is its plain name, in the body it is `\\name`.
    """
    body = macro_at(program, line)
    if body is None:
        return None
    plain = name.removeprefix("\\")
    is_written = plain != name or body.header == line
    return (body, plain) if is_written and any(each.name == plain for each in body.macro.parameters) else None


def in_metadata(program: "Program", line: int) -> bool:
    """Whether the line is YAML between `.amdgpu_metadata` and its end, or below the first where the end is to come."""
    number = program.chunk_at(line)
    return line - program.bases[number] in program.chunks[number].raw


def may_be_metadata(lines: Sequence[bytes], line: int) -> bool:
    """Whether a line seems to be `in_metadata`, judged by the lines alone, without macros and conditions."""
    above = (
        _METADATA_LIMIT.match(lines[number]) for number in range(line - 1, -1, -1) if b"_metadata" in lines[number]
    )
    limit = next(filter(None, above), None)
    return limit is not None and limit[1] is None


_METADATA_LIMIT = regex(rb"\s*\.(end_)?(?:amd_)?amdgpu\w*_metadata\b")


def in_kernel_header(program: "Program", line: int) -> bool:
    """Whether the line is between `.amd_kernel_code_t` and its end."""
    number = program.chunk_at(line)
    within = line - program.bases[number]
    word = next((word for index, word in reversed(_header_limits(program.chunks[number])) if index < within), None)
    while word is None and number:
        number -= 1
        word = next((word for _, word in reversed(_header_limits(program.chunks[number]))), None)
    return word == header_blocks.OPENING


@once
def _header_limits(chunk: "Chunk") -> tuple[tuple[int, str], ...]:
    """The lines of a chunk that begin and end a kernel header, each with its directive."""
    return tuple(
        (index, each.word)
        for index, text in enumerate(chunk.lines)
        if b"amd_kernel_code_t" in text
        for each in chunk.line(index).statements
        if each.word in (header_blocks.OPENING, header_blocks.ENDING)
    )


def descriptor_fields(program: "Program", line: int) -> frozenset[str] | None:
    """The words of the fields in the `.amdhsa_kernel` block around a line, without those on it; None outside of one."""
    words = list(_descriptor_words(program))
    first = bisect_left(words, (line, ""))
    after = first + (first < len(words) and words[first][0] == line)
    found: set[str] = set()
    for _, word in reversed(words[:first]):
        if word == descriptor_blocks.OPENING:
            break
        if word == descriptor_blocks.ENDING:
            return None
        found.add(word)
    else:
        return None
    for _, word in words[after:]:
        if word in (descriptor_blocks.OPENING, descriptor_blocks.ENDING):
            break
        found.add(word)
    return frozenset(found)


def _descriptor_words(program: "Program") -> Iterator[tuple[int, str]]:
    """The lines about kernel descriptors, each with its first such word, in order."""
    for base, chunk in zip(program.bases, program.chunks, strict=True):
        for index, word in _words_in(chunk):
            yield base + index, word


@once
def _words_in(chunk: "Chunk") -> tuple[tuple[int, str], ...]:
    found = []
    for index, text in enumerate(chunk.lines):
        if b"amdhsa_" not in text:
            continue
        words = (each.word for each in chunk.line(index).statements)
        word = next((word for word in words if "amdhsa_" in word), None)
        if word is not None:
            found.append((index, word))
    return tuple(found)


def macro_header(program: "Program", macro: Macro) -> tuple[str, int] | None:
    """The file and line of the `.macro` directive."""
    place = program.macro_place(macro)
    return program.line_place(*place) if place is not None else None


def macro_name_place(program: "Program", macro: Macro) -> Location | None:
    """The place of the macro's name in its header."""
    place = macro_header(program, macro)
    if place is None:
        return None
    path, line = place
    text = program.line_text(path, line)
    start = text.find(macro.name.encode("utf-8", "surrogateescape"), text.find(b".macro") + len(b".macro"))
    start = max(start, 0)
    return Location(path, line, start, start + len(macro.name.encode("utf-8", "surrogateescape")))


def parameter_place(program: "Program", macro: Macro, name: str) -> Location | None:
    """The place of the parameter `name` in the macro's header."""
    place = macro_name_place(program, macro)
    if place is None:
        return None
    header = program.line_text(place.path, place.line)
    wanted = name.encode("utf-8", "surrogateescape")
    for match in _PARAMETER.finditer(header, place.end):
        # `name:req` and `name=default` contain words that are not parameters.
        if match.group() == wanted and header[match.start() - 1 : match.start()] not in (b":", b"="):
            return Location(place.path, place.line, match.start(), match.end())
    return None


def written_items(program: "Program", line: int) -> "list[PlacedItem]":
    """The results of the statements on `line` of the main file.

    One for plain text, several in the body of a repetition or a macro, none in a branch not taken.
    """
    return [program.placed(number, index) for number, index in written_numbers(program, line)]


@latest
def written_numbers(program: "Program", line: int) -> Sequence[tuple[int, int]]:
    """The same as chunk and item numbers."""
    number = program.chunk_at(line)
    found = list(_of_line(program, number, line))
    if found:
        return found
    # The lines of a repetition are interpreted where it ends.
    following = number + 1
    while following < len(program.chunks) and program.chunks[following].before.block is not None:
        found = list(_of_line(program, following, line))
        if found:
            return found
        following += 1
    body = macro_at(program, line)
    return list(_of_body(program, body, line)) if body is not None else []


def items_of(program: "Program", body: MacroBody) -> Iterator[tuple[int, int]]:
    """The results of a macro's body: chunk and item numbers; for each line those of a few expansions."""
    counts: dict[int, int] = {}
    for number, chunk in enumerate(program.chunks):
        for index, item in enumerate(chunk.items):
            if _is_in(item, body.macro):
                counts[item.written.line] = counts.get(item.written.line, 0) + 1
                if counts[item.written.line] <= MAX_EXPANSIONS:
                    yield number, index


def is_called(program: "Program", line: int, name: str) -> bool:
    """Whether `line` of the main file itself calls macro `name`, not just in a body or a branch not taken."""
    number = program.chunk_at(line)
    items = program.chunks[number].items_on(line - program.bases[number])
    return any(
        item.kind == "expansion" and item.statement.name == name and item.written.frame is None for item in items
    )


def last_assignment(program: "Program", name: str, line: int) -> "PlacedItem | None":
    """The assignment that gives `name` its value on `line` of the main file, made on it or before it."""
    number = program.chunk_at(line)
    wanted = line - program.bases[number]
    while number >= 0:
        chunk = program.chunks[number]
        if name in chunk.assigned:
            for index in range(len(chunk.items) - 1, -1, -1):
                item = chunk.items[index]
                if (
                    item.kind == "assignment"
                    and item.written.top_line <= wanted
                    and assigned_name(item.statement) == name
                ):
                    return program.placed(number, index)
        number -= 1
        wanted = len(program.chunks[number].lines)
    return None


def _of_line(program: "Program", number: int, line: int) -> Iterator[tuple[int, int]]:
    wanted = line - program.bases[number]
    for index, item in enumerate(program.chunks[number].items):
        if item.written.line == wanted and item.written.container is None:
            yield number, index


def _of_body(program: "Program", body: MacroBody, line: int) -> Iterator[tuple[int, int]]:
    wanted = line - body.header - 1
    found = 0
    for number, chunk in enumerate(program.chunks):
        for index, item in enumerate(chunk.items):
            if item.written.line == wanted and _is_in(item, body.macro):
                yield number, index
                found += 1
                if found == MAX_EXPANSIONS:
                    return


def _is_in(item: "Item", macro: Macro) -> bool:
    container = item.written.container
    return container is macro or (isinstance(container, Macro) and container == macro)
