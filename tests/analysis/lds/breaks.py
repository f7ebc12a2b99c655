"""Plants mistakes in the kernels of `pipelines` and counts those noticed: `python -m tests.analysis.lds.breaks`."""

from collections import Counter

from gcn_lsp import rules
from gcn_lsp.findings.model import Severity
from gcn_lsp.program.program import Options, build
from gcn_lsp.text import SourceText
from tests.analysis.lds import pipelines

RULES = (
    "unpublished-lds-copy",
    "overwritten-lds-read",
    "missing-wait",
    "insufficient-wait",
    "early-lds-write",
    "overwritten-lds-copy",
    "missing-barrier",
    "skipped-barrier",
)


def noticed(target: str, text: str) -> set[str]:
    """The rules about accesses of LDS that report something."""
    program = build(SourceText.from_bytes("k.s", text.encode()), Options(target))
    found = rules.check(program)
    assert not [each for each in found if each.severity is Severity.ERROR and each.rule not in RULES], found[:3]
    return {each.rule for each in found if each.rule in RULES}


def main() -> None:
    """Print the findings in the kernels as they are, and how many mistakes of each kind are noticed."""
    kernels = list(pipelines.kernels())
    wrong = [(kernel.name, found) for kernel in kernels if (found := noticed(kernel.target, kernel.text))]
    print(f"{len(kernels)} right kernels, findings in {len(wrong)}:", *wrong)
    planted: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for kernel in kernels:
        for each in pipelines.broken(kernel):
            planted[each.kind] += 1
            if noticed(each.target, each.text):
                seen[each.kind] += 1
            else:
                print("missed:", each.kind, each.name)
    for kind, count in planted.items():
        print(f"{seen[kind]} of {count}: {kind}")
    print(f"{seen.total()} of {planted.total()}")


if __name__ == "__main__":
    main()
