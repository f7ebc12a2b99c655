// targets: gfx1*
// waves: 32
// Ballots of 32 lanes.
#include "kernels.h"
kernel void ballot_loop(global uint *out, const global uint *in) {
  uint i = place();
  uint left = __builtin_amdgcn_ballot_w32(in[i] > 3);
  uint sum = 0;
  while (left) {
    uint lane = __builtin_ctz(left);
    sum += __builtin_amdgcn_readlane(in[i + 256], lane);
    left &= left - 1;
  }
  out[i] = sum;
}
