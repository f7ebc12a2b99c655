"""Operands with their own syntax: wait counts, hardware registers, messages, swizzles, DPP controls, formats."""
