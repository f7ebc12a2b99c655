// Recognises AMD GPU assembly by the text of a file. Pure.

import { AMDGPU_COMMENT, AMDGPU_SIGNS, OTHER_SIGNS } from "./signs";

export type Verdict = "amdgpu" | "other" | "unknown";

/** Only the head of a file is read: enough to get past a licence and a block of symbol assignments. */
const HEAD_CHARACTERS = 65_536;
const HEAD_LINES = 1_500;

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
