"""What an instruction must keep to beyond each operand for itself: constant bus, literals, ranges, pairs of operands.

Each check is a function of a `Bound` instruction to a problem or None. Which checks a form needs is found once, from
its flags and operand names; they run in the order of this list and the first problem is reported.
"""

from collections.abc import Callable

from gcn_lsp import isa
from gcn_lsp.instruction import dual_issue, image_checks, operands
from gcn_lsp.instruction.bound import Bound
from gcn_lsp.instruction.model import Problem
from gcn_lsp.isa.modifiers import cache_policy, dpp, offsets, sdwa

Check = Callable[[Bound], Problem | None]

_SOURCES = ("src0", "src1", "src2")
_VALU_FLAGS = frozenset(("VOPC", "VOP1", "VOP2", "VOP3", "VOP3P", "SDWA"))
_BUS_REGISTERS = frozenset(("vcc", "vcc_lo", "vcc_hi", "m0", "flat_scratch"))


def checks_for(form: isa.Form, target: isa.Target) -> tuple[Check, ...]:
    """The checks that the form needs on the target."""
    flags = form.flags
    names = {operand.name for operand in form.operands}
    valu = bool(flags & _VALU_FLAGS)
    found: list[Check] = []
    if valu:
        found.append(_lds_direct)
    if flags & {"SOP2", "SOPC"}:
        found.append(_scalar_literals)
    if flags & {"VOP3", "VOP3P"} or ("imm" in names and valu):
        found.append(_vector_literals)
    if valu:
        found.append(_constant_bus)
    if "IntClamp" in flags and not target.has("FeatureIntClamp"):
        found.append(_integer_clamp)
    if {"op_sel", "op_sel_hi"} & names:
        found.append(_op_sel)
        if any(kind.registers is not None and kind.registers.bits == _HALF for kind in (o.kind for o in form.operands)):
            found.append(_selected_halves)
    if form.mnemonic in _PACKED_SINGLES and target.has("FeatureGFX1250Insts"):
        found.append(_packed_scalars)
    if flags & {"IsDOT", "IsWMMA", "IsSWMMAC"} and {"neg_lo", "neg_hi"} & names:
        found.append(_neg)
    if {"dpp_ctrl", "dpp8"} & names:
        found.append(_dpp)
    if flags & {"MIMG", "VIMAGE", "VSAMPLE"}:
        found.extend(image_checks.checks_for(form, target))
    if form.family == "VOPD":
        found.extend((_dual_literals, _dual_constant_bus, dual_issue.check))
    if flags & {"VOP3", "VOP3P"} and target.has("Feature64BitLiterals"):
        found.append(_long_literals)
    if "SDWA" in flags and form.mnemonic.startswith("v_movrels") and target.generation_number >= 10:
        found.append(_relative_source)
    if form.name in _WHOLE_RESULTS:
        found.append(_whole_result)
    if "F8F6F4" in form.name:
        found.append(_matrix_sizes)
    if "offset" in names:
        offset_check = _offset_check(form, target)
        if offset_check is not None:
            found.append(offset_check)
    if form.name.startswith("V_ACCVGPR_WRITE_B32") and not target.has("FeatureGFX90AInsts"):
        found.append(_acc_write)
    if "IsMAI" in flags and "src2" in names:
        if "F8F6F4" not in form.name:
            found.append(_mfma_overlap)
        if target.has("FeatureMFMAInlineLiteralBug"):
            found.append(_mfma_inline)
    if "cpol" in names:
        found.append(_cache_policy)
    if flags & {"FLAT", "MUBUF", "MTBUF", "MIMG", "DS"}:
        found.append(_same_file)
    if target.has("FeatureRequiresAlignedVGPRs"):
        exempt = _unaligned_slots(form)
        if exempt is not None:
            found.append(_aligned_but(exempt))
    if "DS" in flags:
        found.append(_gws if "GWS" in flags else _gds)
    if "blgp" in names:
        found.append(_blgp)
    if form.name.startswith(("V_DIV_SCALE_F32", "V_DIV_SCALE_F64")) and target.generation_number <= 10:
        found.append(_division_scale)
    if "SOPK" in flags and form.mnemonic.startswith("s_waitcnt_") and target.generation_number == _NULL_WAITS:
        found.append(_wait_register)
    if flags & {"MUBUF", "MTBUF"} and "mayStore" in flags:
        found.append(_tfe)
    if "TENSOR_CNT" in flags and "r128" in names:
        found.append(_tensor_descriptor)
    return tuple(found)


