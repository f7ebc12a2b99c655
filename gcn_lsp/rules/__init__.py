"""The rules: what a finding is, which rules there are, and `check`, which yields a program's findings."""

from gcn_lsp.rules.check import FOLLOWED as FOLLOWED
from gcn_lsp.rules.check import HINTED as HINTED
from gcn_lsp.rules.check import check as check
from gcn_lsp.rules.check import check_at_first as check_at_first
from gcn_lsp.rules.check import check_but_hints as check_but_hints
from gcn_lsp.rules.model import Finding as Finding
from gcn_lsp.rules.model import Fix as Fix
from gcn_lsp.rules.model import Related as Related
from gcn_lsp.rules.model import Rule as Rule
from gcn_lsp.rules.model import Severity as Severity
from gcn_lsp.rules.registry import RULES as RULES
