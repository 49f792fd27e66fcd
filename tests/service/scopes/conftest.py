"""A supplier whose products differ in a word, for quotes that are read, asked about and confirmed."""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.catalog.entries import company_row, product_row
from app.service.catalog.rows import (
    checkbox_dimension,
    quantity_dimension,
    select_dimension,
    set_impact_known,
)
from app.service.context import Context
from app.service.database.tables import company, product
from app.service.documents.extraction import LineItem
from app.service.ids import new_id
from app.service.scopes.jobs import extract_document

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)


@dataclass(frozen=True)
class Catalog:
    """Ids by name: Northgate sells `Analytics` in three editions and `Desk` as a product for each."""

    northgate: str
    analytics: str
    desk_starter: str
    desk_professional: str
    users: str
    edition: str
    single_sign_on: str


def build_line(description: str, **values: Any) -> LineItem:
    """A line of a document: ten for 100, where `values` say nothing else."""
    given: dict[str, Any] = {"quantity": Decimal(10), "amount": Decimal(100), **values}
    return LineItem(description=description, **given)


@pytest.fixture
def catalog(context: Context) -> Catalog:
    ids = Catalog(*(new_id() for _ in Catalog.__dataclass_fields__))
    northgate = company_row(ids.northgate, "Northgate Systems Ltd", NOW, details={})
    editions = ["Starter", "Professional", "Enterprise"]
    analytics = [
        set_impact_known(quantity_dimension(ids.users, "user"), True),
        set_impact_known(select_dimension(ids.edition, "Edition", "edition", editions), True),
        checkbox_dimension(ids.single_sign_on, "Single sign-on", "once"),
    ]
    products = [
        product_row(
            ids.analytics, northgate, "Northgate Analytics", NOW, sort_order=0, dimensions=analytics,
            quantity_dimension_id=ids.users, currency="USD", details={},
        )
    ]  # fmt: skip
    for order, (ident, name) in enumerate(
        [(ids.desk_starter, "Northgate Desk Starter"), (ids.desk_professional, "Northgate Desk Professional")]
    ):
        quantity = new_id()
        products.append(
            product_row(
                ident, northgate, name, NOW, sort_order=1 + order, item_id=f"ND-10{order}",
                dimensions=[quantity_dimension(quantity, "user")], quantity_dimension_id=quantity, details={},
            )
        )  # fmt: skip
    with context.database.writing() as connection:
        connection.execute(company.insert().values(**northgate))
        connection.execute(product.insert(), products)
    return ids


@dataclass(frozen=True)
class Quoter:
    """Uploads quotes as tables of text, and answers what was read."""

    api: TestClient
    context: Context

    def read(
        self,
        *lines: str,
        supplier: str = "Northgate Systems Ltd",
        number: str = "Q-7",
        currency: str = "USD",
        below: str = "",
    ) -> str:
        """The id of the scope of a quote; a line is `description,quantity,unit price,amount`."""
        named = f"Currency,{currency}\n" if currency else ""
        head = f"Supplier,{supplier}\nQuote number,{number}\nDate,2026-11-02\n{named}\n"
        table = "Description,Quantity,Unit,Unit price,Amount\n" + "\n".join(lines) + "\n"
        return self.upload(f"{head}{table}{below}", "quote.csv")

    def upload(self, text: str, filename: str) -> str:
        """The id of the scope of a quote in this file."""
        answer = self.api.post("/v1/scope/from-document", files={"file": (filename, text.encode())})
        assert answer.status_code == 201, answer.text
        scope_id: str = answer.json()["scopeId"]
        extract_document(self.context, scope_id)
        assert self.scope(scope_id)["documentProcessing"]["status"] == "completed"
        return scope_id

    def scope(self, scope_id: str) -> dict[str, Any]:
        scope: dict[str, Any] = self.api.get(f"/v1/scope/{scope_id}").json()
        return scope

    def document(self, scope_id: str) -> dict[str, Any]:
        answer = self.api.get(f"/v1/scope/{scope_id}/document")
        assert answer.status_code == 200, answer.text
        document: dict[str, Any] = answer.json()
        return document

    def lines(self, scope_id: str) -> list[dict[str, Any]]:
        lines: list[dict[str, Any]] = self.document(scope_id)["lines"]
        return lines


@pytest.fixture
def quoter(api: TestClient, context: Context, catalog: Catalog) -> Quoter:
    return Quoter(api, context)