_REVERSED = (
    "V_SUBREV_",
    "V_SUBBREV_",
    "V_LSHRREV_",
    "V_ASHRREV_",
    "V_LSHLREV_",
    "V_PK_LSHLREV_",
    "V_PK_LSHRREV_",
    "V_PK_ASHRREV_",
)


def _lds_direct(bound: Bound) -> Problem | None:
    for name in _SOURCES:
        argument = bound.arguments.get(name)
        if argument is None or argument.register is None or argument.register.file != "src_lds_direct":
            continue
        if bound.target.has("FeatureGFX90AInsts") or bound.target.generation_number >= 11:
            return bound.problem("register-not-available", f"{bound.target.name} has no lds_direct", name)
        if bound.form.name.startswith(_REVERSED) or "SDWA" in bound.form.flags:
            return bound.problem("operand-conflict", f"{bound.word} cannot read lds_direct", name)
        if name != "src0":
            return bound.problem("operand-conflict", f"lds_direct stands as {name}; it may be src0 only", name)
    return None


def _scalar_literals(bound: Bound) -> Problem | None:
    return _one_literal(bound, ("src0", "src1", "imm"))


def _dual_literals(bound: Bound) -> Problem | None:
    return _one_literal(bound, tuple(bound.types))


def _one_literal(bound: Bound, names: tuple[str, ...]) -> Problem | None:
    """All literals must be the same value: the encoding has room for one."""
    first: int | None = None
    count = 0
    is_whole = bound.types.get("imm") == "k64"  # then sources are compared by all their bits
    for name in names:
        if name in bound.symbols:
            count += 1
        elif name in bound.numbers:
            number = bound.numbers[name]
            value = number.counted if bound.types[name][:1] != "k" else number.code
            value = number.pattern if is_whole and value is not None else value
            if value is None or value == first:
                continue
            first = value if first is None else first
            count += 1
        else:
            continue
        if count > 1:
            which = f"the second is {_literal_text(bound, name)}"
            return bound.problem("too-many-literals", f"an instruction holds one literal; {which}", name)
    return None


def _literal_text(bound: Bound, name: str) -> str:
    if name in bound.symbols:
        return "a symbol"
    return operands.number_text(bound.arguments[name])


def _vector_literals(bound: Bound) -> Problem | None:
    mandatory = "imm" in bound.arguments
    names = (*_SOURCES, "imm") if mandatory else _SOURCES
    if not mandatory and not bound.target.has("FeatureVOP3Literal"):
        for name in names:
            number = bound.numbers.get(name)
            if name in bound.symbols or (number is not None and number.counted is not None):
                what = _literal_text(bound, name)
                return bound.problem(
                    "literal-not-allowed",
                    f"{what} is no inline constant, and the VOP3 encoding takes no literal on {bound.target.name}",
                    name,
                )
    return _one_literal(bound, names)


_ONE_SCALAR_SHIFTS = frozenset(
    ("v_lshlrev_b64", "v_lshrrev_b64", "v_ashrrev_i64", "v_lshl_b64", "v_lshr_b64", "v_ashr_i64")
)
_ONE_SCALAR_SHIFTS_ON_GFX1250 = frozenset(("v_lshlrev_b64",))


def constant_bus_limit(bound: Bound) -> int:
    """How many scalar values a VALU instruction may read."""
    target = bound.target
    one = _ONE_SCALAR_SHIFTS_ON_GFX1250 if target.has("FeatureGFX1250Insts") else _ONE_SCALAR_SHIFTS
    return 2 if target.generation_number >= 10 and bound.form.mnemonic not in one else 1


def _long_literals(bound: Bound) -> Problem | None:
    """VOP3 has room for 32 bits of literal."""
    for name, number in bound.numbers.items():
        forced = bound.arguments[name].modifiers & (operands.LIT | operands.LIT64)
        if number.is_long and not forced:
            message = f"{_literal_text(bound, name)} needs a literal of 64 bits; the VOP3 encoding has 32"
            return bound.problem("literal-not-allowed", message, name)
    return None


