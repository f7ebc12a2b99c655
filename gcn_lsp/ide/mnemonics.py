"""A mnemonic with or without its encoding suffix, and the forms that it may mean."""

from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.isa import names

# As LLVM's assembler reads them; the longest first.
SUFFIXES = {
    "_e64_dpp": ("VOP3_DPP",),
    "_e64": ("VOP3",),
    "_e32": ("Default",),
    "_dpp": ("DPP", "DPP9"),
    "_sdwa": ("SDWA", "SDWA9"),
}


def split_suffix(mnemonic: str) -> tuple[str, tuple[str, ...]]:
    """The mnemonic without its suffix, and the variants that the suffix asks for (none: any)."""
    for suffix, variants in SUFFIXES.items():
        if mnemonic.endswith(suffix):
            return mnemonic.removesuffix(suffix), variants
    return mnemonic, ()


def candidates(target: isa.Target, mnemonic: str) -> tuple[isa.Form, ...]:
    """The forms that a mnemonic, with or without suffix, may mean; () when the target does not have it."""
    found = target.forms(mnemonic)
    if found:
        return found
    base, variants = split_suffix(mnemonic)
    found = target.forms(base)
    return tuple(form for form in found if not variants or form.variant in variants) or found


def targets_with(mnemonic: str) -> tuple[str, ...]:
    """The targets that have the mnemonic, its suffix left aside."""
    return isa.targets_with(mnemonic) or isa.targets_with(split_suffix(mnemonic)[0])


def names_elsewhere(mnemonic: str, target: "isa.Target | None") -> Mapping[str, tuple[str, ...]]:
    """Other names of the instruction that a mnemonic means on `target`, with the targets that use each of them."""
    base = split_suffix(mnemonic)[0]
    if target is None:
        return {}
    return names.elsewhere(base, target)
