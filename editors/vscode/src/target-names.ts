// The names of targets: what a list says beside each, and which of its entries a typed text means.

/** One entry of the server's answer to `gcn-lsp/targets`. */
export interface TargetName {
  readonly name: string;
  readonly heading: string;
  readonly otherNames: readonly string[];
  readonly products: readonly string[];
}

/** An entry of a list; `target` is missing for separators, and null for "none". */
export interface Named {
  readonly label: string;
  readonly description?: string;
  readonly target?: string | null;
}

/** The other names of a target and the products with it, to be found by either. */
export function further({ otherNames, products }: TargetName): string {
  return [...otherNames, ...products].join(", ");
}

/**
 * The entries that have what is typed, each target once: first those that are called so, then those whose name begins so,
 * then the others, in the order of the list. Blanks, dashes and capitals do not count: "rx7900xtx", "navi-31".
 */
export function matching<Entry extends Named>(list: readonly Entry[], typed: string): Entry[] {
  const wanted = plain(typed);
  const found = new Map<string | null, Entry>();
  for (const entry of list) {
    if (entry.target === undefined || found.has(entry.target)) continue;
    const parts = [entry.label, ...(entry.description ?? "").split(",")];
    if (parts.some((part) => plain(part).includes(wanted))) found.set(entry.target, entry);
  }
  const rank = ({ target }: Entry) => (target === wanted ? 0 : target && plain(target).startsWith(wanted) ? 1 : 2);
  return [...found.values()].sort((one, other) => rank(one) - rank(other));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\$\([^)]*\)/g, "")
    .replace(/[\s_-]/g, "");
}
