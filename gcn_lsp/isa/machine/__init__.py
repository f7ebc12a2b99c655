"""The parts of the processor: registers, modes of a wave, clauses, matrices and caches."""
