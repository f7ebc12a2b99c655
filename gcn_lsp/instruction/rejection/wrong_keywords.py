"""Explains rejected keywords: other targets, other encodings, spelling, order."""

import difflib
from collections.abc import Callable
from itertools import pairwise
from operator import attrgetter

from gcn_lsp import isa
from gcn_lsp.instruction import operands
from gcn_lsp.instruction.match import Candidates, Matcher, TargetContext
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.instruction.operands import Argument
from gcn_lsp.instruction.rejection import alignment
from gcn_lsp.instruction.rejection.other_targets import Trial
from gcn_lsp.instruction.rejection.wording import source_text
from gcn_lsp.isa.modifiers import cache_policy, dpp, sdwa, table
from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement

_LEAST_WITH_DESTINATION = 3  # the destination, an operand of memory, and the keyword

_TRIED_WORDS, _LEAST_LIKENESS = 2, 0.6
_GLUED = regex(r"(?:v|s|a|ttmp)[0-9]+(?=[a-z])")  # a register with a keyword right behind it
_CLEARLY_LESS = 0.1  # of the ratio of equal letters, between a word that is meant and one that is not


_SCALAR_POLICIES = frozenset(("glc", "dlc"))  # what `constraints.memory` leaves to scalar memory
_CACHE_WORDS = {row.name: row.bit for row in cache_policy.EARLY_ROWS}


_NO_MISTAKES = alignment.KEYWORD_NAMES | {*alignment.POSITIONAL_TOKENS}  # correct elsewhere


# Keywords of vector instructions, the fact of the targets that have them, and why.
_ENCODINGS: tuple[tuple[frozenset[str], Callable[[isa.Target], bool], str], ...] = (
    (frozenset(("dpp8",)), attrgetter("has_dpp8"), "DPP8 came with gfx10"),
    (frozenset(("fi",)), attrgetter("has_dpp8"), "DPP has it from gfx10"),
    (frozenset((*dpp.all_names(), "row_mask", "bank_mask", "bound_ctrl")), attrgetter("has_dpp"), "DPP came with gfx8"),
    (frozenset(sdwa.MODIFIERS), attrgetter("has_sdwa"), "gfx8 to gfx10 have SDWA"),
)


def _of_other_encoding(name: str, target: isa.Target) -> str:
    """Why a target rejects a keyword of an encoding that it does not have; empty if it has the encoding."""
    for words, has_them, why in _ENCODINGS:
        if name in words and not has_them(target):
            return f"{target.name} has no `{name}`: {why}"
    return ""


class _Keyword(NamedTuple):
    """A keyword that no form of the instruction takes."""

    context: TargetContext
    candidates: Candidates
    argument: Argument
    statement: Statement
    written: list[Argument]
    name: str

    @property
    def target(self) -> str:
        """The name of the target."""
        return self.context.target.name

    @property
    def shapes(self) -> frozenset[str]:
        """The keywords of the instruction."""
        return _shapes_of(self.candidates)

    def problem(self, rule: str, message: str, end: int | None = None, fixes: tuple[LineFix, ...] = ()) -> Problem:
        """A problem at the keyword without its value, or up to another end."""
        node = self.argument.node
        usual = node.name_end if isinstance(node, nodes.Modifier) else node.end
        return Problem(rule, node.start, usual if end is None else end, message, fixes)


def unknown_keyword(
    context: TargetContext,
    candidates: Candidates,
    argument: Argument,
    statement: Statement,
    arguments: list[Argument] | None = None,
) -> Problem:
    """Why the instruction does not take a keyword."""
    name = argument.name
    if name == operands.CACHE:
        name = " ".join(part.name for part in argument.parts if isinstance(part, nodes.Name))
    written = [other for other in arguments or () if other.node.start < other.node.end]  # others are defaults
    keyword = _Keyword(context, candidates, argument, statement, written, name)
    return next(filter(None, (reason(keyword) for reason in _REASONS)), None) or _not_a_modifier(keyword)


def _given_twice(keyword: _Keyword) -> Problem | None:
    argument, node = keyword.argument, keyword.argument.node
    alike = [each for each in keyword.written if each.shape == argument.shape or each.name == argument.name]
    if len(alike) <= 1:
        return None
    fix = LineFix(f"Remove `{keyword.name}`", node.start, node.end, "")
    return keyword.problem("duplicate-modifier", f"`{keyword.name}` is given twice", node.end, (fix,))


