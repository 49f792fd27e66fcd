"""Drives the negotiations of one organisation as its callers and its worker do."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from httpx import Client
from sqlalchemy import Connection
from sqlalchemy.event import listen, remove

from app.service.context import Context
from app.service.database.tables import event, task
from app.service.negotiation import jobs, timers
from app.service.negotiation.agreed_prices import SAVE_AGREED_PURCHASE
from app.service.scopes.jobs import extract_document, fetch_document
from tests.service.negotiation.fake_clock import FakeClock
from tests.service.negotiation.market_fixture import CatalogMarket


class NegotiationDriver:
    """Drives the negotiations of one organisation through the public interface, and runs the worker's
    tasks."""

    def __init__(self, api: Client, context: Context, market: CatalogMarket, clock: FakeClock) -> None:
        self.api, self.context, self.market, self.clock = api, context, market, clock
        self.update_count = 0

    def start(self, **body: Any) -> str:
        answer = self.api.post("/v1/negotiation/start", json=self.body(**body))
        assert answer.status_code == 201, answer.text
        return answer.json()["negotiationId"]

    def body(self, **more: Any) -> dict[str, Any]:
        return {
            "supplier": {"companyId": self.market.company_id},
            "contactEmail": "buyer@acme.example",
            "contactName": "Bea Buyer",
            "engagementType": "strategy_only",
            "scope": self.market.scope(),
            **more,
        }

    def start_planned(self, **body: Any) -> str:
        """Start a negotiation and make its strategy; return its id."""
        negotiation_id = self.start(**body)
        self.run_tasks()
        return negotiation_id

    def run_tasks(self) -> None:
        """Run the tasks of negotiations, as a worker does."""
        kinds: dict[str, Callable[[Context, str], None]] = {
            jobs.PLAN: jobs.plan_negotiation,
            jobs.RECALCULATE: jobs.recalculate_strategy,
            jobs.READ_ATTACHMENT: jobs.read_attachment,
            SAVE_AGREED_PURCHASE: jobs.save_agreed_purchase,
            "fetch_document": fetch_document,
            "extract": extract_document,
        }
        while True:
            with self.context.database.reading() as connection:
                rows = connection.execute(task.select().where(task.c.kind.in_(kinds))).all()
            if not rows:
                return
            for row in rows:
                kinds[row.kind](self.context, row.subject_id)

    @contextmanager
    def failing_commits(self, how: type[BaseException]) -> Iterator[None]:
        """Raise `how` at the end of each writing transaction, before the commit."""
        engine = self.context.database.engine

        def die(_: Connection) -> None:
            raise how

        listen(engine, "commit", die)
        try:
            yield
        finally:
            remove(engine, "commit", die)

    def load_events(self) -> dict[str, list[dict[str, Any]]]:
        """Return the bodies of all events by negotiation, in the order in which they were written."""
        with self.context.database.reading() as connection:
            bodies = connection.scalars(sa.select(event.c.body).order_by(event.c.id)).all()
        found: dict[str, list[dict[str, Any]]] = {}
        for body in map(json.loads, bodies):
            if "negotiationId" in body["data"]:
                found.setdefault(body["data"]["negotiationId"], []).append(body)
        return found

    def fire_timers(self) -> int:
        return timers.fire_due_timers(self.context)

    def update(self, negotiation_id: str, kind: str, expect: int = 204, **payload: Any) -> Any:
        """Send an external update of a known kind; `at`, `external_id`, `schema` and `source` may be
        given."""
        self.update_count += 1
        body = {
            "timestamp": payload.pop("at", f"{self.clock():%Y-%m-%dT%H:%M:%SZ}"),
            "externalId": payload.pop("external_id", str(self.update_count)),
            "source": payload.pop("source", "test"),
            "schema": payload.pop("schema", {"$id": f"urn:svc:{kind}:1", "type": "object"}),
            "payload": payload,
        }
        answer = self.api.post(f"/v1/negotiation/{negotiation_id}/external-update", json=body)
        assert answer.status_code == expect, answer.text
        return answer

    def quote(self, negotiation_id: str, amount: Any, expect: int = 204, **more: Any) -> Any:
        return self.update(negotiation_id, "quote", expect, **{"amount": amount, "currency": "USD", **more})

    def message(self, negotiation_id: str, text: str = "Hello", **more: Any) -> Any:
        words: dict[str, Any] = {"from": "Sam Seller", "text": text}
        return self.update(negotiation_id, "message", **more, **words)

    def summary(self, negotiation_id: str) -> dict[str, Any]:
        return self.get(f"/v1/negotiation/{negotiation_id}/summary")

    def status(self, negotiation_id: str) -> str:
        return self.summary(negotiation_id)["status"]

    def timeline(self, negotiation_id: str) -> dict[str, Any]:
        return self.get(f"/v1/negotiation/{negotiation_id}/timeline")

    def escalations(self, negotiation_id: str, status: str = "open") -> list[dict[str, Any]]:
        path = f"/v1/negotiation/{negotiation_id}/escalations?limit=100&status={status}"
        return self.get(path)["data"]

    def get(self, path: str) -> Any:
        answer = self.api.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()
