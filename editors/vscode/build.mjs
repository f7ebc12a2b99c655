// Bundles the extension into dist/ (and with --tests its tests into out/test/); `--minify` for a release.
import { copyFile, readdir, rm } from "node:fs/promises";
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

// The package carries the project's licence; there is one copy of it in the repository.
if (flags.has("--minify")) await copyFile("../../LICENSE", "LICENSE");

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
