"""The entries of memory instructions compared with the tables: widths, directions, documented modifiers."""

import re

import pytest

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.hazards import kinds
from gcn_lsp.isa.hazards.model import Kind, may_fit
from gcn_lsp.isa.waits import wait_events
from tests.isa.documentation.forms import TARGETS

_FAMILIES = ("ds_", "buffer_", "tbuffer_", "flat_", "global_", "scratch_", "cluster_")
_COUNTED = (
    *_FAMILIES,
    "image_",
    "lds_",
    "tensor_",
    "exp",
    "s_load_",
    "s_buffer_",
    "s_store_",
    "s_atomic_",
    "s_scratch_",
)
_RESULTS = ("vdst", "vdata")
# Tokens of forms that have another result than the operation tells: it goes to LDS, or has a word of status behind it.
_OTHER_RESULT = {"lds", "tfe"}
# The compare-and-swap of buffers gives back one value in the first half of the registers of both.
_SWAPS = re.compile(r"buffer_atomic_f?cmpswap")
_WORD = 32

# What the engine, which follows LLVM, takes for raised and the hardware's documents do not, and the other way round.
_LOADS_TO_LDS = re.compile(r"(global|scratch)_load_lds_")  # LLVM counts them as accesses of LDS too
_UNCOUNTED = re.compile(r"buffer_(store_lds_dword|wbl2)$")  # LLVM does not count them; the memory model waits for them
_SAMPLES = re.compile(r"image_sample")  # the form without a result is a store to LLVM; a note says so
_IMAGE_ATOMICS = re.compile(r"image_atomic_")  # with and without a result they are one form

_CACHES = re.compile(r"buffer_(wb|gl\d_)?inv|buffer_wb")  # have no address, registers or data

_ASSIGNED = re.compile(r"(?<![\w.\]])D\.[a-z]+(\d+)(?:\[([^\]]+)\])? = ")
_LOOP = re.compile(r"for \w < (\d+):")
_STORES = re.compile(r"\b(?:MEM|LDS|GDS)(?:\.\w+)?\[[^=\n]*\] = ")


def _of_memory(
    target: str, families: tuple[str, ...] = _FAMILIES
) -> dict[str, tuple[documentation.Entry, tuple[isa.Form, ...]]]:
    """The entries and forms of the memory instructions of a target that are no aliases on it."""
    loaded = isa.load_target(target)
    found = {}
    for name in loaded.mnemonics:
        if name.startswith(families) and loaded.native(name) == name:
            entry = documentation.entry(name, loaded)
            assert entry is not None
            found[name] = (entry, tuple(loaded.forms(name)))
    return found


def _tokens(form: isa.Form) -> set[str]:
    return {slot.text or slot.name for slot in form.slots}


def _told_width(operation: str) -> int:
    """The bits of the whole registers that an operation assigns to D; 0 if to none."""
    width, count = 0, 1
    for line in operation.splitlines():
        loop = _LOOP.search(line)
        count = int(loop[1]) if loop else count
        for bits, index in _ASSIGNED.findall(line):
            last = 0 if not index else int(index) if index.isdigit() else count - 1
            last *= 2 if index.startswith("2 *") else 1
            width = max(width, int(bits) * (last + 1))
    return -(-width // _WORD) * _WORD


def _widths(forms: tuple[isa.Form, ...]) -> set[int]:
    """The bits of the registers that forms write, whole ones: a form with halves of registers is told by the others."""
    classes = [
        operand.kind.registers
        for form in forms
        if not _OTHER_RESULT & _tokens(form)
        for operand in form.operands
        if operand.is_def and operand.name in _RESULTS
    ]
    return {max(found.bits, _WORD) for found in classes if found is not None}


@pytest.mark.parametrize("target", TARGETS)
def test_results_are_as_wide_as_their_registers(target: str) -> None:
    wrong = {
        name: (told, widths)
        for name, (entry, forms) in _of_memory(target).items()
        if name != "ds_permute_b32" and not _SWAPS.match(name)  # the one writes the registers of other lanes
        for told, widths in [(_told_width(entry.operation), _widths(forms))]
        if {told} != (widths or {0})
    }
    assert wrong == {}


@pytest.mark.parametrize("target", TARGETS)
def test_stores_are_told_where_the_tables_have_them(target: str) -> None:
    stores = {
        name
        for name, (_, forms) in _of_memory(target).items()
        if any("mayStore" in form.flags and not ("load" in name and _OTHER_RESULT & _tokens(form)) for form in forms)
    }
    told = {name for name, (entry, _) in _of_memory(target).items() if _STORES.search(entry.operation)}
    # What they change is no memory: counters of the wave sync, caches, the hardware's exchange of lanes.
    assert {
        name for name in stores ^ told if not re.match(r"ds_gws_|ds_permute|\w+_prefetch_|buffer_w?b?inv", name)
    } == set()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("word", "sentence"), [("lds", "With lds "), ("tfe", "tfe writes "), ("addr64", "With addr64 ")]
)
def test_modifier_is_told_where_a_load_takes_it(target: str, word: str, sentence: str) -> None:
    for name, (entry, forms) in _of_memory(target).items():
        if "load" in name or word == "addr64":
            takes = any(word in _tokens(form) for form in forms)
            assert (name, any(note.startswith(sentence) for note in entry.notes)) == (name, takes)


