"""Makes wheels for every platform on one machine, from a wheel that was built on it.

    python .ci/wheels.py dist/gcn_lsp-*.whl FOLDER

It takes the wheel of gcn-lsp or the grammar's own. All of a wheel but one small file is the same everywhere: the
compiled parser. That has no dependency but C's library and two functions of Python's stable ABI, so the C compiler in
the package ziglang compiles it for any platform (`pip install ziglang wheel`). What is made is taken apart again and
looked at.
"""

import io
import shutil
import struct
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path, PurePath
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
GRAMMAR = ROOT / "grammar"
SOURCES = [GRAMMAR / "bindings" / "python" / "binding.c", GRAMMAR / "src" / "parser.c", GRAMMAR / "src" / "scanner.c"]
OLDEST_PYTHON = "0x030A0000"  # as in setup.py


class Platform(NamedTuple):
    """One platform that wheels are made for."""

    tag: str
    """Its name in a wheel's name; the oldest system that Python 3.10 and newer still runs on."""
    triple: str
    """The compiler's name for the same."""
    begins: bytes
    """First bytes of its libraries."""


ELF = b"\x7fELF"
MACH_O = b"\xcf\xfa\xed\xfe"
PE = b"MZ"

PLATFORMS = (
    Platform("manylinux_2_17_x86_64.manylinux2014_x86_64", "x86_64-linux-gnu.2.17", ELF),
    Platform("manylinux_2_17_aarch64.manylinux2014_aarch64", "aarch64-linux-gnu.2.17", ELF),
    Platform("musllinux_1_2_x86_64", "x86_64-linux-musl", ELF),
    Platform("musllinux_1_2_aarch64", "aarch64-linux-musl", ELF),
    Platform("macosx_10_13_x86_64", "x86_64-macos.10.13", MACH_O),
    Platform("macosx_11_0_arm64", "aarch64-macos.11.0", MACH_O),
    Platform("win_amd64", "x86_64-windows-gnu", PE),
    Platform("win_arm64", "aarch64-windows-gnu", PE),
)

# What the headers of Python want to know about the platform; with the limited API nothing else of this file counts.
PYCONFIG = """\
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define WITH_DOC_STRINGS 1
#ifdef _WIN32
#define MS_WINDOWS 1
#define HAVE_DECLSPEC_DLL 1
#define Py_ENABLE_SHARED 1
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 2
#else
#define HAVE_UNISTD_H 1
#define SIZEOF_LONG 8
#define SIZEOF_WCHAR_T 4
#endif
"""

# All that the binding takes from Python. Whatever else it came to need would not link.
PYTHON_DLL = """\
LIBRARY "python3.dll"
EXPORTS
PyCapsule_New
PyModuleDef_Init
"""
MACHINES = {"x86_64": "i386:x86-64", "aarch64": "arm64"}  # dlltool's names


def main(wheel: str, folder: str) -> None:
    """Makes a wheel for each platform in `folder`."""
    with tempfile.TemporaryDirectory() as scratch:
        headers = headers_in(Path(scratch) / "headers")
        for platform in PLATFORMS:
            made = remade(Path(wheel), platform, headers, Path(scratch) / platform.triple)
            check(made, platform)
            Path(folder).mkdir(parents=True, exist_ok=True)
            print(shutil.copy(made, folder))


def headers_in(folder: Path) -> Path:
    """Python's headers, without what they say about the machine that this runs on."""
    shutil.copytree(sysconfig.get_path("include"), folder)
    (folder / "pyconfig.h").write_text(PYCONFIG)
    return folder


def remade(wheel: Path, platform: Platform, headers: Path, scratch: Path) -> Path:
    """The same wheel for another platform."""
    run("wheel", "unpack", "--dest", str(scratch), str(wheel))
    (unpacked,) = scratch.iterdir()
    (native,) = [path for path in unpacked.rglob("_*") if path.suffix in (".so", ".pyd")]
    native.unlink()
    compile_for(platform, headers, native.with_name(library_name(module_of(native), platform)), scratch)
    run("wheel", "pack", "--dest-dir", str(scratch), str(unpacked))
    (packed,) = scratch.glob("*.whl")
    run("wheel", "tags", "--remove", "--platform-tag", platform.tag, str(packed))
    (tagged,) = scratch.glob("*.whl")
    return tagged


