"""Text about a topic: an instruction, a rule, a modifier, a register, a message, an idea; start at `text_of`."""

import difflib
import math
import re

from gcn_lsp import isa
from gcn_lsp.ide import explain as ide_explain
from gcn_lsp.ide import mnemonics
from gcn_lsp.ide.describe import (
    builtin,
    concept,
    directive,
    hazard,
    markdown,
    numbers,
    operand,
    resource,
    subject,
    target_names,
    targets,
    words,
)
from gcn_lsp.isa import documentation
from gcn_lsp.isa.tables import other_names
from gcn_lsp.rules import RULES


def text_of(topic: str, target_name: str | None) -> str | None:
    """All that is known about a topic on a target, as Markdown; None if nothing is."""
    low = topic.lower()
    text = page(low, target_name) or line(topic, target_name) or word(topic, target_name)
    return text or manual_name(low, target_name) or matches(low, target_name)


def page(topic: str, target_name: str | None) -> str | None:
    """The page of a rule or a mnemonic as Markdown; None if nothing has that name."""
    shown = target_name or mnemonics.usual_target(topic)
    target = isa.load_target(shown) if shown else None
    text = ide_explain.explain(topic, target)
    if text is None or topic in RULES:
        return text
    others = _elsewhere(topic, target) if target is not None and target_name is None else ""
    return markdown.join(text, others, _target_note(topic, target_name, shown)) + "\n"


def _elsewhere(mnemonic: str, shown: isa.Target) -> str:
    """What other targets say of an instruction that the page for `shown` does not: a list item for each of them."""
    here = _statements(mnemonic, shown)
    found: dict[tuple[str, ...], list[str]] = {}
    for name in mnemonics.targets_with(mnemonic):
        if name != shown.name:
            more = tuple(each for each in _statements(mnemonic, isa.load_target(name)) if each not in here)
            found.setdefault(more, []).append(name)
    items = (f"- {targets.summary(names)}: {' '.join(more)}" for more, names in found.items() if more)
    listed = "\n".join(sorted(items))
    return markdown.join("On other targets:", listed) if listed else ""


def _statements(mnemonic: str, target: isa.Target) -> tuple[str, ...]:
    entry = documentation.entry(mnemonic, target)
    if entry is None:
        return ()
    return (*(f"{markdown.code(line)}." for line in entry.operation.splitlines()), *entry.notes)


def manual_name(topic: str, target_name: str | None) -> str | None:
    """The page of what the assembler calls a name of AMD's manuals; None if `topic` is none."""
    shown = target_name or mnemonics.usual_target(re.sub("_cmp(k?)_ne_", r"_cmp\1_lg_", topic))
    found = other_names.in_manual(topic, isa.load_target(shown or _USUAL_TARGET))
    if found is None:
        return None
    names = " or ".join(markdown.code(name) for name in found.names)
    note = f"The assembler has no {markdown.code(topic)}, but {names}: {found.why}."
    return markdown.join(note, *(page(name, target_name) for name in found.names))


def line(topic: str, target_name: str | None) -> str | None:
    """What an editor shows of an instruction with its operands; None if it is none."""
    mnemonic = topic.lower().split()[0] if " " in topic.strip() else ""
    shown = target_name or mnemonics.usual_target(mnemonic)
    text = ide_explain.line(topic.strip(), isa.load_target(shown)) if mnemonic and shown else None
    note = _target_note(mnemonic, None, shown) if target_name is None else ""
    return markdown.join(text, note) + "\n" if text else None


def matches(topic: str, target_name: "str | None") -> str | None:
    """The names that a text is a part of, or else those whose summaries have all of its words; None without any."""
    if len(topic) < _SHORTEST:
        return None
    known = _summaries(isa.load_target(target_name) if target_name else None)
    words = topic.split()
    found = [name for name in known if name.startswith(topic)] or [name for name in known if topic in name]
    found = found or [name for name, summary in known.items() if all(each in summary.lower() for each in words)]
    if not found:
        return None
    found.sort(key=lambda name: (len(name), name))
    rows = [(markdown.code(name), known[name]) for name in found[:_LISTED]]
    more = f"{len(found) - _LISTED} more have it in their name; give more of it." if len(found) > _LISTED else ""
    title = f"Names with {markdown.code(topic)}:" if len(found) > 1 else "Found:"
    return markdown.join(title, markdown.table(("name", "what it is"), rows), more) + "\n"


def _summaries(target: "isa.Target | None") -> dict[str, str]:
    """The summary of every name that can be explained; without a target, of the mnemonics of all."""
    known = {name.name: name.summary for name in ide_explain.names(target)}
    if target is None:
        entries = ((name, documentation.entry(name)) for name in documentation.mnemonics())
        known |= {name: entry.summary if entry is not None else "" for name, entry in entries}
    return known


_SHORTEST = 3  # letters
_LISTED = 40  # names


