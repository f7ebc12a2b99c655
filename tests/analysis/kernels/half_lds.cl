// Halves in LDS: loads into the low and the high half of one register, which keep the other half.
#include "kernels.h"
kernel void shuffle_halves(global half2 *out, const global half *in) {
  local half tile[512];
  uint t = item();
  tile[t] = in[place()];
  tile[t + 256] = in[place() + 4096];
  group_barrier();
  half2 v = (half2)(tile[t ^ 3], tile[511 - t]);
  out[place()] = v * (half2)(in[t], in[t + 7]);
}
kernel void shuffle_bytes(global short2 *out, const global char *in) {
  local char tile[512];
  uint t = item();
  tile[t] = in[place()];
  group_barrier();
  out[place()] = (short2)(tile[t ^ 1], in[t + 99]);
}
