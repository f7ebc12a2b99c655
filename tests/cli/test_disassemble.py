"""`gcn-lsp disassemble`: code objects as text, on standard output or in a file that is not overwritten."""

import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from gcn_lsp.cli.main import main
from tests.support.elf import Part, bundle, code_object

OBJECT = code_object(
    bytes.fromhex("800080be000081bf"), [("k", 0, 8, 1), ("k.kd", 0, 64, 2)], [Part(".rodata", bytes(64), 1, 2, 64)]
)


def run(*arguments: str, data: bytes = b"") -> tuple[int, str]:
    result = CliRunner().invoke(main, ["disassemble", *arguments], input=data)
    return result.exit_code, result.output


def test_to_standard_output(tmp_path: Path) -> None:
    path = tmp_path / "k.co"
    path.write_bytes(OBJECT)
    code, output = run(str(path))
    assert code == 0
    assert "k:\n\ts_mov_b32 s0, 0\n\ts_endpgm\n" in output


def test_an_output_file_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    source, output = tmp_path / "k.co", tmp_path / "k.s"
    source.write_bytes(OBJECT)
    output.write_text("mine")
    assert run(str(source), "-o", str(output))[0] == 2
    assert output.read_text() == "mine"
    assert run(str(source), "-o", str(output), "--force")[0] == 0
    assert "s_endpgm" in output.read_text()


def test_a_kernel_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "k.co"
    path.write_bytes(OBJECT)
    code, output = run(str(path), "--kernel", "other")
    assert code == 2
    assert "it has no kernel other; its kernels: k" in output


def test_what_editors_show_and_a_part_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "k.hipfb"
    path.write_bytes(bundle(("one", OBJECT), ("other", OBJECT)))
    whole = run(str(path))[1]
    assert run(str(path), "--view")[1] == whole
    assert run(f"{path}(other)")[1] == whole.partition("// Further")[0]
    assert f"{path}(third): it has no third" in run(f"{path}(third)")[1]
    assert run(f"{path}(other)", "--kernel", "k")[0] == 2


def test_raw_words_on_standard_input() -> None:
    assert "\ts_endpgm\n" in run("-", "--target", "gfx942", data=b"bf810000\n")[1]


def test_what_is_no_object() -> None:
    code, output = run("-", data=b"text")
    assert code == 2
    assert "it is not a code object, a bundle or an archive" in output


def test_it_does_not_load_the_project(tmp_path: Path) -> None:
    path = tmp_path / "k.co"
    path.write_bytes(OBJECT)
    script = (
        "import sys; from gcn_lsp.cli.main import main\n"
        f"main(['disassemble', {str(path)!r}], standalone_mode=False)\n"
        "assert not {'gcn_lsp.project', 'gcn_lsp.rules', 'yaml'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)
