// Reads the settings that the server wants to know, in the shape in which it gets them.

import * as path from "node:path";

export interface ServerSettings {
  readonly target: string;
  readonly targets: readonly string[];
  readonly mattr: string;
  readonly includePaths: readonly string[];
  readonly defines: Readonly<Record<string, number>>;
  readonly select: readonly string[];
  readonly ignore: readonly string[];
  readonly expansionLimit: number | null;
  readonly inlayHints: { readonly registers: boolean; readonly offset: boolean; readonly encoding: boolean };
}

export type Getter = <T>(key: string, fallback: T) => T;

/** Include paths leave here absolute: a workspace folder means nothing to the server's process. */
export function serverSettings(get: Getter, folder: string | undefined): ServerSettings {
  return {
    target: get("target", ""),
    targets: get("targets", []),
    mattr: get("mattr", ""),
    includePaths: get<readonly string[]>("includePaths", []).map((entry) => absolute(entry, folder)),
    defines: get("defines", {}),
    select: get("select", []),
    ignore: get("ignore", []),
    expansionLimit: get<number | null>("expansionLimit", null),
    inlayHints: {
      registers: get("inlayHints.registers", false),
      offset: get("inlayHints.offset", false),
      encoding: get("inlayHints.encoding", false),
    },
  };
}

function absolute(entry: string, folder: string | undefined): string {
  const expanded = entry.replaceAll("${workspaceFolder}", folder ?? "");
  return folder === undefined || path.isAbsolute(expanded) ? expanded : path.join(folder, expanded);
}
