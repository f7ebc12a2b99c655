// Sets up the server's own environment, with progress on the screen, a log in the output, and a question when it fails.

import { execFile, spawn } from "node:child_process";
import { promises as fs } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Carried, extend, make, ready, type Workshop } from "./environment";
import { type Answer, findPython, isAnswer, type Machine, parseAnswer, QUESTION, type Unfit } from "./python";
import { activePython, isExecutable } from "./surroundings";

const WINDOWS = process.platform === "win32";
const ASK_MILLISECONDS = 15_000;

export type SetUp =
  | { readonly kind: "ready"; readonly python: string }
  | { readonly kind: "unfit"; readonly unfit: Unfit }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "nothing-carried" };

export class OwnEnvironment {
  private readonly folder: string;
  private readonly wheels: string;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly output: vscode.LogOutputChannel,
  ) {
    this.folder = path.join(context.globalStorageUri.fsPath, "server");
    this.wheels = path.join(context.extensionPath, "server");
  }

  /** The interpreter of our own environment, which is made first if it does not exist. */
  async provide(resource: vscode.Uri | undefined): Promise<SetUp> {
    const carried = await this.carried();
    if (!carried) return { kind: "nothing-carried" };
    const workshop = this.workshop();
    const present = await ready(this.folder, carried, workshop);
    if (present !== undefined) return { kind: "ready", python: present };
    const found = await findPython(this.machine(resource));
    if (!isAnswer(found)) return { kind: "unfit", unfit: found };
    return this.make(found, carried, workshop);
  }

  /** Adds an extra of the server's package to our own environment, or to another one. Rejects with the reason. */
  async extend(python: string, extra: string, isOwn: boolean): Promise<void> {
    await extend(python, extra, isOwn ? await this.carried() : undefined, this.workshop());
  }

  /** Removes the environment: the next `provide` rebuilds it. */
  async forget(): Promise<void> {
    await fs.rm(this.folder, { recursive: true, force: true });
  }

  private async make(python: Answer, carried: Carried, workshop: Workshop): Promise<SetUp> {
    this.output.appendLine(`Setting up gcn-lsp ${carried.version} with ${python.executable} in ${this.folder}`);
    const title = `Installing the gcn-lsp language server with Python ${python.version.join(".")}; only the first start does this`;
    try {
      await fs.mkdir(path.dirname(this.folder), { recursive: true });
      const made = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
        make(this.folder, python.executable, carried, workshop),
      );
      return { kind: "ready", python: made };
    } catch (error) {
      return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
    }
  }

  private async carried(): Promise<Carried | undefined> {
    try {
      const names = await fs.readdir(this.wheels);
      const files = names.filter((name) => /\.(?:whl|tar\.gz)$/.test(name));
      const version = this.context.extension.packageJSON.version as string;
      const hasServer = files.some((name) => name.startsWith(`gcn_lsp-${version}`));
      return hasServer ? { folder: this.wheels, version, files: await Promise.all(files.map(this.sized)) } : undefined;
    } catch {
      return undefined; // Run from its sources, the extension carries nothing.
    }
  }

  private readonly sized = async (name: string): Promise<string> =>
    `${name} ${(await fs.stat(path.join(this.wheels, name))).size}`;

  private machine(resource: vscode.Uri | undefined): Machine {
    return {
      setting: vscode.workspace.getConfiguration("gcn-lsp", resource ?? null).get("server.python", ""),
      home: homedir(),
      searchPath: process.env.PATH ?? "",
      windows: WINDOWS,
      activePython: () => activePython(resource),
      isExecutable,
      ask: (file) => this.ask(file),
    };
  }

  private ask(file: string): Promise<Answer | undefined> {
    const options = { cwd: this.context.extensionPath, timeout: ASK_MILLISECONDS };
    return new Promise((resolve) => {
      execFile(file, ["-c", QUESTION], options, (error, printed) => resolve(error ? undefined : parseAnswer(printed)));
    });
  }

  private workshop(): Workshop {
    return {
      windows: WINDOWS,
      run: (command, args) => this.run(command, args),
      exists: isExecutable,
      read: (file) => fs.readFile(file, "utf8").catch(() => undefined),
      write: (file, text) => fs.writeFile(file, text),
      remove: (folder) => fs.rm(folder, { recursive: true, force: true }),
    };
  }

  /** Runs in a folder of ours, without the variables that would lead Python to other modules; its output is logged. */
  private run(command: string, args: readonly string[]): Promise<void> {
    this.output.appendLine(`> ${[command, ...args].join(" ")}`);
    const { PYTHONPATH: _path, PYTHONHOME: _home, ...env } = process.env;
    return new Promise((resolve, reject) => {
      const child = spawn(command, [...args], { cwd: this.context.extensionPath, env });
      let last = "";
      const hear = (heard: Buffer) => {
        this.output.append(heard.toString());
        last = heard.toString().trim().split(/\r?\n/).at(-1) || last;
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.on("error", reject);
      child.on("close", (code) =>
        code === 0 ? resolve() : reject(new Error(last || `${command} ended with ${code}`)),
      );
    });
  }
}
