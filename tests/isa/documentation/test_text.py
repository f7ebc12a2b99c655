"""What the sentences of an entry name is there on the target: other instructions, modifiers; and they tell apart."""

import re

import pytest

from gcn_lsp import isa
from tests.isa.documentation.forms import TARGETS, known

MNEMONIC = re.compile(r"\b(?:s|v|ds|lds|buffer|tbuffer|flat|global|scratch|image|tensor|cluster)_[a-z0-9_]*[a-z0-9]\b")
MODIFIER = re.compile(r"\b(?:op_sel|op_sel_hi|neg_lo|neg_hi|byte_sel|bitop3|clamp)\b")

# LLVM gives these modifiers of the scaled matrix instructions to their other half alone.
OTHER_HALF = ("v_mfma_scale_",)


@pytest.mark.parametrize("target", TARGETS)
def test_only_instructions_of_the_target_are_named(target: str) -> None:
    """`v_cmpx` and `s_setreg` stand for all whose names begin so."""
    there = tuple(isa.load_target(target).mnemonics)
    strange = [
        (mnemonic, name)
        for mnemonic, found in known(target).items()
        for text in (found.entry.summary, *found.entry.notes, *found.entry.hazards)
        for name in MNEMONIC.findall(text)
        if not any(other.startswith(name) for other in there)
    ]
    assert strange == []


@pytest.mark.parametrize("target", TARGETS)
def test_only_modifiers_of_the_forms_are_named(target: str) -> None:
    loaded = isa.load_target(target)
    strange = []
    for mnemonic, found in known(target).items():
        named = {name for text in found.entry.notes for name in MODIFIER.findall(text)}
        if not named or not mnemonic.startswith("v_") or mnemonic.startswith(OTHER_HALF):
            continue
        written = {name for form in found.forms for name in (*form.names, *form.tokens)}
        if not loaded.has("FeatureIntClamp") and all("IntClamp" in form.flags for form in loaded.forms(mnemonic)):
            written.discard("clamp")
        strange += [(mnemonic, name) for name in named - written]
    assert strange == []


@pytest.mark.parametrize("target", TARGETS)
def test_no_two_instructions_have_one_summary(target: str) -> None:
    """But those that do the same; a scalar and a vector instruction differ in what they do it with."""
    summaries: dict[tuple[str, str], dict[str, str]] = {}
    for mnemonic, found in known(target).items():
        kind = mnemonic.partition("_")[0]
        if kind in ("s", "v"):
            summaries.setdefault((kind, found.entry.summary), {})[mnemonic] = found.entry.operation
    alike = [(key[1], sorted(found)) for key, found in summaries.items() if len(set(found.values())) > 1]
    assert alike == []
