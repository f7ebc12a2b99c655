// The comment by which a file says its target, `; gcn-lsp: target=gfx90a`: put in, changed, taken out. Pure.

const COMMENT = /^([ \t]*(?:;|\/\/)\s*gcn-lsp:\s*target\s*=\s*)[\w-]+[ \t]*$/m;

/** The text with its target comment changed, or with one before its first line where it has none. */
export function withTargetComment(text: string, target: string): string {
  if (COMMENT.test(text)) return text.replace(COMMENT, (_all, before: string) => before + target);
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
