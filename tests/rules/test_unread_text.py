"""Bundles of texts and files for CLRX: what is read of them, and what is said about the rest."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gcn_lsp.cli.main import main
from gcn_lsp.rules import unread_text
from gcn_lsp.text import SourceText
from gcn_lsp.views import unread_lines
from tests.rules.test_pages import rules_found
from tests.support import fixture
from tests.support.check import build

HOST = """\
# __CLANG_OFFLOAD_BUNDLE____START__ host-x86_64-unknown-linux-gnu-
\tpushq %rbp
\tretq
# __CLANG_OFFLOAD_BUNDLE____END__ host-x86_64-unknown-linux-gnu-
"""


def device(processor: str, body: str) -> str:
    name = f"hip-amdgcn-amd-amdhsa--{processor}"
    begin, end = (f"# __CLANG_OFFLOAD_BUNDLE____{word}__ {name}" for word in ("START", "END"))
    return f'{begin}\n\t.amdgcn_target "amdgcn-amd-amdhsa--{processor}"\n{body}\n{end}\n\n'


WRONG_ON_GFX9 = "\tds_load_b32 v0, v1"
BOTH = "\n" + device("gfx90a:xnack+", "\tv_nop") + device("gfx1100", WRONG_ON_GFX9) + HOST


def checked(folder: Path, text: str, *options: str) -> list[str]:
    file = folder / "made.s"
    file.write_text(text)
    result = CliRunner().invoke(main, ["check", "--format", "github", *options, str(file)])
    return [line for line in result.output.splitlines() if line.startswith("::")]


def test_part_keeps_its_lines_and_nothing_else() -> None:
    source = SourceText.from_bytes("a.s", BOTH.encode())
    derived = unread_lines.part_of(source, "gfx1100", "unread-text")
    assert len(derived.source.lines) == len(source.lines)
    kept = [number for number, line in enumerate(derived.source.lines) if line]
    assert [source.lines[number] for number in kept] == [derived.source.lines[number] for number in kept]
    assert b"\n".join(derived.source.lines).split() == [
        b".amdgcn_target", b'"amdgcn-amd-amdhsa--gfx1100"', *WRONG_ON_GFX9.encode().split(),
    ]  # fmt: skip


def test_host_is_skipped_in_silence(tmp_path: Path) -> None:
    assert checked(tmp_path, "\n" + device("gfx90a", "\tv_nop") + HOST) == []
    assert checked(tmp_path, HOST + device("gfx90a", "\tv_nop")) == []


def test_finding_in_the_part_has_its_line(tmp_path: Path) -> None:
    found = checked(tmp_path, HOST + device("gfx90a", WRONG_ON_GFX9))
    assert len(found) == 1
    assert "line=7," in found[0]
    assert "col=2," in found[0]


def test_other_device_is_named_and_can_be_checked(tmp_path: Path) -> None:
    (other,) = checked(tmp_path, BOTH)
    assert "unread-text" in other
    assert "line=7," in other
    assert "`--target gfx1100` checks it" in other
    (other,) = checked(tmp_path, BOTH, "--target", "gfx1100")
    assert "`--target gfx90a` checks it" in other


@pytest.mark.parametrize("text", [HOST, "# __CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx90a\n"])
def test_bundle_without_code_has_no_finding(tmp_path: Path, text: str) -> None:
    assert checked(tmp_path, text) == []


def test_end_that_is_missing_ends_with_the_file(tmp_path: Path) -> None:
    begun = device("gfx90a", WRONG_ON_GFX9).rpartition("# __CLANG")[0]
    (found,) = checked(tmp_path, begun)
    assert "ds_load_b32" in found


CLRX = """\
.amdcl2
.gpu Iceland
.kernel scale
    .config
        .dims x
        .arg data, "int*", int*, global,
    .text
