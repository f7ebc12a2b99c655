"""Memory instructions: cache policies, register files, alignment, LDS and GDS."""

from gcn_lsp import isa
from gcn_lsp.instruction.bound import Bound, Check
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.instruction.values import name_of, one_of
from gcn_lsp.isa import versions
from gcn_lsp.isa.modifiers import cache_policy
from gcn_lsp.isa.operands import limits
from gcn_lsp.syntax import nodes


def policy(bound: Bound) -> Problem | None:
    """The cache policy is one that the instruction takes on the target."""
    policy = bound.values.get("cpol", 0)
    flags, target = bound.form.flags, bound.target
    if target.has_temporal_hints:
        return _hint(bound, policy)
    newer = target.has_system_coherence_bits
    if "SMRD" in flags:
        if policy and not target.has_scalar_policies:
            return bound.problem("unsupported-on-target", f"{bound.word} has no cache policy on {target.name}", "cpol")
        if policy & ~(cache_policy.GLC | cache_policy.DLC):
            return bound.problem("unknown-modifier", f"{bound.word} takes only glc", "cpol")
    if target.has_scc_policy and policy & cache_policy.SCC and not flags & {"MUBUF", "MTBUF", "MIMG", "FLAT"}:
        return bound.problem("unknown-modifier", f"{bound.word} takes no scc", "cpol")
    glc = "sc0" if newer else "glc"
    if "IsAtomicRet" in flags and "MIMG" not in flags and not policy & cache_policy.GLC:
        return bound.problem("missing-modifier", f"{bound.word} with a destination needs {glc}")
    if "IsAtomicNoRet" in flags and policy & cache_policy.GLC:
        return bound.problem("unknown-modifier", f"{bound.word} without a destination takes no {glc}", "cpol")
    return None


def _hint(bound: Bound, policy: int) -> Problem | None:
    """The temporal hint is of the instruction's kind, and bypassing needs the widest scope."""
    flags, hint = bound.form.flags, policy & cache_policy.HINT_MASK
    if policy & cache_policy.SCALE_OFFSET and not scales_offset(bound.form):
        return bound.problem("unknown-modifier", f"{bound.word} has no offset here for scale_offset to scale", "cpol")
    if "IsAtomicRet" in flags and flags & {"FLAT", "MUBUF"} and not hint & cache_policy.ATOMIC_RETURN:
        message = f"{bound.word} with a destination needs th:TH_ATOMIC_RETURN"
        return bound.problem("missing-modifier", message, "cpol")
    returns = hint & cache_policy.ATOMIC_RETURN and bound.target.has(versions.RESULT_WITH_RETURN)
    if "IsAtomicNoRet" in flags and returns:
        message = f"{bound.word} with th:TH_ATOMIC_RETURN must have a destination"
        return bound.problem("operand-conflict", message, "cpol")
    if not hint:
        return None
    if "SMRD" in flags and hint in cache_policy.NOT_FOR_SCALARS:
        return bound.problem("modifier-out-of-range", f"{bound.word} does not take this th hint", "cpol")
    bypasses = bool(policy & cache_policy.REAL_BYPASS)
    if hint == cache_policy.BYPASS and bypasses != (policy & cache_policy.SCOPE_MASK == cache_policy.SYSTEM_SCOPE):
        message = "th:..._BYPASS needs scope:SCOPE_SYS" if bypasses else "scope:SCOPE_SYS excludes this th hint"
        return bound.problem("operand-conflict", message, "cpol")
    sort = hint_sort(bound.form)
    if policy & _HINT_SORTS[sort]:
        return None
    return _wrong_sort(bound, sort)


def _wrong_sort(bound: Bound, sort: str) -> Problem:
    """The problem of a hint of another kind of instruction; the fix is the one that means the same here, if any."""
    message = f"{bound.word} takes a th:TH_{sort}_ hint"
    parts = bound.arguments["cpol"].parts if "cpol" in bound.arguments else ()
    written = next((each.value for each in parts if isinstance(each, nodes.Modifier) and each.name == "th"), None)
    name = name_of(written) if written is not None else ""
    meaning = name.partition("_")[2].partition("_")[2]
    own = f"TH_{sort}_{meaning}"
    if written is None or name not in cache_policy.HINTS or own not in cache_policy.HINTS:
        known = [each for each in cache_policy.HINTS if each.startswith(f"TH_{sort}_")]
        return bound.problem("modifier-out-of-range", f"{message}: {one_of(known)}", "cpol")
    fix = LineFix(f"Change to `{own}`", written.start, written.end, own)
    return bound.problem("modifier-out-of-range", f"{message}: {own}, not {name}", "cpol", (fix,))


_HINT_SORTS = {"ATOMIC": cache_policy.ATOMIC, "STORE": cache_policy.STORE, "LOAD": cache_policy.LOAD}


def hint_sort(form: isa.Form) -> str:
    """The kind of gfx12 temporal hints that a form takes: the middle of their names, as in `TH_LOAD_RT`."""
    if form.flags & {"IsAtomicNoRet", "IsAtomicRet"}:
        return "ATOMIC"
    return "STORE" if _only_stores(form) else "LOAD"


