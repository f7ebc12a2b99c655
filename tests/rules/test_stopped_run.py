"""Runs that cannot go on."""

from pathlib import Path

import numpy as np

from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome


def run(folder: Path, code: str, block: int = 64, *, orders: bool = False) -> Outcome:
    path = folder / "k.s"
    path.write_text(f"k:\n{code}\n  s_endpgm\n")
    x = np.zeros(64, np.float32)
    registers = {"s[0:1]": "x", "v0": "item_x", "s2": "64"}
    return api.run(
        path,
        kernel="k",
        target="gfx900",
        grid=block,
        block=block,
        registers=registers,
        x=x,
        dynamic_lds=1024,
        check=False,
        orders=orders,
        limit=10_000,
    )


def rules(outcome: Outcome) -> list[str]:
    return [each.rule for each in outcome.findings]


def test_a_jump_away_from_the_code(tmp_path: Path) -> None:
    found = run(tmp_path, "  s_setpc_b64 s[0:1]")
    assert rules(found) == ["stopped-run"]
    assert "where there is no memory of this program" in found.findings[0].message
    assert not found.is_complete


def test_an_endless_loop(tmp_path: Path) -> None:
    found = run(tmp_path, "again:\n  s_branch again")
    assert rules(found) == ["stopped-run"]
    assert "reached its limit of 10000 instructions" in found.findings[0].message


def test_a_run_to_the_end(tmp_path: Path) -> None:
    assert run(tmp_path, "  s_nop 0").is_complete
