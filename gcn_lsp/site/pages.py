"""The pages: one for each mnemonic, for each family, for each kind of other names, and the first one."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide import explain
from gcn_lsp.ide.describe import directive, encoding, resource, target_names
from gcn_lsp.ide.describe import targets as describe
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import MessageEntry, ModifierEntry, RegisterEntry, documents, library, notation
from gcn_lsp.isa.memory import resources
from gcn_lsp.isa.target import other_names
from gcn_lsp.site import ideas, markdown
from gcn_lsp.site.content import Mnemonic, Variant
from gcn_lsp.site.markup import code, escape, items, link, pre, prose, slug, table, tag

Documented = ModifierEntry | RegisterEntry | MessageEntry

KINDS: Mapping[str, tuple[str, Callable[[str, isa.Target], Documented | None]]] = {
    "modifiers": ("Modifiers and function-like operands", documentation.modifier),
    "words": ("Words: formats, selections, scopes, export targets", documentation.word),
    "operands": ("Operands and constants", documentation.operand),
    "registers": ("Special registers", documentation.special_register),
    "hwregs": ("Hardware registers", documentation.hwreg),
    "messages": ("Messages", documentation.message),
}
_FIRST = "index.html"
NOTATION = "notation.html"
RULES = "rules.html"
DIRECTIVES = "directives.html"
DESCRIPTORS = "descriptors.html"


class Page(msgspec.Struct, frozen=True):
    """A page: its address, its title, and the HTML below that."""

    path: str
    title: str
    body: str


class Article(msgspec.Struct, frozen=True):
    """A page written by hand: its file among the assets, its address, its title, and the words that find it."""

    file: str
    address: str
    title: str
    name: str

    @property
    def text(self) -> str:
        """The page as Markdown."""
        return Path(__file__).with_name("assets").joinpath(self.file).read_text("utf-8")


ARTICLES = (
    Article("running.md", "running.html", "Running, testing and debugging kernels", "run test debug kernels"),
    Article("api.md", "api.html", "The interface for other programs", "api python interface for programs"),
    Article("agents.md", "agents.html", "What agents compute by hand", "agents mcp questions by hand"),
)


class Found(msgspec.Struct, frozen=True, array_like=True):
    """A search result: a name, the address of its page, its subject, and other words of the page, each once."""

    name: str
    address: str
    summary: str
    words: str = ""


def pages(mnemonics: Sequence[Mnemonic], targets: Sequence[str]) -> Iterator[Page]:
    """All pages of the site."""
    families: dict[str, list[Mnemonic]] = {}
    for mnemonic in mnemonics:
        families.setdefault(mnemonic.family, []).append(mnemonic)
    yield _first(families, targets)
    yield Page(NOTATION, "How to read an operation", _notation())
    for title, members in families.items():
        yield _family(title, members)
    for kind in KINDS:
        yield _kind(kind, targets)
    yield _ideas(tuple(targets))
    for idea in ideas.ideas(tuple(targets)):
        yield Page(idea.address, idea.title, _idea(idea))
    yield Page(RULES, "Rules", table("Rules", ("rule", "what it finds"), map(_rule_row, _rules())))
    for rule in _rules():
        yield Page(rule_address(rule.name), rule.name, markdown.body(rule_page(rule.name)))
    for article in ARTICLES:
        yield Page(article.address, article.title, markdown.body(article.text))
    yield Page(DIRECTIVES, "Directives and fields of kernel descriptors", _directives())
    yield Page(DESCRIPTORS, "Descriptors of buffers, images and samplers", _descriptors(tuple(targets)))
    addresses = {mnemonic.name: f"{mnemonic.name}.html" for mnemonic in mnemonics}
    for mnemonic in mnemonics:
        yield _mnemonic(mnemonic, addresses)


def index(mnemonics: Sequence[Mnemonic], targets: Sequence[str]) -> list[Found]:
    """The names that the search finds."""
    found = [Found(mnemonic.name, address(mnemonic.name), mnemonic.summary, _words(mnemonic)) for mnemonic in mnemonics]
    for article in ARTICLES:
        found.append(Found(article.name, article.address, article.title, _distinct([article.text])))
    for rule in _rules():
        found.append(Found(rule.name, rule_address(rule.name), rule.summary, _distinct([rule_page(rule.name)])))
    for kind in KINDS:
        for name, variants in _documented(kind, tuple(targets)):
            found.append(Found(_shown(kind, name), f"{kind}.html#{anchor(name)}", variants[-1][0].summary))
    for idea in ideas.ideas(tuple(targets)):
        for name in idea.names:
            words = _distinct(text for text, _ in idea.variants)
            found.append(Found(name.replace("-", " "), idea.address, idea.summary, words))
    for name in (*_directive_names(), *documentation.names("descriptor_fields")):
        row = directive.lookup(name)
        found.append(Found(name, f"{DIRECTIVES}#{anchor(name)}", row.text if row is not None else ""))
    for kind in resource.NAMES.values():
        found.append(Found(f"{kind} resource", f"{DESCRIPTORS}#{anchor(kind)}", "its fields in SGPRs"))
    for name in targets:
        names = [spelling for other in other_names(name) for spelling in (target_names.spoken(other), other)]
        found.append(Found(name, _FIRST, ", ".join(dict.fromkeys(names)), _distinct(names)))
    return found


def _words(mnemonic: Mnemonic) -> str:
    """The words of a mnemonic's notes, for the search."""
    entries = [variant.entry for variant in mnemonic.variants]
    return _distinct(text for entry in entries for text in (*entry.notes, *entry.hazards, *entry.counters))


