# Names that begin like AMD GPU mnemonics are still only names.
s_table:
    .quad v_first
s_copy:
    movq %rdi, s_table(%rip)
    jmp  s_copy
