.set generation, .amdgcn.gfx_generation_number