def _distinct(texts: Iterable[str]) -> str:
    """The words of some texts, each once, in small letters."""
    return " ".join(sorted({word for text in texts for word in re.findall(r"[a-z][a-z0-9_]{2,}", text.lower())}))


def address(mnemonic: str) -> str:
    """The address of a mnemonic's page."""
    return f"mnemonics/{mnemonic}.html"


def rule_address(rule: str) -> str:
    """The address of a rule's page."""
    return f"rules/{rule}.html"


@cache
def _rules() -> tuple[explain.PageName, ...]:
    """The rules with their summaries."""
    return tuple(explain.names(None))


def rule_page(name: str) -> str:
    """The page of a rule, as Markdown."""
    return explain.explain(name, None) or ""


def _rule_row(rule: explain.PageName) -> tuple[str, str]:
    return link(rule_address(rule.name), code(rule.name)), prose(f"{rule.summary[:1].upper()}{rule.summary[1:]}", {})


def anchor(name: str) -> str:
    """The place of a name on its page."""
    return "n-" + re.sub(r"[^\w.-]", "-", name)


def _first(families: Mapping[str, Sequence[Mnemonic]], targets: Sequence[str]) -> Page:
    rows = [
        (link(f"families/{slug(title)}.html", escape(title)), str(len(members)), _range(members))
        for title, members in families.items()
    ]
    count = sum(len(members) for members in families.values())
    body = (
        tag("p", f"{_counted(count, 'mnemonic')} of {_counted(len(targets), 'target')}: {escape(', '.join(targets))}.")
        + tag("h2", "Instructions by family")
        + table("Families of instructions", ("family", "mnemonics", "targets"), rows)
        + tag("h2", "Everything else")
        + items(
            [link(RULES, "Rules: what gcn-lsp reports, why, and how to fix it")]
            + [link(article.address, article.title) for article in ARTICLES]
            + [link(NOTATION, "How to read an operation")]
            + [link(ideas.INDEX, ideas.TITLE)]
            + [link(f"{kind}.html", escape(title)) for kind, (title, _) in KINDS.items()]
            + [link(DIRECTIVES, "Directives and fields of kernel descriptors")]
            + [link(DESCRIPTORS, "Descriptors of buffers, images and samplers")]
        )
    )
    return Page(_FIRST, "GCN and RDNA instructions", body)


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _range(members: Iterable[Mnemonic]) -> str:
    return _having({name for member in members for name in member.targets})


def _family(title: str, members: Sequence[Mnemonic]) -> Page:
    addresses = {member.name: f"../{address(member.name)}" for member in members}
    rows = [
        (
            link(addresses[member.name], code(member.name)),
            prose(member.summary, addresses),
            _having(member.targets),
        )
        for member in members
    ]
    return Page(f"families/{slug(title)}.html", title, table(title, ("mnemonic", "what it does", "targets"), rows))


