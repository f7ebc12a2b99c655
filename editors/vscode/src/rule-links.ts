// The rule's name in a finding, as a link to its page.

import * as vscode from "vscode";

/** The command that shows a page about a rule or a mnemonic, whose name is its argument. */
export const EXPLAIN = "gcn-lsp.explain";
const SOURCE = "gcn-lsp";

/** The rule of one of our findings. */
export function ruleOf(diagnostic: vscode.Diagnostic): string | undefined {
  if (diagnostic.source !== SOURCE) return undefined;
  const code = typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code;
  return code?.toString();
}

/** Lets the rule's name in a finding open the rule's page here, not on the web. */
export function linkToPage(diagnostic: vscode.Diagnostic): void {
  const rule = ruleOf(diagnostic);
  if (rule === undefined) return;
  const target = vscode.Uri.parse(`command:${EXPLAIN}?${encodeURIComponent(JSON.stringify([rule]))}`);
  diagnostic.code = { value: rule, target };
}
