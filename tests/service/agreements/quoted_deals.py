"""Deals from quotes of a product with ten like-for-like purchases at about USD 100 per user and month, read,
confirmed and put on record as a caller does."""

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.agreements.learning.reconciling import learn_from_agreements
from app.service.context import Context
from app.service.database.tables import purchase, task
from app.service.scopes.jobs import extract_document
from tests.service.agreements.market.test_market import price
from tests.service.agreements.test_routes import get
from tests.service.negotiation.fake_clock import FakeClock
from tests.service.negotiation.market_fixture import CatalogMarket
from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.pricing.scope_requests import imported, product, row, scope_body, term

TWO_YEARS = {"termStart": "2026-07-01", "termEnd": "2028-06-30", "autoRenewalTermMonths": 12}
ONE_YEAR = {"termStart": "2026-07-01", "termEnd": "2027-06-30", "autoRenewalTermMonths": 12}


class QuotedDeals:
    """The organisation's deals about the one product of the market."""

    def __init__(self, api: TestClient, context: Context, folder: Path, unit: str = "user") -> None:
        self.api, self.context = api, context
        bought = [
            row(at, price=96 + at, unit=unit, buyer=f"Buyer {at}", day=f"2026-0{1 + at % 6}-1{at}")
            for at in range(10)
        ]
        imported(context, folder, bought)

    @property
    def sold(self) -> dict[str, Any]:
        return product(self.api)

    def read(self, *lines: str, total: float | None = None) -> str:
        """The id of the scope of a quote; a line is `description,quantity,unit,unit price,amount`."""
        below = () if total is None else (f"Total,,,,{total}",)
        table = "\n".join(["Description,Quantity,Unit,Unit price,Amount", *lines, *below])
        content = f"Supplier,Works\nQuote number,Q-7\nDate,2026-06-02\nCurrency,USD\n\n{table}\n".encode()
        answer = self.api.post("/v1/scope/from-document", files={"file": ("quote.csv", content)})
        scope_id: str = answer.json()["scopeId"]
        extract_document(self.context, scope_id)
        return scope_id

    def confirm(self, scope_id: str, months: int = 12) -> str:
        """Confirm a quote as it was read; return the id of the scope."""
        terms = iter(get(self.api, f"/v1/scope/{scope_id}")["productTerms"])
        lines: list[dict[str, Any]] = []
        for line in get(self.api, f"/v1/scope/{scope_id}/document")["lines"]:
            sent = {"index": line["index"], "role": line["role"]}
            if line["role"] == "product":
                read = next(terms)
                values = [{"id": one["id"], "value": one["value"]} for one in read["pricingDimensions"]]
                sent["productTerm"] = {
                    "productId": read["productId"],
                    "pricingDimensions": values,
                    "finalPrice": read["finalPrice"],
                }
            lines.append(sent)
        body = {"scopeTerm": {"termLength": months, "purchaseType": "new_purchase"}, "lines": lines}
        answer = self.api.post(f"/v1/scope/{scope_id}/document/confirm", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    def record(self, scope_id: str, **changes: Any) -> dict[str, Any]:
        """Put a confirmed quote on record, learn from it, and return the agreement."""
        made = self.api.post("/v1/agreements/from-document", json={"scopeId": scope_id})
        assert made.status_code == 201, made.text
        known = {"renewalType": "auto_renew", "owners": [{"name": "Bea", "email": "bea@acme.example"}]}
        return self.change(made.json()["id"], **known | changes)

    def change(self, agreement_id: str, **changes: Any) -> dict[str, Any]:
        """Change an agreement, learn from it, and return it."""
        changed = self.api.patch(f"/v1/agreements/{agreement_id}", json=changes)
        assert changed.status_code == 200, changed.text
        self.learn()
        return changed.json()

    def agree(self, scope_id: str, amount: float) -> dict[str, Any]:
        """Agree on a price for a scope in a negotiation, and return its timeline."""
        [company] = get(self.api, "/v1/catalog/companies?name=Works")["data"]
        clock = FakeClock()
        clock.now = self.context.clock()
        market = CatalogMarket(company["id"], "", self.sold["id"], "")
        driver = NegotiationDriver(self.api, self.context, market, clock)
        negotiation_id = driver.start_planned(scope={"scopeId": scope_id})
        driver.message(negotiation_id)
        driver.update(negotiation_id, "agreement", amount=amount, currency="USD", signedAt="2026-07-14")
        driver.run_tasks()
        return driver.timeline(negotiation_id)

    def learn(self) -> None:
        """Learn from the agreements, as a worker does."""
        with self.context.database.writing() as connection:
            waiting = task.c.kind == "agreement_purchases"
            ids = connection.scalars(sa.select(task.c.subject_id).where(waiting)).all()
            connection.execute(task.delete().where(waiting))
        for organisation_id in ids:
            learn_from_agreements(self.context, organisation_id)

    def learned(self, agreement_id: str) -> list[dict[str, Any]]:
        """The lines of an agreement as purchases."""
        return get(self.api, f"/v1/agreements/{agreement_id}/purchases")["data"]

    def count_purchases(self) -> int:
        """How many purchases are on record: ten of the market, and those of agreements."""
        with self.context.database.reading() as connection:
            return connection.scalar(sa.select(sa.func.count()).select_from(purchase)) or 0

    def against_market(self) -> dict[str, Any]:
        """The one agreement against the market."""
        [found] = price(self.context, self.api)["data"]
        return found

    def scope(self, quantity: float = 10, months: int = 12) -> dict[str, Any]:
        """A scope of so many units of the product."""
        return scope_body(term(self.sold, quantity=quantity), months=months)

    def preview(self) -> dict[str, Any]:
        """An estimate of ten units for a year."""
        answer = self.api.post("/v1/pricing/preview", json=self.scope())
        assert answer.status_code == 200, answer.text
        return answer.json()
