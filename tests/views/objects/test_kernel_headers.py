"""The headers of kernels in code objects of version 2 become blocks that give their bytes again."""

import struct
import subprocess
from pathlib import Path

import pytest

from gcn_lsp import isa
from gcn_lsp.isa.kernels import kernel_code
from gcn_lsp.views.objects import elf, kernel_headers, view
from tests.support import check, llvm
from tests.support.elf import Part, code_object

GFX803, KERNEL, FUNCTION = 0x2A, 10, 2
END = b"".join(word.to_bytes(4, "little") for word in (0x7E000280, 0xBF810000))  # v_mov_b32 v0, 0; s_endpgm
FIELDS = {
    "workitem_vgpr_count": 8,
    "wavefront_sgpr_count": 11,
    "enable_sgpr_kernarg_segment_ptr": 1,
    "float_mode": 192,
    "is_ptr64": 1,
}


def header(**more: int) -> bytes:
    return kernel_code.encode(isa.load_target("gfx803"), FIELDS | more)


def of_kernels(*headers: bytes, kind: int = KERNEL) -> bytes:
    """A code object of version 2 with a kernel of two instructions behind each header."""
    size = kernel_code.SIZE + len(END)
    symbols = [(f"k{index}", index * size, size, 1) for index in range(len(headers))]
    return code_object(b"".join(each + END for each in headers), symbols, flags=GFX803, abi=0, function=kind)


def text(data: bytes) -> str:
    return view.of(data).text.decode()


def test_a_header_is_a_block_and_the_code_begins_behind_it() -> None:
    assert text(of_kernels(header())).splitlines()[6:16] == [
        "k0:",
        "\t.amd_kernel_code_t",
        "\t\twavefront_sgpr_count = 11",
        "\t\tworkitem_vgpr_count = 8",
        "\t\tfloat_mode = 192",
        "\t\tenable_sgpr_kernarg_segment_ptr = 1",
        "\t\tis_ptr64 = 1",
        "\t.end_amd_kernel_code_t",
        "\tv_mov_b32_e32 v0, 0",
        "\ts_endpgm",
    ]


def noted(*version: int) -> Part:
    """The note that names the processor in version 2."""
    content = struct.pack("<HHIII", 4, 7, *version) + b"AMD\0AMDGPU\0"
    content += bytes(-len(content) % 4)
    return Part(".note", struct.pack("<III", 4, len(content), 3) + b"AMD\0" + content, 7)


def test_a_note_names_the_processor_where_the_header_does_not() -> None:
    code = header() + END
    symbols = [("k0", 0, len(code), 1)]
    assert text(code_object(code, symbols, [noted(8, 0, 3)], flags=2, abi=0, function=KERNEL)).startswith(
        "// gcn-lsp: target=gfx803\n"
    )
    for notes in ([noted(8, 7, 3)], [], [noted(8, 0, 3)._replace(data=noted(8, 0, 3).data[:30])]):
        with pytest.raises(elf.NotReadable, match="0x2, which is not known"):
            elf.read(code_object(code, symbols, notes, flags=2, abi=0, function=KERNEL))


def test_nothing_is_found_in_right_kernels() -> None:
    found = text(of_kernels(header(), header(workitem_vgpr_count=1)))
    assert found.count("\t.amd_kernel_code_t") == 2
    assert check.findings(found, None) == []


def test_every_field_comes_again() -> None:
    target = isa.load_target("gfx803")
    for name, place in kernel_code.FIELDS.items():
        data = kernel_code.encode(target, {name: 1})
        lines = kernel_headers.lines(data, target)
        if not kernel_code.mistake(name, 1, target):
            assert all(line.startswith("\t\t") for line in lines[1:-1]), (name, place, lines)


def test_bytes_that_no_field_has_are_data() -> None:
    data = bytearray(header())
    data[200] = 1
    found = text(of_kernels(bytes(data)))
    assert "\t// the header of the kernel\n\t.long 0x1, 0x2, " in found
    assert ".amd_kernel_code_t" not in found


def test_the_header_of_another_version_is_code() -> None:
    assert ".amd_kernel_code_t" not in text(of_kernels(header(amd_code_version_major=2)))
    assert ".amd_kernel_code_t" not in text(of_kernels(header(), kind=FUNCTION))


def test_headers_that_overlap_or_end_beyond_the_code_are_code() -> None:
    data = code_object(header() + END, [("a", 0, 264, 1), ("b", 4, 8, 1)], flags=GFX803, abi=0, function=KERNEL)
    assert kernel_headers.places(elf.read(data), 1) == [0]
    cut = code_object(header()[:-4], [("a", 0, 252, 1)], flags=GFX803, abi=0, function=KERNEL)
    assert kernel_headers.places(elf.read(cut), 1) == []


@pytest.mark.skipif(not llvm.available(), reason=llvm.MISSING)
def test_the_reference_makes_the_same_bytes(tmp_path: Path) -> None:
    data = of_kernels(header(), header(kernarg_segment_byte_size=56))
    source, made = tmp_path / "k.s", tmp_path / "k.o"
    source.write_text(text(data))
    command = [llvm.LLVM_MC, "-triple=amdgcn", "-mcpu=gfx803", "-filetype=obj", str(source), "-o", str(made)]
    subprocess.run(command, check=True)
    (again,) = (each.data for each in elf.read(made.read_bytes()).sections if each.name == ".text")
    assert again == elf.read(data).sections[1].data
