"""Describes the facts about hardware that findings name by an id: hazards and restrictions (`S-04`)."""

from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.ide.describe import markdown, targets
from gcn_lsp.isa import conditions, hazards
from gcn_lsp.isa.hazards import restrictions
from gcn_lsp.isa.hazards.access import Access, File
from gcn_lsp.isa.hazards.model import ANY, DIFFERENT, FOREVER, SAME, SGPR_WRITERS, STATES, VALUS, RegisterPart, Row

HEAD = ("first", "then", "needed between")


def describe(name: str) -> str | None:
    """The text about the hazards or restrictions with an id; None if there are none."""
    wanted = name.upper()
    rows = [row for row in hazards.ROWS if row.id.upper() == wanted]
    limits = [each for each in restrictions.RESTRICTIONS if each.id.upper() == wanted]
    reasons = [*(row.reason for row in rows), *(each.reason for each in limits)]
    if not reasons:
        return None
    sentences = [f"{reason[:1].upper()}{reason[1:]}." for reason in dict.fromkeys(reasons)]
    said = sentences[0] if len(sentences) == 1 else "\n".join(f"- {sentence}" for sentence in sentences)
    cells = [(*in_words(row), _having(row.targets)) for row in rows]
    table = markdown.table((*HEAD, "targets"), list(dict.fromkeys(cells)))
    names = dict.fromkeys([*("unreplayable-clause" if row.replay else "missing-wait-states" for row in rows)])
    if limits:
        names["undefined-by-hardware"] = None
    rules = (
        f"Rule: {markdown.listing(tuple(names))}." if len(names) == 1 else f"Rules: {markdown.listing(tuple(names))}."
    )
    return markdown.join(f"**hardware fact** {markdown.code(wanted)}", said, table, rules)


def _having(condition: str) -> str:
    names = isa.target_names()
    return targets.summary([name for name in names if conditions.holds(condition, isa.load_target(name).features)])


def in_words(row: Row) -> tuple[str, str, str]:
    """The two classes of instructions of a hazard with the registers that count, and what is needed between them."""
    is_shared = row.writes.access not in _COMMON and row.meets.access not in _COMMON
    first = _part(row.writes, _FILES[row.writes.file])
    second = _part(row.meets, _SHARED[row.overlap] if is_shared else _FILES[row.meets.file])
    if row.writes.access is row.meets.access is Access.HARDWARE_REGISTER:
        second = "names the same one"
    return (
        f"{row.first.name} that {first}" if first else row.first.name,
        f"{row.second.name} that {second}" if second else row.second.name,
        needed(row),
    )


_SHARED: Mapping[str, str] = {
    ANY: "one of those registers",
    SAME: "exactly those registers",
    DIFFERENT: "some of those registers, but not exactly those",
}
# What all instructions have in common: no register must be the same.
_COMMON = (Access.ALWAYS, Access.IF_READS, Access.IF_WRITES, Access.IF_OVERLAPS, Access.NAMED)
_VERBS: Mapping[Access, str] = {
    Access.READS: "reads {}",
    Access.WRITES: "writes {}",
    Access.TOUCHES: "reads or writes {}",
    Access.READS_IF_WRITES: "reads {}, and writes anything",
    Access.READS_PAIRS: "reads {}, or the other one of its pair",
    Access.USES: "reads {} by an operand",
    Access.USES_NUMBERED: "reads {} written as `s[...]`",
    Access.USES_BY_NAME: "reads {} by name",
    Access.DEFINES: "writes {} by an operand",
    Access.WRITES_NUMBERED: "writes {} written as `s[...]`",
    Access.WRITES_BY_NAME: "writes {} by name or implicitly",
    Access.MASK: "reads {} as its mask or carry",
    Access.HARDWARE_REGISTER: "names a hardware register",
    Access.IF_READS: "reads {}",
    Access.IF_WRITES: "writes {}",
    Access.IF_OVERLAPS: "reads {} that it writes",
    Access.THIRD: "has {} as the third register of {slots}",
    Access.SLOTS: "reads {} as {slots}",
    Access.ADDEND: "adds to {}",
}
_FILES: Mapping[File, str] = {
    File.ALL: "a register",
    File.VECTOR: "a VGPR or AccVGPR",
    File.VGPR: "a VGPR",
    File.SCALAR: "an SGPR",
    File.OPERANDS: "an SGPR",
    File.SGPR: "an SGPR",
    File.PLAIN_SGPR: "an SGPR but VCC",
    File.VCC: "VCC",
    File.EXEC: "EXEC",
    File.M0: "M0",
    File.S102: "`s102`",
    File.S103: "`s103`",
    File.FLAT_SCRATCH_BASE_LO: "`src_flat_scratch_base_lo`",
    File.FLAT_SCRATCH_BASE_HI: "`src_flat_scratch_base_hi`",
}


def _part(part: RegisterPart, those: str) -> str:
    """What an instruction does with the registers of a part; empty if all instructions do."""
    if part.access is Access.SLOTS and part.slots == ("vdst",):
        return f"writes {those}"
    return _VERBS.get(part.access, "").format(those, slots=" or ".join(markdown.code(slot) for slot in part.slots))


def needed(row: Row) -> str:
    """What must be between the two instructions of a hazard, by the passes of the first where those count."""
    if row.unit == FOREVER:
        return markdown.code(row.fix.text) if row.fix.text else "another instruction"
    one, many = _UNITS[row.unit]
    if isinstance(row.need, int):
        return f"{row.need} {one if row.need == 1 else many}"
    (passes, count), *more = row.need
    steps = [f"{count} {one if count == 1 else many} after {passes} passes"]
    return ", ".join((*steps, *(f"{count} after {passes}" for passes, count in more)))


# Of each unit, one and many.
_UNITS = {
    STATES: ("wait state", "wait states"),
    VALUS: ("VALU instruction", "VALU instructions"),
    SGPR_WRITERS: ("write of an SGPR", "writes of SGPRs"),
}
