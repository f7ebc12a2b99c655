"""Flags and barriers that announce data which may not be there yet."""

import pytest

from tests.rules import protocols
from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "incomplete-release"
DATA = "global_store_dword v0, v1, s[0:1]\n"
FLAG = "global_store_dword v0, v2, s[2:3] sc1\ns_endpgm\n"
DATA_12 = "global_store_b32 v0, v1, s[0:1]\n"
FLAG_12 = "global_store_b32 v0, v2, s[2:3] scope:SCOPE_DEV\ns_endpgm\n"
VOLATILE = "global_store_dword v0, v2, s[2:3] sc0 sc1\ns_waitcnt vmcnt(0)\n"
VOLATILE_12 = "global_store_b32 v0, v2, s[2:3] scope:SCOPE_SYS\ns_wait_storecnt 0x0\n"


def test_a_write_back_without_a_wait() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx942
        global_store_dword v0, v1, s[0:1]
        buffer_wbl2 sc1
        global_store_dword v0, v2, s[2:3] sc1
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[incomplete-release]: others may see this before `buffer_wbl2`
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx942", f"{DATA}buffer_wbl2 sc1\n{FLAG}"),
        ("gfx950", f"{DATA}buffer_wbl2 sc1\ns_waitcnt vmcnt(1)\n{FLAG}"),
        ("gfx90a", f"{DATA}buffer_wbl2\nglobal_atomic_add v0, v2, s[2:3]\ns_endpgm\n"),
        ("gfx1250", f"{DATA_12}global_wb scope:SCOPE_DEV\n{FLAG_12}"),
        ("gfx1200", f"{DATA_12}global_wb scope:SCOPE_SYS\ns_wait_loadcnt 0x0\n{FLAG_12}"),
        # The wait is there, and for nothing but the data; the write-back is not.
        ("gfx942", f"{DATA}s_waitcnt vmcnt(0)\n{FLAG}"),
        ("gfx942", f"{DATA}s_waitcnt vmcnt(0)\nv_mov_b32 v2, 1\n{FLAG}"),
        ("gfx1250", f"{DATA_12}s_wait_storecnt 0x0\n{FLAG_12}"),
        ("gfx1200", f"{DATA_12}s_wait_storecnt 0x0\n{FLAG_12.replace('DEV', 'SYS')}"),
        # A barrier that publishes memory, after which the other waves invalidate their caches.
        ("gfx1100", "global_store_b32 v0, v1, s[0:1]\ns_barrier\nbuffer_gl0_inv\ns_endpgm\n"),
        ("gfx1200", f"{DATA_12}s_barrier_signal -1\ns_barrier_wait -1\nglobal_inv scope:SCOPE_SE\ns_endpgm\n"),
    ],
)  # fmt: skip
def test_found(target: str, text: str) -> None:
    assert [each.rule for each in findings(f"//- k.s target:{target}\nk:\n{text}") if each.rule == RULE] == [RULE]


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx942", f"{DATA}buffer_wbl2 sc1\ns_waitcnt vmcnt(0)\n{FLAG}"),
        ("gfx942", f"{DATA}{FLAG}"),  # relaxed
        ("gfx942", f"buffer_wbl2 sc1\n{FLAG}"),  # nothing to write back
        ("gfx942", f"{DATA}buffer_wbl2 sc1\ns_endpgm\n"),
        ("gfx942", f"{DATA}s_waitcnt vmcnt(0)\n{FLAG.replace(' sc1', '')}"),  # for the work-group
        ("gfx942", f"{DATA}global_load_dword v2, v0, s[4:5]\ns_waitcnt vmcnt(0)\n{FLAG}"),  # the wait is for v2
        ("gfx942", f"{DATA}s_waitcnt vmcnt(0)\ns_barrier\n{FLAG}"),
        ("gfx90a", f"{DATA}s_waitcnt vmcnt(0)\nglobal_store_dword v0, v2, s[2:3] glc\ns_endpgm\n"),  # needs none
        ("gfx1200", f"{DATA_12}s_wait_storecnt 0x0\n{FLAG_12}"),  # needs none
        # Volatile stores, with a wait after each, and on gfx12.0 before each.
        ("gfx950", f"{DATA}{VOLATILE}{VOLATILE}s_endpgm\n"),
        ("gfx1200", f"{DATA_12}s_wait_storecnt 0x0\n{VOLATILE_12}s_endpgm\n"),
        ("gfx1250", f"{DATA_12}global_wb scope:SCOPE_DEV\ns_wait_storecnt 0x0\n{FLAG_12}"),
        ("gfx1250", f"global_wb\nv_nop\n{FLAG_12}"),  # the entry of a kernel, as LLVM 23 has it
        ("gfx1100", "global_store_b32 v0, v1, s[0:1]\ns_barrier\ns_endpgm\n"),
        ("gfx1100", "global_store_b32 v0, v1, s[0:1]\ns_waitcnt_vscnt null, 0\ns_barrier\nbuffer_gl0_inv\ns_endpgm\n"),
    ],
)  # fmt: skip
def test_silent(target: str, text: str) -> None:
    check_no_finding(f"//- k.s target:{target}\nk:\n{text}", RULE)


