// Debugs kernels on this machine, without a GPU: F5 in a file of assembly, and launch configurations of the type `gcn`.
// The adapter is the command `gcn-lsp debug` of the program that the server is part of; it knows what a launch may say.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { Program, ServerConnection } from "./client";
import { LANGUAGE, OBJECT_SCHEME } from "./languages";

const TYPE = "gcn";
/** The least that needs what a run needs: it fails with a sentence where that is missing. */
const TRIAL = ["eval", "s_nop 0", "--target", "gfx900"];

export function registerDebugger(server: ServerConnection): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider(TYPE, {
      resolveDebugConfiguration: (_folder, configuration) => resolved(configuration),
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: (session) => adapter(server, session),
    }),
  );
}

/** The configuration as written; for F5 without any, one wave-sized work-group of the file in front. */
function resolved(configuration: vscode.DebugConfiguration): vscode.DebugConfiguration | undefined {
  if (configuration.type) return configuration;
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== LANGUAGE || document.uri.scheme === OBJECT_SCHEME) return undefined;
  return {
    type: TYPE,
    request: "launch",
    name: "Debug kernel",
    program: document.uri.fsPath,
    grid: 64,
    block: 64,
    stopOnEntry: true,
  };
}

async function adapter(
  server: ServerConnection,
  session: vscode.DebugSession,
): Promise<vscode.DebugAdapterDescriptor | undefined> {
  const file = vscode.Uri.file(String(session.configuration.program ?? ""));
  await server.settled(); // The first kernel of all sets the server up.
  const program = await server.program(file);
  if (!program) return undefined;
  await check(program);
  const args = [...program.args, "debug"];
  return new vscode.DebugAdapterExecutable(program.command, args, { cwd: program.folder });
}

/** Throws what the program says if it cannot run kernels, as without numpy. */
async function check(program: Program): Promise<void> {
  try {
    await promisify(execFile)(program.command, [...program.args, ...TRIAL], { cwd: program.folder });
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split("\n").pop();
    throw new Error(said || String(error));
  }
}
