"""Helix, Kakoune and Neovim with what editors/ has for them, driven in a terminal: keys go in, the screen is read."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.running.compiled import FOLDER

HERE = Path(__file__).parent
EDITORS = HERE.parents[1] / "editors"
GRAMMAR = HERE.parents[1] / "grammar"

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed (Debian package tmux)")

PATIENCE = 60  # seconds; a screen that will not come is not waited for longer


class Terminal:
    """One tmux session with an editor in it."""

    def __init__(self, socket: str, folder: Path, command: str) -> None:
        self._tmux = ["tmux", "-L", socket, "-f", "/dev/null"]
        self._call("new-session", "-d", "-x", "150", "-y", "45", "-c", str(folder), command)

    def keys(self, *keys: str) -> None:
        """Keys by their names; `-l` and a text types the text."""
        self._call("send-keys", *keys)

    def screen(self) -> str:
        return self._call("capture-pane", "-p")

    def wait(self, pattern: str) -> str:
        """The screen once it matches."""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, screen := self.screen()):
            assert time.monotonic() < end, f"{pattern!r} is not on the screen:\n{screen}"
            time.sleep(0.1)
        return screen

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], capture_output=True)

    def _call(self, *arguments: str) -> str:
        return subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, check=True).stdout


Start = Callable[[Path, str], Terminal]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started = []

    def new(folder: Path, command: str) -> Terminal:
        started.append(Terminal(f"gcn-{tmp_path.parent.name}-{tmp_path.name}", folder, command))
        return started[-1]

    yield new
    for terminal in started:
        terminal.close()


HELIX = shutil.which("hx") or shutil.which("helix")


@pytest.mark.skipif(HELIX is None, reason="Helix (hx) is not installed (Debian package hx)")
def test_helix(project: Path, start: Start) -> None:
    subprocess.run(["sh", EDITORS / "helix" / "install", project], check=True)
    (project.parent / "config" / "helix" / "config.toml").touch()
    health = subprocess.run([str(HELIX), "--health", "gcn"], cwd=project, capture_output=True, text=True).stdout
    assert "gcn-lsp" in health
    assert re.search(r"Highlight queries.*✓", health), health
    terminal = start(project, f"{HELIX} kernel.s")
    marked = r"●\s+4 "
    # Newer than 25.07, it wants to be told that it may start what a project names.
    if "[⚠]" in terminal.wait(rf"{marked}|\[⚠\]"):
        terminal.keys("-l", ":workspace-trust")
        terminal.keys("Enter")
        terminal.wait("Config refreshed")
        terminal.close()
        terminal = start(project, f"{HELIX} kernel.s")
    terminal.wait(marked)
    terminal.keys("]", "d")
    terminal.wait("starts at 1")
    terminal.keys("6", "g", "g", "g", "s", "Space", "k")
    screen = terminal.wait("Adds two 32-bit floats|v35")
    assert "v_add_f32" in screen
    terminal.keys("Escape")


@pytest.mark.skipif(HELIX is None, reason="Helix (hx) is not installed (Debian package hx)")
def test_helix_debugs_a_kernel(project: Path, start: Start) -> None:
    written = project.parent / "config" / "helix" / "languages.toml"
    written.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(EDITORS / "helix" / "languages.toml", written)
    (written.parent / "config.toml").touch()
    shutil.copy(FOLDER / "saxpy.s", project)
    terminal = start(project, f"{HELIX} saxpy.s")
    terminal.wait("s_load_dwordx4")
    terminal.keys("-l", f":debug-start kernel {project}/saxpy.s")
    terminal.keys("Enter")
    terminal.wait(r"▶\s+7 .*s_load_dwordx4")  # it stopped at the entry; what the status line says soon goes


KAKOUNE = shutil.which("kak")
KAK_LSP = shutil.which("kak-lsp")


@pytest.mark.skipif(KAKOUNE is None, reason="Kakoune (kak) is not installed (Debian package kakoune)")
def test_kakoune_knows_which_files_are_ours(project: Path) -> None:
    for name, expected in (("kernel.s", "gcn"), ("x86-gcc.s", "")):
        # Without kakoune-lsp, what it would define is.
        stubs = "declare-option str lsp_servers ''; define-command lsp-enable-window nop"
        show = f"echo -to-file {project}/filetype %opt{{filetype}}"
        program = f"{stubs}; source {EDITORS}/kakoune/gcn.kak; edit {name}; {show}; quit!"
        subprocess.run([str(KAKOUNE), "-n", "-ui", "dummy", "-e", program], cwd=project, timeout=60, check=True)
        assert (project / "filetype").read_text().strip() == expected


@pytest.mark.skipif(
    KAKOUNE is None or KAK_LSP is None,
    reason="Kakoune (Debian package kakoune) or kakoune-lsp (cargo install kakoune-lsp) is not installed",
)
def test_kakoune(project: Path, start: Start) -> None:
    rc = project.parent / "config" / "kak" / "kakrc"
    rc.parent.mkdir(parents=True)
    rc.write_text(
        f"eval %sh{{kak-lsp}}\nsource {EDITORS}/kakoune/gcn.kak\nset-option global lsp_auto_show_code_actions false\n"
    )
    terminal = start(project, f"{KAKOUNE} kernel.s")
    terminal.wait("s_load_dwordx2")
    terminal.wait(r"\*\s+s_load_dwordx2")  # the line is marked
    terminal.keys("4", "g", "w", "w", ":")
    terminal.keys("-l", "lsp-hover")
    terminal.keys("Enter")
    terminal.wait("starts at 1")
    terminal.keys("Escape")
    time.sleep(0.5)  # or the terminal takes it for the Alt key
    terminal.keys("6", "g", "g", "i", ":")
    terminal.keys("-l", "lsp-hover")
    terminal.keys("Enter")
    assert "v_add_f32" in terminal.wait("Adds two 32-bit floats|v35")


NEOVIM = shutil.which("nvim")
NEOVIM_INIT = f"""\
vim.opt.swapfile = false
vim.opt.runtimepath:append('{EDITORS / "neovim"}')
require('gcn_lsp').setup({{ inline_completion = true }})
vim.api.nvim_create_autocmd('LspAttach', {{
  callback = function(event)
    vim.lsp.linked_editing_range.enable(true, {{ client_id = event.data.client_id }})
    vim.lsp.inline_completion.enable(true, {{ bufnr = event.buf }})
    vim.keymap.set('i', '<C-y>', vim.lsp.inline_completion.get, {{ buffer = event.buf }})
    vim.o.statusline = 'attached, %{{v:lua.linked()}} linked'
  end,
}})
function linked()
  local marks = vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, {{ details = true }})
  return #vim.tbl_filter(function(mark) return mark[4].hl_group == 'LspReferenceTarget' end, marks)
