-- Written by `python -m editors.recognition`; edit gcn_lsp/project/file_signs.py instead.
return {
  signs = {
    [[^\s*\.\%(amdgcn_target\>\|amdhsa_\|amdgpu_\|amd_amdgpu_\|amd_kernel_code_t\>\|hsa_code_object_\|gpu_\w\)]],
    [[^\s*amdhsa\.\%(target\|version\|kernels\)\s*:]],
    [[\.amdgcn\.]],
    [[^\s*\.include\s.*gfx\d]],
    [[^\s*asic(\w]],
    [[^\s*\%(\w\+:\s*\)\?\%(v\|s\|ds\|buffer\|tbuffer\|global\|flat\|scratch\|image\)_[a-z][a-z0-9_]*\s\+\%(-\||\|[vsa]\[\|[vsa]\d\|vcc\|exec\|m0\|scc\|ttmp\|0x\|\d\|\\\|\w\+cnt\s*(\|off\>\|hwreg\)]],
    [[^\s*s_\%(endpgm\|barrier\|waitcnt\|code_end\)\>]],
  },
  comment = [[\<gcn-lsp:\|-m\?cpu=gfx\|-mtriple=amdg\%(cn\|pu\)\|\<gfx\%([6-8]\d\d\|9[0-9a-f]\{2}\|1[0-3][0-9a-f]\{2}\)\>]],
}
