"""Machine code is read as LLVM's disassembler reads it, and what is read assembles to the same bytes."""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp import isa
from gcn_lsp.instruction.decoding.decoder import Decoder, decoder_for
from gcn_lsp.isa.operands.limits import LONGEST_CODE
from tests.instruction.support import assemble
from tests.support import disassembler, llvm

VECTORS = Path(__file__).parent.parent / "vectors"
TARGETS = sorted({path.stem.partition("_")[0] for path in VECTORS.glob("*_good.txt")})
SAMPLE = 7  # one of so many recorded lines is read back by default
AGREEMENT = 0.998

LLVM_TESTS = Path(os.environ.get("GCN_LSP_LLVM_SOURCE", "/nonexistent"), "llvm/test/MC/Disassembler/AMDGPU")

# Where our text or our judgement is another than LLVM's, and why.
KNOWN = (
    (r"/\*Invalid", "LLVM writes what no assembler takes, with a comment; here that is no instruction"),
    (r"^v_cvt_pk_f16_(fp8|bf8)", "here LLVM leaves out the suffix although there are two encodings"),
    (r"^s_version \(", "LLVM nests what it joins by |"),
    (r"\bsrc_lds_direct\b|\bxnack_mask\b.* on tonga", "read even where the target has no such register"),
    (r" on gfx900:\+wavefrontsize32", "the assembler has waves of 32 where the option says so, the disassembler not"),
    (r"^image_bvh", "LLVM shows registers of the form with the most addresses"),
)


def test_operands_of_each_sort_are_written_as_llvm_does() -> None:
    check("gfx942", "ff04040256341200", "v_add_f32_e32 v2, 0x123456, v2")
    check("gfx942", "01040402", "v_add_f32_e32 v2, s1, v2")
    check("gfx942", "00000ac000000000", "s_load_dwordx4 s[0:3], s[0:1], 0x0")
    check("gfx942", "70008cbf", "s_waitcnt vmcnt(0) lgkmcnt(0)")
    check("gfx900", "fa04040201e400ff", "v_add_f32_dpp v2, v1, v2 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf")
    check(
        "gfx900",
        "f904040201160606",
        "v_add_f32_sdwa v2, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD",
    )
    check("gfx1100", "050038d701050200", "v_lshlrev_b16 v5.l, v1.l, v2.l")
    check("gfx1100", "c80038d701050302", "v_lshlrev_b16 v200.l, v1.l, v130.l")


def test_a_word_that_is_no_instruction_is_none() -> None:
    assert Decoder(isa.load_target("gfx942")).read(b"\xff\xff\xff\xff\xff\xff\xff\xff") is None
    assert Decoder(isa.load_target("gfx942")).read(b"\x00\x00") is None


def test_a_literal_that_is_cut_off_is_no_instruction() -> None:
    decoder = decoder_for(isa.load_target("gfx942"))
    assert decoder.read(bytes.fromhex("ff040402563412")) is None
    assert decoder.read(bytes.fromhex("ff04040256341200")) is not None


def test_the_wave_size_decides_about_vcc() -> None:
    check("gfx1010", "01041450", "v_add_co_ci_u32_e32 v10, vcc_lo, s1, v2, vcc_lo")
    check("gfx1010:+wavefrontsize64", "01041450", "v_add_co_ci_u32_e32 v10, vcc, s1, v2, vcc")


def test_what_the_assembler_never_writes() -> None:
    check("gfx900", "414100c065000080", "s_load_dword s5, s[2:3], s64")
    check("gfx900", "c24198c02e000012", "s_atc_probe 7, s[4:5], s9")
    check("gfx803", "410100c064000000", "s_load_dword s5, s[2:3], s100")
    check(
        "gfx1200",
        "024007c40528788000000000",
        "buffer_store_b128 v[5:8], v0, s[20:23], s2 idxen th:TH_STORE_NT_WB scope:SCOPE_DEV",
    )
    check("gfx1250", "010072d7ff000000f0ffffff", "v_cvt_pk_fp8_f16 v1.l, -16")
    check("gfx1250", "010072d7ff00000041000000", "v_cvt_pk_fp8_f16 v1.l, 0x41")


