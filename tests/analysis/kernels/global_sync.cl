// targets: gfx700 gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx10* gfx11*
// The global wave sync: waits, M0 and the hazards behind them.
#include "kernels.h"
kernel void wave_sync(global uint *out, const global uint *in, uint waves) {
  __builtin_amdgcn_ds_gws_init(waves, 0);
  uint v = in[place()];
  __builtin_amdgcn_ds_gws_barrier(waves, group() & 3);
  out[place()] = v + in[place() + 256];
  __builtin_amdgcn_ds_gws_barrier(v, 1);
}
