// A loop of arithmetic alone, with an end that differs from lane to lane.
#include "kernels.h"
kernel void mandelbrot(global uchar *out, float scale, int most) {
  float cx = item() * scale, cy = group() * scale, x = 0, y = 0;
  int k = 0;
  for (; k < most && x * x + y * y < 4; k++) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  out[place()] = k;
}
