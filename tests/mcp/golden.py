"""Questions that agents answer by hand today, from public skills, with our answers and theirs.

Theirs are from ROCm/FlyDSL, `.claude/skills/gemm-optimization/SKILL.md` (GEMM) and `kernel-trace-analysis/SKILL.md`
(TRACE), read at commit 175cf1c5 and 00457e17. `python -m tests.mcp.golden` writes the table of the page.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from gcn_lsp.mcp import tools
from gcn_lsp.site import pages

PAGE = Path(pages.__file__).parent / "assets" / "agents.md"
BEGIN, END = "<!-- questions -->\n", "<!-- end -->\n"

RIGHT, WRONG, PART = "right", "**wrong**", "part"


class Golden(NamedTuple):
    """A question: how a tool is asked, how its answer is read, theirs with its section, and whether that is right."""

    question: str
    tool: str
    arguments: dict[str, Any]
    read: Callable[[dict[str, Any]], str]
    theirs: str
    source: str
    verdict: str

    @property
    def ours(self) -> str:
        """Our answer now."""
        return self.read(tools.answer(self.tool, self.arguments))


def _kernel(target: str, arch: int, accum: int) -> dict[str, Any]:
    text = f"""
.amdgcn_target "amdgcn-amd-amdhsa--{target}"
k:
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr {arch + accum}
  .amdhsa_accum_offset {arch}
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
"""
    return {"text": text, "target": target}


def _waves(answer: dict[str, Any]) -> str:
    kernel = answer["kernels"][0]
    return f"{kernel['waves']} ({', '.join(kernel['limits'])})"


def _occupancy(target: str, arch: int, accum: int, theirs: str, source: str, verdict: str) -> Golden:
    question = f"waves on a SIMD of {target} with {arch} VGPRs and {accum} AGPRs"
    return Golden(question, "occupancy", _kernel(target, arch, accum), _waves, theirs, source, verdict)


def _distance(target: str, first: str, second: str, theirs: str, source: str, verdict: str) -> Golden:
    def read(answer: dict[str, Any]) -> str:
        counts = [each["count"] for each in answer["needs"] if each["unit"] == "wait states"]
        return str(max(counts, default=0))

    question = f"wait states on {target} from `{first}` to `{second}`"
    asked = {"first": first, "second": second, "target": target}
    return Golden(question, "distance", asked, read, theirs, source, verdict)


def _legal(instruction: str, theirs: str, source: str, verdict: str) -> Golden:
    def read(answer: dict[str, Any]) -> str:
        found = [target for target in ("gfx90a", "gfx942", "gfx950") if target in answer["targets"]]
        return ", ".join(found) or "none"

    question = f"which of gfx90a, gfx942, gfx950 take `{instruction}`"
    return Golden(question, "legal_on", {"instruction": instruction}, read, theirs, source, verdict)


def _element(mnemonic: str, target: str, row: int, column: int, theirs: str, source: str, verdict: str) -> Golden:
    def read(answer: dict[str, Any]) -> str:
        place = answer["elements"][0]
        return f"lane {place['lane']}, register {place['register']}"

    asked = {"mnemonic": mnemonic, "target": target, "matrix": "D", "row": row, "column": column}
    question = f"where `{mnemonic}` leaves D[{row}][{column}] on {target}"
    return Golden(question, "matrix_element", asked, read, theirs, source, verdict)


_F16 = "v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[10:11], v[0:3]"
_F16_32 = "v_mfma_f32_32x32x8_f16 v[0:15], v[20:21], v[22:23], v[0:15]"
_F32 = "v_mfma_f32_16x16x4_f32 v[0:3], v20, v21, v[0:3]"
_F32_32 = "v_mfma_f32_32x32x2_f32 v[0:15], v20, v21, v[0:15]"
_BLOCKS = "v_mfma_f32_16x16x1_4b_f32 v[0:15], v20, v21, v[0:15]"
_F64 = "v_mfma_f64_16x16x4_f64 v[0:7], v[20:21], v[22:23], v[0:7]"
_READ = "v_mov_b32 v60, v0"
_SCALED = "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3], v20, v21"
_LOOP = "k:\n  v_mov_b32 v0, 0\n  v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], 0\nloop:\n"
_LOOP += f"  {_F16}\n" * 4 + "  s_cmp_eq_u32 s0, 0\n  s_cbranch_scc0 loop\n  s_endpgm\n"


def _in_loop(answer: dict[str, Any]) -> str:
    (loop,) = [block for block in answer["blocks"] if block["in_loop"]]
    return str(loop["classes"]["matrix"])


QUESTIONS = (
    _occupancy("gfx942", 144, 136, "1 (VGPRs)", "TRACE, worked example", RIGHT),
    _occupancy("gfx942", 64, 16, "5", "GEMM 10.2: its table goes from 72 to 96, its formula says 6", WRONG),
    _occupancy("gfx942", 96, 72, "3", "GEMM 10.2", RIGHT),
    _occupancy("gfx942", 88, 82, "2", "GEMM 10.2: 170 rounds up to 176", RIGHT),
    _occupancy("gfx950", 36, 32, "7", "GEMM 10.2, measured", RIGHT),
    _distance("gfx950", _F16, _READ, "8", "TRACE: 16-cycle MFMAs", RIGHT),
    _distance("gfx942", _F16, _READ, "8", "TRACE: its only table, for gfx950", PART),
    _distance("gfx950", _F16_32, _READ, "12", "TRACE: 32-cycle MFMAs", RIGHT),
    _distance("gfx942", _F16_32, _READ, "12", "TRACE: as above", PART),
    _distance("gfx950", _F32, _READ, "12", "TRACE: \"32x32x8, 16x16x4 F32\": F32 is no XDL instruction", WRONG),
    _distance("gfx950", _F32_32, _READ, "20", "TRACE: \"32x32x2 F32\", likewise", WRONG),
    _distance("gfx950", _BLOCKS, _READ, "5", "TRACE: \"16x16 4-block variants (8 cycle MFMAs)\"", WRONG),
    _distance("gfx950", _F64, _READ, "5, 8, 12, or 20", "TRACE: no row for F64", PART),
    _distance("gfx950", _F16, _F16, "0-2", "TRACE: accumulate into the same registers", RIGHT),
    _distance("gfx950", "v_mov_b32 v8, v1", _F16, "2", "TRACE: VALU write, MFMA read", RIGHT),
    _distance("gfx942", "v_cmpx_eq_u32 v0, v1", _F16, "4", "TRACE: V_CMPX writes EXEC", RIGHT),
    _distance("gfx950", "v_readfirstlane_b32 s0, v0", "buffer_load_dword v1, v2, s[4:7], s0 offen", "5",
              "TRACE: VALU writes SGPR, VMEM reads it", RIGHT),
    _legal("buffer_load_dword v0, s[4:7], 0 offen lds", "gfx942, gfx950", "GEMM 11.2: 4 bytes", PART),
    _legal("buffer_load_dwordx4 v0, s[4:7], 0 offen lds", "gfx950", "GEMM 11.2: 16 bytes", RIGHT),
    _legal(_SCALED, "gfx950", "GEMM 6.2", RIGHT),
    _element("v_mfma_f32_16x16x32_fp8_fp8", "gfx942", 6, 3, "lane 19, register 2",
             "GEMM 7.1: `lane_div_16 * 4 + ii`", RIGHT),
    Golden("MFMA instructions in the loop, of a kernel with one before it", "instruction_mix",
           {"text": _LOOP, "target": "gfx942", "kernel": "k"}, _in_loop, "5", "GEMM 9.4: `grep -c v_mfma`", WRONG),
)  # fmt: skip


def rows() -> str:
    """The rows of the page's table."""
    lines = ["| question | gcn-lsp | skill | from | the skill is |", "| --- | --- | --- | --- | --- |"]
    for each in QUESTIONS:
        question = each.question.replace("|", "\\|")
        lines.append(f"| {question} | {each.ours} | {each.theirs} | {each.source} | {each.verdict} |")
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """The page with the table as it is now."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}{rows()}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")