end
vim.fn.timer_start(100, function() vim.cmd('redrawstatus') end, {{ ['repeat'] = -1 }})
"""


@pytest.fixture
def neovim(project: Path, start: Start) -> Callable[[str], Terminal]:
    """Neovim 0.12 with a kernel of the text, both linked editing and inline completion switched on."""
    if NEOVIM is None:
        pytest.skip("Neovim (nvim) is not installed (Debian package neovim)")
    has = subprocess.run(
        [NEOVIM, "--headless", "-u", "NONE", "+lua io.write(tostring(vim.lsp.inline_completion))", "+q"],
        capture_output=True,
        text=True,
    )
    if "table" not in has.stdout + has.stderr:
        pytest.skip("linked editing and inline completion came with Neovim 0.12")
    (project / "init.lua").write_text(NEOVIM_INIT)

    def opened(text: str) -> Terminal:
        (project / "kernel.s").write_text(text)
        terminal = start(project, f"{NEOVIM} -u {project}/init.lua kernel.s")
        terminal.wait("attached")
        return terminal

    return opened


def test_neovim_edits_the_places_of_a_label_together(neovim: Callable[[str], Terminal]) -> None:
    terminal = neovim("; gcn-lsp: target=gfx90a\nloop:\n  s_nop 0\n  s_cbranch_scc0 loop\n  s_endpgm\n")
    terminal.keys("2", "G", "0", "e", "a")
    terminal.wait("attached, 2 linked")
    terminal.keys("-l", "_all")
    terminal.wait(r"loop_all:\s+s_nop 0\s+s_cbranch_scc0 loop_all")


def test_neovim_shows_the_next_line_of_a_sequence(neovim: Callable[[str], Terminal]) -> None:
    terminal = neovim("; gcn-lsp: target=gfx90a\n  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, s6\n")
    terminal.keys("G", "o")
    terminal.wait("v_mov_b32 v3, s7")  # shown only
    terminal.keys("C-y", "Escape")
    terminal.keys("-l", ":w")
    terminal.keys("Enter")
    terminal.wait("written")
    terminal.wait(r"v_mov_b32 v2, s6\s+v_mov_b32 v3, s7")