def test_reading_on_after_what_is_no_instruction() -> None:
    code = bytes.fromhex("00000000ffffffff000081bfff040402563412000000")
    found = Decoder(isa.load_target("gfx942")).read_all(code)
    texts = [None if each is None else each.text for each in found]
    assert texts == ["v_cndmask_b32_e32 v0, s0, v0, vcc", None, "s_endpgm", "v_add_f32_e32 v2, 0x123456, v2", None]


def test_what_follows_may_make_one_instruction_of_two() -> None:
    scales, matrix = "002035cc5ca50204", "644088cc0811921d"
    code = bytes.fromhex(scales + "000080bf" + scales + matrix)
    found = Decoder(isa.load_target("gfx1250", "+llvm22")).read_all(code)
    assert [each and each.text.split()[0] for each in found] == [
        "v_wmma_ld_scale_paired_b32",
        "s_nop",
        "v_wmma_scale_f32_32x16x128_f4",
    ]


@settings(deadline=None)  # a target's tables are read when it is first used
@given(
    st.sampled_from(("gfx803", "gfx90a", "gfx950", "gfx1030", "gfx1100", "gfx1201", "gfx1250")), st.binary(max_size=64)
)
def test_reading_on_is_reading_each_and_covers_everything(name: str, code: bytes) -> None:
    decoder = decoder_for(isa.load_target(name))
    offset = 0
    for found in decoder.read_all(code):
        assert found == decoder.read(code[: offset + LONGEST_CODE], offset)
        offset += 4 if found is None else found.size
    assert len(code) <= offset < len(code) + 4


@pytest.mark.parametrize("cpu", TARGETS)
def test_recorded_lines_read_back_to_their_bytes(cpu: str) -> None:
    _check_round_trip(cpu, recorded(cpu)[::SAMPLE])


@pytest.mark.slow
@pytest.mark.parametrize("cpu", TARGETS)
def test_all_recorded_lines_read_back_to_their_bytes(cpu: str) -> None:
    _check_round_trip(cpu, recorded(cpu))


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.parametrize("cpu", [cpu for cpu in TARGETS if cpu not in ("gfx600", "gfx700")])  # LLVM reads neither
def test_recorded_lines_are_written_as_llvm_does(cpu: str) -> None:
    by_features: dict[str, list[bytes]] = {}
    for features, _, code in recorded(cpu)[::SAMPLE]:
        by_features.setdefault(features, []).append(code)
    for features, codes in by_features.items():
        _check_texts(disassembler.disassemble(codes, cpu, features), cpu, features)


@pytest.mark.slow
@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
@pytest.mark.skipif(not LLVM_TESTS.is_dir(), reason="GCN_LSP_LLVM_SOURCE names no LLVM source tree")
def test_the_lines_of_llvms_disassembler_tests() -> None:
    for cpu, features, codes in _llvm_lines():
        _check_texts(disassembler.texts(codes, cpu, features), cpu, features, agreement=1)


# -- helpers -------------------------------------------------------------------------------------------------------


def check(target: str, code: str, text: str) -> None:
    """Assert how LLVM would write the instruction."""
    name, _, features = target.partition(":")
    found = decoder_for(isa.load_target(name, features)).read(bytes.fromhex(code))
    assert found is not None
    assert found.text == text
    assert found.size == len(bytes.fromhex(code))


@cache
def recorded(cpu: str) -> list[tuple[str, str, bytes]]:
    """Features, text and bytes of the recorded lines that LLVM takes."""
    found = []
    for row in (VECTORS / f"{cpu}_good.txt").read_text(encoding="utf-8").splitlines():
        if row and not row.startswith("#") and " | error " not in row:
            target, rest = row.split(" | ", 1)
            line, code = rest.rsplit(" | ", 1)
            found.append((target.partition(":")[2], line, bytes.fromhex(code)))
    assert found
    return [row for row in found if not any(re.search(pattern, f"{row[1]} on {cpu}") for pattern, _ in LOSSY)]


