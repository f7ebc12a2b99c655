// targets: gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx10*
// Buffer loads straight into LDS, with their place in M0.
#include "kernels.h"
kernel void buffer_to_lds(global uint *out, global uint *in) {
  local uint tile[512];
  __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc(in, 0, 65536, 0x27000);
  __builtin_amdgcn_raw_ptr_buffer_load_lds(r, tile, 4, place() * 4, 0, 0, 0);
  __builtin_amdgcn_raw_ptr_buffer_load_lds(r, tile + 256, 4, place() * 4, 4096, 0, 0);
  group_barrier();
  out[place()] = tile[item() ^ 1] + tile[511 - item()];
}
