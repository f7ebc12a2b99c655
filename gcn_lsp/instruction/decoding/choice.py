"""Which of several rows with the same constant bits is meant: by the size of registers, by what they write out."""

from collections.abc import Callable, Sequence

from gcn_lsp import isa
from gcn_lsp.instruction.decoding.reader import FormReader, Values
from gcn_lsp.isa.modifiers import dimensions
from gcn_lsp.isa.target import Row

_FORMAT_REGISTERS = {0: 8, 1: 8, 2: 6, 3: 6, 4: 4}
"""Registers of a matrix operand of 64 lanes by the number of its format; twice as many where waves have 32 lanes."""
_COORDINATES = {dimension.code: dimension for dimension in dimensions.DIMENSIONS}


def _preference(row: Row, vcc: str, target: isa.Target) -> tuple[bool, bool, bool, bool, int]:
    """The row that writes out what an encoding implies comes first; then the assembler's order.

    A name that the assembler takes for another one comes after that one: `v_min3_f16` on gfx1170.
    """
    name = row.cells[0]
    return row.written_vcc != vcc, bool(row.written_vcc), row.is_alias, target.native(name) != name, row.order


class ReaderChoice:
    """The readers of rows with the same constant bits.

    first: the one whose fields say which is meant. smallest: the one with the smallest registers.
    """

    def __init__(self, target: isa.Target, rows: Sequence[Row], reader: Callable[[Row], FormReader]) -> None:
        self._target = target
        self._reader = reader
        vcc = "vcc_lo" if target.wavefront_size == 32 else "vcc"
        self._rows = sorted(rows, key=lambda row: _preference(row, vcc, target)) if len(rows) > 1 else list(rows)
        self.first = reader(self._rows[0])
        form = self.first.form
        self._by_size: dict[tuple[int, int], Row | FormReader] = {}
        self._kind = ""
        if form.image is not None and len(rows) > 1:
            self._kind = "image"
            for row in self._rows:
                image = target.form_of(row).image
                if image is not None:
                    self._by_size.setdefault((image.vdata_dwords, image.vaddr_dwords), row)
        elif len(rows) > 1 and "F8F6F4" in form.name:
            self._kind = "matrix"
            for row in self._rows:
                self._by_size.setdefault(_source_sizes(target.form_of(row)), row)
        self.smallest = self._of_size(min(self._by_size)) if self._kind == "image" else self.first

    def of(self, values: Values) -> FormReader:
        """The reader for an instruction with these fields."""
        if not self._kind:
            return self.first
        key = self._image_sizes(values) if self._kind == "image" else self._matrix_sizes(values)
        return self._of_size(key) if key in self._by_size else self.smallest

    def _of_size(self, key: tuple[int, int]) -> FormReader:
        found = self._by_size[key]
        if isinstance(found, Row):
            found = self._by_size[key] = self._reader(found)
        return found

    def _image_sizes(self, values: Values) -> tuple[int, int]:
        form, target = self.first.form, self._target
        image = form.image
        assert image is not None, "only images are chosen by it"
        data = 4 if "Gather4" in image.flags else max(values.get("dmask", 0).bit_count(), 1)
        if values.get("d16") and not target.has_unpacked_d16:
            data = (data + 1) // 2
        data += values.get("tfe", 0)
        return data, self._address_size(values, image)

    def _address_size(self, values: Values, image: isa.Image) -> int:
        if "dim" not in values:
            return min(address for _, address in self._by_size)  # the encoding does not say
        dimension = _COORDINATES[values["dim"]]
        components = (dimension.coordinates if "Coordinates" in image.flags else 0) + ("LodOrClampOrMip" in image.flags)
        is_short = bool(values.get("a16"))
        size = image.extra_arguments + (-(-components // 2) if is_short else components)
        if "Gradients" in image.flags:
            if (is_short and not self._target.has_g16) or "G16" in image.flags:
                half = dimension.gradients // 2
                size += half + half % 2
            else:
                size += dimension.gradients
        known = {address for _, address in self._by_size}
        return size if size in known else min((each for each in known if each >= size), default=max(known))

    def _matrix_sizes(self, values: Values) -> tuple[int, int]:
        names = ("matrix_a_fmt", "matrix_b_fmt") if "matrix_a_fmt" in values else ("cbsz", "blgp")
        scale = max(a for a, _ in self._by_size) // 8
        sizes = [_FORMAT_REGISTERS.get(values[name], 8) * scale for name in names]
        return sizes[0], sizes[1]


def _source_sizes(form: isa.Form) -> tuple[int, int]:
    kinds = {operand.name: operand.kind for operand in form.operands}
    sizes = [kind.registers.bits // 32 for name in ("src0", "src1") if (kind := kinds[name]).registers is not None]
    return sizes[0], sizes[1]
