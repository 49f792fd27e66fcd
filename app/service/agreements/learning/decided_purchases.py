"""What persons decided about purchases that may be those of an agreement's lines."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreement_purchases import PurchaseDecision
from app.contract.agreements import AgreementLine
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.database.tables import agreement, agreement_purchase, same_purchase
from app.service.http.problems import bad_request
from app.service.purchases.agreement_lines import request_learning


def load_decisions(connection: Connection, agreement_id: str) -> dict[tuple[int, str], bool]:
    """Return whether a purchase is that of a line, by line and purchase."""
    table = same_purchase.c
    rows = connection.execute(
        sa.select(table.line, table.purchase_id, table.same).where(table.agreement_id == agreement_id)
    )
    return {(line, purchase_id): same for line, purchase_id, same in rows}


def move_decisions(
    connection: Connection,
    agreement_id: str,
    before: Sequence[AgreementLine],
    after: Sequence[AgreementLine],
) -> None:
    """Keep each decision with its line: where the same line stands now, else at its place if it is of the
    same product. One on a line that is gone is dropped."""
    of_agreement = same_purchase.c.agreement_id == agreement_id
    query = sa.select(same_purchase).where(of_agreement)
    rows: Sequence[Mapping[Any, Any]] = connection.execute(query).mappings().all()
    if not rows:
        return
    left, places = dict(enumerate(after)), dict[int, int]()
    for at, line in enumerate(before):
        place = next((place for place in (at, *left) if left.get(place) == line), None)
        if place is not None:
            places[at] = place
            del left[place]
    for at, line in enumerate(before):
        if at not in places and at in left and left[at].product_id == line.product_id:
            places[at] = at
    connection.execute(same_purchase.delete().where(of_agreement))
    moved = ((row, places.get(row["line"])) for row in rows)
    kept: list[dict[str, Any]] = [{**row, "line": place} for row, place in moved if place is not None]
    if kept:
        connection.execute(same_purchase.insert(), kept)


def decide_purchase(
    connection: Connection,
    one: StoredAgreement,
    new: PurchaseDecision,
    *,
    now: datetime,
    decided_by: str | None,
) -> None:
    """Store a decision, and ask for the purchases of the agreement anew. Raises ApiProblem 400 for a purchase
    of which nobody doubts whether it is that of the line."""
    decided = load_decisions(connection, one.id)
    alike = connection.scalar(
        sa.select(agreement_purchase.c.alike).where(
            agreement_purchase.c.agreement_id == one.id, agreement_purchase.c.line == new.line
        )
    )
    if new.purchase_id not in (alike or ()) and (new.line, new.purchase_id) not in decided:
        raise bad_request(
            "/purchaseId",
            "This purchase is none of those that may be the same as this line (alike): nothing is to be"
            " decided about it.",
        )
    key = {"agreement_id": one.id, "line": new.line, "purchase_id": new.purchase_id}
    connection.execute(
        same_purchase.delete().where(*(same_purchase.c[name] == value for name, value in key.items()))
    )
    connection.execute(
        same_purchase.insert().values(
            **key,
            same=new.same,
            decided_by=decided_by,
            decided_at=now,
        )
    )
    connection.execute(agreement.update().where(agreement.c.id == one.id).values(learned=False))
    request_learning(connection, one.organisation_id, now)
