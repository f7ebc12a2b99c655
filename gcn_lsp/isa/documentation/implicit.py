"""The implicit reads and writes of an instruction: LLVM's tables, with corrections from the entries.

The tables have them for each form: some encodings of a mnemonic name VCC, for others it is implicit; loads to LDS read
M0. Entries are more precise (`MODE.FP_ROUND`) and know state that LLVM does not model.
"""

from collections.abc import Sequence

import msgspec

from gcn_lsp.isa import conditions
from gcn_lsp.isa.documentation.model import Entry
from gcn_lsp.isa.schema import Form

# The tables' names that are not those of the notation in lower case. LLVM models the counters of asynchronous copies as
# registers; an entry has them among its counters.
_NAMES = {"flat_scr": "FLAT_SCRATCH", "asynccnt": "", "tensorcnt": ""}


class TooMuch(msgspec.Struct, frozen=True):
    """A register that an instruction reads or writes in LLVM's tables, but not in hardware.

    mnemonics: the beginnings of the names. writes: whether it is about writes. reason: a sentence.
    """

    register: str
    mnemonics: tuple[str, ...]
    condition: str
    reason: str
    writes: bool = False


_TRANSPOSING = ("ds_load_tr", "ds_load_b64_tr", "ds_load_b96_tr", "ds_load_b128_tr")

TOO_MUCH: tuple[TooMuch, ...] = (
    TooMuch("m0", ("ds_",), "gfx9+", "No limit in M0 is needed from gfx9 on; LLVM's records are those of gfx8."),
    TooMuch("m0", ("ds_nop",), "", "It does nothing; the record is made like those of accesses."),
    TooMuch("m0", ("v_interp_",), "gfx11+", "The terms come from VGPRs; it is the loads of them that read M0."),
    TooMuch("exec", ("v_mfma_", "v_smfmac_"), "", "All lanes take part, whatever EXEC says."),
    TooMuch("exec", ("v_wmma_", "v_swmmac_"), "", "All lanes take part, whatever EXEC says."),
    TooMuch("exec", _TRANSPOSING, "gfx125", "All lanes take part, whatever EXEC says."),
    TooMuch("exec", ("v_s_",), "", "It happens once for the wave, with SGPRs."),
    TooMuch("scc", ("s_barrier_signal_isfirst",), "", "LLVM keeps SCC alive so; hardware only writes it."),
    TooMuch("scc", ("s_setvskip",), "", "The encoding is that of a compare, which writes SCC.", writes=True),
    TooMuch("mode", ("s_set_gpr_idx_idx", "s_set_gpr_idx_mode"), "", "It changes M0 alone."),
    TooMuch("mode", ("s_set_gpr_idx_idx", "s_set_gpr_idx_mode"), "", "It changes M0 alone.", writes=True),
)


class Implicit(msgspec.Struct, frozen=True):
    """Names of state: what every form reads or writes, and what only some forms do."""

    always: tuple[str, ...]
    sometimes: tuple[str, ...] = ()


def reads(entry: "Entry | None", forms: Sequence[Form], target: str) -> Implicit:
    """The state that forms of one mnemonic read on a target besides their operands."""
    return _merged(entry.reads if entry is not None else (), forms, target, is_written=False)


def writes(entry: "Entry | None", forms: Sequence[Form], target: str) -> Implicit:
    """The state that forms of one mnemonic write on a target besides their operands."""
    return _merged(entry.writes if entry is not None else (), forms, target, is_written=True)


def _merged(known: tuple[str, ...], forms: Sequence[Form], target: str, *, is_written: bool) -> Implicit:
    if not forms:
        return Implicit(known)
    spelt: dict[str, set[str]] = {}
    for form in forms:  # `v_cmp_eq_u32 vcc, v0, v1`, where vcc is optional
        spelt.setdefault(_instruction(form), set()).update(slot.text for slot in form.slots)
    each = [_state_of(known, form, target, spelt[_instruction(form)], is_written=is_written) for form in forms]
    names = dict.fromkeys(name for found in each for name in found)
    always = tuple(name for name in names if all(name in found for found in each))
    # The forms of a pair include its other half's state.
    is_pair = forms[0].family == "VOPD" and len(forms) > 1
    return Implicit(always, () if is_pair else tuple(name for name in names if name not in always))


def _instruction(form: Form) -> str:
    """The common name of forms that differ only in whether they spell their VCC."""
    return form.name.replace("_w32", "")


def _state_of(known: tuple[str, ...], form: Form, target: str, spelt: set[str], *, is_written: bool) -> tuple[str, ...]:
    """The state that one form reads or writes, the entry's first."""
    found = dict.fromkeys(known)
    parts = {name.partition(".")[0] for name in known}  # `MODE.FP_ROUND` includes MODE
    for register in form.defs if is_written else form.uses:
        name = _NAMES.get(register, register.upper())
        is_spelt = register in spelt or f"{register}_lo" in spelt  # in waves of 32 lanes
        if name and name not in parts and not is_spelt and not _is_too_much(register, form, target, is_written):
            found[name] = None
    return tuple(found)


def _is_too_much(register: str, form: Form, target: str, is_written: bool) -> bool:
    return any(
        row.register == register
        and row.writes == is_written
        and form.mnemonic.startswith(row.mnemonics)
        and conditions.covers(row.condition, target)
        for row in TOO_MUCH
    )