_DUAL_SOURCES = ("src0X", "vsrc1X", "vsrc2X", "src0Y", "vsrc1Y", "vsrc2Y")


def _dual_constant_bus(bound: Bound) -> Problem | None:
    return _bus_problem(bound, _DUAL_SOURCES)


def _constant_bus(bound: Bound) -> Problem | None:
    if bound.form.name.startswith("V_WRITELANE_B32") and bound.target.generation_number < 10:
        lane = bound.arguments["src1"].register
        if lane is not None and lane.text == "m0":
            return None  # the lane select does not go over the bus
    return _bus_problem(bound, _SOURCES)


def _bus_problem(bound: Bound, sources: tuple[str, ...]) -> Problem | None:
    used: list[str] = []
    literal_sizes: set[int] = set()
    last = ""
    implicit = next((name for name in bound.form.uses if name in _BUS_REGISTERS), None)
    if implicit is not None:
        used.append(implicit)
    if "imm" in bound.numbers:
        literal_sizes.add(4)
    for name in sources:
        argument = bound.arguments.get(name)
        if argument is None:
            continue
        register = argument.register
        if register is not None:
            if register.is_scalar and register.text != "null" and register.text not in used:
                used.append(register.text)
                last = name
            continue
        number = bound.numbers.get(name)
        if name in bound.symbols or (number is not None and number.literal is not None):
            literal_sizes.add(8 if bound.types[name].endswith("64") else 4)
            last = name
    count = len(used) + len(literal_sizes)
    limit = constant_bus_limit(bound)
    if count <= limit:
        return None
    reads = [f"`{name}`" for name in used] + ["a literal"] * len(literal_sizes)
    scalars = "one scalar value" if limit == 1 else f"{limit} scalar values"
    return bound.problem(
        "constant-bus-limit",
        f"{bound.word} reads {' and '.join(reads)} over the constant bus; it may read {scalars}",
        last,
    )


def _integer_clamp(bound: Bound) -> Problem | None:
    if bound.values.get("clamp"):
        return bound.problem("unsupported-on-target", f"{bound.target.name} has no clamp on integers", "clamp")
    return None


def _op_sel(bound: Bound) -> Problem | None:
    form, values = bound.form, bound.values
    if bound.target.has("FeatureGFX940Insts") and "IsDOT" in form.flags:
        for name in ("op_sel", "op_sel_hi"):
            if name in bound.arguments and (values[name] or name == "op_sel_hi"):
                return bound.problem(
                    "unsupported-on-target", f"{bound.word} takes no {name} on {bound.target.name}", name
                )
    if form.mnemonic.startswith("v_permlane") and values.get("op_sel", 0) & ~3:
        return bound.problem("modifier-out-of-range", f"{bound.word} has two bits of op_sel", "op_sel")
    if (
        bound.target.generation_number >= 11
        and {"IsDOT", "VOP3"} <= form.flags
        and "VOP3P" not in form.flags
        and values.get("op_sel", 0) & 3
    ):
        return bound.problem("modifier-out-of-range", f"the first two bits of op_sel are 0 in {bound.word}", "op_sel")
    return None


_HALF = 16  # bits


def _selected_halves(bound: Bound) -> Problem | None:
    """An op_sel that is written says the same as `.l` and `.h`; one of zeros only is read as none."""
    selected = bound.values.get("op_sel", 0)
    if not selected:
        return None
    names = {operand.name for operand in bound.form.operands}
    same = {one: other for tie in bound.form.ties for one, other in (tie, tie[::-1])}
    for bit, name in enumerate(name for name in (*_SOURCES, "vdst") if name in names):
        argument = bound.arguments.get(name) or bound.arguments.get(same.get(name, ""))
        register = argument.register if argument is not None else None
        if register is not None and register.half and (register.half == "hi") != bool(selected >> bit & 1):
            written, chosen = ("upper", "lower") if register.half == "hi" else ("lower", "upper")
            message = (
                f"`{register.text}` is the {written} half, and bit {bit} of op_sel is for the {chosen} one; "
                "leave op_sel out, the operands say it"
            )
            return bound.problem("operand-conflict", message, "op_sel")
    return None


