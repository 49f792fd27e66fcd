"""Agreed negotiations as savings and the accuracy of estimates count them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables import category, company
from app.service.negotiation import store
from app.service.negotiation.offers.savings import Savings, select_main
from app.service.negotiation.rows import NegotiationRow


@dataclass(frozen=True, slots=True)
class AgreedNegotiationRow:
    """One agreed negotiation, with its row as stored; `sample` says that it or its supplier is sample data.
    `purchases` counts those behind its estimate; `measures` is empty without a baseline for the same term;
    `unmeasured` says in words where there was one for another."""

    row: NegotiationRow
    negotiation_id: str
    supplier: str
    company_id: str | None
    category_id: str | None
    category: str | None
    sample: bool
    signed_at: datetime
    currency: str
    amount: Decimal
    target: Decimal | None
    measures: Sequence[Savings]
    unmeasured: str | None
    purchases: int

    @property
    def savings(self) -> Savings | None:
        """The savings that count in sums."""
        return select_main(self.measures)


def load_counted_negotiations(connection: Connection, organisation_id: str) -> list[AgreedNegotiationRow]:
    """Load every agreed negotiation of an organisation that counts, in the order in which the negotiations
    began."""
    rows = store.load_agreed_negotiations(connection, organisation_id)
    ids = {row.company_id for row in rows if row.company_id is not None}
    sellers = {
        seller.id: seller
        for seller in connection.execute(
            sa.select(
                company.c.id,
                company.c.name,
                company.c.sample,
                company.c.category_id,
                category.c.name.label("category"),
            )
            .outerjoin(category, category.c.id == company.c.category_id)
            .where(company.c.id.in_(ids))
        )
    }
    agreements: list[AgreedNegotiationRow] = []
    for row in rows:
        seller = sellers.get(row.company_id) if row.company_id is not None else None
        supplier = seller.name if seller else row.supplier.get("name") or row.supplier.get("domain")
        if row.agreement is None or row.currency is None:
            continue  # not reached: an agreed negotiation has both
        agreements.append(
            AgreedNegotiationRow(
                row=row,
                negotiation_id=row.id,
                supplier=supplier or "Unknown",
                company_id=row.company_id,
                category_id=seller.category_id if seller else None,
                category=seller.category if seller else None,
                sample=row.sample or (seller is not None and seller.sample),
                signed_at=row.agreement.signed_at,
                currency=row.currency,
                amount=row.agreement.amount,
                target=row.agreement.target,
                measures=row.agreement.measures,
                unmeasured=row.agreement.unmeasured,
                purchases=row.strategy.purchases if row.strategy else 0,
            )
        )
    return agreements
