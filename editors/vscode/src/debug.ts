// Debugs kernels on this machine, without a GPU: F5 in a file of assembly, "debug" above a kernel, and launch
// configurations of the type `gcn`. The adapter is the command `gcn-lsp debug` of the program that the server is part of;
// it knows what a launch may say, and makes one up for each kernel of a file.

import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { Program, ServerConnection } from "./client";
import { LANGUAGE } from "./languages";
import type { OwnEnvironment } from "./setup";

export const TYPE = "gcn";
/** The least that needs what a run needs: it fails with a sentence where that is missing. */
const TRIAL = ["eval", "s_nop 0", "--target", "gfx900"];
const EXTRA = "run";
const INSTALL = "Install";
const WITNESS = ["check", "--witness", "--format", "json"];
const STOP_THERE = "Debug";
const FILL_IN = "Fill In Arguments";
/** Words whose values the adapter may know: a register, `v[v_sum]`, a symbol. */
const VALUE = /[A-Za-z_.$][\w.$]*(?:\[[^\][]*\])?/;

export function registerDebugger(server: ServerConnection, own: OwnEnvironment): vscode.Disposable {
  const launches = new Launches(server, own);
  return vscode.Disposable.from(
    vscode.debug.registerDebugConfigurationProvider(TYPE, {
      provideDebugConfigurations: (folder) => launches.offered(folder),
      resolveDebugConfiguration: (_folder, configuration) => launches.resolved(configuration),
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: (session) => launches.adapter(session),
    }),
    vscode.languages.registerEvaluatableExpressionProvider(LANGUAGE, {
      provideEvaluatableExpression: (document, position) => {
        const range = document.getWordRangeAtPosition(position, VALUE);
        return range && new vscode.EvaluatableExpression(range);
      },
    }),
    vscode.commands.registerCommand("gcn-lsp.debugKernel", (uri: string, _line: number, kernel: string) =>
      launches.start(vscode.Uri.parse(uri), kernel),
    ),
    vscode.commands.registerCommand("gcn-lsp.showWitness", (uri: string, line: number, rule: string) =>
      launches.show(vscode.Uri.parse(uri), line, rule),
    ),
  );
}

class Launches {
  constructor(
    private readonly server: ServerConnection,
    private readonly own: OwnEnvironment,
  ) {}

  /** What launch.json may begin with: a launch of each kernel of the file in front. */
  async offered(folder: vscode.WorkspaceFolder | undefined): Promise<vscode.DebugConfiguration[]> {
    const file = frontFile();
    return file ? (await this.of(file)).map((each) => relative(each, folder)) : [];
  }

  /** The configuration as written; for F5 without any, that of the file in front. */
  async resolved(configuration: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
    if (configuration.type) return configuration;
    const file = frontFile();
    return file && this.chosen(file);
  }

  /** Starts the launch that the user has written for a kernel, or one that is made up and can be filled in. */
  async start(file: vscode.Uri, kernel: string): Promise<void> {
    const folder = vscode.workspace.getWorkspaceFolder(file);
    const configuration = written(folder, file, kernel) ?? (await this.chosen(file, kernel));
    if (configuration) await vscode.debug.startDebugging(folder, configuration);
  }

  /** Runs a file, says whether a finding at a line, from 0, shows, and offers to stop there. */
  async show(file: vscode.Uri, line: number, rule: string): Promise<void> {
    await (await vscode.workspace.openTextDocument(file)).save();
    const program = await this.program(file);
    if (!program) return;
    const title = "Running the kernel in every order of completion";
    const place = { location: vscode.ProgressLocation.Notification, title };
    const printed = await vscode.window.withProgress(place, () =>
      run(program, [...WITNESS, file.fsPath]).catch(printedBy),
    );
    const said = witness(printed, line, rule) ?? "The file as it is saved has no such finding.";
    const isShown = said.startsWith("shown");
    const chosen = await vscode.window.showInformationMessage(capitalised(said), ...(isShown ? [STOP_THERE] : []));
    if (chosen !== STOP_THERE) return;
    const configuration = await this.chosen(file);
    if (!configuration) return;
    const location = new vscode.Location(file, new vscode.Position(line, 0));
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(location)]);
    const late = { ...configuration, order: "late", stopOnEntry: false };
    await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), late);
  }

  async adapter(session: vscode.DebugSession): Promise<vscode.DebugAdapterDescriptor | undefined> {
    const program = await this.program(vscode.Uri.file(String(session.configuration.program ?? "")));
    if (!program) return undefined;
    return new vscode.DebugAdapterExecutable(program.command, [...program.args, "debug"], { cwd: program.folder });
  }

  /** The launch of a kernel, or of one that the user picks; undefined if there is none or the user gives up. */
  private async chosen(file: vscode.Uri, kernel?: string): Promise<vscode.DebugConfiguration | undefined> {
    const all = await this.of(file);
    const found = kernel === undefined ? all : all.filter((each) => each.kernel === kernel);
    const picked =
      found.length > 1
        ? (
            await vscode.window.showQuickPick(
              found.map((each) => ({ label: String(each.kernel), description: summary(each), each })),
              { title: "Kernel to debug" },
            )
          )?.each
        : found[0];
    if (!picked) {
      if (all.length === 0) void vscode.window.showInformationMessage("No kernel is described in this file.");
      return undefined;
    }
    if (Object.keys(picked.args ?? {}).length > 0) void offerToFillIn(picked, file);
    return { ...picked, stopOnEntry: true };
  }

  /** A launch of each kernel of a file, as the adapter makes them up. */
  private async of(file: vscode.Uri): Promise<vscode.DebugConfiguration[]> {
    const program = await this.program(file);
    if (!program) return [];
    try {
      return JSON.parse(await run(program, ["debug", "--launches", file.fsPath]));
    } catch (error) {
      void vscode.window.showErrorMessage(sentence(error));
      return [];
    }
  }

  /** The program that runs kernels; undefined if there is none, or it lacks numpy and the user does not want that. */
  private async program(file: vscode.Uri): Promise<Program | undefined> {
    await this.server.settled(); // The first kernel of all sets the server up.
    const program = await this.server.program(file);
    if (!program) return undefined;
    try {
      await run(program, TRIAL);
      return program;
    } catch (error) {
      return this.completed(program, sentence(error));
    }
  }

  /** Offers to install what a program lacks to run kernels; undefined if that remains missing. */
  private async completed(program: Program, reason: string): Promise<Program | undefined> {
    const isPython = program.args.length > 0; // else a command whose environment is not ours to change
    if (!isPython || !reason.includes("numpy")) {
      void vscode.window.showErrorMessage(`Kernels cannot be run: ${reason}`);
      return undefined;
    }
    const whose = program.origin === "own" ? "the extension's own environment" : program.command;
    const question = `Running kernels needs numpy, which ${whose} does not have.`;
    if ((await vscode.window.showInformationMessage(question, INSTALL)) !== INSTALL) return undefined;
    const title = `Installing numpy into ${whose}`;
    try {
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
        this.own.extend(program.command, EXTRA, program.origin === "own"),
      );
      await run(program, TRIAL);
      return program;
    } catch (error) {
      const said = `numpy could not be installed: ${sentence(error)}`;
      const how = `Kernels run once this succeeds: ${program.command} -m pip install numpy`;
      void vscode.window.showErrorMessage(`${said} ${how}`);
      return undefined;
    }
  }
}

