"""The features of a file that its compiler wrote without naming them: the version of LLVM and the size of its waves.

An assembler needs both: clang 22 writes `v4` where LLVM 23 wants `v4.l`, and only the kernel descriptors show
`-mwavefrontsize64`.
"""

from itertools import chain

from gcn_lsp import isa
from gcn_lsp.isa import versions
from gcn_lsp.project.target_hints import IDENT, PRODUCER, WAVE_SIZE, TargetHints

_ZERO = ("0", "0x0")


def with_features(target: str, mattr: str, hints: TargetHints, *, may_choose: bool = True) -> tuple[str, str]:
    """`mattr` with the features that the text shows, and clauses that say so, for the end of a reason.

    may_choose: whether the version of LLVM is open; a setting may have chosen it. A RUN line is a whole command of the
    assembler: beside one, the text adds nothing. A version that does not have the target is not taken.
    """
    if any(hints.of_kind("run")):
        return mattr, ""
    reason = ""
    maker = next(chain(hints.of_kind(IDENT), hints.of_kind(PRODUCER)), None)
    if may_choose and maker is not None and not any(map(versions.is_switch, mattr.split(","))):
        llvm = versions.nearest(int(maker.target))
        switched = versions.with_switch(mattr, llvm)
        if switched != mattr and isa.version_of(target, switched) == llvm:
            mattr = switched
            reason = f"; its compiler is of version {maker.target} (line {maker.line + 1}), so LLVM {llvm} decides"
    sizes = tuple(hints.of_kind(WAVE_SIZE))
    are_64 = bool(sizes) and all(size.target in _ZERO for size in sizes) and "wavefrontsize" not in mattr.lower()
    if are_64 and not isa.load_target(target, mattr).assumes_one_wave_size:
        mattr = ",".join(filter(None, (mattr, "+wavefrontsize64")))
        reason += f"; its kernels have waves of 64 lanes (.amdhsa_wavefront_size32 in line {sizes[0].line + 1})"
    return mattr, reason
