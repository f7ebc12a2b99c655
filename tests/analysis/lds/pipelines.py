"""Kernels that fill buffers in LDS and read what other waves have filled, right as they are, for many targets.

Each has its waits and barriers where the protocol of LDS needs them and nowhere else, so that each one that `broken`
takes away or weakens, and each exchange of two buffers, is a mistake.
"""

from collections.abc import Iterator
from typing import NamedTuple

SIZE = 256  # work-items
STAGE = 0x4000  # bytes of a buffer


class Way(NamedTuple):
    """How a target fills LDS: `fill` with {base} and {number}, the wait for copies, and that for reads."""

    name: str
    target: str
    setup: str
    base: str
    fill: str
    copied: str
    read: str
    done: str
    barrier: str
    width: int


_LANES = (
    "v_and_b32 v9, 0x3ff, v0\nv_lshrrev_b32 v8, {shift}, v9\nv_readfirstlane_b32 s20, v8\ns_lshl_b32 s20, s20, {part}\n"
)
_ADDRESS = "v_xor_b32 v1, {wave}, v9\nv_lshlrev_b32 v1, {scale}, v1\n"
_GFX9 = Way(
    "dword", "gfx942", _LANES.format(shift=6, part=8) + _ADDRESS.format(wave=64, scale=2),
    "s_add_u32 m0, s20, {base}\ns_nop 0\n", "buffer_load_dword v2, s[8:11], 0 offen offset:{offset} lds\n",
    "s_waitcnt vmcnt({count})\n", "ds_read_b32 v{to}, v1 offset:{base}\n", "s_waitcnt lgkmcnt(0)\n", "s_barrier\n", 4,
)  # fmt: skip
WAYS = (
    _GFX9,
    _GFX9._replace(name="dword-gfx90a", target="gfx90a"),
    _GFX9._replace(name="dword-gfx908", target="gfx908"),
    _GFX9._replace(
        name="global", fill="global_load_lds_dword v2, s[8:9] offset:{offset}\n",
    ),
    _GFX9._replace(
        name="dwordx4", target="gfx950", setup=_LANES.format(shift=6, part=10) + _ADDRESS.format(wave=64, scale=4),
        fill="buffer_load_dwordx4 v2, s[8:11], 0 offen offset:{offset} lds\n",
        read="ds_read_b128 v[{to}:{last}], v1 offset:{base}\n", width=16,
    ),
    _GFX9._replace(
        name="gfx1030", target="gfx1030", setup=_LANES.format(shift=5, part=7) + _ADDRESS.format(wave=32, scale=2),
    ),
    Way(
        "async", "gfx1250", "v_and_b32 v9, 0x3ff, v0\nv_lshlrev_b32 v3, 4, v9\nv_xor_b32 v1, 0x200, v3\n",
        "v_add_nc_u32 v4, {base}, v3\n", "global_load_async_to_lds_b128 v4, v2, s[8:9] offset:{offset}\n",
        "s_wait_asynccnt {count}\n", "ds_load_b128 v[{to}:{last}], v1 offset:{base}\n", "s_wait_dscnt 0x0\n",
        "s_barrier_signal -1\ns_barrier_wait -1\n", 16,
    ),
    Way(
        "cluster", "gfx1250",
        "v_and_b32 v9, 0x3ff, v0\nv_lshlrev_b32 v3, 2, v9\nv_xor_b32 v1, 0x80, v3\n"
        "s_mov_b32 m0, 0\n",
        "v_add_nc_u32 v4, {base}, v3\n", "cluster_load_async_to_lds_b32 v4, v2, s[8:9] offset:{offset}\n",
        "s_wait_asynccnt {count}\n", "ds_load_b32 v{to}, v1 offset:{base}\n", "s_wait_dscnt 0x0\n",
        "s_barrier_signal -1\ns_barrier_wait -1\n", 4,
    ),
    Way(
        "tensor", "gfx1250",
        "s_bfe_u32 s20, ttmp8, 0x50019\ns_lshl_b32 s20, s20, 9\nv_and_b32 v9, 0x3ff, v0\nv_and_b32 v1, 31, v9\n"
        "v_lshlrev_b32 v1, 2, v1\nv_lshrrev_b32 v3, 5, v9\nv_xor_b32 v3, 1, v3\nv_lshl_or_b32 v1, v3, 9, v1\n",
        "s_add_co_u32 s25, s20, {base}\n", "tensor_load_to_lds s[24:27], s[28:35]\n",
        "s_wait_tensorcnt {count}\n", "ds_load_b32 v{to}, v1 offset:{base}\n", "s_wait_dscnt 0x0\n",
        "s_barrier_signal -1\ns_barrier_wait -1\n", 4,
    ),
)  # fmt: skip


