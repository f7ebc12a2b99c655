// The server's own environment: made once from the wheels in the extension, with any suitable Python.
// The commands are decided here and tested; a function passed in runs them.

import * as path from "node:path";

export interface Carried {
  /** Folder with wheels and the source distribution. */
  readonly folder: string;
  readonly version: string;
  /** Names of its files: another build of the same version makes another environment. */
  readonly files: readonly string[];
}

export interface Workshop {
  readonly windows: boolean;
  /** Runs a command to its end; rejects when it fails. */
  run(command: string, args: readonly string[]): Promise<void>;
  exists(file: string): Promise<boolean>;
  read(file: string): Promise<string | undefined>;
  write(file: string, text: string): Promise<void>;
  /** Removes a folder with its contents. */
  remove(folder: string): Promise<void>;
}

const UNBUILT =
  "No wheel that the extension carries is for this machine. Building the server from source, which needs a C compiler " +
  "and the headers of Python, failed:";

/** The interpreter of the environment at `folder`, or undefined if there is no complete one of this version. */
export async function ready(folder: string, carried: Carried, workshop: Workshop): Promise<string | undefined> {
  const python = interpreter(folder, workshop.windows);
  const stamp = await workshop.read(stampOf(folder));
  return stamp === stampText(carried) && (await workshop.exists(python)) ? python : undefined;
}

/** Rebuilds the environment. The stamp is written last, so that an interrupted one does not count. */
export async function make(folder: string, python: string, carried: Carried, workshop: Workshop): Promise<string> {
  const own = interpreter(folder, workshop.windows);
  const pip = (...args: string[]) => install(own, workshop, ...args);
  const requirement = `gcn-lsp==${carried.version}`;
  const from = ["--find-links", carried.folder];
  await workshop.remove(folder);
  await workshop.run(python, ["-m", "venv", folder]);
  try {
    await pip("--no-index", "--no-deps", "--only-binary", ":all:", ...from, requirement);
  } catch {
    try {
      await pip("--no-deps", "--no-binary", "gcn-lsp", ...from, requirement);
    } catch (error) {
      throw new Error(`${UNBUILT} ${error instanceof Error ? error.message : error}`);
    }
  }
  await pip(...from, requirement); // What it depends on: carried wheels count, the package index has the rest.
  await workshop.write(stampOf(folder), stampText(carried));
  return own;
}

/** Adds what the server needs for an extra of its package. The carried wheels count, the package index has the rest. */
export async function extend(python: string, extra: string, carried: Carried | undefined, workshop: Workshop) {
  const from = carried ? ["--find-links", carried.folder] : [];
  const version = carried ? `==${carried.version}` : "";
  await install(python, workshop, ...from, `gcn-lsp[${extra}]${version}`);
}

function install(python: string, workshop: Workshop, ...args: string[]): Promise<void> {
  return workshop.run(python, ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", ...args]);
}

export function interpreter(folder: string, windows: boolean): string {
  return windows ? path.join(folder, "Scripts", "python.exe") : path.join(folder, "bin", "python");
}

function stampOf(folder: string): string {
  return path.join(folder, "gcn-lsp.json");
}

function stampText(carried: Carried): string {
  return JSON.stringify({ version: carried.version, files: [...carried.files].sort() });
}
