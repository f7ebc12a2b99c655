"""Mnemonics with or without an encoding suffix, and the forms that they may mean."""

from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import documents
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.tables import other_names

# As LLVM's assembler reads them; the longest first.
SUFFIXES = {
    "_e64_dpp": ("VOP3_DPP",),
    "_e64": ("VOP3",),
    "_e32": ("Default",),
    "_dpp": ("DPP", "DPP9"),
    "_sdwa": ("SDWA", "SDWA9"),
}


def split_suffix(mnemonic: str) -> tuple[str, tuple[str, ...]]:
    """The mnemonic without its suffix, and the variants that the suffix selects (none: any)."""
    for suffix, variants in SUFFIXES.items():
        if mnemonic.endswith(suffix):
            return mnemonic.removesuffix(suffix), variants
    return mnemonic, ()


def candidates(target: isa.Target, mnemonic: str) -> tuple[isa.Form, ...]:
    """The forms that a mnemonic, with or without suffix, may mean; () if the target does not have it."""
    found = target.forms(mnemonic)
    if found:
        return found
    base, variants = split_suffix(mnemonic)
    found = target.forms(base)
    return tuple(form for form in found if not variants or form.variant in variants) or found


def as_second_half(target: isa.Target, mnemonic: str) -> tuple[isa.Form, ...]:
    """The forms of pairs in which the mnemonic is the second half: `v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3`."""
    if not mnemonic.startswith(roles.HALF) or not target.has_forms(_ANY_FIRST_HALF):
        return ()
    pairs = target.forms(_ANY_FIRST_HALF)
    return tuple(form for form in pairs if any(slot.role == "token" and slot.text == mnemonic for slot in form.slots))


(_ANY_FIRST_HALF,) = roles.mnemonics("dual move")  # it fits every second half


def targets_with_half(mnemonic: str) -> tuple[str, ...]:
    """The targets with the mnemonic, at least as the second half of a pair. Loads targets: not for hover."""
    found = targets_with(mnemonic)
    if not mnemonic.startswith(roles.HALF):
        return found
    more = (name for name in isa.targets_with(_ANY_FIRST_HALF) if name not in found)
    return (*found, *(name for name in more if as_second_half(isa.load_target(name), mnemonic)))


def usual_target(mnemonic: str) -> str | None:
    """The target whose page answers for no target: the newest that has the mnemonic, not for old code only.

    One that AMD has published a document on comes first: the page says what its source is.
    """
    having = targets_with_half(mnemonic)
    newest = [name for name in reversed(isa.target_names()) if name in having and "-" not in name]
    newest.sort(key=lambda name: not documents.document(name))
    entries = ((name, documentation.entry(mnemonic, isa.load_target(name))) for name in newest)
    current = (name for name, entry in entries if entry is None or not entry.is_legacy)
    return next(current, newest[0] if newest else None)


def targets_with(mnemonic: str) -> tuple[str, ...]:
    """The targets with the mnemonic, ignoring its suffix."""
    return isa.targets_with(mnemonic) or isa.targets_with(split_suffix(mnemonic)[0])


def names_elsewhere(mnemonic: str, target: "isa.Target | None") -> Mapping[str, tuple[str, ...]]:
    """Other names of a mnemonic's instruction on `target`, with the targets that use each of them."""
    base = split_suffix(mnemonic)[0]
    if target is None:
        return {}
    return other_names.elsewhere(base, target)