_WHOLE_PAIRS = frozenset(("ttmp", "null"))  # LLVM does not judge these
_PACKED_SINGLES = frozenset(("v_pk_add_f32", "v_pk_mul_f32", "v_pk_fma_f32"))


def _packed_scalars(bound: Bound) -> Problem | None:
    """A scalar source is read as one dword for both halves, so that no half of it can be selected."""
    low, high = bound.values.get("op_sel", 0), bound.values.get("op_sel_hi", _ALL_HIGH)
    for index, name in enumerate(_SOURCES):
        argument = bound.arguments.get(name)
        register = argument.register if argument is not None else None
        if register is None or not register.is_scalar or register.file in _WHOLE_PAIRS:
            continue
        if (low | high) >> index & 1:
            message = f"`{register.text}` is one dword for both halves here; op_sel and op_sel_hi must be 0 for it"
            return bound.problem("operand-conflict", message, name)
    return None


_ALL_HIGH = 0b111


def _neg(bound: Bound) -> Problem | None:
    """Sources without modifier bits cannot be negated."""
    names = {operand.name for operand in bound.form.operands}
    for modifier in ("neg_lo", "neg_hi"):
        bits = bound.values.get(modifier, 0)
        for index, source in enumerate(_SOURCES):
            if bits >> index & 1 and f"{source}_modifiers" not in names:
                return bound.problem("modifier-out-of-range", f"{bound.word} cannot negate its {source}", modifier)
    return None


def _dpp(bound: Bound) -> Problem | None:
    control = bound.values.get("dpp_ctrl")
    limited = control is not None and bound.target.has("FeatureDPALU_DPP")
    is_double = limited and (bound.form.mnemonic in _AS_DOUBLES or _has_doubles(bound.form))
    if is_double and not dpp.is_row_broadcast(control or 0):
        allowed = "row_share" if bound.target.generation_number >= 12 else "row_newbcast"
        message = f"the unit for 64-bit operands, which does this, allows DPP with {allowed} only"
        return bound.problem("unsupported-on-target", message, "dpp_ctrl")
    if not bound.target.has("FeatureDPPSrc1SGPR"):
        argument = bound.arguments.get("src1")
        if argument is not None and (argument.register is None or argument.register.is_scalar):
            what = f"`{argument.register.text}`" if argument.register is not None else "a constant"
            message = f"{what} stands where src1 takes a VGPR: on {bound.target.name} DPP has no other second source"
            return bound.problem("wrong-operand-kind", message, "src1")
    return None


# The unit for doubles multiplies these, too.
_AS_DOUBLES = ("v_mul_lo_u32", "v_mul_hi_u32", "v_mul_hi_i32", "v_mad_u32")


def _has_doubles(form: isa.Form) -> bool:
    """Whether a VGPR operand of the form has 64 bits."""
    kinds = (operand.kind for operand in form.operands if operand.name in ("vdst", *_SOURCES))
    return any(kind.registers is not None and kind.registers.bits == _DOUBLE for kind in kinds)


_DOUBLE = 64


# -- offsets -------------------------------------------------------------------------------------------------------


def _offset_check(form: isa.Form, target: isa.Target) -> Check | None:
    """The check of `offset`; None for offsets in dwords, which slots of their own take."""
    limits = offsets.offset_range(form.family, target.features, "_BUFFER_" in form.name)
    if limits is None or limits.unit != offsets.BYTES:
        return None
    if not limits.high:
        return _no_flat_offset
    return _range_check(limits, "immediate-out-of-range" if "SMRD" in form.flags else "modifier-out-of-range")


def _range_check(limits: offsets.OffsetRange, rule: str) -> Check:
    low, high = limits.low, limits.tolerated or limits.high

    def check(bound: Bound) -> Problem | None:
        offset = bound.values.get("offset")
        if offset is None or low <= offset <= high:
            return None
        message = f"the offset is {offset}; for {bound.word} it goes from {low} to {limits.high}"
        return bound.problem(rule, message, "offset")

    return check


