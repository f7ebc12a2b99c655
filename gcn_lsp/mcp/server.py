"""The server of the tools, on the SDK of the Model Context Protocol: the only module that imports it."""

import json

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
)

from gcn_lsp import __version__, api
from gcn_lsp.mcp import paging, skill, tools

_SCHEME = "gcn-lsp://"
_MARKDOWN = "text/markdown"
_READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def serve() -> None:
    """Serve over standard input and output until the input ends."""

    async def run() -> None:
        async with stdio_server() as (incoming, outgoing):
            made = server()
            await made.run(incoming, outgoing, made.create_initialization_options())

    anyio.run(run)


def server() -> "Server[object]":
    """The server with its tools and pages."""
    return Server(
        "gcn-lsp",
        version=__version__,
        title="AMD GPU assembly",
        instructions=skill.summary(),
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=_read_resource,
    )


async def _list_tools(context: object, parameters: object) -> ListToolsResult:
    return ListToolsResult(
        tools=[
            Tool(
                name=name,
                title=tool.title,
                description=tool.description,
                input_schema=tools.schema(tool.question),
                output_schema=tools.schema(tool.answer),
                annotations=_READ_ONLY,
            )
            for name, tool in tools.TOOLS.items()
        ]
    )


async def _call_tool(context: object, parameters: CallToolRequestParams) -> CallToolResult:
    try:
        # In a thread, so that a long check does not keep the server from answering.
        made = await anyio.to_thread.run_sync(tools.answer, parameters.name, dict(parameters.arguments or {}))
    except KeyError:
        return _failure(f"there is no tool {parameters.name!r}; the tools are {', '.join(tools.TOOLS)}")
    except tools.ToolError as error:
        return _failure(str(error))
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[TextContent(text=text)], structured_content=made)


def _failure(message: str) -> CallToolResult:
    said: str = paging.shortened({"message": message})["message"]
    return CallToolResult(content=[TextContent(text=said)], is_error=True)


async def _list_resources(context: object, parameters: object) -> ListResourcesResult:
    skill_page = Resource(uri=f"{_SCHEME}skill", name="skill", title="When to ask which tool", mime_type=_MARKDOWN)
    return ListResourcesResult(resources=[skill_page])


async def _list_templates(context: object, parameters: object) -> ListResourceTemplatesResult:
    of_target = ResourceTemplate(
        uri_template=f"{_SCHEME}page/{{target}}/{{topic}}",
        name="page",
        title="The page of an instruction, register or word on a target",
        mime_type=_MARKDOWN,
    )
    of_all = ResourceTemplate(
        uri_template=f"{_SCHEME}page/{{topic}}", name="page", title="The page of a rule or an idea", mime_type=_MARKDOWN
    )
    return ListResourceTemplatesResult(resource_templates=[of_target, of_all])


async def _read_resource(context: object, parameters: ReadResourceRequestParams) -> ReadResourceResult:
    uri = str(parameters.uri)
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=_MARKDOWN, text=page(uri))])


def page(uri: str) -> str:
    """The text of a resource. Raises ValueError for one that there is not."""
    path = uri.removeprefix(_SCHEME)
    if path == "skill":
        return skill.text()
    kind, _, rest = path.partition("/")
    target, _, topic = rest.rpartition("/")
    text = api.explain(topic, target or None) if kind == "page" and topic else None
    if text is None:
        raise ValueError(f"there is no resource {uri}")
    return text