# Lines and their target, whose bytes LLVM's own text does not keep, and why. A disassembly has `.long` in their place.
LOSSY = (
    (r"^v_(nop|pipeflush|clrexcp)_(e64|sdwa|dpp)", "there is no suffix in the text"),
    (r"undefined_name", "the literal's bytes are a linker's"),
    (r"src_lds_direct|src_execz", "taken where the bits say something else"),
    (r"^v_cmp.*\.[lh]\b.* on gfx13", "taken though registers of 16 bits are off"),
    (r"^s_version", "a number is written by its name, which only a file knows"),
    (r"_f64_dpp ", "the assembler takes one register, the text has two"),
    (r"\blit\((1|1\.0)\)", "taken where the encoding has no room for a literal"),
    (r"^v_mul_lo_i32", "another name for the same bits"),
    (r"_f64\w* .*\|\d\.\d+\|", "in bars the text has the literal's bits, which the assembler refuses there"),
    (r"_[iub]16\w* .*(\d\.\d|-\d|0x[0-9a-f]{4})|_[iu]16_e64_dpp", "of a literal for 16 bits the text has 16"),
)


def _check_round_trip(cpu: str, rows: list[tuple[str, str, bytes]]) -> None:
    wrong = []
    for features, line, code in rows:
        found = decoder_for(isa.load_target(cpu, features)).read(code)
        back = assemble(found.text, f"{cpu}:{features}").code if found is not None else b""
        # What the encoding leaves open is the assembler's choice, which differs between versions.
        free = found.form.free_mask if found is not None else 0
        if len(back) != len(code) or (_number(back) ^ _number(code)) & ~free:
            wrong.append(f"{cpu}:{features} {line}: {code.hex()} is {found and found.text}, which is {back.hex()}")
    assert not wrong, "\n".join(wrong[:20])


def _number(code: bytes) -> int:
    return int.from_bytes(code, "little")


def _check_texts(expected: Mapping[bytes, str], cpu: str, features: str, *, agreement: float = AGREEMENT) -> None:
    decoder = decoder_for(isa.load_target(cpu, features))
    wrong = []
    for code, text in expected.items():
        found = decoder.read(code)
        whole = f"{text} on {cpu}:{features}"
        if (found is None or found.text != text) and not any(re.search(pattern, whole) for pattern, _ in KNOWN):
            wrong.append(f"{cpu}:{features} {code.hex()}: LLVM {text!r}, ours {found and found.text!r}")
    assert len(wrong) <= (1 - agreement) * len(expected), "\n".join(wrong[:20])


def _llvm_lines() -> Iterator[tuple[str, str, list[bytes]]]:
    """Processor, features and byte lines of the runs of each of LLVM's tests, for the targets that we know."""
    found: dict[tuple[str, str], set[bytes]] = {}
    for path in sorted(LLVM_TESTS.glob("*.txt")):
        text = path.read_text(encoding="utf-8", errors="replace")
        lines = (line.partition("#")[0] for line in text.splitlines() if line.lstrip(" [").startswith("0x"))
        codes = {bytes(int(part, 16) for part in re.findall(r"0x([0-9a-fA-F]{1,2})\b", line)) for line in lines}
        for run in re.findall(r"RUN:.*llvm-mc .*-mcpu=.*", text):
            cpu = re.findall(r"-mcpu=(\S+)", run)[0]
            given = re.findall(r"-mattr=(\S+)", run)
            if isa.resolve_target(cpu) is not None and cpu not in ("tahiti", "bonaire"):
                found.setdefault((cpu, given[0] if given else ""), set()).update(codes)
    for (cpu, features), known in sorted(found.items()):
        yield cpu, features, sorted(known)
