// Private arrays with indices that are known only at run time: scratch memory.
#include "kernels.h"
kernel void indexed(global int *out, const global int *in) {
  int a[32];
  uint i = place();
  for (int k = 0; k < 32; k++) a[k] = in[i + k];
  for (int k = 0; k < 32; k++) a[in[k] & 31] += a[(k * 7 + in[i]) & 31];
  out[i] = a[in[0] & 31];
}
kernel void bytes(global uchar *out, const global uchar *in, int n) {
  uchar a[64];
  uint i = place();
  for (int k = 0; k < 64; k++) a[k] = in[i + k * n];
  uchar v = 0;
  for (int k = 0; k < n; k++) v = a[v & 63] + a[(v ^ k) & 63];
  out[i] = v;
}
