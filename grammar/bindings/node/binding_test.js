// The compiled binding parses a kernel without an error node. Run by `npm test` in grammar/, after `npm install`.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const Parser = require("tree-sitter");
const gcn = require("../..");

test("a kernel is parsed without errors", () => {
  const parser = new Parser();
  parser.setLanguage(gcn);
  const tree = parser.parse("kernel:\n  v_add_f32 v[v_acc+3], s1, v2\n  s_endpgm\n");
  assert.equal(tree.rootNode.hasError, false);
  assert.equal(tree.rootNode.descendantsOfType("instruction").length, 2);
});

test("the queries come along", () => {
  assert.match(gcn.HIGHLIGHTS_QUERY, /@label/);
  assert.match(gcn.FOLDS_QUERY, /@fold/);
});
