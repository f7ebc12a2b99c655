"""The effects of a program on registers, counters and the pipeline: control flow, waits, hazards, values.

Everything is a pure function over the chunks of a `Program`; a result about a chunk is kept with it, so an edit renews
only what it affects.
"""