def word(topic: str, target_name: str | None) -> str | None:
    """The texts about a word (modifier, register, message, directive, ...); None if there are none."""
    target = isa.load_target(target_name) if target_name else None
    low, high = topic.lower(), topic.upper()
    found = [
        concept.describe(topic, target),
        hazard.describe(topic),
        builtin.describe(topic, (target,) if target is not None else ()),
        words.modifier(low, target),
        words.special_register(low, target),
        _numbered(low, target),
        words.hardware_register_name(high, target),
        words.message_name(high, target),
        words.word(high, target) or words.word(low, target),
        words.operand(low, target) or words.operand(topic, target),
        directive.describe(topic, target),
        _descriptor(low, target_name),
        _number(low),
        target_names.describe(topic),
    ]
    # Two kinds may have the same text, such as `hwreg(...)` as modifier and as operand; print it once.
    text = "\n\n---\n\n".join(dict.fromkeys(part for part in found if part))
    return f"{text}\n" if text else None


def _numbered(name: str, target: "isa.Target | None") -> str | None:
    """A numbered register such as `v12` or `s[4:7]`, and its file."""
    match = _REGISTER.fullmatch(name)
    if match is None:
        return None
    file, first = match[1], int(match[2] or match[3])
    count = int(match[4] or first) - first + 1
    if count < 1:
        return None
    last = target.file_sizes.get(file, 0) - 1 if target is not None else first + count
    if target is not None and first + count - 1 > last:
        has = f"it has `{file}0` to `{file}{last}`" if last >= 0 else "it has no register of this kind"
        return markdown.join(
            f"**{target.name} does not have {markdown.code(name)}**: {has}.", words.operand(_FILES[file], target)
        )
    return markdown.join(operand.numbered(file, first, count), words.operand(_FILES[file], target))


_REGISTER = re.compile(r"([vsa])(?:(\d{1,3})|\[(\d{1,3})(?::(\d{1,3}))?\])")
_FILES = {"v": "vgpr", "s": "sgpr", "a": "agpr"}
_USUAL_TARGET = "gfx942"


def _descriptor(name: str, target_name: str | None) -> str:
    """A descriptor by its short name, or the fields that are called `name`."""
    target = isa.load_target(target_name or _USUAL_TARGET)
    kind = resource.NAMES.get(name)
    return resource.layout(kind, target) if kind is not None else resource.field(name, target)


def _number(text: str) -> str | None:
    """A number in every notation; None if the text is not a number."""
    for read in (lambda: int(text, 0), lambda: float(text)):
        try:
            value = read()
        except ValueError:
            continue
        return numbers.table(value) if isinstance(value, int) or math.isfinite(value) else None
    return None


def _target_note(mnemonic: str, asked: str | None, shown: str | None) -> str:
    """The targets that have the mnemonic, and the target of the syntax."""
    having = targets.summary(mnemonics.targets_with_half(mnemonic))
    if not having:
        return "No supported target has this mnemonic."
    if asked is None:
        return f"Targets: {having}. The syntax is for {shown}; choose another with `--target`."
    target = isa.load_target(asked)
    missing = not subject.of(mnemonic, target).known
    instead = other_names.replacement(mnemonic, target) if missing else ""
    advice = f"; {instead}" if instead else ""
    return f"Targets: {having}." + (f" {asked} does not have it{advice}." if missing else "")


def nearest(topic: str, target_name: str | None) -> str:
    """The name that a topic without a text may have meant, as the end of a sentence; empty if none is near."""
    if len(topic) > _LONGEST:
        return ""
    target = isa.load_target(target_name) if target_name else None
    known = (*RULES, *(target.mnemonics if target else documentation.mnemonics()))
    near = difflib.get_close_matches(topic, known, 1) or _near_words(topic, target)
    return f"; did you mean {near[0]}?" if near else ""


def _near_words(topic: str, target: "isa.Target | None") -> list[str]:
    """The word that is the most similar: a register, a directive, a field of a descriptor, ..."""
    fields = resource.field_names(target or isa.load_target(_USUAL_TARGET))
    known = [name for kind in _WORDS for name in documentation.names(kind)]
    spelled = {_bare(name): name for name in (*fields, *isa.target_names(), *known)}
    before = next((each for each in _PREFIXES if topic.startswith(each)), "").upper()
    near = [spelled[each] for each in difflib.get_close_matches(_bare(topic), spelled, 1, _LIKENESS)]
    return [before + name.removeprefix(before) for name in near]


def _bare(name: str) -> str:
    """A name in small letters, without what many have in common."""
    bare = name.lower().removeprefix(".").removeprefix("amdhsa_")
    return next((bare.removeprefix(each) for each in _PREFIXES if bare.startswith(each)), bare)


_WORDS = (
    "directives",
    "words",
    "messages",
    "hwregs",
    "operands",
    "modifiers",
    "concepts",
    "descriptor_fields",
    "registers",
)
_PREFIXES = ("hw_reg_", "msg_")  # which names have in an instruction and the tables leave out
_LIKENESS = 0.6
_LONGEST = 64  # letters of a name that is compared with all
