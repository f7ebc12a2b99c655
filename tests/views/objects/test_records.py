"""Records of ELF files: places and widths of their fields."""

import pytest

from gcn_lsp.views.objects import records
from gcn_lsp.views.objects.records import FILE, SECTION, SEGMENT, SYMBOL, Record


@pytest.mark.parametrize(
    ("record", "size", "places"),
    [
        (FILE, 64, {"machine": 18, "segments": 32, "sections": 40, "flags": 48, "section_size": 58, "names": 62}),
        (SEGMENT, 56, {"offset": 8, "address": 16, "physical": 24, "size": 32, "memory": 40}),
        (SECTION, 64, {"kind": 4, "flags": 8, "address": 16, "offset": 24, "size": 32, "entry_size": 56}),
        (SYMBOL, 24, {"info": 4, "section": 6, "value": 8, "size": 16}),
        (records.DYNAMIC, 16, {"value": 8}),
    ],
)
def test_places_are_those_of_the_standard(record: Record, size: int, places: dict[str, int]) -> None:
    assert record.size == record.whole.size == size
    assert {name: record.fields[name][0] for name in places} == places


def test_a_field_is_read_and_changed_alone() -> None:
    data = bytearray(range(64))
    before = bytes(data)
    assert list(SYMBOL.get(data, 8, "info", "value")) == [12, int.from_bytes(before[16:24], "little")]
    SYMBOL.put(data, 8, section=0x1234)
    assert SYMBOL.one(data, 8, "section") == 0x1234
    assert bytes(data) == before[:14] + b"\x34\x12" + before[16:]