def _mnemonic(mnemonic: Mnemonic, addresses: Mapping[str, str]) -> Page:
    family = tag("p", "Family: " + link(f"../families/{slug(mnemonic.family)}.html", escape(mnemonic.family)))
    having = tag("p", f"Targets: {_having(mnemonic.targets)}")
    variants = mnemonic.variants
    if len(variants) == 1:
        body = family + having + _variant(variants[0], mnemonic.name, addresses)
        return Page(address(mnemonic.name), mnemonic.name, body)
    # The newest targets first: most readers want those.
    titles = [_having(variant.targets) for variant in variants]
    sections = [
        tag("section", tag("h2", title) + _variant(variant, mnemonic.name, addresses), id=f"v-{number}")
        for number, (title, variant) in reversed(list(enumerate(zip(titles, variants, strict=True))))
    ]
    places = [link(f"#v-{number}", title) for number, title in reversed(list(enumerate(titles)))]
    contents = tag("nav", tag("p", "Described for") + items(places), aria_label="Groups of targets")
    return Page(address(mnemonic.name), mnemonic.name, family + having + contents + "".join(sections))


def _variant(variant: Variant, mnemonic: str, addresses: Mapping[str, str]) -> str:
    entry = variant.entry
    facts = [
        ("Reads besides its operands", ", ".join(variant.reads.always)),
        ("Reads in some forms", ", ".join(variant.reads.sometimes)),
        ("Writes besides its operands", ", ".join(variant.writes.always)),
        ("Writes in some forms", ", ".join(variant.writes.sometimes)),
        ("Wait counters raised", ", ".join(entry.counters)),
    ]
    operation = pre(entry.operation, "Operation") if entry.operation else tag("p", "Nothing that can be observed.")
    return (
        tag("p", prose(entry.summary, addresses), class_="summary")
        + _syntaxes(variant)
        + _operands(variant)
        + tag("h3", "Operation " + link(f"../{NOTATION}", "(notation)"))
        + operation
        + tag("dl", "".join(tag("dt", escape(name)) + tag("dd", code(text)) for name, text in facts if text))
        + _titled("Notes", entry.notes, addresses)
        + _titled("Hazards", entry.hazards, addresses)
        + _matrices(variant)
        + _encodings(variant, mnemonic)
        + _sources(variant.sources)
    ).replace("<dl></dl>", "")


def _sources(texts: Iterable[str]) -> str:
    """The sources, folded up: few readers need them."""
    return tag("details", tag("summary", "Sources") + items(escape(text) for text in texts))


def _encodings(variant: Variant, mnemonic: str) -> str:
    """The fields of each encoding on the newest of the variant's targets, folded up."""
    (target,) = _loaded(variant.targets[-1:])
    drawings: dict[str, str] = {}
    for form in target.forms(mnemonic):
        title = f"{encoding.title(form)}, {form.size} bytes"
        if title not in drawings:
            drawings[title] = encoding.layout(form, target)
    return "".join(
        tag("details", tag("summary", escape(f"Encoding {title} on {target.name}")) + pre(drawing, f"Encoding {title}"))
        for title, drawing in drawings.items()
    )


def _titled(title: str, texts: Sequence[str], addresses: Mapping[str, str]) -> str:
    return tag("h3", title) + items(prose(text, addresses) for text in texts) if texts else ""


def _syntaxes(variant: Variant) -> str:
    """The syntaxes; each with its targets unless these are all of the variant's."""
    if not variant.syntaxes:
        return ""
    if all(taking == variant.targets for _, taking in variant.syntaxes):
        return tag("h3", "Syntax") + pre("\n".join(syntax for syntax, _ in variant.syntaxes), "Syntax")
    rows = [(code(syntax), _having(taking)) for syntax, taking in variant.syntaxes]
    return tag("h3", "Syntax") + table("Syntax by target", ("syntax", "targets"), rows)


