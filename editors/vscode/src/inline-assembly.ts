// Sources in other languages that have inline assembly of AMD GPUs. Another extension serves the language itself, so only
// what concerns the assembly is offered there.

import type * as vscode from "vscode";
import type { DocumentSelector, LanguageClient, ServerCapabilities, StaticFeature } from "vscode-languageclient/node";
import { hasInlineAssembly } from "./recognise-inline";

export const INLINE_LANGUAGES: readonly string[] = ["c", "cpp", "hip", "opencl", "cuda-cpp", "python"];

/** A document has one formatter and one source of semantic colours, which are the other extension's. */
const EXCLUSIVE = [
  ["documentFormattingProvider", "textDocument/formatting"],
  ["documentRangeFormattingProvider", "textDocument/rangeFormatting"],
  ["documentOnTypeFormattingProvider", "textDocument/onTypeFormatting"],
  ["semanticTokensProvider", "textDocument/semanticTokens"],
] as const;

/** Whether a document may have inline assembly, by its language. */
export function mayHaveInline(document: vscode.TextDocument): boolean {
  return document.uri.scheme === "file" && INLINE_LANGUAGES.includes(document.languageId);
}

/** Whether the server is needed for a document in another language. */
export function needsServer(document: vscode.TextDocument): boolean {
  return mayHaveInline(document) && hasInlineAssembly(document.getText());
}

/** Registers what only one extension can do for the documents of `selector`, and for no others. */
export class ExclusiveFeatures {
  private readonly held = new Map<string, unknown>();

  constructor(private readonly selector: DocumentSelector) {}

  /** Takes these features out of what the client registers for all documents. */
  feature(): StaticFeature {
    return {
      fillClientCapabilities: () => undefined,
      preInitialize: (capabilities: ServerCapabilities) => {
        for (const [name] of EXCLUSIVE) {
          this.held.set(name, capabilities[name]);
          delete capabilities[name];
        }
      },
      initialize: () => undefined,
      getState: () => ({ kind: "static" }),
      clear: () => undefined,
    };
  }

  /** Registers them; the client has started. */
  register(client: LanguageClient): void {
    const capabilities = client.initializeResult?.capabilities as Record<string, unknown> | undefined;
    for (const [name, method] of EXCLUSIVE) {
      const options = this.held.get(name);
      if (!options) continue;
      if (capabilities) capabilities[name] = options;
      const given = typeof options === "object" ? options : {};
      // The client's type of each method differs; all take these options.
      const feature = client.getFeature(method as "textDocument/formatting");
      feature.register({ id: `gcn-lsp.${name}`, registerOptions: { ...given, documentSelector: [...this.selector] } });
    }
  }
}
