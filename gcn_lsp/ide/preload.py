"""Loads what the first file and the first requests need ahead of time, so that they are as fast as the others."""

import importlib

from gcn_lsp import isa
from gcn_lsp.flow.steps import Steps
from gcn_lsp.isa import documentation, versions
from gcn_lsp.isa.tables import other_names, reader
from gcn_lsp.program.kernels import metadata

# One of each family: the first look-up reads the family's file.
_EXAMPLES = (
    *("ds_read_b32", "buffer_load_dword", "tbuffer_load_format_x", "global_load_dword", "image_load", "exp"),
    *("s_add_u32", "s_mov_b32", "s_nop", "s_cmp_eq_u32", "s_movk_i32", "s_load_dword"),
    *("v_cmp_eq_u32", "v_mfma_f32_4x4x1f32", "v_interp_p1_f32", "v_pk_add_f16", "v_perm_b32"),
    *("v_wmma_f32_16x16x16_f16", "v_dual_mov_b32", "v_s_exp_f32", "v_cvt_scalef32_f32_fp8"),
    *("cluster_load_b32", "ds_direct_load"),
)

_OBJECT_MODULES = (
    *("gcn_lsp.instruction.assembler", "gcn_lsp.instruction.decoding.decoder"),
    *("gcn_lsp.instruction.decoding.returning", "gcn_lsp.views.objects.view"),
)


def preload_tables() -> None:
    """Load what every file needs, whatever its target; some 20 ms, for the time before a file is opened."""
    reader.of(versions.USUAL).load()
    metadata.read((b"amdhsa.version: [1, 2]",))  # loads the YAML library


def preload_objects() -> Steps[None]:
    """Load in steps what makes texts of code objects; some 40 ms, for a quiet moment before one is opened."""
    for module in _OBJECT_MODULES:
        importlib.import_module(module)
        yield


def preload(target: isa.Target | None) -> Steps[None]:
    """Load in steps the documentation and the list of mnemonics; some 100 ms, for a quiet moment after start-up."""
    for mnemonic in _EXAMPLES:
        documentation.entry(mnemonic, target)
        yield
    documentation.modifier("offset")
    documentation.directive(".set")
    documentation.descriptor_field(".amdhsa_kernarg_size")
    documentation.metadata_key(".name")
    documentation.symbol(".amdgcn.next_free_vgpr")
    documentation.special_register("vcc")
    documentation.hwreg("MODE")
    documentation.message("INTERRUPT")
    yield
    isa.targets_with("s_endpgm")
    if target is not None:
        from gcn_lsp.ide import completion  # late: the first file is checked before
        from gcn_lsp.instruction.decoding.decoder import decoder_for

        yield
        completion.prepare(target)
        yield
        other_names.elsewhere("v_add_u32", target)  # hovers give the names on other targets
        yield
        decoder_for(target)  # hovers say how the bytes of a line read