def _without_encoding(keyword: _Keyword) -> Problem | None:
    is_vector = keyword.candidates.base.startswith("v_")
    message = _of_other_encoding(keyword.name, keyword.context.target) if is_vector else ""
    return keyword.problem("unsupported-on-target", message) if message else None


def _without_control(keyword: _Keyword) -> Problem | None:
    name, controls = keyword.name, dpp.controls(keyword.context.target.features)
    if not controls or name not in dpp.CONTROLS or name in controls:
        return None
    return keyword.problem("unsupported-on-target", f"{keyword.target} has no DPP control `{name}`")


def _without_policy(keyword: _Keyword) -> Problem | None:
    name, cache = keyword.name, keyword.candidates.cache
    if cache is None or name not in _CACHE_WORDS or name in cache:
        return None
    flags = ", ".join(cache)
    if keyword.context.target.has_temporal_hints:
        flags = "hints and scopes, as in `th:TH_LOAD_NT scope:SCOPE_SYS`"
    message = f"{keyword.target} has no cache policy `{name}` here; it has {flags}"
    return keyword.problem("unsupported-on-target", message)


def _refused_policy(keyword: _Keyword) -> Problem | None:
    argument, candidates = keyword.argument, keyword.candidates
    if candidates.cache is None or argument.name != operands.CACHE:
        return None
    flags: frozenset[str] = frozenset().union(*(matcher.form.flags for matcher in candidates.matchers))
    message = f"{keyword.statement.word} takes no `{keyword.name}` with these operands"
    if argument.value & cache_policy.GLC and "IsAtomicRet" not in flags and "IsAtomicNoRet" in flags:
        message = f"{keyword.statement.word} returns no value on {keyword.target}, so it takes no `{keyword.name}`"
    return keyword.problem("unknown-modifier", message)


def _with_or_without_value(keyword: _Keyword) -> Problem | None:
    name, kind, node = keyword.name, keyword.argument.kind, keyword.argument.node
    if kind == operands.NAME and name + ":" in keyword.shapes:
        return keyword.problem("syntax-error", f"`{name}` needs a value, as in `{name}:1`", node.end)
    if kind == operands.MODIFIER and name in keyword.shapes:
        fix = LineFix(f"Change to `{name}`", node.start, node.end, name)
        return keyword.problem("syntax-error", f"`{name}` takes no value", node.end, (fix,))
    return None


def _of_another_form(keyword: _Keyword) -> Problem | None:
    candidates, shape = keyword.candidates, keyword.argument.shape
    if candidates.suffix and shape in _shapes_of(keyword.context.candidates(candidates.base)):
        message = f"the {candidates.suffix} encoding of {candidates.base} takes no `{keyword.name}`"
        return keyword.problem("unknown-modifier", message)
    if shape in keyword.shapes:
        message = f"{keyword.statement.word} takes no `{keyword.name}` with these operands"
        return keyword.problem("unknown-modifier", message)
    return None


def _in_a_number(keyword: _Keyword) -> Problem | None:
    """`0ff` is read as 0 and a word: hexadecimal digits without their mark, or with a part of it."""
    node, line = keyword.argument.node, keyword.statement.line
    start = node.start
    while start > 0 and line[start - 1 : start].isdigit():
        start -= 1
    digits = line[start : node.end].decode("utf-8", "replace")
    is_within = start > 0 and (line[start - 1 : start].isalnum() or line[start - 1 : start] in (b".", b"_"))
    if start == node.start or is_within or not _HEXADECIMAL.fullmatch(digits) or _FLOAT.fullmatch(digits):
        return None
    number = f"0x{digits.lstrip('0').rstrip('hH') or '0'}"
    fix = LineFix(f"Change to `{number}`", start, node.end, number)
    message = f"`{digits}` is not a number; hexadecimal ones begin with `0x`, as in `{number}`"
    return Problem("syntax-error", start, node.end, message, (fix,))


_HEXADECIMAL = regex(r"[\da-fA-F]+[hH]?")
_FLOAT = regex(r"\d+[eEfF]")  # a number as in C

