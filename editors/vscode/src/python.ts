// Finds a Python that can make an environment for the server. Its questions are passed in, so that tests can answer.

import * as path from "node:path";

/** The oldest Python that the server runs on. */
export const OLDEST: readonly [number, number] = [3, 10];

/** Newest first. On most systems the name without a number is the default Python. */
const COMMANDS: readonly string[] = ["python3", "python", ...[14, 13, 12, 11, 10].map((minor) => `python3.${minor}`)];

/** Asks an interpreter for its version and for the modules that make an environment, as JSON on one line. */
export const QUESTION = [
  "import importlib.util as u, json, sys",
  "print(json.dumps({'version': list(sys.version_info[:2]), 'executable': sys.executable,",
  "'venv': all(u.find_spec(m) is not None for m in ('venv', 'ensurepip'))}))",
].join("\n");

export interface Answer {
  readonly version: readonly [number, number];
  readonly executable: string;
  /** Whether it has the modules `venv` and `ensurepip`, which Debian and Ubuntu have in a separate package. */
  readonly venv: boolean;
}

export interface Machine {
  /** `gcn-lsp.server.python`, as the user wrote it; empty when not set. */
  readonly setting: string;
  readonly home: string;
  readonly searchPath: string;
  readonly windows: boolean;
  /** Interpreter of the active Python environment, where the Python extension knows one. */
  activePython(): Promise<string | undefined>;
  isExecutable(file: string): Promise<boolean>;
  /** An interpreter's answer to `QUESTION`; undefined if it cannot be run. */
  ask(file: string): Promise<Answer | undefined>;
}

export interface Unfit {
  /** The remedy: another Python or, for one that is new enough, the package with `venv`. */
  readonly kind: "no-python" | "no-venv" | "setting";
  /** One sentence for each interpreter that was tried. */
  readonly looked: readonly string[];
}

/** The first interpreter that can make an environment: only the one in the setting, or else all that are found. */
export async function findPython(machine: Machine): Promise<Answer | Unfit> {
  const looked: string[] = [];
  let hasNew = false;
  const setting = machine.setting.trim();
  for await (const file of setting === "" ? candidates(machine) : fromSetting(setting, machine)) {
    const answer = await machine.ask(file);
    if (!answer) looked.push(`\`${file}\` cannot be run.`);
    else if (!isNewEnough(answer.version)) looked.push(`\`${file}\` is Python ${answer.version.join(".")}.`);
    else if (!answer.venv) {
      hasNew = true;
      looked.push(`\`${file}\` (Python ${answer.version.join(".")}) lacks the module venv or ensurepip.`);
    } else return answer;
  }
  if (setting !== "") return { kind: "setting", looked };
  return { kind: hasNew ? "no-venv" : "no-python", looked };
}

export function isAnswer(found: Answer | Unfit): found is Answer {
  return "executable" in found;
}

/** The parsed output of an interpreter; undefined if it is not an answer. */
export function parseAnswer(printed: string): Answer | undefined {
  try {
    const answer = JSON.parse(printed);
    return Array.isArray(answer.version) && typeof answer.executable === "string" ? answer : undefined;
  } catch {
    return undefined; // Windows has a `python.exe` that is only an advertisement for the shop.
  }
}

function isNewEnough([major, minor]: readonly [number, number]): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

async function* fromSetting(setting: string, machine: Machine): AsyncGenerator<string> {
  const file = setting.replace(/^~(?=$|[/\\])/, () => machine.home);
  if (path.isAbsolute(file)) yield file;
  else yield* onPath(file, machine);
}

async function* candidates(machine: Machine): AsyncGenerator<string> {
  const active = await machine.activePython();
  if (active !== undefined) yield active;
  for (const command of COMMANDS) yield* onPath(command, machine);
  if (machine.windows) yield* onPath("py", machine);
}

/** Only absolute folders of the PATH are searched: `.` would run programs of a workspace. */
async function* onPath(command: string, machine: Machine): AsyncGenerator<string> {
  const name = machine.windows && path.extname(command) !== ".exe" ? `${command}.exe` : command;
  for (const folder of machine.searchPath.split(machine.windows ? ";" : ":")) {
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    if (await machine.isExecutable(file)) yield file;
  }
}
