"""What somebody typed into a form and has not sent: kept for a week, sealed, and for this person alone.

A draft survives a reload, the Back button, the end of a session and a restart of the dashboard. It is a file
in the data folder of the dashboard, under a name that says neither whose it is nor of what.
"""

import json
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.fernet import InvalidToken, MultiFernet

from app.dashboard.deployment import Deployment
from app.dashboard.server import configuration
from app.dashboard_keys import derive_fernet, read_dashboard_keys
from components.elements.form_fields import Fields

_log = logging.getLogger(__name__)

KEPT_SECONDS = 7 * 24 * 3600
MOST_KEPT = 100
"""Drafts of one person or key: another one takes the place of the oldest."""
MAX_BYTES = 256 * 1024
"""Of a draft, sealed. What is longer is not kept."""
_HOLDER_LENGTH = 16
"""Characters of a file's name that its holder's other drafts begin with too."""


@dataclass(frozen=True)
class Draft:
    """The fields into which something was typed, and when that was (POSIX time)."""

    typed: Fields
    at: float


class DraftStore:
    """The drafts of everybody who uses this dashboard, in files of one folder."""

    def __init__(self, folder: Path, fernet: MultiFernet, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._fernet = fernet
        self._clock = clock

    def find(self, deployment: Deployment, form: str) -> Draft | None:
        """Return the draft of a form, None where there is none, or none that can be read and is a week old at
        most."""
        try:
            sealed = self._file(deployment, form).read_bytes()
            content = json.loads(self._fernet.decrypt(sealed), object_hook=_read_day)
            draft = Draft(content["typed"], content["at"])
        except (OSError, InvalidToken, ValueError, KeyError, TypeError):
            return None
        return draft if self._clock() - draft.at < KEPT_SECONDS else None

    def keep(self, deployment: Deployment, form: str, typed: Fields) -> None:
        """Keep what was typed in place of an earlier draft, unless it is too long, and drop the drafts that
        are over or too many. A folder that cannot be written to keeps none: that is logged, and the form goes
        on."""
        content = {"typed": typed, "at": self._clock()}
        sealed = self._fernet.encrypt(json.dumps(content, default=_write_day).encode())
        file = self._file(deployment, form)
        if len(sealed) > MAX_BYTES:
            self.discard(deployment, form)
            return
        try:
            if not file.exists():
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._make_room(file.name[:_HOLDER_LENGTH])
            file.write_bytes(sealed)
        except OSError as error:
            _log.warning("drafts of forms cannot be kept in %s: %s", self._folder, error.strerror)

    def discard(self, deployment: Deployment, form: str) -> None:
        """Drop the draft of a form, if there is one."""
        with suppress(OSError):
            self._file(deployment, form).unlink(missing_ok=True)

    def _make_room(self, holder: str) -> None:
        """Drop the drafts that are over, and the oldest of a holder who has as many as are kept."""
        written: dict[Path, float] = {}
        for file in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another session dropped it
                written[file] = file.stat().st_mtime
        own = sorted((one for one in written if one.name.startswith(holder)), key=written.__getitem__)
        over = [one for one, at in written.items() if self._clock() - at > KEPT_SECONDS]
        for file in {*over, *own[: max(0, len(own) + 1 - MOST_KEPT)]}:
            file.unlink(missing_ok=True)

    def _file(self, deployment: Deployment, form: str) -> Path:
        holder = sha256(json.dumps(deployment.holder).encode()).hexdigest()[:_HOLDER_LENGTH]
        owner = json.dumps([*deployment.holder, deployment.end_user, deployment.end_user_email, form])
        return self._folder / (holder + sha256(owner.encode()).hexdigest())


def _write_day(value: object) -> Mapping[str, str]:
    if isinstance(value, date):
        return {"day": value.isoformat()}
    raise TypeError(f"a form holds a {type(value).__name__}")


def _read_day(content: dict[str, Any]) -> object:
    return date.fromisoformat(content["day"]) if content.keys() == {"day"} else content


@cache
def draft_store() -> DraftStore:
    """The drafts that this process keeps."""
    settings = configuration.get_settings()
    fernet = derive_fernet(read_dashboard_keys(settings), b"dashboard drafts")
    return DraftStore(Path(settings.data_dir) / "drafts", fernet)
