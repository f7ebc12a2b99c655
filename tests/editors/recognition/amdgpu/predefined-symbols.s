.if (.amdgcn.gfx_generation_number == 9)
    .include "gfx9.inc"
.endif
