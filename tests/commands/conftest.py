"""`parley` with a data folder of its own, as a person types it."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.cli import main


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str

    @property
    def refusal(self) -> str:
        """The one line with which it refused."""
        assert self.status != 0
        [line] = self.err.strip().splitlines()
        return line


Parley = Callable[..., Ended]


@pytest.fixture
def parley(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Ended]]:
    """`parley("keys", "list")`: the command on the data folder `tmp_path / "data"`."""
    for name in os.environ:
        if name.startswith("PARLEY_") or name == "DATABASE_URL":
            monkeypatch.delenv(name)
    monkeypatch.setenv("PARLEY_DATA_DIR", str(tmp_path / "data"))

    def run(*arguments: str | Path) -> Ended:
        monkeypatch.setattr("sys.argv", ["parley", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        said = capsys.readouterr()
        return Ended(status, said.out, said.err)

    umask = os.umask(0o022)
    yield run
    os.umask(umask)
