"""The constraints of image instructions: sizes of data and address, masks, the dimension of the image."""

from gcn_lsp import isa
from gcn_lsp.instruction import registers
from gcn_lsp.instruction.bound import Bound
from gcn_lsp.instruction.model import Problem
from gcn_lsp.isa.modifiers.dimensions import DIMENSIONS, Dimension


def dimension(bound: Bound) -> Problem | None:
    """From gfx10 an image needs its dimension."""
    if "dim" in bound.arguments:
        return None
    return bound.problem("missing-modifier", f"{bound.word} needs `dim:`, as in `dim:SQ_RSRC_IMG_2D`")


def samples(bound: Bound) -> Problem | None:
    """Some instructions need an image with samples."""
    image = bound.form.image
    if image is None or "MSAA" not in image.flags or DIMENSIONS[bound.values["dim"]].has_samples:
        return None
    return bound.problem(
        "modifier-out-of-range", f"{bound.word} needs a dim with samples, 2D_MSAA or 2D_MSAA_ARRAY", "dim"
    )


def address(bound: Bound) -> Problem | None:
    """The address has as many dwords as the dimension, the gradients and a16 need."""
    image = bound.form.image
    assert image is not None
    short = bool(bound.values.get("a16"))
    if "BVH" in image.flags:
        if short == ("A16" in image.flags):
            return None
        message = f"the address has the size for {bound.word} {'without' if short else 'with'} a16"
        return bound.problem("operand-conflict", message, "vaddr0")
    if "dim" not in bound.values:
        return None
    needed = address_dwords(image, DIMENSIONS[bound.values["dim"]], short, bound.target.has_g16)
    written = [argument.register for name, argument in bound.arguments.items() if name.startswith("vaddr")]
    actual = sum(register.count for register in written if register is not None)
    if len(written) == 1:
        if needed > _LARGEST_PLAIN:
            needed = _WIDEST
        if actual == _ROUNDED and _ROUNDED_FROM <= needed < _ROUNDED:
            return None  # older assemblers wanted eight for five to seven dwords
    if actual == needed:
        return None
    message = f"the address has {actual} dwords; dim and a16 need {needed}"
    if len(written) == 1 and written[0] is not None:
        message += f", as in `{registers.tuple_text(written[0].file, written[0].first, needed)}`"
    return bound.problem("wrong-register-width", message, "vaddr0" if "vaddr0" in bound.arguments else "vaddr")


_LARGEST_PLAIN, _WIDEST = 12, 16
_ROUNDED_FROM, _ROUNDED = 5, 8


def address_dwords(image: isa.Image, dimension: Dimension, short: bool, has_g16: bool) -> int:
    """The size of an address in dwords. short: a16; has_g16: the target has a separate size for gradients."""
    components = dimension.coordinates if "Coordinates" in image.flags else 0
    components += "LodOrClampOrMip" in image.flags
    needed = image.extra_arguments + ((components + 1) // 2 if short else components)
    if "Gradients" in image.flags:
        packed = "G16" in image.flags or (short and not has_g16)
        # Gradients of each direction are packed separately.
        needed += (dimension.gradients // 2 + 1) // 2 * 2 if packed else dimension.gradients
    return needed


def d16(bound: Bound) -> Problem | None:
    """Some targets have no d16."""
    if bound.values.get("d16") and not bound.target.has_d16:
        return bound.problem("unsupported-on-target", f"{bound.target.name} has no d16", "d16")
    return None


def data(bound: Bound) -> Problem | None:
    """The data has a dword for each component that is selected, and one for tfe."""
    names = {operand.name for operand in bound.form.operands}
    if "dmask" not in names or "vdata" not in names:
        return None
    data = bound.arguments["vdata"].register
    assert data is not None
    mask = bound.values.get("dmask", 0) & 0xF or 1
    needed = 4 if "Gather4" in bound.form.flags else mask.bit_count()
    reasons = [f"dmask {mask:#x}"]
    if bound.values.get("d16") and not bound.target.has_unpacked_d16:
        needed = (needed + 1) // 2
        reasons.append("d16")
    if bound.values.get("tfe"):
        needed += 1
        reasons.append("tfe")
    if data.count == needed:
        return None
    verb = "needs" if len(reasons) == 1 else "need"
    return bound.problem(
        "wrong-register-width",
        f"`{data.text}` has {_dwords(data.count)}; {' and '.join(reasons)} {verb} {_dwords(needed)}, as in "
        f"`{registers.tuple_text(data.file, data.first, needed)}`",
        "vdata",
    )


def _dwords(count: int) -> str:
    return "one dword" if count == 1 else f"{count} dwords"


def atomic_mask(bound: Bound) -> Problem | None:
    """An atomic takes one, two or four components."""
    if not {"mayLoad", "mayStore"} <= bound.form.flags:
        return None
    mask = bound.values.get("dmask", 0) & 0xF
    if mask in (1, 3, 15):
        return None
    return bound.problem("modifier-out-of-range", f"dmask of an image atomic is 1, 3 or 15, not {mask}", "dmask")


def gather_mask(bound: Bound) -> Problem | None:
    """A gather takes one component of four texels."""
    if "Gather4" not in bound.form.flags:
        return None
    mask = bound.values.get("dmask", 0) & 0xF
    if mask.bit_count() == 1:
        return None
    return bound.problem("modifier-out-of-range", f"dmask of a gather has one bit set, not {mask:#x}", "dmask")
