"""The table of requests: every name in it is a function that answers for a snapshot, and every method is there once."""

import inspect

import pytest

from gcn_lsp.server import app, session
from gcn_lsp.server.adapters import adapter
from gcn_lsp.server.snapshot import Snapshot


@pytest.mark.parametrize("name", [name for _, name, _ in app.REQUESTS])
def test_a_request_is_answered_by_a_function_of_a_snapshot(name: str) -> None:
    snapshot, params = inspect.signature(adapter(name)).parameters.values()
    assert (snapshot.name, snapshot.annotation) == ("snapshot", Snapshot)
    assert params.annotation is not inspect.Parameter.empty


@pytest.mark.parametrize("name", [name for _, name in app.NOTIFICATIONS])
def test_a_notification_is_taken_by_a_method_of_the_session(name: str) -> None:
    assert inspect.iscoroutinefunction(getattr(session.Session, name))


def test_every_method_is_there_once() -> None:
    methods = [method for method, *_ in (*app.REQUESTS, *app.NOTIFICATIONS)]
    assert len(set(methods)) == len(methods)