class Kernel(NamedTuple):
    """A kernel: its target, its lines, and for each line what it is: `fill`, `copied`, `barrier`, `read`, `done`."""

    name: str
    target: str
    lines: tuple[str, ...]
    roles: tuple[str, ...]

    @property
    def text(self) -> str:
        """The source."""
        return "\n".join(self.lines) + "\n"


_HEAD = "kernel:\n"
_TAIL = """s_endpgm
.rodata
.amdhsa_kernel kernel
.amdhsa_next_free_vgpr 128
.amdhsa_next_free_sgpr 64
{accum}.amdhsa_group_segment_fixed_size 65536
.amdhsa_user_sgpr_kernarg_segment_ptr 1
.amdhsa_system_vgpr_workitem_id 0
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.kernels:
  - .name: kernel
    .symbol: kernel.kd
    .args: []
    .kernarg_segment_size: 0
    .kernarg_segment_align: 4
    .group_segment_fixed_size: 65536
    .private_segment_fixed_size: 0
    .wavefront_size: {wave}
    .sgpr_count: 64
    .vgpr_count: 128
    .max_flat_workgroup_size: 256
amdhsa.version: [1, 2]
...
.end_amdgpu_metadata"""


class _Builder:
    def __init__(self, way: Way) -> None:
        self._way = way
        self.parts: list[tuple[str, str]] = [(way.setup, "")]
        self._to = 16

    def fill(self, buffer: int, copies: int) -> None:
        """Fill a buffer by some copies."""
        for number in range(copies):
            self.parts.append((self._way.base.format(base=hex(buffer * STAGE + number * 0x1000)), "base"))
            self.parts.append((self._way.fill.format(offset=0), "fill"))

    def copied(self, count: int) -> None:
        """Wait for copies."""
        self.parts.append((self._way.copied.format(count=count), "copied"))

    def barrier(self) -> None:
        """Meet the other waves."""
        self.parts.append((self._way.barrier, "barrier"))

    def read(self, buffer: int, copies: int) -> None:
        """Read what the copies have brought."""
        for number in range(copies):
            base = buffer * STAGE + number * 0x1000
            self.parts.append((self._way.read.format(to=self._to, last=self._to + 3, base=base), "read"))
            self._to = 16 + (self._to - 12) % 64

    def done(self, *, is_needed: bool = True) -> None:
        """Wait for the reads. is_needed: whether what they read is filled again."""
        self.parts.append((self._way.done, "done" if is_needed else ""))

    def plain(self, text: str) -> None:
        """Add other code."""
        self.parts.append((text, ""))

    def kernel(self, name: str) -> Kernel:
        """The kernel that was built."""
        wave = 64 if self._way.target.startswith("gfx9") else 32
        accum = ".amdhsa_accum_offset 128\n" if self._way.target in ("gfx90a", "gfx942", "gfx950") else ""
        parts = [(_HEAD, ""), *self.parts, (_TAIL.format(wave=wave, accum=accum), "")]
        lines, roles = [], []
        for text, role in parts:
            for number, line in enumerate(text.rstrip("\n").split("\n")):
                lines.append(line)
                roles.append(role if number == 0 else f"{role}+" if role else "")
        return Kernel(name, self._way.target, tuple(lines), tuple(roles))


def kernels() -> Iterator[Kernel]:
    """All kernels: each way with one to three buffers, filled by one to three copies, in straight code and in loops."""
    for way in WAYS:
        for copies in (1, 2, 3):
            yield _single(way, copies)
            for buffers in (2, 3):
                yield _straight(way, buffers, copies)
                yield _loop(way, buffers, copies)
        yield _toggled(way)


def _single(way: Way, copies: int) -> Kernel:
    built = _Builder(way)
    built.plain("s_movk_i32 s40, 8\nround:\n")
    built.fill(0, copies)
    built.copied(0)
    built.barrier()
    built.read(0, copies)
    built.done()
    built.barrier()
    built.plain("s_sub_u32 s40, s40, 1\ns_cmp_lg_u32 s40, 0\ns_cbranch_scc1 round\n")
    return built.kernel(f"{way.name}-single-{copies}")


