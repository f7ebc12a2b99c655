# For nixpkgs/pkgs/by-name/gc/gcn-lsp/package.nix. It builds from the source distribution without a network, and runs those
# of its tests that need no other program.
{
  lib,
  python3Packages,
  fetchPypi,
}:

python3Packages.buildPythonApplication rec {
  pname = "gcn-lsp";
  version = "0.1.0";
  pyproject = true;

  src = fetchPypi {
    pname = "gcn_lsp";
    inherit version;
    hash = lib.fakeHash;
  };

  build-system = [ python3Packages.setuptools ];

  dependencies = with python3Packages; [
    click
    immutables
    lsprotocol
    markdown-it-py
    msgspec
    pyelftools
    pygls
    pyyaml
    rich
    tree-sitter
    tree-sitter-grammars.tree-sitter-cpp
    tree-sitter-grammars.tree-sitter-python
    websockets
  ];

  optional-dependencies = {
    mcp = [ python3Packages.mcp ];
    run = [ python3Packages.numpy ];
    zstd = [ python3Packages.zstandard ];
  };

  nativeCheckInputs = with python3Packages; [
    hypothesis
    jsonschema
    numpy
    pytestCheckHook
  ];

  # The others need LLVM's assembler, editors or a checkout.
  enabledTestPaths = [
    "tests/api"
    "tests/findings"
    "tests/preproc"
    "tests/program"
    "tests/rules"
    "tests/syntax"
    "tests/text"
  ];

  # What is tested is what is installed.
  preCheck = ''
    rm -r gcn_lsp
  '';

  meta = {
    description = "Language server, linter and assembler-grade checker for AMD GPU assembly";
    homepage = "https://github.com/OWNER/gcn-lsp";
    license = lib.licenses.mit;
    mainProgram = "gcn-lsp";
  };
}
