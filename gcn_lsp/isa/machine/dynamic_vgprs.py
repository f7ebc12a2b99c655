"""Waves that change the number of their VGPRs as they run.

Facts: "Dynamic VGPR Allocation and Deallocation" of the RDNA4 ISA document.
"""

REQUESTS = frozenset(("s_alloc_vgpr",))
"""The instructions that ask for another number of VGPRs, and put into SCC whether the wave has got them."""

FIRST = 16
"""A block of VGPRs on a chip with small ones: what every wave starts with, so that a request for it never fails."""
