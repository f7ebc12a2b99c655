"""Interprets lines in order as an assembler does: symbols, macros, conditionals, repetition, includes, provenance.

Instructions and data mean nothing here: they are passed to a `Streamer`.
"""
