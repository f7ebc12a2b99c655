// Recognises a source with inline assembly of AMD GPUs by its text. Pure.

const STATEMENT = /\b(?:asm|__asm__|__asm|inline_asm\w*)\b/;
const INSTRUCTION =
  /(?:["'\s]|\\[nt])(?:v|s|ds|buffer|tbuffer|global|flat|scratch|image)_[a-z]\w*|(?:["']|\\[nt])exp\s/;

/** Whether a source has a statement of inline assembly and text that looks like one of AMD's instructions. */
export function hasInlineAssembly(text: string): boolean {
  return STATEMENT.test(text) && INSTRUCTION.test(text);
}
