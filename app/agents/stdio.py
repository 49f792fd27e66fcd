"""`parley mcp`: the protocol on standard input and output, for a program that starts it."""

from pathlib import Path

from mcp.server.stdio import stdio_server

from app.agents.server import build_server
from app.agents.tool import AgentCaller, Deployment
from app.client import AsyncApiClient


async def serve_stdio(client: AsyncApiClient, folder: Path | None) -> None:
    """Serve until standard input ends. Raises ApiError where the deployment refuses the key or is away."""
    async with client:
        access = await client.access.read()
        deployment = Deployment.read(await client.openapi())
        caller = AgentCaller(client, access, deployment, folder=folder)
        server = build_server(lambda _: caller)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
