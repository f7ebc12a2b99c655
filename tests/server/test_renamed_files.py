"""`workspace/willRenameFiles` over the protocol: files of the workspace, open ones, and one with wide characters."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from tests.server.test_session import PATIENCE, open_document
from tests.server.test_workspace import WORKSPACE_CONFIG, WorkspaceClient, in_folder

pytestmark = pytest.mark.asyncio(loop_scope="function")

FILES = {
    "k.s": '.include "inc/sizes.inc"\n',
    "deep/other.s": '.include "../inc/sizes.inc"\n',
    "deep/by_path.s": '.include "lib.inc"\n',
    "deep/gcn-lsp.toml": 'include-paths = ["../inc"]\n',
    "wide.S": '/* \u00e4\U0001d11e */ .long 1\n#include "inc/sizes.inc"\n.incbin "inc/data.bin"\n',
    "inc/sizes.inc": ".set size, 1\n",
    "inc/lib.inc": ".set lib, 1\n",
    "inc/data.bin": "x",
    "none.s": "s_nop 0\n",
}


@pytest_lsp.fixture(config=WORKSPACE_CONFIG)
async def client(lsp_client: WorkspaceClient, tmp_path: Path) -> AsyncIterator[None]:
    renames = types.FileOperationClientCapabilities(will_rename=True)
    await in_folder(lsp_client, tmp_path, FILES, progress=True, file_operations=renames)
    await asyncio.wait_for(lsp_client.indexed.wait(), PATIENCE)
    yield
    await lsp_client.shutdown_session()


async def renamed(client: WorkspaceClient, folder: Path, old: str, new: str) -> "dict[str, list[tuple[int, str]]]":
    params = types.RenameFilesParams([types.FileRename((folder / old).as_uri(), (folder / new).as_uri())])
    found = await client.workspace_will_rename_files_async(params)
    changes = (found.changes if found is not None else None) or {}
    return {
        uri.removeprefix(f"{folder.as_uri()}/"): [(each.range.start.character, each.new_text) for each in edits]
        for uri, edits in changes.items()
    }


async def test_what_names_a_file_or_a_folder_follows_it(client: WorkspaceClient, tmp_path: Path) -> None:
    assert await renamed(client, tmp_path, "inc/sizes.inc", "inc/n.inc") == {
        "k.s": [(10, "inc/n.inc")],
        "deep/other.s": [(10, "../inc/n.inc")],
        "wide.S": [(10, "inc/n.inc")],
    }
    assert await renamed(client, tmp_path, "inc", "lib/inc") == {
        "k.s": [(10, "lib/inc/sizes.inc")],
        "deep/other.s": [(10, "../lib/inc/sizes.inc")],
        "deep/by_path.s": [(10, "../lib/inc/lib.inc")],
        "wide.S": [(10, "lib/inc/sizes.inc"), (9, "lib/inc/data.bin")],
    }
    assert await renamed(client, tmp_path, "none.s", "some.s") == {}
    # The buffer counts, and a file that is in no folder of the workspace's.
    open_document(client, (tmp_path / "none.s").as_uri(), 's_nop 0\n  .include "inc/lib.inc"\n')
    assert (await renamed(client, tmp_path, "inc/lib.inc", "inc/m.inc"))["none.s"] == [(12, "inc/m.inc")]
    assert await renamed(client, tmp_path, "nothing", "something") == {}
