// The indentation of a file's code. Pure.

/** Most lines tell it. */
const ENOUGH = 2000;

export interface Indentation {
  readonly width: number;
  readonly tabs: boolean;
}

/**
 * What most instructions begin with; undefined where none is indented. Directives and the lines of metadata do not count:
 * they begin with a dot or a hyphen.
 */
export function codeIndentation(lineAt: (line: number) => string, count: number): Indentation | undefined {
  const seen = new Map<string, number>();
  for (let line = 0; line < Math.min(count, ENOUGH); line++) {
    const [, blank] = /^([ \t]+)[a-z]\w*(?![\w.:])/i.exec(lineAt(line)) ?? [];
    if (blank) seen.set(blank, (seen.get(blank) ?? 0) + 1);
  }
  const [usual] = [...seen].sort(([, one], [, other]) => other - one);
  if (!usual) return undefined;
  const tabs = usual[0].startsWith("\t");
  return { width: tabs ? 0 : Math.min(usual[0].length, 16), tabs };
}
