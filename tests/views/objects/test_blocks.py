"""Large blocks in the code that are no instructions are data; other code is read whole. Neither takes much memory."""

import random
import tracemalloc

from gcn_lsp import isa
from gcn_lsp.instruction.decoding.decoder import Decoded, Decoder
from gcn_lsp.program import program
from gcn_lsp.program.program import Options
from gcn_lsp.text import SourceText
from gcn_lsp.views.objects import blocks, view
from tests.support.elf import code_object
from tests.views.objects.test_disassembly import LOOP

TARGETS = ("gfx600", "gfx803", "gfx908", "gfx942", "gfx1030", "gfx1100", "gfx1250")
BLOCK = 16 * 1024
CODE = LOOP * (4 * BLOCK // len(LOOP) + 1)
OTHER = random.Random(7).randbytes(4 * BLOCK)


def read(code: bytes, target: str = "gfx942") -> list[Decoded | blocks.DataPiece | None]:
    found = [each for part in blocks.read(Decoder(isa.load_target(target)), code, 0, len(code)) for each in part]
    assert sum(4 if each is None else each.size for each in found) == -(-len(code) // 4) * 4
    return found


def pieces(found: list[Decoded | blocks.DataPiece | None]) -> int:
    return sum(isinstance(each, blocks.DataPiece) for each in found)


def test_code_has_no_pieces_wherever_blocks_begin() -> None:
    target = isa.load_target("gfx942")
    long = (0xF4).to_bytes(1, "little")  # so that instructions of two words lie across the edges of blocks
    for code in (CODE, bytes.fromhex("ff0080be78563412") * BLOCK, LOOP[:4] + bytes.fromhex("ff0080be78563412") * BLOCK):
        found = read(code + long)
        assert found == [*Decoder(target).read_all(code), None]


def test_random_bytes_are_pieces_but_for_the_first_words() -> None:
    for target in TARGETS:
        found = read(OTHER, target)
        assert pieces(found) >= len(OTHER) // 256 - 2, target
        assert isinstance(found[-1], blocks.DataPiece)
        assert not isinstance(found[0], blocks.DataPiece)


def test_code_before_and_after_them_is_read() -> None:
    code = CODE[: 2 * BLOCK] + OTHER + CODE[: 2 * BLOCK]
    found = read(code)
    assert found[: 2 * BLOCK // 8] == read(CODE[: 2 * BLOCK])[: 2 * BLOCK // 8]
    assert found[-100:] == read(CODE[: 2 * BLOCK])[-100:]
    assert 0 < pieces(found) <= len(OTHER) // 256


def test_what_is_small_is_read_whole() -> None:
    assert not pieces(read(OTHER[: BLOCK - 4]))


def test_the_text_has_the_same_bytes_and_a_finding_has_a_place() -> None:
    code = LOOP + OTHER + LOOP[:6]
    found = view.of(code_object(code, [("k", 0, len(code), 1)]))
    built = program.build(SourceText.from_bytes("x.s", found.text), Options(target="gfx942"))
    assert built.section_bytes(".text") == code
    lines = found.text.split(b"\n")
    number, line = next((number, line) for number, line in enumerate(lines) if line.count(b",") == 63)
    origin = found.origin(number)
    assert origin is not None
    assert origin.size == 256
    assert int(line.split()[1].rstrip(b","), 16) == int.from_bytes(code[origin.address :][:4], "little")
    assert found.line(origin.address + 100) == number


def test_memory_stays_below_four_times_the_file() -> None:
    for code in (LOOP * (1 << 16), OTHER * 16):
        data = code_object(code[: 1 << 20], [("k", 0, 1 << 20, 1)])
        size = 0

        def count(piece: bytes) -> None:
            nonlocal size
            size += len(piece)

        tracemalloc.start()
        view.write(data, count)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert size > 2 * len(data)  # all of it was written
        assert peak < 4 * len(data) + (32 << 20)