def _straight(way: Way, buffers: int, copies: int) -> Kernel:
    built = _Builder(way)
    for buffer in range(buffers - 1):
        built.fill(buffer, copies)
    rounds = 2 * buffers
    for number in range(rounds):
        ahead = min(buffers - 2, rounds - 1 - number)
        built.copied(ahead * copies)
        built.barrier()
        if number + buffers - 1 < rounds:
            built.fill((number + buffers - 1) % buffers, copies)
        built.read(number % buffers, copies)
        built.done(is_needed=number + buffers < rounds)
    return built.kernel(f"{way.name}-straight-{buffers}-{copies}")


def _loop(way: Way, buffers: int, copies: int) -> Kernel:
    built = _Builder(way)
    for buffer in range(buffers - 1):
        built.fill(buffer, copies)
    built.plain(
        "s_load_dword s40, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\n"
        if way.target.startswith("gfx9")
        else "s_movk_i32 s40, 9\n"
    )
    built.plain("round:\n")
    for number in range(buffers):
        built.copied((buffers - 2) * copies)
        built.barrier()
        built.fill((number + buffers - 1) % buffers, copies)
        built.read(number, copies)
        built.done()
    built.plain("s_sub_u32 s40, s40, 1\ns_cmp_lg_u32 s40, 0\ns_cbranch_scc1 round\n")
    return built.kernel(f"{way.name}-loop-{buffers}-{copies}")


def _toggled(way: Way) -> Kernel:
    """Two buffers that a loop exchanges by an XOR of both addresses."""
    built = _Builder(way)
    scalar = "s20" if "s20" in way.setup else ""
    fill_register = scalar or "v3"
    swap = f"s_xor_b32 s20, s20, {hex(STAGE)}\n" if scalar else f"v_xor_b32 v3, {hex(STAGE)}, v3\n"
    assert fill_register in way.base
    built.fill(0, 1)
    built.plain(swap)
    built.plain("s_movk_i32 s40, 9\nround:\n")
    built.copied(0)
    built.barrier()
    built.fill(0, 1)
    built.parts.append((swap, "swap"))
    built.read(0, 1)
    built.done()
    built.plain(f"v_xor_b32 v1, {hex(STAGE)}, v1\ns_sub_u32 s40, s40, 1\ns_cmp_lg_u32 s40, 0\ns_cbranch_scc1 round\n")
    return built.kernel(f"{way.name}-toggled")


class Broken(NamedTuple):
    """A kernel with one mistake: what was done, and the text."""

    kind: str
    name: str
    target: str
    text: str


def broken(kernel: Kernel) -> Iterator[Broken]:
    """The kernel with each mistake in turn: no wait, no barrier, a count that is one too high, another buffer."""
    for number, role in enumerate(kernel.roles):
        if role == "copied":
            yield _changed(kernel, "no wait for copies", {number: ""})
            yield _changed(kernel, "count one too high", {number: _one_more(kernel.lines[number])})
        elif role == "done":
            yield _changed(kernel, "no wait for reads", {number: ""})
        elif role == "barrier":
            size = 2 if kernel.roles[number + 1] == "barrier+" else 1
            yield _changed(kernel, "no barrier", dict.fromkeys(range(number, number + size), ""))
        elif role == "swap":
            yield _changed(kernel, "buffers not exchanged", {number: ""})
        elif role == "base" and "straight" in kernel.name and f"{STAGE:#x}" in kernel.lines[number]:
            line = kernel.lines[number].replace(f"{STAGE:#x}", "0x0")
            yield _changed(kernel, "other buffer", {number: line})


def _one_more(line: str) -> str:
    head, _, last = line.replace("(", " ").replace(")", "").rpartition(" ")
    return f"{head}({int(last) + 1})" if "(" in line else f"{head} {int(last) + 1}"


def _changed(kernel: Kernel, kind: str, lines: dict[int, str]) -> Broken:
    changed = [lines.get(number, line) for number, line in enumerate(kernel.lines)]
    return Broken(kind, kernel.name, kernel.target, "\n".join(changed) + "\n")
