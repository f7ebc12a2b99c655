"""Kernels: their descriptors, metadata, and the registers and LDS that their code uses."""
