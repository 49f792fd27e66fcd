"""A caller that imports files over HTTP, and the worker's part of it."""

from collections.abc import Iterable
from typing import Any

import httpx
import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import task
from app.service.worker.handlers import HANDLERS

KINDS = ("check_import", "import", "undo_import")


class ImportDriver:
    """`work` does what a worker would do now."""

    def __init__(self, api: httpx.Client, context: Context) -> None:
        self.api = api
        self.context = context

    def upload(self, content: bytes, name: str = "orders.csv") -> str:
        answer = self.api.post("/v1/files/upload", files={"file": (name, content)})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def begin(self, content: bytes, name: str = "orders.csv", **body: Any) -> str:
        """The id of an import that waits to be checked. Who imports says the currency of a file that names
        none, unless `currency` is None."""
        body = {name: said for name, said in ({"currency": "USD"} | body).items() if said is not None}
        answer = self.api.post("/v1/imports", json={"fileId": self.upload(content, name), **body})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def check(self, content: bytes, name: str = "orders.csv", **body: Any) -> Any:
        """The record of an import whose file is checked."""
        import_id = self.begin(content, name, **body)
        self.work()
        return self.get(import_id)

    def bring(self, content: bytes, name: str = "orders.csv", **body: Any) -> Any:
        """The record of an import that is completed."""
        one = self.check(content, name, **body)
        self.confirm(one["id"])
        self.work()
        return self.get(one["id"])

    def undo(self, import_id: str) -> Any:
        """The record of the import when it was undone."""
        self.delete(import_id)
        self.work()
        return self.get(import_id)

    def get(self, import_id: str) -> Any:
        answer = self.api.get(f"/v1/imports/{import_id}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def confirm(self, import_id: str, status: int = 200) -> Any:
        answer = self.api.post(f"/v1/imports/{import_id}/confirm")
        assert answer.status_code == status, answer.text
        return answer.json()

    def delete(self, import_id: str, status: int = 200) -> Any:
        answer = self.api.delete(f"/v1/imports/{import_id}")
        assert answer.status_code == status, answer.text
        return answer.json()

    def work(self) -> None:
        while True:
            with self.context.database.writing() as connection:
                rows = connection.execute(sa.select(task).where(task.c.kind.in_(KINDS))).all()
                connection.execute(sa.delete(task).where(task.c.kind.in_(KINDS)))
            if not rows:
                return
            for row in rows:
                HANDLERS[row.kind].run(self.context, row.subject_id)


def load_rows(context: Context, tables: Iterable[sa.Table]) -> dict[str, list[str]]:
    """Every row of the tables, without what is computed from others."""
    found: dict[str, list[str]] = {}
    with context.database.reading() as connection:
        for table in tables:
            columns = [c for c in table.c if c.name not in ("last_updated_at", "wire_read", "wire_list")]
            found[table.name] = sorted(map(str, connection.execute(sa.select(*columns))))
    return found
