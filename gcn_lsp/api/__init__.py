"""The interface for other programs: open assembly, and ask what gcn-lsp knows about it.

    from gcn_lsp import api

    kernel = api.open_text("s_load_dword s0, s[4:5], 0x0\\nv_mov_b32 v0, s0\\n", target="gfx90a")
    for finding in kernel.findings():
        print(finding.line, finding.rule, finding.message)

All values are immutable. Lines and columns count from 1 and columns count characters, as `gcn-lsp check` prints them;
offsets and sizes are bytes. Values compare, hash and encode to JSON (`to_builtins`); fields may be added to them, so do
not unpack them by position.

Everything named here follows semantic versioning: what works with one version works with every later one of the same
major version (of the same minor version before 1.0). Other modules of the package change without notice. Findings,
rules and messages follow the hardware's documents, and are not part of that promise.
"""

from gcn_lsp.api.assembly import Assembly as Assembly
from gcn_lsp.api.assembly import FilesRead as FilesRead
from gcn_lsp.api.assembly import NotReadable as NotReadable
from gcn_lsp.api.assembly import open_file as open_file
from gcn_lsp.api.assembly import open_parts as open_parts
from gcn_lsp.api.assembly import open_text as open_text
from gcn_lsp.api.hardware import MatrixElement as MatrixElement
from gcn_lsp.api.hardware import explain as explain
from gcn_lsp.api.hardware import matrix_elements as matrix_elements
from gcn_lsp.api.hardware import wait_counts as wait_counts
from gcn_lsp.api.instructions import DecodedInstruction as DecodedInstruction
from gcn_lsp.api.instructions import DistanceNeed as DistanceNeed
from gcn_lsp.api.instructions import NotAssembled as NotAssembled
from gcn_lsp.api.instructions import decode as decode
from gcn_lsp.api.instructions import distance as distance
from gcn_lsp.api.instructions import encode as encode
from gcn_lsp.api.instructions import legal_targets as legal_targets
from gcn_lsp.api.instructions import targets as targets
from gcn_lsp.api.mix import BlockMix as BlockMix
from gcn_lsp.api.records import CodeBlock as CodeBlock
from gcn_lsp.api.records import EncodedInstruction as EncodedInstruction
from gcn_lsp.api.records import KernelResources as KernelResources
from gcn_lsp.api.records import OperationInFlight as OperationInFlight
from gcn_lsp.api.records import to_builtins as to_builtins
from gcn_lsp.project.reported import ReportedEdit as ReportedEdit
from gcn_lsp.project.reported import ReportedFinding as ReportedFinding
from gcn_lsp.project.reported import ReportedFix as ReportedFix
from gcn_lsp.project.reported import ReportedPlace as ReportedPlace
