// Reads the settings for the server, in the form in which it receives them.

import * as path from "node:path";

/** Settings of this client alone. */
const OWN = /^(?:server\.|trace\.|recogniseByContent$)/;

export type Get = (key: string) => unknown;

/**
 * The value of every setting that the extension declares, a dotted name as a table in a table. Include paths leave here
 * absolute: a workspace folder means nothing to the server's process.
 */
export function serverSettings(declared: readonly string[], get: Get, folder: string | undefined): object {
  const settings: Record<string, unknown> = {};
  for (const key of declared) {
    if (OWN.test(key)) continue;
    const [name = key, part] = key.split(".");
    const value =
      name === "includePaths" ? (get(key) as readonly string[]).map((entry) => absolute(entry, folder)) : get(key);
    settings[name] = part === undefined ? value : { ...(settings[name] as object), [part]: value };
  }
  return settings;
}

function absolute(entry: string, folder: string | undefined): string {
  const expanded = entry.replaceAll("${workspaceFolder}", folder ?? "");
  return folder === undefined || path.isAbsolute(expanded) ? expanded : path.join(folder, expanded);
}
