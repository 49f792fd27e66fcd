"""Settings: read from the environment at the edge and passed down. Options of the same name win."""

from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Literal, Self, cast, get_args
from urllib.parse import urlsplit

from platformdirs import user_data_path
from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.contract.access import Role
from app.contract.deployment import parse_base_url
from app.contract.values import CURRENCY_PATTERN
from app.files_url import FilesUrl
from app.http_server.cross_origin import is_origin

RETRY_SCHEDULE = (0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
"""Seconds before each attempt of a delivery: 0, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h."""

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True)
class GroupRole:
    """What a group of the identity provider makes its members: a role in an organisation."""

    group: str
    role: Role
    organisation: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `GROUP=ROLE@ORGANISATION`. A group may hold `=`, as names of a directory do."""
        group, _, rest = text.rpartition("=")
        role, _, organisation = rest.partition("@")
        names = group.strip(), role.strip(), organisation.strip()
        if not all(names) or names[1] not in get_args(Role):
            raise ValueError(
                f"{text!r} is no entry; write each as GROUP=ROLE@ORGANISATION with one of the roles "
                f"{', '.join(get_args(Role))}, and a ; between entries"
            )
        return cls(names[0], cast(Role, names[1]), names[2])


class Settings(BaseSettings):
    """The settings of a deployment. Each field is also an environment variable: `PARLEY_` and its name in
    capitals; the database is `DATABASE_URL`."""

    model_config = SettingsConfigDict(env_prefix="PARLEY_", populate_by_name=True, extra="ignore")

    database_url: str | None = Field(default=None, validation_alias="DATABASE_URL")
    database_direct_url: str | None = None
    """The database without PgBouncer, where `database_url` is that of PgBouncer: for notifications, locks of
    sessions and migrations, which need one connection to the server."""
    serving_role: str | None = None
    """The role of PostgreSQL that services and workers use, where another one migrates and owns the tables:
    `parley migrate` and `parley restore` give it what serving takes."""
    database_pool: Annotated[int, Field(ge=8, le=1000)] = 48
    """Connections to the database that a process opens at most."""
    data_dir: Path = Field(default_factory=lambda: user_data_path("parley", appauthor=False))
    files_url: str | None = None
    """Where uploaded files are: `s3://bucket/prefix` or `file:///folder`; None is a folder in `data_dir`."""
    files_timeout: Annotated[float, Field(ge=1, le=3600)] = 30
    """Seconds that an S3 store may take for one file."""
    rate_limit: Annotated[int, Field(ge=0)] = 250
    database_timeout: Annotated[float, Field(ge=1, le=3600)] = 30
    """Seconds that the service and the worker wait for a statement or a lock before they give up."""
    calls_in_flight: Annotated[int, Field(ge=1)] = 32
    max_upload: Annotated[int, Field(ge=1)] = 50 * MEBIBYTE
    max_json: Annotated[int, Field(ge=1)] = MEBIBYTE
    max_webhooks: Annotated[int, Field(ge=1)] = 100
    max_files: Annotated[int, Field(ge=1)] = 10_000
    max_file_bytes: Annotated[int, Field(ge=1)] = 10 * 1024 * MEBIBYTE
    max_imports: Annotated[int, Field(ge=1)] = 20
    max_agreements: Annotated[int, Field(ge=1)] = 100_000
    max_requirements: Annotated[int, Field(ge=1)] = 10_000
    max_purchases: Annotated[int, Field(ge=1)] = 2_000_000
    max_entries: Annotated[int, Field(ge=1)] = 1_000_000
    max_rates: Annotated[int, Field(ge=1)] = 1_000_000
    max_import_bytes: Annotated[int, Field(ge=1)] = 2 * 1024 * MEBIBYTE
    max_written_bytes: Annotated[int, Field(ge=1)] = 2 * 1024 * MEBIBYTE
    max_updates: Annotated[int, Field(ge=1)] = 1_000
    """The quotas of an organisation: webhooks, uploaded files and their bytes, imports that wait or run,
    purchases, catalog entries and exchange rates of its own, the bytes of text that imports bring it and that
    calls write, and for each of its negotiations the updates and files."""
    ocid_prefix: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")] = "parley"
    """What the ids of contracting processes begin with in agreements as OCDS: the organisation's registered
    prefix, such as ocds-213czf."""
    public_url: str = "http://127.0.0.1:8000"
    public_aliases: Annotated[tuple[str, ...], NoDecode] = ()
    """Further addresses at which callers reach the service, as they name its files by them."""
    cors_origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Origins whose pages may call the service from a browser; `*` is any."""
    dashboard_url: str = "http://127.0.0.1:8501"
    deployments: Annotated[tuple[str, ...], NoDecode] = ()
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = ()
    """Proxies before the service whose `X-Forwarded-For` says from where a call comes."""
    webhook_allow: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = ()
    fetch_allow: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = ()
    second_opinion_allow: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = ()
    retry_schedule: Annotated[tuple[float, ...], NoDecode] = RETRY_SCHEDULE
    currency: Annotated[str, Field(pattern=CURRENCY_PATTERN)] = "USD"
    secret_key: SecretStr | None = None
    """One Fernet key, or several with commas between them, the newest first; see `secret_keys`."""
    backup_key: SecretStr | None = None
    """Seals backups: 32 bytes in Base64, kept where the backups are not. None: they are not sealed."""
    inbox: bool = False
    """Whether the service has a receiver of its own, for trying webhooks out; `parley up` has."""
    webhook_retention_days: Annotated[int, Field(ge=1)] = 30
    mail_retention_days: Annotated[int, Field(ge=1)] = 365
    """How long letters to colleagues stay on record after they were sent or given up."""
    comment_retention_days: Annotated[int | None, Field(ge=1)] = None
    """How long comments stay; None: for good."""
    supplier_silence_days: Annotated[float, Field(gt=0)] = 5
    metrics_address: Annotated[str | None, Field(pattern=r"^[^\s/]+:\d{1,5}$")] = None
    """Where a service or worker answers `/livez`, `/readyz` and `/metrics`, as `127.0.0.1:9464`."""
    log_format: Literal["text", "json"] = "text"
    smtp_url: SecretStr | None = None
    mail_from: str = "parley@localhost"
    mail_domains: Annotated[tuple[str, ...], NoDecode] = ()
    """Domains whose addresses get mail about what is on record, beside the members of an organisation;
    none is that of `mail_from`, and `*` is any."""
    max_mails: Annotated[int, Field(ge=1)] = 500
    """Letters that leave for one organisation within a day."""
    oidc_issuer: str | None = None
    """The identity provider that people sign in with (OpenID Connect); None: with API keys only."""
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr | None = None
    oidc_scopes: str = "openid profile email"
    oidc_groups_claim: str = "groups"
    oidc_roles: str = ""
    """`GROUP=ROLE@ORGANISATION; …`: who is let in. A person of several groups gets the organisation of the
    first that is listed here, and the highest role that the groups give there."""
    oidc_audience: str | None = None
    """The audience of the access tokens that the API takes; None: it takes none."""
    oidc_name: str = "your company account"
    oidc_contact: str = "the person who runs Parley"
    key_sign_in: bool = True
    """Whether people may sign in at a dashboard with an API key where there is an identity provider."""

    @field_validator(
        "public_aliases",
        "cors_origins",
        "deployments",
        "trusted_proxies",
        "webhook_allow",
        "fetch_allow",
        "second_opinion_allow",
        "retry_schedule",
        "mail_domains",
        mode="before",
    )
    @classmethod
    def _comma_separated(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for origin in value:
            if not is_origin(origin):
                raise ValueError(
                    f"{origin!r} is no origin; write each as browsers send it, like https://app.example.com "
                    "or http://localhost:5173, without a path or a default port, or * for any"
                )
        return value

    @field_validator("database_url", "database_direct_url")
    @classmethod
    def _known_store(cls, value: str | None) -> str | None:
        kind = (value or "sqlite").partition(":")[0].partition("+")[0]
        if kind not in {"postgres", "postgresql", "sqlite"}:
            raise ValueError(
                "write postgresql://user@host/name, or leave it out for SQLite in the data folder"
            )
        return value

    @field_validator("files_url")
    @classmethod
    def _place_for_files(cls, value: str | None) -> str | None:
        return str(FilesUrl.parse(value)) if value else None

    @field_validator("public_url")
    @classmethod
    def _base_url(cls, value: str) -> str:
        return parse_base_url(value)

    @field_validator("public_aliases", "deployments")
    @classmethod
    def _base_urls(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(parse_base_url(address) for address in value)

    @field_validator("dashboard_url")
    @classmethod
    def _without_trailing_slash(cls, value: str) -> str:
        return value.rstrip("/")

    @field_validator("oidc_issuer")
    @classmethod
    def _issuer(cls, value: str | None) -> str | None:
        if value is None:
            return None
        address = urlsplit(value)
        is_local = address.hostname in {"localhost", "127.0.0.1", "::1"}
        if not address.hostname or not (address.scheme == "https" or (address.scheme == "http" and is_local)):
            raise ValueError(f"{value!r} is no issuer; write its https address as the provider states it")
        return value

    @field_validator("oidc_roles")
    @classmethod
    def _roles(cls, value: str) -> str:
        _parse_roles(value)
        return value

    @model_validator(mode="after")
    def _whole_provider(self) -> Self:
        if self.oidc_issuer is not None and not self.oidc_client_id:
            raise ValueError(
                "PARLEY_OIDC_ISSUER needs PARLEY_OIDC_CLIENT_ID, the client that it knows Parley as"
            )
        if self.oidc_issuer is None and (self.oidc_client_id or self.oidc_roles or self.oidc_audience):
            raise ValueError("the settings PARLEY_OIDC_… need PARLEY_OIDC_ISSUER, the provider's address")
        if self.oidc_issuer is None and not self.key_sign_in:
            raise ValueError("PARLEY_KEY_SIGN_IN=false needs PARLEY_OIDC_ISSUER: nobody could sign in")
        if "openid" not in self.oidc_scopes.split():
            raise ValueError("PARLEY_OIDC_SCOPES must have openid among its words")
        return self

    @property
    def group_roles(self) -> tuple[GroupRole, ...]:
        """The entries of `oidc_roles`, in their order."""
        return _parse_roles(self.oidc_roles)

    @property
    def resolved_mail_domains(self) -> frozenset[str]:
        """The domains whose addresses get mail about what is on record, in small letters."""
        sender = self.mail_from.rpartition("@")[2].strip("> ")
        return frozenset(one.lower().removeprefix("@") for one in self.mail_domains or (sender,))

    @property
    def resolved_backup_key(self) -> str | None:
        """The key of backups, where there is one."""
        return self.backup_key.get_secret_value() if self.backup_key else None

    @property
    def secret_keys(self) -> list[str]:
        """The keys of `secret_key`, the newest first; none where the data folder has its own."""
        text = self.secret_key.get_secret_value() if self.secret_key else ""
        return [key.strip() for key in text.split(",") if key.strip()]

    @cached_property
    def resolved_database_url(self) -> str:
        """The SQLAlchemy address: PostgreSQL as given, else one SQLite file in the data folder."""
        if self.database_url is None:
            return f"sqlite:///{self.data_dir / 'parley.sqlite3'}"
        return _with_driver(self.database_url)

    @property
    def is_postgresql(self) -> bool:
        """Whether several hosts may share the database."""
        return self.resolved_database_url.startswith("postgresql")

    @property
    def resolved_direct_url(self) -> str | None:
        """The SQLAlchemy address of the server itself, where another one is that of PgBouncer."""
        return _with_driver(self.database_direct_url) if self.database_direct_url else None

    @property
    def files_dir(self) -> Path:
        """The folder of files of a deployment that has no other place for them."""
        return self.data_dir / "files"

    @property
    def resolved_files_url(self) -> FilesUrl:
        return FilesUrl.parse(self.files_url) if self.files_url else FilesUrl(self.files_dir)

    @property
    def pictures_dir(self) -> Path:
        """The pictures of pages, which can be drawn again at any time."""
        return self.data_dir / "page-pictures"


def _with_driver(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    return f"postgresql+psycopg{separator}{rest}" if scheme in {"postgres", "postgresql"} else url


def _parse_roles(text: str) -> tuple[GroupRole, ...]:
    return tuple(GroupRole.parse(entry) for entry in text.split(";") if entry.strip())
