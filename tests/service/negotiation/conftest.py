"""A small market on a real database: a supplier, a competitor, their products and past purchases."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from httpx import Client
from sqlalchemy import Connection
from sqlalchemy.event import listen, remove

from app.service.context import Context
from app.service.database.tables.catalog import company, product
from app.service.database.tables.purchases import article, purchase
from app.service.database.tables.webhooks import event
from app.service.database.tables.workers import task
from app.service.ids import new_id
from app.service.main import create_service
from app.service.negotiation import jobs, timers
from app.service.scopes.jobs import extract
from app.settings import Settings

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def step(self, **spans: float) -> None:
        self.now += timedelta(**spans)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(settings: Settings, clock: Clock) -> Any:
    from app.service.database.schema import migrate

    service = create_service(settings, clock)
    migrate(service.state.context.database)
    yield service
    service.state.context.database.close()


@dataclass(frozen=True)
class Market:
    """Ids of what is in the catalog. One unit of the product costs 8 to 12.8 a month."""

    company_id: str
    rival_id: str
    product_id: str
    quantity_id: str

    def scope(self, quantity: float = 10, months: int = 12, **term: Any) -> dict[str, Any]:
        """The inner `scope` of a start."""
        return {
            "scopeTerms": [{"termLength": months, "purchaseType": "new_purchase", **term}],
            "productTerms": [
                {
                    "productId": self.product_id,
                    "pricingDimensions": [{"id": self.quantity_id, "value": quantity}],
                }
            ],
        }


@pytest.fixture
def market(context: Context) -> Market:
    return furnish(context)


def furnish(context: Context) -> Market:
    """Fills an empty catalog."""
    with context.database.writing() as connection:
        rival = add_company(connection, "Rival <b>& Sons</b>", "rival.example")
        rival_product, _ = add_product(connection, rival, "Rival Suite")
        seller = add_company(
            connection, "Seller 24", "seller.example", competitorIds=[rival], fiscalYearEnd="--12-31"
        )
        sold, quantity = add_product(connection, seller, "Suite 365")
        for number in range(40):
            add_purchase(connection, seller, sold, number, unit_price=8 + number % 5 * 1.2)
            add_purchase(connection, rival, rival_product, number, unit_price=6 + number % 3)
    return Market(seller, rival, sold, quantity)


def add_company(connection: Connection, name: str, domain: str, **details: Any) -> str:
    company_id = new_id()
    connection.execute(
        company.insert().values(
            id=company_id,
            name=name,
            sort_name=name.lower(),
            name_key=name.lower(),
            legal_name=name,
            domain=domain,
            discontinued=False,
            sample=False,
            details={"description": "", **details},
            last_updated_at=NOW,
            wire_read="{}",
            wire_list="{}",
        )
    )
    return company_id


def add_product(connection: Connection, company_id: str, name: str) -> tuple[str, str]:
    """Returns the product's id and that of its one dimension, the quantity."""
    product_id, quantity_id = new_id(), new_id()
    connection.execute(
        product.insert().values(
            id=product_id,
            company_id=company_id,
            name=name,
            sort_name=name.lower(),
            name_key=name.lower(),
            sort_order=0,
            details={"description": ""},
            dimensions=[
                {
                    "id": quantity_id,
                    "name": "Users",
                    "description": None,
                    "priceImpactKnown": True,
                    "formField": {
                        "type": "number",
                        "label": "users",
                        "readonly": False,
                        "required": True,
                        "min": 0,
                    },
                    "dependsOn": {},
                }
            ],
            features=[{"id": new_id(), "name": "Support <24h>", "description": ""}],
            dimension_source={},
            quantity_dimension_id=quantity_id,
            last_updated_at=NOW,
            wire_read="{}",
            wire_list="{}",
        )
    )
    return product_id, quantity_id


def article_of(connection: Connection, product_id: str) -> int | None:
    """The product's one wording."""
    found = connection.scalar(sa.select(article.c.id).where(article.c.product_id == product_id))
    return found or connection.scalar(
        article.insert()
        .values(product_id=product_id, text="Suite", digest=product_id[-32:])
        .returning(article.c.id)
    )


def add_purchase(
    connection: Connection, company_id: str, product_id: str, number: int, *, unit_price: float, **more: Any
) -> None:
    connection.execute(
        purchase.insert().values(
            **{
                "id": new_id(),
                "row_key": new_id()[-32:],
                "company_id": company_id,
                "product_id": product_id,
                "article_id": article_of(connection, product_id),
                "purchase_date": date(2026, 10, 1) - timedelta(days=15 * number),
                "currency": "USD",
                "quantity": 5.0 + number % 7 * 3,
                "unit_price": unit_price,
                "price_period": "month",
                "term_months": 12 if number % 2 else 36,
                "purchase_type": "renewal" if number % 3 else "new_purchase",
                "list_price": 15.0,
                "attributes": {},
                **more,
            }
        )
    )


class Desk:
    """Drives one organisation's negotiations through the public interface, and the worker by hand."""

    def __init__(self, api: Client, context: Context, market: Market, clock: Clock) -> None:
        self.api, self.context, self.market, self.clock = api, context, market, clock
        self.sent = 0

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

    def planned(self, **body: Any) -> str:
        """A negotiation whose strategy is ready."""
        negotiation_id = self.start(**body)
        self.work()
        return negotiation_id

    def work(self) -> None:
        """What a worker does with the tasks of negotiations."""
        kinds: dict[str, Callable[[Context, str], None]] = {
            jobs.PLAN: jobs.plan,
            jobs.READ_ATTACHMENT: jobs.read_attachment,
            "extract": extract,
        }
        while True:
            with self.context.database.reading() as connection:
                rows = connection.execute(task.select().where(task.c.kind.in_(kinds))).all()
            if not rows:
                return
            for row in rows:
                kinds[row.kind](self.context, row.subject_id)

    @contextmanager
    def dying(self, how: type[BaseException]) -> Iterator[None]:
        """Work done in here dies at the end of its writing transaction, before the commit."""
        engine = self.context.database.engine

        def die(_: Connection) -> None:
            raise how

        listen(engine, "commit", die)
        try:
            yield
        finally:
            remove(engine, "commit", die)

    def told(self) -> dict[str, list[dict[str, Any]]]:
        """The bodies of all events by negotiation, in the order in which they were written."""
        with self.context.database.reading() as connection:
            bodies = connection.scalars(sa.select(event.c.body).order_by(event.c.id)).all()
        found: dict[str, list[dict[str, Any]]] = {}
        for body in map(json.loads, bodies):
            if "negotiationId" in body["data"]:
                found.setdefault(body["data"]["negotiationId"], []).append(body)
        return found

    def fire(self) -> int:
        return timers.fire_due(self.context)

    def update(self, negotiation_id: str, kind: str, expect: int = 204, **payload: Any) -> Any:
        """An external update of a known kind; `at`, `external_id`, `schema` and `source` may be given."""
        self.sent += 1
        body = {
            "timestamp": payload.pop("at", f"{self.clock():%Y-%m-%dT%H:%M:%SZ}"),
            "externalId": payload.pop("external_id", str(self.sent)),
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


@pytest.fixture
def desk(api: Client, context: Context, market: Market, clock: Clock) -> Desk:
    return Desk(api, context, market, clock)
