"""The records of an ELF file of 64 bits, which have fixed sizes: where each field is, and how many bits it has."""

import struct
from collections.abc import Iterator


class Record:
    """A kind of record. Its fields follow each other without gaps from byte `first`, in the format of `struct`."""

    def __init__(self, first: int = 0, /, **forms: str) -> None:
        self.fields: dict[str, tuple[int, str]] = {}
        end = first
        for name, form in forms.items():
            self.fields[name] = end, f"<{form}"
            end += struct.calcsize(f"<{form}")
        self.size = end
        self.whole = struct.Struct(f"<{first}x{''.join(forms.values())}")

    def get(self, data: bytes | bytearray, at: int, *names: str) -> Iterator[int]:
        """The values of fields of the record at byte `at`."""
        for name in names:
            place, form = self.fields[name]
            yield int(struct.unpack_from(form, data, at + place)[0])

    def one(self, data: bytes | bytearray, at: int, name: str) -> int:
        """The value of one field."""
        return next(self.get(data, at, name))

    def put(self, data: bytearray, at: int, **values: int) -> None:
        """Changes fields of the record at byte `at`."""
        for name, value in values.items():
            place, form = self.fields[name]
            struct.pack_into(form, data, at + place, value)


FILE = Record(
    16,
    kind="H",
    machine="H",
    version="I",
    entry="Q",
    segments="Q",
    sections="Q",
    flags="I",
    own_size="H",
    segment_size="H",
    segment_count="H",
    section_size="H",
    section_count="H",
    names="H",
)
"""segments, sections: the offsets of their tables. names: the section with the names of sections."""

SEGMENT = Record(kind="I", flags="I", offset="Q", address="Q", physical="Q", size="Q", memory="Q", align="Q")
"""size: of its bytes in the file. memory: of those when loaded."""

SECTION = Record(
    name="I", kind="I", flags="Q", address="Q", offset="Q", size="Q", link="I", info="I", align="Q", entry_size="Q"
)
SYMBOL = Record(name="I", info="B", other="B", section="H", value="Q", size="Q")
DYNAMIC = Record(tag="Q", value="Q")
