.syntax unified
.cpu cortex-m4
.thumb
v_reset:
  ldr r0, =stack @ top of stack
  bl main
