// Tells AMD GPU assembly from other assembly by the text of a file; pure, and the same table as Neovim's detect.lua.

export type Verdict = "amdgpu" | "other" | "unknown";

/** Only the head of a file is read: enough to get past a licence and a block of symbol assignments. */
const HEAD_CHARACTERS = 65_536;
const HEAD_LINES = 1_500;

/** One of these on any line of code is enough: no other processor's assembly has them. */
const AMDGPU_SIGNS: readonly RegExp[] = [
  /^\s*\.(?:amdgcn_target|amdhsa_|amdgpu_|amd_amdgpu_|amd_kernel_code_t|hsa_code_object_|gpu_\w+\b)/,
  /^\s*(?:amdhsa\.(?:target|version|kernels)\s*:)/,
  /\.amdgcn\./,
  /^\s*\.include\s.*gfx\d/,
  /^\s*(?:\w+:\s*)?(?:v|s|ds|buffer|tbuffer|global|flat|scratch|image)_[a-z][a-z0-9_]*\s+(?:-|\||[vsa]\[|[vsa]\d|vcc|exec|m0|scc|ttmp|0x|\d|\\|\w+cnt\s*\(|off\b|hwreg)/,
  /^\s*s_(?:endpgm|barrier|waitcnt|code_end)\b/,
];

/** Comments count only where they say what the file is for. */
const AMDGPU_COMMENT = /\bgcn-lsp:|-m?cpu=gfx|-mtriple=amdgcn|\bgfx(?:[6-8]\d\d|9[0-9a-f]{2}|1[0-2][0-9a-f]{2})\b/;

/** Signs of another processor; read only when nothing above was found. */
const OTHER_SIGNS: readonly RegExp[] = [
  /%[er]?(?:[abcd]x|[sd]i|[sb]p|ip)\b|%r\d+|%[xyz]mm\d|%(?:hi|lo|pcrel_\w+)\(/,
  /^\s*\.(?:cfi_\w+|intel_syntax|att_syntax|code(?:16|32|64)|arch|cpu|fpu|thumb\w*|arm|syntax|eabi_attribute|option|module|abicalls)\b/,
  /^\s*(?:\w+:\s*)?(?:mov[bwlqz]?\w?|push[lq]?|pop[lq]?|ret[lq]?|call[lq]?|jmp|lea[lq]?|xor[lq]?|int|syscall|hlt)\s+\S/,
  /^\s*(?:\w+:\s*)?(?:ldr|str|ldp|stp|adrp?|bl|blx|bx|svc|li|la|addi|addiu|lui|auipc|jalr?|ecall|mtlr|mflr)\s+\S/,
  /^\s*(?:\w+:\s*)?(?:ret|retq|syscall|ecall|leave|cld|cli|sti|nop)\s*$/,
];

/** Judges a file by its text. "unknown" means that nothing in it speaks for or against AMD GPUs: an empty file, say. */
export function recognise(text: string): Verdict {
  let other = false;
  for (const line of codeAndComments(text)) {
    if (AMDGPU_COMMENT.test(line.comment) || AMDGPU_SIGNS.some((sign) => sign.test(line.code))) return "amdgpu";
    other ||= OTHER_SIGNS.some((sign) => sign.test(line.code));
  }
  return other ? "other" : "unknown";
}

interface Split {
  readonly code: string;
  readonly comment: string;
}

/** The head's lines with comments cut off; `#` and `@` start comments on some other processors, so they end code too. */
function* codeAndComments(text: string): Generator<Split> {
  let inBlock = false;
  for (const line of text.slice(0, HEAD_CHARACTERS).split(/\r?\n/, HEAD_LINES)) {
    let rest = line;
    let code = "";
    let comment = "";
    while (rest !== "") {
      if (inBlock) {
        const end = rest.indexOf("*/");
        comment += end < 0 ? rest : rest.slice(0, end);
        rest = end < 0 ? "" : rest.slice(end + 2);
        inBlock = end < 0;
        continue;
      }
      const start = /\/\*|\/\/|;|#|(?:^|\s)@\s/.exec(rest);
      code += start ? rest.slice(0, start.index) : rest;
      inBlock = start?.[0] === "/*";
      if (start && !inBlock) comment += rest.slice(start.index);
      rest = start && inBlock ? rest.slice(start.index + 2) : "";
    }
    yield { code, comment };
  }
}
