"""`parley mcp`, as far as it gets without a service or a key."""

from pathlib import Path

import pytest

from tests.commands.conftest import Parley

NOBODY = "http://127.0.0.1:9"


def test_what_keeps_an_agent_from_working_is_one_line(
    parley: Parley, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert parley("mcp").refusal.startswith("parley: set PARLEY_KEY")
    monkeypatch.setenv("PARLEY_KEY", "key")
    assert parley("mcp", "--folder", tmp_path / "absent").refusal.endswith("absent is no folder")
    assert "The service cannot be reached." in parley("mcp", "--url", NOBODY).refusal
