"""What the header of a code object says of its target: the number of the processor, XNACK and SRAMECC.

Source: `EF_AMDGPU_*` in LLVM's BinaryFormat/ELF.h, and "ELF Code Object" in AMDGPUUsage.
"""

import struct
from collections.abc import Iterator, Mapping

from gcn_lsp.records import NamedTuple

MACHINE = 224
"""e_machine of AMD GPU code objects."""
METADATA_NOTE, METADATA_VENDOR = 32, b"AMDGPU\0"
"""Type and owner of the note that holds the metadata, from code object version 3 on."""

OLD_VENDOR, ISA_NOTE = b"AMD", 3
"""Owner and type of the note that names the processor, in code object version 2."""

_NAMES = (
    (0x20, "gfx600 gfx601 gfx700 gfx701 gfx702 gfx703 gfx704"),
    (0x28, "gfx801 gfx802 gfx803 gfx810 gfx900 gfx902 gfx904 gfx906 gfx908 gfx909 gfx90c gfx1010 gfx1011 gfx1012"),
    (0x36, "gfx1030 gfx1031 gfx1032 gfx1033 gfx602 gfx705 gfx805 gfx1035 gfx1034 gfx90a"),
    (0x40, "gfx940 gfx1100 gfx1013 gfx1150 gfx1103 gfx1036 gfx1101 gfx1102 gfx1200 gfx1250 gfx1151 gfx941 gfx942"),
    (0x4E, "gfx1201 gfx950 gfx1310 gfx9-generic gfx10-1-generic gfx10-3-generic gfx11-generic gfx1152"),
    (0x57, "gfx1154 gfx1153 gfx12-generic gfx1251 gfx12-5-generic gfx1172 gfx1170 gfx1171 gfx9-4-generic"),
    (0x62, "gfx11-7-generic gfx13-generic"),
)
NAMES: Mapping[int, str] = {first + index: name for first, names in _NAMES for index, name in enumerate(names.split())}
"""Processors by the lowest byte of e_flags."""

VERSIONS: Mapping[int, int] = {0: 2, 1: 3, 2: 4, 3: 5, 4: 6}
"""Code object versions by EI_ABIVERSION."""


class _Setting(NamedTuple):
    """A feature's two bits of e_flags from version 4 on, and its one bit in version 3."""

    name: str
    mask: int
    off: int
    on: int
    version_3: int


_SETTINGS = (
    _Setting("sramecc", 0xC00, 0x800, 0xC00, 0x200),
    _Setting("xnack", 0x300, 0x200, 0x300, 0x100),
)


def features(flags: int, version: int) -> str:
    """The settings in e_flags as they are written in a target id: `:sramecc+:xnack-`; nothing for those left open."""
    found = ""
    for setting in _SETTINGS:
        if version >= 4:
            value = flags & setting.mask
            found += f":{setting.name}+" if value == setting.on else f":{setting.name}-" if value == setting.off else ""
        elif version == 3 and flags & setting.version_3:
            found += f":{setting.name}+"
    return found


def noted(content: bytes) -> Iterator[str]:
    """The processor in the note of version 2: sizes of two names, then major, minor and stepping, 4 bytes each."""
    if len(content) >= _NOTED.size:
        major, minor, stepping = _NOTED.unpack_from(content)
        name = f"gfx{major}{minor}{stepping:x}"
        if name in NAMES.values():
            yield name


_NOTED = struct.Struct("<4xIII")