# Why an instruction may not take a keyword; the first reason is reported.
_REASONS = (
    _in_a_number,
    _given_twice,
    _without_encoding,
    _without_control,
    _without_policy,
    _refused_policy,
    _with_or_without_value,
    _of_another_form,
)


def _not_a_modifier(keyword: _Keyword) -> Problem:
    name = keyword.name
    bits = cache_policy.bits(keyword.context.target.features)
    absent = {word for word, bit in (keyword.candidates.cache or {}).items() if not bit & bits}
    if any("SMRD" in matcher.form.flags for matcher in keyword.candidates.matchers):
        absent |= _CACHE_WORDS.keys() - _SCALAR_POLICIES
    known = sorted({word.rstrip(":") for word in keyword.shapes - absent if not word.startswith("no")})
    near = difflib.get_close_matches(name, known, n=2, cutoff=0.75)
    if name not in alignment.KEYWORD_NAMES and near:
        message, fixes = _suggested(keyword.argument, near)
        return keyword.problem("unknown-modifier", message, fixes=fixes)
    takes = f"; it takes {', '.join(known)}" if 0 < len(known) <= 12 else ""
    what = "takes no" if name in alignment.KEYWORD_NAMES else "has no modifier"
    return keyword.problem("unknown-modifier", f"{keyword.statement.word} {what} `{name}`{takes}")


def renamed_policies(
    context: TargetContext, candidates: Candidates, arguments: list[Argument], statement: Statement, trial: Trial
) -> Problem | None:
    """Cache policies with their names on other targets, if the line is legal with the names of this one."""
    own = candidates.cache or {}
    foreign = [
        argument for argument in arguments
        if argument.kind == operands.NAME and argument.name in _CACHE_WORDS and argument.name not in own
    ]  # fmt: skip
    by_bit = {bit: name for name, bit in own.items()}
    if context.target.has_temporal_hints:
        by_bit = {cache_policy.GLC: "th:TH_ATOMIC_RETURN"} if "_atomic_" in candidates.base else {}
    names = [by_bit.get(_CACHE_WORDS[argument.name], "") for argument in foreign]
    if not foreign or not own or not all(names):
        return None
    start, end = foreign[0].node.start, foreign[-1].node.end
    text, at = "", start
    for argument, name in zip(foreign, names, strict=True):
        text += statement.line[at : argument.node.start].decode("utf-8", "replace") + name
        at = argument.node.end
    if not trial.takes_text(start, end, text):
        return None
    node = foreign[0].node
    message = f"{context.target.name} has no cache policy `{foreign[0].name}`; the same bit is `{names[0]}` here"
    fix = LineFix(f"Change to `{text}`", start, end, text)
    return Problem("unsupported-on-target", node.start, node.end, message, (fix,))


_EXCLUSIVE = (("addr64", ("idxen", "offen")),)  # of buffers: an address, or what it is made of


def exclusive(candidates: Candidates, arguments: list[Argument]) -> Problem | None:
    """Two words that the instruction takes, and never together."""
    written = {argument.name: argument for argument in arguments if argument.kind == operands.NAME}
    shapes = _shapes_of(candidates) | {step.rule.token for matcher in candidates.matchers for step in matcher.steps}
    for word, others in _EXCLUSIVE:
        other = next((each for each in others if each in written), "")
        if word in written and other and {word, other} <= shapes:
            node = written[word].node
            message = f"`{other}` and `{word}` exclude each other"
            return Problem("operand-conflict", node.start, node.end, message)
    return None


def misspelled(candidates: Candidates, arguments: list[Argument], trial: Trial) -> Problem | None:
    """A word that is one or two letters away from a keyword with which the line is legal."""
    shapes = _shapes_of(candidates)
    for argument in arguments:
        node = argument.node
        if argument.kind not in (operands.NAME, operands.MODIFIER) or argument.name in _NO_MISTAKES:
            continue
        is_value = isinstance(node, nodes.Modifier)
        known = sorted({shape.rstrip(":") for shape in shapes if (shape[-1] == ":") == is_value})
        end = node.name_end if isinstance(node, nodes.Modifier) else node.end
        glued = _GLUED.match(argument.name)
        if is_value and glued is not None and argument.name[glued.end() :] in known:
            return _without_blank(argument, glued.end(), end)
        likely = difflib.get_close_matches(argument.name, known, n=_TRIED_WORDS, cutoff=_LEAST_LIKENESS)
        near = [word for word in likely if trial.takes_text(node.start, end, word)]
        if near:
            message, fixes = _suggested(argument, near)
            return Problem("unknown-modifier", node.start, end, message, fixes)
    return None