/*000000000000*/ s_load_dwordx4  s[0:3], s[4:5], 0x0
/*000000000008*/ v_unknown v0, vcc, s1, v0
"""


def test_clrx_has_one_finding(tmp_path: Path) -> None:
    assert rules_found(CLRX, tmp_path) == ["unread-text"]


@pytest.mark.parametrize("written", [".amd", ".amd hsa_next_free_vgpr 16", ".rocm x"])
def test_a_directive_is_not_taken_for_clrx_while_it_is_typed(written: str) -> None:
    lines = "; gcn-lsp: target=gfx900\n{}\n.text\ns_endpgm\n.amdhsa_kernel k\n{}\n.end_amdhsa_kernel\n"
    for first, inside in ((written, ""), ("", written)):
        assert not unread_lines.is_clrx(lines.format(first, inside).encode().split(b"\n"))


@pytest.mark.parametrize("head", [".amd\n.gpu Iceland\n", "# made by hand\nSIZE = 4\n.gallium // Mesa\n.kernel k\n"])
def test_the_format_comes_first(head: str) -> None:
    assert unread_lines.is_clrx(head.encode().split(b"\n"))


def test_assembly_is_not_taken_for_clrx(tmp_path: Path) -> None:
    text = "; gcn-lsp: target=gfx900\n.macro .rocm_like\n.endm\n.rocm = 1\n.amdgpu_lds x, 4\n.rocm_like\n"
    assert not unread_lines.is_clrx(text.encode().split(b"\n"))
    assert not unread_lines.is_clrx((b"",))
    assert rules_found(text, tmp_path) == []


DESCRIPTOR = """\
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
"""
WORDS = ".long 0xbf800001\n" * 15 + ".long 0xbf810000\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"k:\n{WORDS}", [2]),
        (f"k:\ns_nop 0\n{WORDS}", []),  # they are checked
        (f"k:\ns_nop 0\n{WORDS.replace(chr(10) + '.long', ',')}", [3]),
        (f"k:\n{WORDS.replace('0xbf810000', '0')}", []),  # it may be a table: no end is in it
        (f"k:\n{WORDS.replace('1', '0')}.long 0xffffffff", []),
        (f"k:\n{WORDS.removesuffix('.long 0xbf810000' + chr(10))}s_endpgm", []),  # few
        (f"k:\ns_endpgm\n{WORDS}", []),
        (f".rodata\nk:\n{WORDS}", []),
        (f"k:\ns_nop 0\n.long 0xbf820001\n{WORDS}", [4]),  # a branch over one word: to what nothing names
        (f"k:\ns_nop 0\n{DESCRIPTOR}s_endpgm\n", []),
    ],
)
def test_code_that_is_written_as_data(text: str, lines: list[int]) -> None:
    found = unread_text.check(build(fixture.parse(text), "gfx900"))
    assert [finding.where.line + 1 for finding in found] == lines


@pytest.mark.parametrize(
    "text",
    [
        "k:\n\ts_endpgm\n.Lend:\n\t.p2alignl 7, 3214868480\n\t.fill 96, 4, 3214868480\n",  # as after compiled code
        "k:\n\ts_nop 0\n\t.fill 32768, 4, 0\n\ts_endpgm\n",
    ],
)
def test_one_word_again_and_again_is_no_code(text: str) -> None:
    assert list(unread_text.check(build(fixture.parse(text), "gfx1250"))) == []


LISTING = """\
label_0000:
  s_mov_b32     m0, 0x00008000                              // 00000000: BEFC03FF 00008000
  s_buffer_load_dword  s4, s[8:11], 0x18                    // 00000008: C2020918
  s_waitcnt     lgkmcnt(0)                                  // 0000000C: BF8C007F
  v_mov_b32     v1, s4                                      // 00000010: 7E020204
  tbuffer_load_format_x  v3, v1, s[20:23], 0 offen format:[BUF_DATA_FORMAT_32] // 00000014: EBA01000
  s_cbranch_execz  label_0000                               // 0000001C: BF880014
"""


@pytest.mark.parametrize("head", ["", "**\n** Disassembly for '__kernel box_filter'\n**\n\n"])
def test_a_listing_of_codexl_has_one_finding(tmp_path: Path, head: str) -> None:
    (found,) = checked(tmp_path, head + LISTING)
    assert "unread-text" in found
    assert f"line={2 + head.count(chr(10))}," in found
    assert "as CodeXL prints it" in found


def test_other_listings_and_code_with_addresses_are_checked() -> None:
    def is_listing(text: str) -> bool:
        return unread_lines.is_listing(text.encode().split(b"\n"))

    assert is_listing(LISTING)
    assert not is_listing(LISTING.replace("// 0000", "// 00000000"))  # of llvm-objdump
    assert not is_listing("k:\n  s_nop 0 // 00000000: BF800000\n")
    assert not is_listing(LISTING + "  s_endpgm\n")
    assert not is_listing("")
