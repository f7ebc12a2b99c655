// Structures as kernel arguments, read in pieces, and arguments that are used late.
#include "kernels.h"
typedef struct { ulong big[4]; float scale; ushort flags; uchar small[3]; int4 v; } Arguments;
kernel void by_value(global float *out, Arguments a, int which) {
  uint i = place();
  float v = a.scale * a.v.y + a.big[2];
  if (a.flags & 4) v += a.small[1];
  if (which) v += a.v.w;
  out[i] = v;
}
kernel void many(global int *out, char a, short b, int c, long d, int3 e, uchar8 f, float16 g, double h, global int *p) {
  uint i = place();
  out[i] = a + b + c + (int)d + e.z + f.s5 + (int)g.sb + (int)h + p[i];
}
kernel void late(global int *out, global int *p, int n, int limit) {
  uint i = place();
  int v = p[i];
  for (int k = 0; k < n; k++) v = v * 3 + (v >> 5);
  out[i] = v > limit ? limit : v;
}
