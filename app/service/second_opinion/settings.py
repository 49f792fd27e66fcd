"""Whom an organisation asks for a second opinion, and how often it was asked today."""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.second_opinion import (
    DEFAULT_CALLS,
    SecondOpinionChange,
    SecondOpinionSettings,
)
from app.service.database.dialect import add_to_count, upsert
from app.service.database.tables import (
    second_opinion_settings,
    second_opinion_usage,
)
from app.service.database.visibility import owned_by
from app.service.http.problems import bad_request
from app.service.vault import Vault
from app.service.webhooks.url_validation import find_url_fault


@dataclass(frozen=True, slots=True)
class StoredSettings:
    """What an organisation said. `key` is encrypted."""

    enabled: bool = False
    address: str | None = None
    model: str | None = None
    key: bytes | None = None
    calls_per_day: int = DEFAULT_CALLS
    updated_at: datetime | None = None


def load_settings(connection: Connection, organisation_id: str) -> StoredSettings:
    """Return what an organisation said; it asks nobody until it names somebody."""
    columns = second_opinion_settings.c
    row = connection.execute(
        sa.select(
            columns.enabled, columns.address, columns.model, columns.key, columns.calls_per_day,
            columns.updated_at,
        ).where(owned_by(columns, organisation_id))
    ).first()  # fmt: skip
    return StoredSettings() if row is None else StoredSettings(*row)


def change_settings(
    connection: Connection, vault: Vault, organisation_id: str, change: SecondOpinionChange, now: datetime
) -> None:
    """Store what changes. Raises ApiProblem 400 where nobody could be asked so."""
    before, given = load_settings(connection, organisation_id), change.model_fields_set
    address = before.address if change.address is None else change.address.rstrip("/")
    model = before.model if change.model is None else change.model
    enabled = before.enabled if change.enabled is None else change.enabled
    if address is not None:
        fault = find_url_fault(address)
        if fault is None and ("?" in address or "#" in address):
            fault = "must have no query and no fragment: /chat/completions is added to it"
        if fault is not None:
            raise bad_request("/address", fault)
    if (
        before.key is not None
        and "key" not in given
        and _find_origin(address) != _find_origin(before.address)
    ):
        raise bad_request(
            "/key", "must be stated with an address at another host: the key of the new one, or null for none"
        )
    for name, value in (("address", address), ("model", model)):
        if enabled and value is None:
            raise bad_request(f"/{name}", "must be stated before a second opinion can be asked")
    row = {
        "organisation_id": organisation_id,
        "enabled": enabled,
        "address": address,
        "model": model,
        "key": _seal(vault, change.key) if "key" in given else before.key,
        "calls_per_day": before.calls_per_day if change.calls_per_day is None else change.calls_per_day,
        "updated_at": now,
    }
    upsert(connection, second_opinion_settings, [row])


def _seal(vault: Vault, key: str | None) -> bytes | None:
    return None if key is None else vault.seal(key.encode())


def _find_origin(address: str | None) -> tuple[str, str] | None:
    if address is None:
        return None
    parts = urlsplit(address)
    return parts.scheme, parts.netloc.lower()


def describe_settings(connection: Connection, organisation_id: str, now: datetime) -> SecondOpinionSettings:
    """Return the settings as the interface shows them."""
    stored = load_settings(connection, organisation_id)
    return SecondOpinionSettings.build_from(
        stored, has_key=stored.key is not None, calls_today=count_calls(connection, organisation_id, now)
    )


def count_calls(connection: Connection, organisation_id: str, now: datetime) -> int:
    """Return how many calls were made on the day, which begins at midnight UTC."""
    used = second_opinion_usage.c
    counted = sa.select(used.calls).where(owned_by(used, organisation_id), used.day == now.date())
    return connection.scalar(counted) or 0


def count_call(connection: Connection, organisation_id: str, now: datetime) -> None:
    """Count a call that is about to be made, and forget those of earlier days."""
    used = second_opinion_usage
    connection.execute(used.delete().where(owned_by(used.c, organisation_id), used.c.day < now.date()))
    add_to_count(connection, used, {"organisation_id": organisation_id, "day": now.date()}, used.c.calls, 1)