def _matrices(variant: Variant) -> str:
    """The layouts of an instruction's matrices in registers; with targets unless these are all of the variant's."""
    parts = []
    for text, taking in variant.matrices:
        title = "Registers of the matrices"
        heading = title if taking == variant.targets else f"{title}, {_having(taking)}"
        parts.append(tag("h3", heading) + pre(text, title))
    return "".join(parts)


def _operands(variant: Variant) -> str:
    """What each operand of the syntaxes accepts, with targets unless these are all of the variant's."""
    if all(taking == variant.targets for _, taking in variant.operands):
        rows = [(code(name), escape(text)) for (name, text), _ in variant.operands]
        return table("Operands", ("operand", "takes"), rows)
    rows3 = [
        (code(name), escape(text), _having(taking))
        for (name, text), taking in sorted(variant.operands, key=lambda row: _place(row[0][0], variant))
    ]
    return table("Operands by target", ("operand", "takes", "targets"), rows3)


def _place(operand: str, variant: Variant) -> int:
    """The rank by which the rows of one operand on several targets come together."""
    return next(number for number, ((name, _), _) in enumerate(variant.operands) if name == operand)


def _kind(kind: str, targets: Sequence[str]) -> Page:
    title, _ = KINDS[kind]
    sections = []
    for name, variants in _documented(kind, tuple(targets)):
        parts = [tag("h2", code(_shown(kind, name)))]
        for entry, having in variants:
            parts.append(tag("p", "Targets: " + _having(having), class_="targets"))
            parts.append(_entry(entry))
        sections.append(tag("section", "".join(parts), id=anchor(name)))
    sources = dict.fromkeys(documents.of_kind(kind, target) for target in targets)
    return Page(f"{kind}.html", title, _sources(sources) + "".join(sections))


def _ideas(targets: tuple[str, ...]) -> Page:
    rows = [
        (
            link(idea.address, escape(idea.title)),
            escape(", ".join(name.replace("-", " ") for name in idea.names[1:])),
            prose(idea.summary, {}),
        )
        for idea in ideas.ideas(targets)
    ]
    return Page(ideas.INDEX, ideas.TITLE, table("Ideas", ("idea", "other names", "what it is"), rows))


def _idea(idea: ideas.Idea) -> str:
    parts = []
    for text, having in idea.variants:
        parts.append(tag("section", tag("h2", f"On {_having(having)}") + markdown.body(text, idea.title)))
    others = ", ".join(name.replace("-", " ") for name in idea.names[1:])
    return (tag("p", f"Also: {escape(others)}.") if others else "") + "".join(parts)


@cache
def _documented(
    kind: str, targets: tuple[str, ...]
) -> Sequence[tuple[str, Sequence[tuple[Documented, Sequence[str]]]]]:
    """Each name of a kind with its entries, and the targets that share each."""
    look_up = KINDS[kind][1]
    loaded = _loaded(targets)
    found = []
    for name in documentation.names(kind):
        variants: dict[Documented, list[str]] = {}
        for target in loaded:
            entry = look_up(name, target) if library.has_text(kind, name, target.name) else None
            if entry is not None:
                variants.setdefault(entry, []).append(target.name)
        if variants:
            found.append((name, tuple(variants.items())))
    return found


@cache
def _loaded(targets: tuple[str, ...]) -> tuple[isa.Target, ...]:
    """The targets with their tables: `load_target` itself keeps only a few."""
    return tuple(isa.load_target(name) for name in targets)


def _shown(kind: str, name: str) -> str:
    if kind == "hwregs":
        return f"HW_REG_{name}"
    return f"MSG_{name}" if kind == "messages" and "_OP_" not in name else name


def _entry(entry: Documented) -> str:
    parts = [tag("p", prose(entry.summary, {}), class_="summary")]
    if isinstance(entry, RegisterEntry):
        parts.append(tag("p", f"{entry.bits} {'bit' if entry.bits == 1 else 'bits'}, {escape(entry.access)}"))
        rows = [(code(field.name), _bits(field.high, field.low), escape(field.meaning)) for field in entry.fields]
        parts.append(table(f"Fields of {entry.name}", ("field", "bits", "meaning"), rows))
    elif isinstance(entry, MessageEntry):
        parts.append(tag("p", f"Number {entry.number}"))
    else:
        parts.append(tag("p", code(entry.syntax)))
    if not isinstance(entry, RegisterEntry):
        rows2 = [(code(value.spelling), escape(value.meaning)) for value in entry.values]
        parts.append(table(f"Values of {entry.name}", ("value", "meaning"), rows2))
    parts.append(items(prose(note, {}) for note in entry.notes))
    return "".join(parts)


