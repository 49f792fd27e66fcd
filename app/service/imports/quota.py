"""How much imports may bring an organisation to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.service.access.quotas import lock_organisation, require_byte_room, require_room
from app.service.database.tables.imports import data_import
from app.service.database.visibility import owned_by
from app.service.imports.store import StoredImport
from app.settings import Settings


@dataclass(frozen=True)
class Quota:
    """How many `things` an organisation may have, by which setting; how many it has; and the counts of a
    preview which say how many an import adds."""

    things: str
    setting: str
    limit: Callable[[Settings], int]
    count_own: Callable[[Connection, str], int]
    adds: Sequence[str]

    def require_room(self, connection: Connection, settings: Settings, one: StoredImport) -> None:
        """Raise ApiProblem 409 where the organisation may not have what this import would add. What its other
        confirmed imports add counts while they run: several at once cannot exceed the quota together."""
        lock_organisation(connection, one.organisation_id)
        confirmed = sa.select(data_import.c.preview).where(
            data_import.c.organisation_id == one.organisation_id,
            data_import.c.kind == one.kind,
            data_import.c.status == "importing",
        )
        waiting = sum(self._count_added(preview) for preview in connection.scalars(confirmed))
        require_room(
            self.count_own(connection, one.organisation_id)
            + waiting
            + self._count_added(one.preview or {})
            - 1,
            self.limit(settings),
            things=f"{self.things} with these",
            setting=self.setting,
            way_out="Undo another import",
        )

    def _count_added(self, preview: Mapping[str, Any]) -> int:
        return sum(int(preview.get(name) or 0) for name in self.adds)


def require_text_room(connection: Connection, settings: Settings, one: StoredImport) -> None:
    """Raise ApiProblem 409 where the organisation may not have the text that this import would add. A small
    packed file may unfold to any amount of it."""
    lock_organisation(connection, one.organisation_id)
    require_byte_room(connection, settings, one.organisation_id, "imports", one.row_bytes or 0)


def count_owned(connection: Connection, table: Table, organisation_id: str) -> int:
    """Return how many rows of a table are the organisation's own."""
    query = sa.select(sa.func.count()).select_from(table).where(owned_by(table.c, organisation_id))
    return connection.scalar(query) or 0