def _no_flat_offset(bound: Bound) -> Problem | None:
    if bound.values.get("offset"):
        return bound.problem(
            "unsupported-on-target", f"flat instructions have no offset on {bound.target.name}", "offset"
        )
    return None


_WHOLE_RESULTS = frozenset(("V_MAC_F16_sdwa_vi", "V_MAC_F32_sdwa_vi"))


def _whole_result(bound: Bound) -> Problem | None:
    if bound.values.get("dst_sel", sdwa.WHOLE) == sdwa.WHOLE:
        return None
    return bound.problem("modifier-out-of-range", f"{bound.word} takes dst_sel:DWORD only", "dst_sel")


def _relative_source(bound: Bound) -> Problem | None:
    source = bound.arguments["src0"].register
    if source is not None and source.file == "v":
        return None
    return bound.problem("wrong-operand-kind", f"{bound.word} reads a VGPR chosen by m0", "src0")


# -- matrix instructions -------------------------------------------------------------------------------------------

# Dwords of a matrix operand by its format: FP8, BF8, FP6, BF6, FP4.
_MFMA_DWORDS = (8, 8, 6, 6, 4, 8, 8, 8)  # the last three are no formats; LLVM counts them as the first
_WMMA_DWORDS = (16, 16, 12, 12, 8)
# The modifier that says the format, the operand, the sizes.
_MATRIX_FORMATS = (
    ("cbsz", "src0", _MFMA_DWORDS),
    ("blgp", "src1", _MFMA_DWORDS),
    ("matrix_a_fmt", "src0", _WMMA_DWORDS),
    ("matrix_b_fmt", "src1", _WMMA_DWORDS),
)


def _matrix_sizes(bound: Bound) -> Problem | None:
    """The formats of the matrices A and B say how many registers each has."""
    names = {operand.name for operand in bound.form.operands}
    for modifier, source, sizes in _MATRIX_FORMATS:
        format_ = bound.values.get(modifier, 0)
        register = bound.arguments[source].register
        if modifier not in names or register is None or format_ >= len(sizes) or register.count == sizes[format_]:
            continue
        wanted = sizes[format_]
        message = f"`{register.text}` has {register.count} dwords; {modifier}:{format_} asks for {wanted}"
        return bound.problem("wrong-register-width", message, source)
    return None


def _acc_write(bound: Bound) -> Problem | None:
    source = bound.arguments["src0"].register
    if source is not None and source.is_scalar:
        return bound.problem(
            "wrong-operand-kind", f"`{source.text}`: {bound.word} reads a VGPR or an inline constant", "src0"
        )
    return None


def _mfma_inline(bound: Bound) -> Problem | None:
    if "src2" in bound.numbers:
        return bound.problem(
            "wrong-operand-kind", f"{bound.word} takes no inline constant here on {bound.target.name}", "src2"
        )
    return None


def _mfma_overlap(bound: Bound) -> Problem | None:
    addend = bound.arguments.get("src2")
    if addend is None:
        return None
    source, result = addend.register, bound.arguments["vdst"].register
    if source is None or result is None or result.count <= 4 or source.file != result.file:
        return None
    if source.first == result.first or abs(source.first - result.first) >= max(source.count, result.count):
        return None
    if source.first < result.first + result.count and result.first < source.first + source.count:
        return bound.problem(
            "operand-conflict",
            f"`{source.text}` overlaps the result `{result.text}` in part; it must be the same or apart",
            "src2",
        )
    return None


_NEGATABLE = 3


def blgp_negates(form: isa.Form, target: isa.Target) -> bool:
    """Whether the field of blgp negates the sources of the form, and is written `neg:[A,B,C]`."""
    return target.has("FeatureGFX940Insts") and form.mnemonic.startswith("v_mfma_f64_")


def _blgp(bound: Bound) -> Problem | None:
    argument = bound.arguments.get("blgp")
    if argument is None:
        return None
    negates = argument.name == "neg"
    if negates == blgp_negates(bound.form, bound.target):
        if bound.values["blgp"] >> _NEGATABLE:
            return bound.problem("modifier-out-of-range", f"neg has a bit for each of {_NEGATABLE} sources", "blgp")
        return None
    written, right = ("neg", "blgp") if negates else ("blgp", "neg")
    return bound.problem("unknown-modifier", f"{bound.word} takes no {written} here; it has {right}", "blgp")