def _directive_names() -> list[str]:
    """The directives without synonyms."""
    rows = ((name, documentation.directive(name)) for name in documentation.names("directives"))
    return [name for name, row in rows if row is not None and row.name == name]


def _directives() -> str:
    """Every directive, then every field of a kernel descriptor: its syntax, its effect, its values."""
    parts = []
    for title, names in (
        ("Directives", _directive_names()),
        ("Kernel descriptor", documentation.names("descriptor_fields")),
    ):
        parts.append(tag("h2", title))
        for name in names:
            row = directive.lookup(name)
            if row is not None:
                text = tag("h3", code(row.syntax)) + tag("p", prose(row.text, {}), class_="summary")
                takes = directive.values(name, None)
                parts.append(tag("section", text + (tag("p", prose(takes, {})) if takes else ""), id=anchor(name)))
    return "".join(parts)


def _descriptors(targets: tuple[str, ...]) -> str:
    """The fields of each kind of resource descriptor, for each group of targets that has them alike."""
    parts = []
    for short, kind in resource.NAMES.items():
        layouts: dict[str, list[str]] = {}
        for target in _loaded(targets):
            found = resources.resource(kind, target.features)
            if found is not None:
                layouts.setdefault(_fields(kind, found.fields, target), []).append(target.name)
        tables = "".join(tag("h3", _having(having)) + fields for fields, having in reversed(layouts.items()))
        parts.append(tag("section", tag("h2", escape(f"{kind} ({short.upper()})")) + tables, id=anchor(kind)))
    return "".join(parts)


def _fields(kind: str, fields: Iterable[resources.ResourceField], target: isa.Target) -> str:
    """A table of a descriptor's fields, and folded up the values of each with too many names for the table."""
    resource_kind = f"{'an' if kind == 'image' else 'a'} {kind} resource"
    rows = []
    formats = []
    for field in fields:
        reading = resources.reading(field)
        values = resources.values(field, target.features)
        rows.append((code(field.name), _bits(field.high, field.low), escape(resources.described(field))))
        if any(name not in reading for name in values.values()):
            named = [(str(value), code(name)) for value, name in sorted(values.items())]
            title = f"Values of {field.name} in {resource_kind}"
            formats.append(tag("details", tag("summary", title) + table(title, ("value", "name"), named)))
    said = "".join(tag("li", escape(text)) for text in resources.notes(kind, target.features))
    notes = tag("ul", said) if said else ""
    return table(f"Fields of {resource_kind}", ("field", "bits", "meaning"), rows) + notes + "".join(formats)


def _having(targets: Iterable[str]) -> str:
    """Targets in short, as HTML."""
    return _short(frozenset(targets))


@cache
def _short(targets: frozenset[str]) -> str:
    return escape(describe.summary(tuple(targets)))


def _bits(high: int, low: int) -> str:
    return str(high) if high == low else f"{high}:{low}"


def _notation() -> str:
    """The notation's own explanation, its paragraphs and lists as HTML."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(notation.__doc__ or "")):
        if paragraph.startswith("- "):
            points = re.split(r"\n- ", paragraph[2:])
            parts.append(items(prose(" ".join(point.split()), {}) for point in points))
        elif len(paragraph) < 80 and not paragraph.endswith("."):
            parts.append(tag("h2", escape(paragraph)))
        else:
            parts.append(tag("p", prose(" ".join(paragraph.split()), {})))
    for title, words in (("Constants", notation.CONSTANTS), ("Functions", notation.FUNCTIONS)):
        rows = [(code(name), escape(text)) for name, text in sorted(words.items(), key=lambda row: row[0].lower())]
        parts.append(tag("h2", title) + table(f"{title} in operations", ("name", "meaning"), rows))
    return "".join(parts)