@pytest.mark.parametrize(("policy", "needed"), [("sc1", "sc1"), ("sc0 sc1", "sc0 sc1")])
def test_the_fix_writes_back_at_the_scope_of_the_flag(policy: str, needed: str) -> None:
    text = "k:\n  global_store_dword v0, v1, s[0:1]\n  {}s_waitcnt vmcnt(0)\n  global_store_dword v0, v2, s[2:3] {}\n"
    check_fix(
        f"//- k.s target:gfx942\n{text.format('', policy)}$0  s_endpgm\n".replace(f" {policy}\n$0", f" {policy}$0\n"),
        f"{text.format(f'buffer_wbl2 {needed}' + chr(10) + '  ', policy)}  s_endpgm\n",
    )


def test_in_a_macro_once() -> None:
    macro = f".macro publish\nbuffer_wbl2 sc1\n{FLAG.splitlines()[0]}\n.endm\n"
    text = f"//- k.s target:gfx942\n{macro}k:\n{DATA}publish\n{DATA}publish\ns_endpgm\n"
    assert [each.where.line for each in findings(text) if each.rule == RULE] == [2]


@pytest.mark.parametrize(
    ("kernel", "old", "new", "needed"),
    [
        (
            protocols.FLAG_GFX942,
            "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)\n",
            "",
            "`buffer_wbl2 sc1` and `s_waitcnt vmcnt(0)`",
        ),
        (protocols.FLAG_GFX1201, "s_wait_storecnt 0x0\n", "", "`s_wait_storecnt 0x0` is missing"),
        (protocols.FLAG_GFX1201, "s_wait_storecnt 0x0\n", "s_wait_loadcnt 0x0\n", "`s_wait_storecnt 0x0` is missing"),
        (
            protocols.LAST_GFX942,
            "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)\n",
            "",
            "`buffer_wbl2 sc1` and `s_waitcnt vmcnt(0)`",
        ),
        (protocols.LAST_GFX942, "buffer_wbl2 sc1\n", "", "`buffer_wbl2 sc1`"),
        (protocols.LAST_GFX1201, "s_wait_storecnt 0x0\n", "", "`s_wait_storecnt 0x0` is missing"),
    ],
)
def test_data_that_the_program_loads_after_the_flag(kernel: str, old: str, new: str, needed: str) -> None:
    (finding,) = [each for each in findings(protocols.fixture(kernel, old, new)) if each.rule == RULE]
    assert needed in str(finding.message)
    (edit,) = finding.fixes[0].edits
    text = protocols.fixture(kernel, old, new).split("\n")
    text[edit.where.line + 1] = edit.new_text + text[edit.where.line + 1]
    check_no_finding("\n".join(text), "incomplete-release")


@pytest.mark.parametrize("kernel", protocols.TARGETS)
def test_whole_protocols(kernel: str) -> None:
    for rule in ("incomplete-release", "incomplete-acquire", "narrow-scope"):
        check_no_finding(protocols.fixture(kernel), rule)


RELEASE = "buffer_wbl2 sc1\ns_waitcnt vmcnt(0)\n"


@pytest.mark.parametrize(
    ("kernel", "old", "new", "also"),
    [
        # The data are not what the wave loads after the loop.
        (protocols.FLAG_GFX942, RELEASE, "", ("global_load_dword v5, v2, s[4:5]", "global_load_dword v5, v2, s[6:7]")),
        # Another value than the one that the loop waits for.
        (protocols.FLAG_GFX942, RELEASE, "", ("v4, s[6:7] sc1", "v4, s[6:7] offset:8 sc1")),
        # All that is stored is the flag.
        (
            protocols.FLAG_GFX942,
            RELEASE,
            "",
            ("global_store_dword v2, v0, s[4:5]", "global_store_dword v1, v3, s[6:7] sc1"),
        ),
        # For waves of the same work-group, or a relaxed load.
        (
            protocols.FLAG_GFX942,
            RELEASE,
            "",
            ("global_load_dword v4, v1, s[6:7] sc1", "global_load_dword v4, v1, s[6:7] sc0"),
        ),
        (protocols.FLAG_GFX942, RELEASE, "", ("buffer_inv sc1\n", "")),
        # A relaxed atomic, and one whose result decides nothing.
        (protocols.LAST_GFX942, RELEASE, "", ("buffer_inv sc1\n", "")),
        (protocols.LAST_GFX942, RELEASE, "", ("s_cbranch_scc1 out\n", "")),
        # The wave loads what it has stored itself.
        (protocols.LAST_GFX942, RELEASE, "", ("v5, v6, s[4:5] offset:64", "v5, v2, s[4:5]")),
        # Other waves of the group may have stored before the barrier.
        (protocols.LAST_GFX942, RELEASE, "s_waitcnt vmcnt(0)\ns_barrier\n", ("", "")),
        # A lock.
        (protocols.LAST_GFX942, RELEASE, "", ("global_atomic_add ", "global_atomic_swap ")),
    ],
)
def test_no_protocol(kernel: str, old: str, new: str, also: tuple[str, str]) -> None:
    check_no_finding(protocols.fixture(kernel, old, new).replace(*also, 1), "incomplete-release")
