"""SP3, AMD's own assembler language: the trap handlers of the Linux kernel are written in it."""
