// targets: * !gfx600
// LDS reads and writes of every width, pairs with two offsets, bytes and halves.
#include "kernels.h"
kernel void widths(global uint4 *out, const global uint4 *in) {
  local uchar b[512];
  local ushort h[512];
  local uint w[512];
  local ulong d[512];
  local uint3 t3[256];
  local uint4 q[256];
  uint t = item();
  uint4 v = in[place()];
  b[t] = v.x;
  h[t] = v.y;
  w[t] = v.z;
  w[t + 256] = v.w;
  d[t] = v.x * (ulong)v.y;
  d[t + 128] = v.z;
  t3[t] = v.xyz;
  q[t] = v;
  group_barrier();
  uint s = 255 - t;
  ulong e = d[s] + d[s + 64];
  out[place()] = q[s] + (uint4)(b[s], h[s], w[s], w[s + 256]) + (uint4)((uint)e, (uint)(e >> 32), t3[s].x, t3[s].z);
}
