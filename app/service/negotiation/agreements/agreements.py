"""Agreed negotiations as the savings report counts them."""

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables.catalog import category, company
from app.service.negotiation import store
from app.service.negotiation.agreements.savings import load_measures
from app.service.negotiation.agreements.savings_report import AgreementRecord
from app.service.negotiation.amounts import parse_amount


def load_agreements(connection: Connection, organisation_id: str) -> list[AgreementRecord]:
    """Every agreement of an organisation, in the order in which the negotiations began."""
    rows = store.list_agreed_negotiations(connection, organisation_id)
    ids = {row.company_id for row in rows if row.company_id is not None}
    sellers = {
        seller.id: seller
        for seller in connection.execute(
            sa.select(company.c.id, company.c.name, company.c.category_id, category.c.name.label("category"))
            .outerjoin(category, category.c.id == company.c.category_id)
            .where(company.c.id.in_(ids))
        )
    }
    agreements: list[AgreementRecord] = []
    for row in rows:
        seller = sellers.get(row.company_id)
        supplier = seller.name if seller else row.supplier.get("name") or row.supplier.get("domain")
        target = row.agreement["target"]
        agreements.append(
            AgreementRecord(
                negotiation_id=row.id,
                supplier=supplier or "Unknown",
                company_id=row.company_id,
                category_id=seller.category_id if seller else None,
                category=seller.category if seller else None,
                signed_at=datetime.fromisoformat(row.agreement["signedAt"]),
                currency=row.currency,
                amount=parse_amount(row.agreement["amount"]),
                target=parse_amount(target) if target is not None else None,
                measures=load_measures(row.agreement),
                purchases=row.strategy["opening"]["purchases"] if row.strategy else 0,
            )
        )
    return agreements
