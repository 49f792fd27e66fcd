"""`parley mcp` as a program that agents start."""

import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.agents.conftest import Deployed, answered, run

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "app.cli", "mcp"]


@pytest.mark.campaign
def test_an_agent_works_over_standard_input_and_output(deployed: Deployed, agent_folder: Path) -> None:
    program = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "--url", deployed.url, "--folder", str(agent_folder)],
        env={"PARLEY_KEY": deployed.key},
        cwd=ROOT,
    )

    async def tell(agent: Any) -> Any:
        (checks,) = [one for one in (await agent.list_tools()).tools if one.name == "check_quote"]
        assert "path" in checks.input_schema["properties"]
        return await agent.call_tool("estimate_price", {"product": "Analytics Suite", "quantity": 20})

    assert answered(run(Client(stdio_client(program)), tell))["currency"] == "USD"
    [newest] = deployed.get("/v1/agents/calls?limit=1")["data"]
    assert (newest["tool"], newest["outcome"]) == ("estimate_price", "answered")
