"""The server of the tools, asked by the SDK's own client."""

import json
import sys
from pathlib import Path

import anyio
import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

from gcn_lsp.mcp import server, skill, tools

WRONG = "v_mov_b33 v0, v1\n"


def test_tools_are_listed_read_only_with_their_schemas() -> None:
    async def run() -> None:
        async with Client(server.server()) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == list(tools.TOOLS)
            for tool in listed:
                assert tool.title
                assert tool.annotations is not None
                assert tool.annotations.read_only_hint
                assert tool.output_schema is not None
                assert tool.input_schema["type"] == "object"

    anyio.run(run)


def test_an_answer_is_structured_and_the_same_as_text() -> None:
    async def run() -> None:
        async with Client(server.server()) as client:
            result = await client.call_tool("check", {"text": WRONG, "target": "gfx90a"})
            assert not result.is_error
            assert result.structured_content["findings"][0]["rule"] == "unknown-mnemonic"
            assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]

    anyio.run(run)


@pytest.mark.parametrize(("name", "message"), [("check", "give either a path or a text"), ("none", "there is no tool")])
def test_wrong_use_is_an_error_of_the_tool(name: str, message: str) -> None:
    async def run() -> None:
        async with Client(server.server()) as client:
            result = await client.call_tool(name, {})
            assert result.is_error
            assert message in result.content[0].text  # type: ignore[union-attr]

    anyio.run(run)


def test_a_long_message_is_cut() -> None:
    async def run() -> None:
        async with Client(server.server()) as client:
            for name, arguments in (("explain", {"topic": "x" * 9000}), ("y" * 9000, {})):
                result = await client.call_tool(name, arguments)
                assert result.is_error
                assert len(result.content[0].text) < 2000  # type: ignore[union-attr]

    anyio.run(run)


def test_pages_are_resources() -> None:
    async def run() -> None:
        async with Client(server.server()) as client:
            (listed,) = (await client.list_resources()).resources
            read = await client.read_resource(str(listed.uri))
            assert read.contents[0].text == skill.text()  # type: ignore[union-attr]
            page = await client.read_resource("gcn-lsp://page/gfx90a/v_mov_b32")
            assert page.contents[0].text.startswith("# v_mov_b32")  # type: ignore[union-attr]

    anyio.run(run)
    with pytest.raises(ValueError, match="there is no resource"):
        server.page("gcn-lsp://page/gfx90a/qqqqq")


def test_the_command_serves_over_standard_input_and_output(tmp_path: Path) -> None:
    """A kernel in a folder, as an agent's client starts the server; nothing is written."""
    (tmp_path / "k.s").write_text("; gcn-lsp: target=gfx90a\n" + WRONG)

    async def run() -> None:
        command = StdioServerParameters(command=sys.executable, args=["-m", "gcn_lsp", "mcp"], cwd=tmp_path)
        async with Client(stdio_client(command)) as client:
            result = await client.call_tool("check", {"path": "k.s"})
            assert result.structured_content["count"] == 1

    anyio.run(run)
    assert [path.name for path in tmp_path.iterdir()] == ["k.s"]


def test_the_skill_names_every_tool_and_no_other() -> None:
    rows = [line.split("|") for line in skill.text().splitlines() if line.startswith("| ")][2:]
    named = {word for row in rows for word in row[2].replace("`", " ").split() if word in tools.TOOLS}
    assert named == set(tools.TOOLS)
    assert skill.summary().startswith("Facts about AMD GPU assembly")