# -- memory --------------------------------------------------------------------------------------------------------


def _cache_policy(bound: Bound) -> Problem | None:
    policy = bound.values.get("cpol", 0)
    flags, target = bound.form.flags, bound.target
    if target.generation_number >= 12:
        return _hint(bound, policy)
    newer = target.has("FeatureGFX940Insts")
    if "SMRD" in flags:
        if policy and target.generation_number < 8:
            return bound.problem("unsupported-on-target", f"{bound.word} has no cache policy on {target.name}", "cpol")
        if policy & ~(cache_policy.GLC | cache_policy.DLC):
            return bound.problem("unknown-modifier", f"{bound.word} takes glc only", "cpol")
    if (
        target.has("FeatureGFX90AInsts")
        and not newer
        and policy & cache_policy.SCC
        and not flags & {"MUBUF", "MTBUF", "MIMG", "FLAT"}
    ):
        return bound.problem("unknown-modifier", f"{bound.word} takes no scc", "cpol")
    glc = "sc0" if newer else "glc"
    if "IsAtomicRet" in flags and "MIMG" not in flags and not policy & cache_policy.GLC:
        return bound.problem("missing-modifier", f"{bound.word} with a destination must have {glc}")
    if "IsAtomicNoRet" in flags and policy & cache_policy.GLC:
        return bound.problem("unknown-modifier", f"{bound.word} without a destination takes no {glc}", "cpol")
    return None


def _hint(bound: Bound, policy: int) -> Problem | None:
    """The temporal hint is one of the instruction's sort, and bypassing goes with the widest scope."""
    flags, hint = bound.form.flags, policy & cache_policy.HINT_MASK
    if policy & cache_policy.SCALE_OFFSET and not scales_offset(bound.form):
        return bound.problem("unknown-modifier", f"{bound.word} has no offset here that scale_offset scales", "cpol")
    if "IsAtomicRet" in flags and flags & {"FLAT", "MUBUF"} and not hint & cache_policy.ATOMIC_RETURN:
        message = f"{bound.word} with a destination must have th:TH_ATOMIC_RETURN"
        return bound.problem("missing-modifier", message, "cpol")
    if not hint:
        return None
    if "SMRD" in flags and hint in cache_policy.NOT_FOR_SCALARS:
        return bound.problem("modifier-out-of-range", f"{bound.word} does not take this th", "cpol")
    bypasses = bool(policy & cache_policy.REAL_BYPASS)
    if hint == cache_policy.BYPASS and bypasses != (policy & cache_policy.SCOPE_MASK == cache_policy.SYSTEM_SCOPE):
        return bound.problem("operand-conflict", "th:..._BYPASS goes with scope:SCOPE_SYS, and only it does", "cpol")
    sort = hint_sort(bound.form)
    if policy & _HINT_SORTS[sort]:
        return None
    return bound.problem("modifier-out-of-range", f"{bound.word} takes a th:TH_{sort}_ hint", "cpol")


_HINT_SORTS = {"ATOMIC": cache_policy.ATOMIC, "STORE": cache_policy.STORE, "LOAD": cache_policy.LOAD}


def hint_sort(form: isa.Form) -> str:
    """Which of the temporal hints of gfx12 a form takes: the middle of their names, `TH_LOAD_RT`."""
    if form.flags & {"IsAtomicNoRet", "IsAtomicRet"}:
        return "ATOMIC"
    return "STORE" if _only_stores(form) else "LOAD"


def _only_stores(form: isa.Form) -> bool:
    """Whether memory is what the instruction writes: of those that move data to or from LDS, it is in the name."""
    if form.flags & {"ASYNC_CNT", "TENSOR_CNT"}:
        return "_store_" in form.mnemonic
    return "mayStore" in form.flags and "mayLoad" not in form.flags


def scales_offset(form: isa.Form) -> bool:
    """Whether the address has an offset in a register that counts elements."""
    names = {operand.name for operand in form.operands}
    if "SMRD" in form.flags:
        return "_BUFFER_" not in form.name
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
    return f"{texts}: {one} and {other} must be both VGPRs or both AccVGPRs"


