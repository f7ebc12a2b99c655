"""The types of semantic tokens, for the server to announce before it loads anything else, and for themes.

A theme can colour these types, besides the usual `macro`, `parameter`, `variable`, `keyword` (directives), `modifier`,
`function` (operands such as `vmcnt(0)`), `enumMember` and `label`:

| type | what |
| --- | --- |
| `scalarRegister` | SGPRs and trap SGPRs |
| `vectorRegister` | VGPRs |
| `accumulatorRegister` | AccVGPRs |
| `specialRegister` | `vcc`, `exec`, `m0`, `scc` and the like |
| `scalarInstruction` | scalar arithmetic |
| `vectorInstruction` | vector arithmetic |
| `matrixInstruction` | matrix multiplication and access to AccVGPRs |
| `memoryInstruction` | loads, stores, atomics, exports |
| `branchInstruction` | branches, calls, the end of the program |
| `waitInstruction` | waits for counters, `s_nop`, `s_sleep`, `s_delay_alu` |
| `syncInstruction` | barriers, messages, cache maintenance |
"""

INSTRUCTION_CLASSES = ("scalar", "vector", "matrix", "memory", "branch", "wait", "sync")

OWN_TYPES = (
    *("scalarRegister", "vectorRegister", "accumulatorRegister", "specialRegister"),
    *(f"{name}Instruction" for name in INSTRUCTION_CLASSES),
)
LEGEND = (
    *OWN_TYPES,
    *("macro", "parameter", "variable", "label", "keyword", "modifier", "function", "enumMember"),
)
"""All types by their numbers: ours, then usual ones."""
