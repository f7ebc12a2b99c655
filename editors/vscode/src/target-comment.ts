// Changes the target that a file names: in `.amdgcn_target`, or in a comment `; gcn-lsp: target=gfx90a`. Pure.

const COMMENT = /^([ \t]*(?:;|\/\/)\s*gcn-lsp:\s*target\s*=\s*)[\w-]+[ \t]*$/m;

/** The name ends where features begin: `amdgcn-amd-amdhsa--gfx90a:xnack-`. */
const DIRECTIVE = /^([ \t]*\.amdgcn_target[ \t]+"[^"\n]*--)gfx[\w-]+/m;

/** The text for another target: its directive or its comment changed, or a comment put before its first line. */
export function withTarget(text: string, target: string): string {
  for (const place of [DIRECTIVE, COMMENT]) {
    if (place.test(text)) return text.replace(place, (_all, before: string) => before + target);
  }
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  return `; gcn-lsp: target=${target}${lineEnd}${text}`;
}

/** The text without its target comment, the line of which goes too. */
export function withoutTargetComment(text: string): string {
  const found = COMMENT.exec(text);
  if (!found) return text;
  const after = text.slice(found.index + found[0].length).replace(/^\r?\n/, "");
  return text.slice(0, found.index) + after;
}
