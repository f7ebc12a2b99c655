// Written by `python -m editors.recognition`; edit gcn_lsp/project/file_signs.py instead.

export const AMDGPU_SIGNS: readonly RegExp[] = [
  /^\s*\.(?:amdgcn_target\b|amdhsa_|amdgpu_|amd_amdgpu_|amd_kernel_code_t\b|hsa_code_object_|gpu_\w)/,
  /^\s*amdhsa\.(?:target|version|kernels)\s*:/,
  /\.amdgcn\./,
  /^\s*\.include\s.*gfx\d/,
  /^\s*asic\(\w/,
  /^\s*(?:\w+:\s*)?(?:v|s|ds|buffer|tbuffer|global|flat|scratch|image)_[a-z][a-z0-9_]*\s+(?:-|\||[vsa]\[|[vsa]\d|vcc|exec|m0|scc|ttmp|0x|\d|\\|\w+cnt\s*\(|off\b|hwreg)/,
  /^\s*s_(?:endpgm|barrier|waitcnt|code_end)\b/,
];

export const AMDGPU_COMMENT =
  /\bgcn-lsp:|-m?cpu=gfx|-mtriple=amdg(?:cn|pu)|\bgfx(?:[6-8]\d\d|9[0-9a-f]{2}|1[0-3][0-9a-f]{2})\b/;

export const OTHER_SIGNS: readonly RegExp[] = [
  /%[er]?(?:[abcd]x|[sd]i|[sb]p|ip)\b|%r\d+|%[xyz]mm\d|%(?:hi|lo|pcrel_\w+)\(/,
  /^\s*\.(?:cfi_\w+|intel_syntax|att_syntax|code(?:16|32|64)|arch|cpu|fpu|thumb\w*|arm|syntax|eabi_attribute|option|module|abicalls)\b/,
  /^\s*(?:\w+:\s*)?(?:mov[bwlqz]?\w?|push[lq]?|pop[lq]?|ret[lq]?|call[lq]?|jmp|lea[lq]?|xor[lq]?|int|syscall|hlt)\s+\S/,
  /^\s*(?:\w+:\s*)?(?:ldr|str|ldp|stp|adrp?|bl|blx|bx|svc|li|la|addi|addiu|lui|auipc|jalr?|ecall|mtlr|mflr)\s+\S/,
  /^\s*(?:\w+:\s*)?(?:ret|retq|syscall|ecall|leave|cld|cli|sti|nop)\s*$/,
];
