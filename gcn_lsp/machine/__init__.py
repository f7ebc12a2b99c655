"""Executes instructions: the documented operations as functions over all lanes of a wave, in numpy.

The package needs numpy (the extra `gcn-lsp[run]`); nothing else of gcn_lsp imports it, except the commands that run
code. Two parts meet here. Instructions: `registers.Wave` is the state of a wave, `operation.bind` compiles one
instruction, and `Bound.execute(wave, environment)` carries it out. The machine around them implements
`environment.Environment`: memory, LDS, buffers, barriers, waits, messages, the clock.

What the machine may rely on:

- `wave.pc` is the address of the instruction when `execute` begins. Afterwards it is that of the next one: behind the
  instruction, or where it jumps.
- `execute` reads all sources before it writes. EXEC masks vector instructions; the environment sees the mask as
  `active`.
- An instruction that cannot be carried out gives `Inexecutable` from `bind`, with a sentence; values that cannot be
  carried out (a resource that no one decodes) raise `environment.Stop` from the environment's own methods.
- The environment returns at once from `wait` and `barrier`. Whether the wave goes on is the scheduler's matter.
"""
