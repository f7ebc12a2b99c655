"""Interprets lines in order as an assembler does: symbols, macros, conditionals, repetition, includes, provenance.

What instructions and data mean is not known here: they are handed to a `Streamer`.
"""
