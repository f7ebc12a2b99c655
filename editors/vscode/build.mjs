// Bundles the extension into dist/ (and with --tests its tests into out/test/); `--minify` for a release.
import { copyFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { build } from "esbuild";

const flags = new Set(process.argv.slice(2));
const shared = { bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning" };

await rm("dist", { recursive: true, force: true });
await build({
  ...shared,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  minify: flags.has("--minify"),
  sourcemap: flags.has("--minify") ? false : "linked",
});

// The panel's page runs in a browser's frame, not in Node.js.
await build({
  ...shared,
  platform: "browser",
  target: "es2022",
  format: "iife",
  entryPoints: ["webview/draw.ts"],
  outfile: "dist/webview.js",
  minify: flags.has("--minify"),
});

// A release carries the project's licence, of which the repository has one copy, and the server: the wheels (after
// `sh .ci/setup release` those for every platform) and the source distribution that `sh .ci/packages` made in dist/, or
// those in the folder $GCN_LSP_WHEELS, which may also have wheels of the server's dependencies.
if (flags.has("--minify")) {
  await copyFile("../../LICENSE", "LICENSE");
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  const source = process.env.GCN_LSP_WHEELS ?? "../../dist";
  const names = await readdir(source).catch(() => []);
  const carried = names.filter((name) => /\.whl$/.test(name) || name === `gcn_lsp-${version}.tar.gz`);
  if (!carried.some((name) => name.startsWith(`gcn_lsp-${version}-`))) {
    throw new Error(`no wheel of gcn-lsp ${version} in ${source}: run "sh .ci/packages" first`);
  }
  await rm("server", { recursive: true, force: true });
  await mkdir("server");
  for (const name of carried) await copyFile(`${source}/${name}`, `server/${name}`);
}

if (flags.has("--tests")) {
  await rm("out", { recursive: true, force: true });
  const tests = (await readdir("test")).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...shared,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: "out/test",
    packages: "external",
    sourcemap: "inline",
  });
}
