"""What a program does to registers, counters and the pipeline: effects, control flow, waits, hazards.

Everything is a pure function over the chunks of a `Program`; what was found for a chunk is kept with it, so that after
an edit only what the edit reaches is looked at again.
"""
