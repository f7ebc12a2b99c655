"""Kernels as the driver and the compiler see them: descriptors, headers, arguments, calls, registers for waves."""
