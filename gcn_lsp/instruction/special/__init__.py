"""Operands with a syntax of their own: wait counts, hardware registers, messages, swizzles, DPP controls, formats."""
