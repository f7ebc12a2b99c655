# At a release `brew update-python-resources gcn-lsp` writes the resources, and `brew bump-formula-pr` the checksum
# and the address, which has PyPI's digest of the file in place of the zeros.
class GcnLsp < Formula
  include Language::Python::Virtualenv

  desc "Language server, linter and checker for AMD GPU assembly"
  homepage "https://github.com/OWNER/gcn-lsp"
  url "https://files.pythonhosted.org/packages/00/00/000000000000000000000000000000000000000000000000000000000000/gcn_lsp-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "libyaml"
  depends_on "python@3.13"

  def install
    virtualenv_install_with_resources
    generate_completions_from_executable(bin/"gcn-lsp", "completion")
    (man1/"gcn-lsp.1").write Utils.safe_popen_read(bin/"gcn-lsp", "manual")
  end

  test do
    (testpath/"k.s").write "; gcn-lsp: target=gfx900\ns_load_dwordx2 s[1:2], s[4:5], 0x0\n"
    assert_match "misaligned-register", shell_output("#{bin}/gcn-lsp check k.s", 1)
  end
end
