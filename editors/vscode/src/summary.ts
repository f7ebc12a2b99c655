// What a check of all kernels found, in a sentence.

/** The server's answer to `gcn-lsp/checkProject`. */
export interface Checked {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly others: number;
  readonly failed: number;
  readonly leftOut: number;
  readonly hidden: number;
}

/** `12 files checked: 3 errors, 1 warning.`, and what was not checked or is not shown. */
export function summary(checked: Checked): string {
  if (checked.files + checked.failed === 0) return "There is no AMD GPU assembly in this workspace.";
  const counts = [counted(checked.errors, "error"), counted(checked.warnings, "warning")];
  if (checked.others > 0) counts.push(counted(checked.others, "note"));
  return [
    `${counted(checked.files, "file")} checked: ${found(checked) > 0 ? counts.join(", ") : "no problems"}.`,
    ...(checked.hidden > 0 ? [`${checked.hidden} of these are not listed: there are too many.`] : []),
    ...(checked.failed > 0 ? [`${counted(checked.failed, "file")} could not be checked.`] : []),
    ...(checked.leftOut > 0
      ? [
          `${counted(checked.leftOut, "file")} beyond the limit ${checked.leftOut === 1 ? "was" : "were"} not looked at.`,
        ]
      : []),
  ].join(" ");
}

/** How many findings there are. */
export function found(checked: Checked): number {
  return checked.errors + checked.warnings + checked.others;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