def _without_blank(argument: Argument, length: int, end: int) -> Problem:
    """A register and a keyword with nothing between them."""
    at = argument.node.start + length
    register, keyword = argument.name[:length], argument.name[length:]
    fix = LineFix(f"Insert a blank before `{keyword}`", at, at, " ")
    message = f"between `{register}` and `{keyword}` a blank is missing"
    return Problem("unknown-modifier", argument.node.start, end, message, (fix,))


def _suggested(argument: Argument, near: list[str]) -> tuple[str, tuple[LineFix, ...]]:
    """The message and fixes for a misspelt modifier; of several near words, such as `row_shl` and `row_shr`, none is
    certain; there is no fix that would replace a register, too."""
    node, likeness = argument.node, difflib.SequenceMatcher(b=argument.name)
    ratios = {}
    for word in near:
        likeness.set_seq1(word)
        ratios[word] = likeness.ratio()
    near = [word for word in near if ratios[word] > max(ratios.values()) - _CLEARLY_LESS]
    end = node.name_end if isinstance(node, nodes.Modifier) else node.end
    asked = " or ".join(f"`{word}`" for word in near)
    message = f"`{argument.name}` is not a modifier; did you mean {asked}?"
    if _GLUED.match(argument.name) is not None:
        return message, ()
    fixes = tuple(LineFix(f"Change to `{word}`", node.start, end, word, is_certain=len(near) == 1) for word in near)
    return message, fixes


def destination_of_lds(arguments: list[Argument], statement: Statement, trial: Trial) -> Problem | None:
    """A destination beside `lds`, which older assemblers took, if the line is legal without the destination."""
    word = next((argument.node for argument in arguments if argument.name == "lds"), None)
    if word is None or len(arguments) < _LEAST_WITH_DESTINATION:
        return None
    start, end = arguments[0].node.start, arguments[1].node.start
    if not trial.takes_text(start, end, ""):
        return None
    written = source_text(statement.line, arguments[0].node)
    message = f"with `lds` {statement.word} writes to LDS and takes no destination: remove `{written}`"
    fix = LineFix(f"Remove `{written}`", start, end, "")
    return Problem("unknown-modifier", word.start, word.end, message, (fix,))


def late_format(arguments: list[Argument], statement: Statement, trial: Trial) -> Problem | None:
    """`dfmt:` and `nfmt:` after soffset, when the line is right with them before it."""
    late = [argument.node for argument in arguments if argument.name in _EARLY_FORMATS]
    place = next((index for index, argument in enumerate(arguments) if argument.name in _EARLY_FORMATS), 0)
    if not late or place <= _SOFFSET_PLACE:
        return None
    offset = arguments[place - 1].node
    start, end = offset.start, late[-1].end
    formats = statement.line[late[0].start : end].decode("utf-8", "replace")
    text = f"{formats}, {source_text(statement.line, offset)}"
    if not trial.takes_text(start, end, text):
        return None
    fix = LineFix(f"Change to `{text}`", start, end, text)
    message = f"`{formats}` goes before soffset: `{text}`"
    return Problem("operand-conflict", late[0].start, end, message, (fix,))


def misplaced_format(arguments: list[Argument], statement: Statement, trial: Trial) -> Problem | None:
    """`format:` whose place alone is wrong: before soffset, or after other keywords as AMD's disassembler has it."""
    place = next((index for index, each in enumerate(arguments) if _is_format(each.node)), 0)
    if not place:
        return None
    node, after = arguments[place].node, arguments[place + 1 :]
    written = source_text(statement.line, node)
    keywords = [each.node for each in arguments[:place] if each.kind in (operands.NAME, operands.MODIFIER)]
    start, end = (keywords[0].start, node.end) if keywords else (node.start, after[0].node.end if after else node.end)
    moved = statement.line[start : node.start].rstrip() if keywords else statement.line[node.end : end].lstrip(b", ")
    before, behind = (written, moved.decode()) if keywords else (moved.decode(), written)
    if not moved or not trial.takes_text(start, end, f"{before} {behind}"):
        return None
    fix = LineFix(f"Move `{written}`", start, end, f"{before} {behind}")
    return Problem("syntax-error", node.start, node.end, "`format:` goes directly after soffset", (fix,))


