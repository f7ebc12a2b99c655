// A stencil in three planes with loads that are shared from one step to the next.
#include "kernels.h"
kernel void stencil(global float *out, const global float *in, int planes, int width) {
  uint x = item(), y = group();
  int at = y * width + x, plane = width * width;
  float below = in[at], here = in[at + plane];
  for (int z = 1; z < planes - 1; z++) {
    at += plane;
    float above = in[at + plane];
    out[at] = below + above - 6 * here + in[at - 1] + in[at + 1] + in[at - width] + in[at + width];
    below = here;
    here = above;
  }
}
