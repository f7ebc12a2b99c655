// targets: gfx11* gfx12*
// Messages that return a value into scalar registers.
#include "kernels.h"
kernel void realtime(global ulong *out) {
  ulong now = __builtin_amdgcn_s_sendmsg_rtnl(0x83);
  uint doorbell = __builtin_amdgcn_s_sendmsg_rtn(0x80);
  out[place()] = now + doorbell;
}