def _only_stores(form: isa.Form) -> bool:
    """Whether the instruction writes memory and does not read it; for moves to or from LDS the name says so."""
    if form.flags & {"ASYNC_CNT", "TENSOR_CNT"}:
        return "_store_" in form.mnemonic
    return "mayStore" in form.flags and "mayLoad" not in form.flags


def scales_offset(form: isa.Form) -> bool:
    """Whether the address has an offset in a register that counts elements."""
    names = {operand.name for operand in form.operands}
    if "SMRD" in form.flags:
        return "_BUFFER_" not in form.name and "mayStore" not in form.flags
    if "FlatScratch" in form.flags:
        return "vaddr" in names
    return "FLAT" in form.flags and {"vaddr", "saddr"} <= names


def _is_acc(bound: Bound, name: str) -> bool | None:
    argument = bound.arguments.get(name)
    if argument is None or argument.register is None:
        return None
    return argument.register.file == "a"


def _of_two_files(bound: Bound, one: str, other: str) -> str:
    written = [argument.register for name in (one, other) if (argument := bound.arguments.get(name)) is not None]
    texts = " and ".join(f"`{register.text}`" for register in written if register is not None)
    return f"{one} and {other} must be both VGPRs or both AccVGPRs, not {texts}"


def same_file(bound: Bound) -> Problem | None:
    """Data and destination are all VGPRs or all AccVGPRs, on targets where memory instructions take AccVGPRs."""
    data_name = "data0" if "DS" in bound.form.flags else "vdata"
    result, data = _is_acc(bound, "vdst"), _is_acc(bound, data_name)
    if "DS" in bound.form.flags and data is not None:
        second = _is_acc(bound, "data1")
        if second is not None and second != data:
            return bound.problem("operand-conflict", _of_two_files(bound, "data0", "data1"), "data1")
    if bound.target.has_memory_on_accvgprs:
        if data is None or result is None or data == result:
            return None
        return bound.problem("operand-conflict", _of_two_files(bound, data_name, "vdst"), data_name)
    if result or data:
        name = "vdst" if result else data_name
        return bound.problem("wrong-operand-kind", f"memory instructions take no AccVGPRs on {bound.target.name}", name)
    return None


_TRANSPOSED = ("TR6_B96", "B96_TR_B6")  # loads that transpose 6-bit elements


def unaligned_slots(form: isa.Form) -> frozenset[str] | None:
    """The slots that take tuples at any register, unlike the others; None if all do."""
    if not any(part in form.name for part in _TRANSPOSED):
        return frozenset()
    return None if "DS" in form.flags else frozenset(("vdst",))


def aligned_but(exempt: frozenset[str]) -> Check:
    """VGPR tuples start at even numbers, except in the slots in `exempt`."""

    def check(bound: Bound) -> Problem | None:
        for name, argument in bound.arguments.items():
            register = argument.register
            if register is None or register.count == 1 or not register.first & 1 or register.file not in ("v", "a"):
                continue
            if name in exempt:
                continue
            message = f"`{register.text}` starts at {register.first}; VGPR tuples must start at even numbers here"
            return bound.problem("misaligned-register", message, name)
        return None

    return check


def gds(bound: Bound) -> Problem | None:
    """Some targets have no GDS."""
    if bound.values.get("gds") and not bound.target.has_gds:
        return bound.problem("unsupported-on-target", f"{bound.target.name} has no GDS", "gds")
    return None


def gws(bound: Bound) -> Problem | None:
    """GWS instructions imply `gds`, and some read an even register."""
    if "gds" in bound.arguments and bound.arguments["gds"].name == "nogds":
        return bound.problem("unknown-modifier", f"{bound.word} is always for GDS and takes `gds`", "gds")
    if not bound.target.has_memory_on_accvgprs or bound.form.mnemonic not in limits.EVEN_GWS:
        return None
    data = bound.arguments["data0"].register
    if data is not None and data.first & 1:
        return bound.problem("misaligned-register", f"{bound.word} takes an even register, not `{data.text}`", "data0")
    return None


def wait_register(bound: Bound) -> Problem | None:
    """The wait for one counter takes `null` on gfx11."""
    register = bound.arguments["sdst"].register if "sdst" in bound.arguments else None
    if register is None or register.text == "null":
        return None
    return bound.problem("wrong-operand-kind", f"{bound.word} takes `null` here on {bound.target.name}", "sdst")


def tensor_descriptor(bound: Bound) -> Problem | None:
    """The bit for short image descriptors is in the encoding of tensor accesses, but must be 0."""
    argument = bound.arguments.get("r128")
    if argument is None or not bound.values.get("r128"):
        return None
    return bound.problem("unknown-modifier", f"{bound.word} takes no `r128`: a tensor has no short descriptor", "r128")


def tfe(bound: Bound) -> Problem | None:
    """A store takes no tfe."""
    if "tfe" in bound.arguments:
        return bound.problem("unknown-modifier", f"{bound.word} is a store and takes no tfe", "tfe")
    return None
