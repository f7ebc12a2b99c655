"""Where generic addresses mean LDS and scratch: the high 16 bits of an address say so.

The values are those of the Linux driver (`SH_MEM_BASES`): 1 for LDS, 2 for scratch. Where generic addresses of scratch
have the number of the lane, LLVM takes those for scratch that equal the base in bits 63 to 58.
"""

LDS = 1 << 48
SCRATCH = 2 << 48
OF_LANES = 1 << 58
"""Where scratch is on targets whose generic addresses have the number of the lane from `LANE_SHIFT`."""
LANE_SHIFT = 52
LIMIT = 0xFFFF_FFFF
"""The last byte of an aperture, from its start."""
