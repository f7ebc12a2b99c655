.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
.text
kernel:
  s_endpgm
