// `parser.setLanguage(require("tree-sitter-amdgpu"))`; a query's text is read on first use.

const { readFileSync } = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..", "..");

module.exports = require("node-gyp-build")(root);
module.exports.nodeTypeInfo = require("../../src/node-types.json");

for (const name of ["folds", "highlights", "indents", "injections", "locals", "tags"]) {
  Object.defineProperty(module.exports, `${name.toUpperCase()}_QUERY`, {
    enumerable: true,
    get: () => readFileSync(path.join(root, "queries", `${name}.scm`), "utf8"),
  });
}
