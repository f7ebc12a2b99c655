"""What SP3 writes into the bits of an instruction that no operand fills; LLVM's tables say what LLVM writes there.

The words of `cwsr_trap_handler.h` in the Linux kernel show it: SP3 leaves unused sources 0, where LLVM 23 writes the
inline constant 0 (0x80), and before gfx10 sets the unused register of `s_setreg_imm32_b32` to all ones.
"""

from gcn_lsp.isa.conditions import holds

_IMMEDIATE_SETTER = "s_setreg_imm32_b32"
_DESTINATION = 0xFF  # where SP3's word for an unused destination is not known, LLVM's remains


def filler(mnemonic: str, free: int, usual: int, features: frozenset[str]) -> int:
    """The filling of the bits in `free`, of which LLVM's is `usual`."""
    if mnemonic == _IMMEDIATE_SETTER and holds("gfx6-9", features):
        return free
    return usual & _DESTINATION
