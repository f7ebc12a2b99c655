// Where a list of metadata is, for the hyphen that begins its next item. Pure.

const OPENS = /^\s*\.amdgpu_metadata\b/;
const ENDS = /^\s*\.end_amdgpu_metadata\b/;
/** No metadata is longer. */
const REACH = 5000;

/**
 * The column of the list that the hyphen just written on a line belongs to: that of the next item above which is further
 * left. undefined where the line has more on it, or is right as it is.
 */
export function listColumn(lineAt: (line: number) => string, line: number): number | undefined {
  const [, blank] = /^( *)-/.exec(lineAt(line)) ?? [];
  if (blank === undefined) return undefined;
  let column = blank.length;
  let found: number | undefined;
  for (let above = line - 1; above >= Math.max(0, line - REACH); above--) {
    const text = lineAt(above);
    if (OPENS.test(text)) return found;
    if (ENDS.test(text)) return undefined;
    const indentation = text.search(/\S/);
    if (found !== undefined || indentation < 0 || indentation >= column) continue;
    if (/^ *- /.test(text)) found = indentation;
    else if (/:\s*$/.test(text)) column = -1; // the list begins here
  }
  return undefined;
}
