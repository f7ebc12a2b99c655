// Finds the command that starts the server: the setting, then the active Python environment, then the PATH. Where
// none has one, the extension makes its own environment (setup.ts).
// Nothing here touches the editor or the disk: the questions are passed in, so that tests can answer.

import * as path from "node:path";

export interface Surroundings {
  /** `gcn-lsp.server.path`, as the user wrote it; empty when not set. */
  readonly setting: string;
  readonly home: string;
  readonly workspaceFolder: string | undefined;
  /** Value of the PATH variable. */
  readonly searchPath: string;
  readonly windows: boolean;
  /** Interpreter of the active Python environment, where the Python extension knows one. */
  activePython(): Promise<string | undefined>;
  isExecutable(file: string): Promise<boolean>;
  /** Whether this interpreter can import the server. */
  hasServer(python: string): Promise<boolean>;
}

export type Origin = "setting" | "python" | "path" | "own";

export interface Found {
  readonly kind: "found";
  readonly command: string;
  readonly args: readonly string[];
  readonly origin: Origin;
}

export interface Missing {
  readonly kind: "missing";
  /** Whether the user's setting is wrong; then nothing else was tried. */
  readonly settingIsWrong: boolean;
  /** One sentence for each place that was searched. */
  readonly looked: readonly string[];
}

const MODULE_ARGS: readonly string[] = ["-m", "gcn_lsp", "serve"];
const COMMAND_ARGS: readonly string[] = ["serve"];
const COMMAND = "gcn-lsp";

export async function findServer(around: Surroundings): Promise<Found | Missing> {
  if (around.setting.trim() !== "") return fromSetting(around);
  const looked: string[] = [];
  return (await fromPython(around, looked)) ?? (await fromPath(around, looked)) ?? missing(looked);
}

/** The server in the environment that the extension made for itself. */
export function inOwnEnvironment(python: string): Found {
  return { kind: "found", command: python, args: MODULE_ARGS, origin: "own" };
}

/** The origin of the server, in words for the user. */
export function describeOrigin(found: Found): string {
  const words: Record<Origin, string> = {
    setting: "from the setting gcn-lsp.server.path",
    python: "from the active Python environment",
    path: "from the PATH",
    own: "the extension's own",
  };
  return `${[found.command, ...found.args].join(" ")} (${words[found.origin]})`;
}

/** A wrong setting is reported, not ignored: its owner would wonder which server runs. */
async function fromSetting(around: Surroundings): Promise<Found | Missing> {
  const file = expand(around.setting.trim(), around);
  if (!path.isAbsolute(file)) {
    const command = await onPath(file, around);
    if (command === undefined) return wrongSetting(`The PATH has no command \`${file}\`.`);
    return startWith(command, "setting");
  }
  if (!(await around.isExecutable(file))) return wrongSetting(`\`${file}\` is not a file that can be run.`);
  const found = startWith(file, "setting");
  if (found.args === MODULE_ARGS && !(await around.hasServer(file))) {
    return wrongSetting(`The Python \`${file}\` has no gcn-lsp installed.`);
  }
  return found;
}

async function fromPython(around: Surroundings, looked: string[]): Promise<Found | undefined> {
  const python = await around.activePython();
  if (python === undefined) {
    looked.push("The Python extension names no active environment.");
    return undefined;
  }
  if (await around.hasServer(python)) {
    return { kind: "found", command: python, args: MODULE_ARGS, origin: "python" };
  }
  looked.push(`The active Python environment, \`${python}\`, has no gcn-lsp installed.`);
  return undefined;
}

async function fromPath(around: Surroundings, looked: string[]): Promise<Found | undefined> {
  const command = await onPath(COMMAND, around);
  if (command !== undefined) return { kind: "found", command, args: COMMAND_ARGS, origin: "path" };
  looked.push(`The PATH has no command \`${COMMAND}\`.`);
  return undefined;
}

/** The name distinguishes an interpreter from the command, since the setting may be either. */
function startWith(command: string, origin: Origin): Found {
  const isPython = /^(?:python|pypy)[\d.]*(?:\.exe)?$/i.test(path.basename(command));
  return { kind: "found", command, args: isPython ? MODULE_ARGS : COMMAND_ARGS, origin };
}

function expand(setting: string, around: Surroundings): string {
  const withFolder = setting.replaceAll("${workspaceFolder}", around.workspaceFolder ?? "");
  const withHome = withFolder.replace(/^~(?=$|[/\\])/, () => around.home);
  const hasFolder = /[/\\]/.test(withHome);
  const base = around.workspaceFolder ?? around.home;
  return hasFolder && !path.isAbsolute(withHome) ? path.join(base, withHome) : withHome;
}

/** Only absolute folders of the PATH are searched: `.` would run programs of a workspace. */
async function onPath(command: string, around: Surroundings): Promise<string | undefined> {
  const endings = around.windows ? ["", ".exe", ".cmd", ".bat"] : [""];
  for (const folder of around.searchPath.split(around.windows ? ";" : ":")) {
    if (!path.isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = path.join(folder, command + ending);
      if (await around.isExecutable(file)) return file;
    }
  }
  return undefined;
}

function missing(looked: readonly string[]): Missing {
  return { kind: "missing", settingIsWrong: false, looked };
}

function wrongSetting(sentence: string): Missing {
  return { kind: "missing", settingIsWrong: true, looked: [sentence] };
}