def module_of(library: PurePath) -> str:
    """The Python module that a library is."""
    return library.name.partition(".")[0]


def library_name(module: str, platform: Platform) -> str:
    """What Python calls a library with its stable ABI."""
    return module + (".pyd" if platform.begins == PE else ".abi3.so")


def compile_for(platform: Platform, headers: Path, library: Path, scratch: Path) -> None:
    """Compiles the parser into `library`. Python's functions are those of the interpreter that loads it."""
    if platform.begins == PE:
        (scratch / "python3.def").write_text(PYTHON_DLL)
        python = scratch / "python3.lib"
        machine = MACHINES[platform.triple.partition("-")[0]]
        run("ziglang", "dlltool", "-d", str(scratch / "python3.def"), "-l", str(python), "-m", machine)
        particular = ["-s", str(python), f"-Wl,--out-implib,{scratch / 'unused.lib'}"]
    elif platform.begins == MACH_O:
        particular = ["-undefined", "dynamic_lookup", f"-Wl,-install_name,@rpath/{library.name}"]
    else:
        particular = ["-s", "-fPIC"]
    options = [
        "-shared",
        "-O2",
        "-DNDEBUG",
        f"-DMODULE={module_of(library)}",
        f"-DPy_LIMITED_API={OLDEST_PYTHON}",
        f"-I{headers}",
        f"-I{GRAMMAR / 'src'}",
    ]
    sources = list(map(str, SOURCES))
    run("ziglang", "cc", "-target", platform.triple, *options, *sources, *particular, "-o", str(library))


def check(wheel: Path, platform: Platform) -> None:
    """Fails unless the wheel holds one library, of this platform, and says so of itself."""
    with zipfile.ZipFile(wheel) as archive:
        libraries = [name for name in archive.namelist() if name.endswith((".so", ".pyd", ".dll", ".dylib"))]
        modules = [module_of(PurePath(name)) for name in libraries]
        assert [PurePath(name).name for name in libraries] == [library_name(module, platform) for module in modules]
        (module,) = modules
        library = archive.read(libraries[0])
        (about,) = [name for name in archive.namelist() if name.endswith(".dist-info/WHEEL")]
        tags = [line.removeprefix("Tag: ") for line in archive.read(about).decode().splitlines() if "Tag: " in line]
    assert sorted(tags) == sorted(f"cp310-abi3-{name}" for name in platform.tag.split(".")), tags
    assert library.startswith(platform.begins), platform
    assert machine_of(library) == platform.triple.partition("-")[0], platform
    assert f"PyInit_{module}\0".encode() in library, platform


def machine_of(library: bytes) -> str:
    """The processor that a library is for, from its header."""
    header = io.BytesIO(library)
    if library.startswith(PE):
        (start,) = struct.unpack("<I", library[0x3C:0x40])
        header.seek(start + 4)
        return {0x8664: "x86_64", 0xAA64: "aarch64"}[struct.unpack("<H", header.read(2))[0]]
    if library.startswith(ELF):
        return {62: "x86_64", 183: "aarch64"}[struct.unpack("<H", library[18:20])[0]]
    return {0x01000007: "x86_64", 0x0100000C: "aarch64"}[struct.unpack("<I", library[4:8])[0]]


def run(module: str, *arguments: str) -> None:
    """Runs a Python module; what it prints is shown only if it fails."""
    finished = subprocess.run([sys.executable, "-m", module, *arguments], check=False, capture_output=True, text=True)
    if finished.returncode:
        sys.exit(f"{module} {' '.join(arguments)}\n{finished.stdout}{finished.stderr}")


if __name__ == "__main__":
    main(*sys.argv[1:])
