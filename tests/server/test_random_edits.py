"""An edited session answers what a fresh one answers; `python -m tests.server.random_edits` does so at length."""

import random

import pytest

from gcn_lsp.server import app
from tests.server import random_edits


@pytest.mark.parametrize(
    "kernel", random_edits.kernels(own_only=True), ids=lambda kernel: kernel.uri.rpartition("/")[2]
)
def test_an_edited_session_answers_as_a_fresh_one(kernel: random_edits.Kernel) -> None:
    found = list(random_edits.run(kernel, 40, 40, random.Random(1)))
    assert not found, "\n".join(map(str, found))


def test_every_request_is_asked() -> None:
    asked = {*random_edits.AT_PLACES, *random_edits.OF_DOCUMENT, random_edits.DELTA, *random_edits.NOT_ASKED}
    others = {"workspace/symbol", "completionItem/resolve"}
    assert asked == {method for method, _, _ in app.REQUESTS} | others


@pytest.mark.slow
def test_edits_of_every_kernel() -> None:
    chooser = random.Random(2)
    found = [
        difference for kernel in random_edits.kernels() for difference in random_edits.run(kernel, 400, 100, chooser)
    ]
    assert not found, "\n".join(map(str, found))
