"""The settings and long-lived objects that all routes and jobs of a process use, and what it counts for those
who run it: nothing, unless somebody asks for metrics."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.service.database.clock import Clock, DatabaseClock, utc_now
from app.service.database.engine import Database, open_database
from app.service.database.postgresql import COMMAND_TIMEOUTS, Timeouts
from app.service.documents.sandbox.reader_pool import ReaderPool
from app.service.storage.file_storage import FileStorage
from app.service.storage.folder import open_storage
from app.service.storage.pictures import PictureStorage
from app.service.vault import Vault, open_vault
from app.settings import Settings

if TYPE_CHECKING:
    from app.service.openid.provider import Provider


class Metrics:
    """Counts nothing: what a process has whose metrics nobody reads."""

    def observe_request(self, *, route: str, method: str, scheme: str, status: int, seconds: float) -> None:
        """A response of the service. `route` is a template, such as `/v1/scope/{scopeId}`."""

    def count_attempt(self, outcome: str) -> None:
        """An attempt at a delivery; `outcome` is one of `webhooks.attempt_result.Outcome`."""

    def count_estimate(self, level: str) -> None:
        """An estimate of a product; `level` is that of its comparables, or `none` where there is no price."""

    def count_document(self, verdict: str) -> None:
        """A document that was read; `verdict` is `completed` or `failed`."""

    def render(self) -> bytes:
        """All figures in the text format of Prometheus."""
        return b""


CLOCK_SECONDS = 60.0
"""How often a process that serves or works synchronises its clock."""


@dataclass(frozen=True)
class Context:
    """The settings and long-lived objects of a process. Tests replace `clock` to move time."""

    settings: Settings
    database: Database
    vault: Vault
    files: FileStorage
    pictures: PictureStorage
    readers: ReaderPool
    clock: Clock = utc_now
    metrics: Metrics = field(default_factory=Metrics)
    provider: "Provider | None" = None
    """The identity provider that people sign in with, where one is set up."""

    def synchronise_clock(self) -> None:
        """Read the time of the database, unless a test moves the clock."""
        if isinstance(self.clock, DatabaseClock):
            self.clock.synchronise(self.database)

    def close(self) -> None:
        """Close the database and end the processes that read documents."""
        self.readers.close()
        self.database.close()


def open_context(
    settings: Settings,
    clock: Clock | None = None,
    timeouts: Timeouts = COMMAND_TIMEOUTS,
    metrics: Metrics | None = None,
) -> Context:
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    return Context(
        settings=settings,
        database=open_database(
            settings.resolved_database_url,
            timeouts,
            pool_size=settings.database_pool,
            direct_url=settings.resolved_direct_url,
        ),
        vault=open_vault(settings.secret_keys, settings.data_dir),
        files=open_storage(settings.resolved_files_url, settings.files_timeout),
        pictures=PictureStorage(settings.pictures_dir),
        readers=ReaderPool(),
        clock=clock or DatabaseClock(),
        metrics=metrics or Metrics(),
        provider=_open_provider(settings),
    )


def _open_provider(settings: Settings) -> "Provider | None":
    if settings.oidc_issuer is None:
        return None
    from app.service.openid.provider import Provider  # whose libraries take 17 MB

    return Provider(settings)
