"""Facts of a target that code asks for by name: `target.has_wave32`.

A fact is a condition (`gcn_lsp.isa.conditions`) with a name for what it means on the hardware or to LLVM. Code outside
`isa` asks for facts or reads rows of tables; it names neither features nor generations.
"""

from typing import overload

from gcn_lsp.isa.conditions import holds


class Fact:
    """A condition on the target: as an attribute of a target whether it holds, evaluated once."""

    def __init__(self, condition: str) -> None:
        self.condition = condition

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, target: None, owner: type) -> "Fact": ...
    @overload
    def __get__(self, target: "Facts", owner: type) -> bool: ...
    def __get__(self, target: "Facts | None", owner: type) -> "Fact | bool":
        if target is None:
            return self
        found = target.__dict__[self._name] = holds(self.condition, target.features)
        return found


class Facts:
    """The facts of a target; `Target` has them all as attributes."""

    features: frozenset[str]

    # Waves
    has_wave32 = Fact("gfx10+")
    has_only_wave32 = Fact("gfx125")
    assumes_one_wave_size = Fact("FeatureWavefrontSize64|gfx125|gfx13+")  # a file that names no size needs one attempt
    waits_by_counter = Fact("gfx12+")  # an instruction for each counter instead of s_waitcnt
    has_translation_counter = Fact("FeatureWaitXcnt")
    waits_take_only_null = Fact("gfx11")  # s_waitcnt_vscnt and its kind do not read a register
    replays = Fact("FeatureXNACK")
    may_replay = Fact("FeatureSupportsXNACK")
    compilers_wait_after_results = Fact("gfx94|gfx95")  # LLVM keeps a wait state between some results and the VALU
    ends_with_release = Fact("gfx11")  # not even a scalar instruction may follow the release of the VGPRs
    jumps_wrongly_by_3f = Fact("FeatureOffset3fBug")
    needs_entry_sequence = Fact("FeatureRequiresInitialUnclausedVmem")  # before a kernel's own instructions

    # Registers and the kernel descriptor
    has_accvgprs = Fact("FeatureMAIInsts")
    has_tuples_beyond_names = Fact("gfx125|gfx13+")  # more VGPRs than names; LLVM treats gfx13 alike
    has_1024_vgprs = Fact("Feature1024AddressableVGPRs")
    has_shared_vgprs = Fact("gfx10-11")
    has_packed_work_item_ids = Fact("gfx90a|gfx94|gfx95|gfx11+")  # of 10 bits, all in v0
    has_lane_in_scratch_addresses = Fact("FeatureGloballyAddressableScratch")  # generic ones: any lane's scratch
    has_ids_in_ttmps = Fact("FeatureArchitectedSGPRs")
    has_reserved_sgprs_in_limit = Fact("gfx6-7|FeatureSGPRInitBug")  # the reserved ones count to the maximum
    initializes_all_sgprs_wrongly = Fact("FeatureSGPRInitBug")
    needs_16_user_sgprs = Fact("FeatureUserSGPRInit16Bug")
    needs_aligned_vgprs = Fact("FeatureRequiresAlignedVGPRs")
    has_reserved_hardware_registers = Fact("gfx9")

    # Registers of 16 bits
    may_have_true16 = Fact("gfx11+")
    has_true16 = Fact("FeatureRealTrue16Insts")
    has_fake16 = Fact("FeatureTrue16BitInsts !FeatureRealTrue16Insts")  # 16-bit forms that name whole registers

    # Numbers
    has_vop3_literals = Fact("FeatureVOP3Literal")
    has_64_bit_literals = Fact("Feature64BitLiterals")
    repeats_literals_in_halves = Fact("gfx11+")  # an inline constant of packed operands is in both halves

    # Vector instructions
    has_dpp = Fact("gfx8+")
    has_dpp8 = Fact("gfx10+")
    has_sdwa = Fact("gfx8-10")
    reads_two_scalars = Fact("gfx10+")  # the constant bus takes two values, but of some shifts
    reads_two_scalars_in_most_shifts = Fact("gfx125|gfx13+")
    has_one_scalar_in_writelane = Fact("gfx6-9")
    has_integer_clamp = Fact("FeatureIntClamp")
    has_sdwa_on_vgprs_only = Fact("gfx8")
    has_relative_sdwa_of_vgprs_only = Fact("gfx10+")
    has_64_bit_dpp = Fact("FeatureDPALU_DPP")
    has_row_share = Fact("gfx12+")
    has_scalar_source_in_dpp = Fact("FeatureDPPSrc1SGPR")
    has_lds_direct_source = Fact("gfx6-10 !gfx90a !gfx94 !gfx95")
    divides_with_one_scale = Fact("gfx6-10")
    has_packed_singles_with_scalars = Fact("gfx125|gfx13+")
    has_signs_in_neg_lo = Fact("gfx11+")  # dot products
    has_dots_without_op_sel = Fact("gfx94|gfx95")
    has_dots_with_op_sel_of_results = Fact("gfx11+")
    has_second_source_cache = Fact("gfx117|gfx12+")  # of pairs
    shares_sources_of_pairs = Fact("gfx12+")
    shared_sources_of_pairs_first = Fact("gfx125|gfx13+")  # so LLVM knows it there in every version

    # Matrix instructions
    misreads_inline_constants_of_mfma = Fact("FeatureMFMAInlineLiteralBug")
    has_double_mfma_signs = Fact("gfx94|gfx95")
    has_general_acc_write = Fact("gfx90a|gfx94|gfx95")

    # Memory
    has_temporal_hints = Fact("gfx12+")  # a cache policy is `th:` and `scope:` instead of flags
    has_system_coherence_bits = Fact("gfx94|gfx95")  # sc0 and sc1 instead of glc
    has_scc_policy = Fact("gfx90a")
    has_scalar_policies = Fact("gfx8+")
    has_unaligned_lds = Fact("FeatureUnalignedDSAccess")
    has_byte_offsets_in_scalar_memory = Fact("gfx8+")
    stores_scalars_at_m0 = Fact("gfx8")  # scalar stores take only m0 as the register of the offset
    has_memory_on_accvgprs = Fact("gfx90a|gfx94|gfx95")
    has_gds = Fact("FeatureGDS")
    needs_m0_for_lds = Fact("gfx6-8")
    has_rtn_messages = Fact("gfx11+")  # a message has 8 bits, and neither operation nor stream

    # Images and formats
    has_image_dimension = Fact("gfx10+")
    has_address_lists = Fact("gfx10+")
    has_d16 = Fact("gfx8+")
    has_unpacked_d16 = Fact("FeatureUnpackedD16VMem")
    has_g16 = Fact("FeatureG16")
    has_a16_in_r128 = Fact("FeatureR128A16")
    has_a16_as_word = Fact("gfx6-9 FeatureR128A16|FeatureA16")
    has_r128 = Fact("FeatureMIMG_R128")
    has_inverted_bound_control = Fact("gfx6-10")  # `bound_ctrl:0` sets the bit
    normalises_stores = Fact("gfx9")
