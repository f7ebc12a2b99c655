.intel_syntax noprefix
_start:
  mov rax, 60
  syscall