@pytest.mark.parametrize("target", TARGETS)
def test_global_data_share_is_told_where_there_is_one(target: str) -> None:
    has_share = isa.load_target(target).has("FeatureGDS")
    told = {
        name for name, (entry, _) in _of_memory(target).items() if any("global data share" in x for x in entry.notes)
    }
    assert bool(told) == has_share


@pytest.mark.parametrize("target", TARGETS)
def test_counters_are_those_of_the_wait_analysis(target: str) -> None:
    features = isa.load_target(target).features
    roles, rows = wait_events.counter_names(features), wait_events.rows(features)
    excepted = (_LOADS_TO_LDS, _UNCOUNTED, _SAMPLES, _IMAGE_ATOMICS)
    for name, (entry, forms) in _of_memory(target, _COUNTED).items():
        if any(pattern.match(name) for pattern in excepted):
            continue
        raised = set()
        for form in forms:
            if "lds" in _tokens(form):
                continue
            keywords = frozenset(slot.text for slot in form.slots if slot.role == "token")
            writes = any(operand.is_def for operand in form.operands)
            fitting = (
                row
                for row in rows
                if wait_events.may_fit(row, form)
                and wait_events.fits(row, writes=writes, keywords=keywords, export=None)
            )
            row = next(fitting, None)
            raised |= {roles[each.role] for each in row.raises if each.role in roles} if row is not None else set()
        assert (name, set(entry.counters)) == (name, raised)


@pytest.mark.parametrize(
    ("kind", "target", "sentence"),
    [
        (kinds.FLOAT_ATOMIC, "gfx1010", "s_denorm_mode needs three wait states"),
        (kinds.FLOAT_ATOMIC, "gfx1030", "s_denorm_mode needs three wait states"),
        (kinds.OFFSET_BUFFER, "gfx1010", "lists six or more address registers"),
        (kinds.DS_OR_DMA, "gfx1010", "vector memory, s_waitcnt_vscnt null, 0 is needed before it"),
        (kinds.VMEM_NOT_DMA, "gfx1010", "LDS, s_waitcnt_vscnt null, 0 is needed before it"),
        (kinds.LDS_DMA, "gfx900", "write of M0 by the scalar ALU needs one wait state"),
        (kinds.LDS_DMA, "gfx950", "write of M0 by the scalar ALU needs one wait state"),
        (kinds.WIDE_STORE, "gfx803", "must not overwrite the data in the next wait state"),
        (kinds.WIDE_STORE, "gfx942", "must not overwrite the data in the next"),
    ],
)
def test_hazards_are_told_where_the_table_of_hazards_has_them(kind: Kind, target: str, sentence: str) -> None:
    for name, (entry, forms) in _of_memory(target, (*_FAMILIES, "image_")).items():
        fitting = [form for form in forms if may_fit(kind, form) and (kind is not kinds.WIDE_STORE or _is_wide(form))]
        if fitting and not _CACHES.match(name):
            assert (name, [sentence in text for text in entry.hazards].count(True)) == (name, 1)


def _is_wide(form: isa.Form) -> bool:
    classes = [operand.kind.registers for operand in form.operands if operand.name == "vdata"]
    return (
        not _OTHER_RESULT & _tokens(form)
        and "load" not in form.mnemonic
        and any(found is not None and found.bits > 2 * _WORD for found in classes)
    )
