// Private arrays with indices that are known only at run time: scratch memory.
#include "kernels.h"
kernel void indexed(global int *out, const global int *in) {
  int a[12];
  uint i = place();
  for (int k = 0; k < 12; k++) a[k] = in[i + k];
  for (int k = 0; k < 12; k++) a[in[k] % 12u] += a[(k * 7 + in[i]) % 12u];
  out[i] = a[in[0] % 12u];
}
kernel void bytes(global uchar *out, const global uchar *in, int n) {
  uchar a[16];
  uint i = place();
  for (int k = 0; k < 16; k++) a[k] = in[i + k * n];
  uchar v = 0;
  for (int k = 0; k < n; k++) v = a[v & 15] + a[(v ^ k) & 15];
  out[i] = v;
}
