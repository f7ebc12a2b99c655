"""Where generic addresses mean LDS and scratch: the high 16 bits of an address say so.

The values are those of the Linux driver (`SH_MEM_BASES`): 1 for LDS, 2 for scratch.
"""

LDS = 1 << 48
SCRATCH = 2 << 48
LIMIT = 0xFFFF_FFFF
"""The last byte of an aperture, from its start."""