def _is_format(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Modifier) and node.name == operands.FORMAT


_EARLY_FORMATS = ("dfmt", "nfmt")
_SOFFSET_PLACE = 3  # after the data, the address and the resource


def absent(context: TargetContext, candidates: Candidates, arguments: list[Argument]) -> Problem | None:
    """A keyword of memory instructions that the target does not have."""
    if candidates.base.startswith(("v_", "s_")):
        return None
    shapes, here = _shapes_of(candidates), table.modifiers(context.target.features)
    for argument in arguments:
        row = table.ROWS.get(argument.name)
        is_known = argument.shape in shapes or argument.name in here
        if row is not None and not is_known and argument.kind in (operands.NAME, operands.MODIFIER):
            node = argument.node
            end = node.name_end if isinstance(node, nodes.Modifier) else node.end
            message = f"{context.target.name} has no `{argument.name}`"
            return Problem("unsupported-on-target", node.start, end, message)
    return None


def divided_value(arguments: list[Argument], statement: Statement, trial: Trial) -> Problem | None:
    """A modifier value with a blank in it, without which the line is legal: `dim:2 D`."""
    for before, argument in pairwise(arguments):
        start, end = before.node.end, argument.node.end
        text = source_text(statement.line, argument.node)
        if before.kind == operands.MODIFIER and argument.kind == operands.NAME and trial.takes_text(start, end, text):
            value = source_text(statement.line, before.node) + text
            fix = LineFix(f"Change to `{value}`", start, end, text)
            message = f"a value cannot contain a blank: `{value}`"
            return Problem("syntax-error", before.node.start, end, message, (fix,))
    return None


def _shapes_of(candidates: Candidates) -> frozenset[str]:
    found = {word for matcher in candidates.matchers for step in matcher.steps for word in step.rule.names or ()}
    return frozenset(found) | frozenset(candidates.cache or ())


def disorder(
    context: TargetContext, candidates: Candidates, arguments: list[Argument], statement: Statement
) -> Problem | None:
    """Keywords that are legal except for their order, which LLVM prescribes."""
    keywords = [argument for argument in arguments if alignment.is_keyword(argument)]
    if len(keywords) < 2 or arguments[-len(keywords) :] != keywords:
        return None
    positional = arguments[: -len(keywords)]
    for matcher in candidates.matchers:
        places = [_first_step(context, matcher, argument) for argument in keywords]
        if -1 in places:
            continue
        ordered = [keywords[index] for index in sorted(range(len(keywords)), key=lambda index: places[index])]
        if ordered == keywords or context.places(matcher, positional + ordered) is None:
            continue
        wrong = next(index for index in range(1, len(keywords)) if places[index] < max(places[:index]))
        blocking = next(index for index in range(wrong) if places[index] > places[wrong])
        line = statement.line
        texts = [source_text(line, argument.node) for argument in ordered]
        start, end = keywords[0].node.start, keywords[-1].node.end
        node = keywords[wrong].node
        return Problem(
            "operand-conflict",
            node.start,
            node.end,
            f"`{source_text(line, node)}` must come before `{source_text(line, keywords[blocking].node)}`",
            (LineFix("Reorder the modifiers", start, end, " ".join(texts)),),
        )
    return None


def _first_step(context: TargetContext, matcher: Matcher, argument: Argument) -> int:
    for index, step in enumerate(matcher.steps):
        if context.judge.takes(step.number, step.rule, argument) and (step.rule.names or step.rule.merged):
            return index
    return -1


def no_modifier(candidates: Candidates, argument: Argument) -> str:
    """Why an operand takes no source modifier."""
    used = argument.modifiers
    sign = "sext" if used & operands.SEXT else "neg" if used & operands.NEG else "abs"
    return f"{candidates.word} takes no {sign} on this operand"
