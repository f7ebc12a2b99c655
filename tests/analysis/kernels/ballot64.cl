// waves: 64
// Ballots of 64 lanes, and a lane picked from them.
#include "kernels.h"
kernel void ballot_loop(global uint *out, const global uint *in) {
  uint i = place();
  ulong left = __builtin_amdgcn_ballot_w64(in[i] > 3);
  uint sum = 0;
  while (left) {
    uint lane = __builtin_ctzl(left);
    sum += __builtin_amdgcn_readlane(in[i + 256], lane);
    left &= left - 1;
  }
  out[i] = sum;
}
