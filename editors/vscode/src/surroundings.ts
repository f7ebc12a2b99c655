// Answers the questions of find.ts from the editor, the disk and the Python extension.

import { execFile } from "node:child_process";
import { constants, promises as fs } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import type { Surroundings } from "./find";

/** The part used here of what the Python extension (ms-python.python) offers to others. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly id: string; readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri: vscode.Uri | undefined } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const PYTHON_EXTENSION = "ms-python.python";
const PROBE = "import importlib.util, sys; sys.exit(importlib.util.find_spec('gcn_lsp') is None)";
const PROBE_MILLISECONDS = 10_000;

export function surroundings(resource: vscode.Uri | undefined, safeFolder: string): Surroundings {
  const folder = (resource && vscode.workspace.getWorkspaceFolder(resource)) ?? vscode.workspace.workspaceFolders?.[0];
  return {
    setting: vscode.workspace.getConfiguration("gcn-lsp", resource ?? null).get("server.path", ""),
    home: homedir(),
    workspaceFolder: folder?.uri.fsPath,
    searchPath: process.env.PATH ?? "",
    windows: process.platform === "win32",
    activePython: () => activePython(resource),
    isExecutable,
    hasServer: (python) => hasServer(python, safeFolder),
  };
}

/** Calls `changed` when the user picks another Python environment. Does nothing without the Python extension. */
export async function watchPython(changed: () => void): Promise<vscode.Disposable | undefined> {
  return (await pythonApi())?.environments.onDidChangeActiveEnvironmentPath(changed);
}

export async function activePython(resource: vscode.Uri | undefined): Promise<string | undefined> {
  try {
    const environments = (await pythonApi())?.environments;
    if (!environments) return undefined;
    const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(resource));
    return resolved?.executable.uri?.fsPath;
  } catch {
    return undefined; // Another version of that extension, or one that failed to start: go on to the PATH.
  }
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
  const api = await extension?.activate();
  return api?.environments ? api : undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await fs.access(file, constants.X_OK);
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Runs in a folder of ours: Python would import a `gcn_lsp` folder of the workspace before the installed one. */
function hasServer(python: string, safeFolder: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(python, ["-c", PROBE], { cwd: safeFolder, timeout: PROBE_MILLISECONDS }, (error) => resolve(!error));
  });
}