def _same_file(bound: Bound) -> Problem | None:
    """Data and destination are all VGPRs or all AccVGPRs, where memory can reach AccVGPRs at all."""
    data_name = "data0" if "DS" in bound.form.flags else "vdata"
    result, data = _is_acc(bound, "vdst"), _is_acc(bound, data_name)
    if "DS" in bound.form.flags and data is not None:
        second = _is_acc(bound, "data1")
        if second is not None and second != data:
            return bound.problem("operand-conflict", _of_two_files(bound, "data0", "data1"), "data1")
    if bound.target.has("FeatureGFX90AInsts"):
        if data is None or result is None or data == result:
            return None
        return bound.problem("operand-conflict", _of_two_files(bound, data_name, "vdst"), data_name)
    if result or data:
        name = "vdst" if result else data_name
        return bound.problem(
            "wrong-operand-kind", f"memory instructions reach no AccVGPRs on {bound.target.name}", name
        )
    return None


_TRANSPOSED = ("TR6_B96", "B96_TR_B6")  # loads that transpose 6-bit elements


def _unaligned_slots(form: isa.Form) -> frozenset[str] | None:
    """The slots that take tuples from any register on, where others do not; None when all do."""
    if not any(part in form.name for part in _TRANSPOSED):
        return frozenset()
    return None if "DS" in form.flags else frozenset(("vdst",))


def _aligned_but(exempt: frozenset[str]) -> Check:
    def check(bound: Bound) -> Problem | None:
        for name, argument in bound.arguments.items():
            register = argument.register
            if register is None or register.count == 1 or not register.first & 1 or register.file not in ("v", "a"):
                continue
            if name in exempt:
                continue
            message = f"`{register.text}` starts at {register.first}; VGPR tuples start at even numbers here"
            return bound.problem("misaligned-register", message, name)
        return None

    return check


def _gds(bound: Bound) -> Problem | None:
    if bound.values.get("gds") and not bound.target.has("FeatureGDS"):
        return bound.problem("unsupported-on-target", f"{bound.target.name} has no GDS", "gds")
    return None


_EVEN_GWS = ("ds_gws_init", "ds_gws_barrier", "ds_gws_sema_br")


def _gws(bound: Bound) -> Problem | None:
    if "gds" in bound.arguments and bound.arguments["gds"].name == "nogds":
        return bound.problem("unknown-modifier", f"{bound.word} is always for GDS: `gds` stands here", "gds")
    if not bound.target.has("FeatureGFX90AInsts") or bound.form.mnemonic not in _EVEN_GWS:
        return None
    data = bound.arguments["data0"].register
    if data is not None and data.first & 1:
        return bound.problem("misaligned-register", f"`{data.text}`: {bound.word} wants an even register", "data0")
    return None


_NULL_WAITS = 11  # the generation whose waits for one counter do not read a register


def _wait_register(bound: Bound) -> Problem | None:
    register = bound.arguments["sdst"].register if "sdst" in bound.arguments else None
    if register is None or register.text == "null":
        return None
    return bound.problem("wrong-operand-kind", f"{bound.word} takes `null` here on {bound.target.name}", "sdst")


def _division_scale(bound: Bound) -> Problem | None:
    # LLVM looks at the first and the third source only.
    for name in ("src0", "src2"):
        if bound.arguments[name].modifiers & operands.ABS:
            return bound.problem(
                "unknown-modifier", f"{bound.word} takes no absolute value: VOP3B has no room for it", name
            )
    return None


def _tensor_descriptor(bound: Bound) -> Problem | None:
    """The bit for short image descriptors is in the encoding of tensor accesses, and has to stay 0."""
    argument = bound.arguments.get("r128")
    if argument is None or not bound.values.get("r128"):
        return None
    return bound.problem("unknown-modifier", f"{bound.word} takes no `r128`: a tensor has no short descriptor", "r128")


def _tfe(bound: Bound) -> Problem | None:
    if "tfe" in bound.arguments:
        return bound.problem("unknown-modifier", f"{bound.word} is a store and takes no tfe", "tfe")
    return None