/** The file of assembly in front, if it is one on the disk. */
function frontFile(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === LANGUAGE && document.uri.scheme === "file" ? document.uri : undefined;
}

/** The launch of a kernel that the user has in launch.json. */
function written(
  folder: vscode.WorkspaceFolder | undefined,
  file: vscode.Uri,
  kernel: string,
): vscode.DebugConfiguration | undefined {
  const all = vscode.workspace
    .getConfiguration("launch", folder)
    .get<vscode.DebugConfiguration[]>("configurations", []);
  const isOurs = (program: unknown) =>
    path.resolve(String(program).replace("${workspaceFolder}", folder?.uri.fsPath ?? "")) === file.fsPath;
  return all.find((each) => each.type === TYPE && isOurs(each.program) && (each.kernel ?? kernel) === kernel);
}

/** A launch with the path of its program from the folder. */
function relative(launch: vscode.DebugConfiguration, folder: vscode.WorkspaceFolder | undefined) {
  const inside = folder && path.relative(folder.uri.fsPath, launch.program);
  if (!inside || inside.startsWith("..")) return launch;
  return { ...launch, program: `\${workspaceFolder}/${inside.split(path.sep).join("/")}` };
}

/** Says that a launch is made up, and puts it into launch.json for who wants to say more. */
async function offerToFillIn(launch: vscode.DebugConfiguration, file: vscode.Uri): Promise<void> {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const said = `${launch.kernel} runs on made-up arguments: ${summary(launch)}.`;
  const chosen = await vscode.window.showInformationMessage(said, ...(folder ? [FILL_IN] : []));
  if (chosen !== FILL_IN || !folder) return;
  const configuration = vscode.workspace.getConfiguration("launch", folder);
  const before = configuration.get<vscode.DebugConfiguration[]>("configurations", []);
  const target = vscode.ConfigurationTarget.WorkspaceFolder;
  await configuration.update("configurations", [...before, relative(launch, folder)], target);
  const written = vscode.Uri.joinPath(folder.uri, ".vscode", "launch.json");
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(written));
}

function summary(launch: vscode.DebugConfiguration): string {
  const args = Object.entries(launch.args ?? {}).map(([name, value]) => `${name}=${value}`);
  return args.join(", ") || "none";
}

async function run(program: Program, args: readonly string[]): Promise<string> {
  const options = { cwd: program.folder };
  return (await promisify(execFile)(program.command, [...program.args, ...args], options)).stdout;
}

/** What a program has printed that found something, which it ends with 1 for. */
function printedBy(error: unknown): string {
  return (error as { stdout?: string }).stdout ?? "";
}

/** The note about a finding in what `check --witness` prints. */
function witness(printed: string, line: number, rule: string): string | undefined {
  const found = JSON.parse(printed || "[]") as { line: number; rule: string; related?: { message: string }[] }[];
  const own = found.find((each) => each.line === line + 1 && each.rule === rule);
  return own?.related?.find((each) => /^(?:not )?shown/.test(each.message))?.message;
}

function capitalised(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

/** The last line of what a program has said, or the error itself. */
function sentence(error: unknown): string {
  const said = (error as { stderr?: string }).stderr?.trim().split("\n").pop();
  return said || (error instanceof Error ? error.message : String(error));
}
