"""Values of modifiers that do not fit."""

from tests.support.check import check_diagnostics, check_silent


def test_the_offset_of_ds() -> None:
    check_diagnostics(
        """
        ds_read_b32 v0, v1 offset:70000
        //                 ^^^^^^^^^^^^ error[modifier-out-of-range]: 70000
        """
    )


def test_offsets_of_global_addresses_are_signed_on_gfx9() -> None:
    check_diagnostics(
        """
        global_load_dword v0, v[2:3], off offset:4096
        //                                ^^^^^^^^^^^ error[modifier-out-of-range]: 4096
        """
    )


def test_the_largest_values() -> None:
    check_silent(
        """
        ds_read_b32 v9, v1 offset:65535
        buffer_load_dword v0, off, s[0:3], 0 offset:4095
        global_load_dword v0, v[2:3], off offset:4095
        global_load_dword v0, v[2:3], off offset:-4096
        """
    )
