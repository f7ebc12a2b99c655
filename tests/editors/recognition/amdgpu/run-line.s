# RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 %s
