"""Makes purchases of an organisation from the lines of its agreements, each once.

What follows from an agreement is computed anew whenever it, or the purchases of its products, have changed: a
line whose purchase came with an import gives its own up, and takes it back when that import is undone.

A purchase on record surely is the one that an agreement's line describes where supplier, product, currency,
quantity and price are the same, and the day or the number of the order too. Where only some of that agrees,
it may be the same: then both stay, and a person is told.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy import Connection, RowMapping

from app.service.access.audit import (
    PURCHASES_CHANGED,
    PURCHASES_TAKEN_BACK,
    Subject,
    record_outcome,
    write_outcomes,
)
from app.service.agreements.learning.decided_purchases import load_decisions
from app.service.agreements.learning.line_purchases import (
    AgreementFacts,
    LinePurchase,
    NotLearned,
    read_lines,
)
from app.service.agreements.store import load_agreements
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.catalog.estimate_check import request_estimate_check
from app.service.charges.charge import count_periods
from app.service.context import Context
from app.service.database.dialect import lock_imports
from app.service.database.tables import agreement, agreement_purchase, article, negotiation, purchase
from app.service.database.visibility import owned_by
from app.service.ids import build_purchase_id
from app.service.pricing.catalog_product import load_products
from app.service.pricing.past_purchases import load_units
from app.service.purchase_records import PricePeriod
from app.service.purchases.agreement_lines import recheck_agreements
from app.service.purchases.own_purchases import find_one_time_products, find_or_insert_article
from app.service.purchases.product_refresh import delete_purchases, mark_stale, refresh_stale_products
from app.service.scopes.scope_documents import find_document_number
from app.service.scopes.store import StoredScope, find_scope

_Likeness = Literal["same", "possibly_same"]

_NEAR = timedelta(days=92)
"""How far apart the days of an order and of its agreement may lie."""
_NEAR_PRICE = 0.25
_HALF_CENT, _CENT = 0.005, 0.01
_ORDER_NUMBER = re.compile(r"(?=.*\d)[\w./-]{4,}")


@dataclass(frozen=True, slots=True)
class _RecordedPurchase:
    """A purchase on record of the same product and currency."""

    id: str
    product_id: str
    currency: str
    purchase_date: date
    quantity: float
    unit_price: float
    price_period: PricePeriod
    term_months: int | None
    order_id: str | None

    def count_periods(self, months: int | None) -> float:
        """How many price periods were paid, in so many months where it states none itself."""
        return float(count_periods(self.price_period, self.term_months or months) or 1)


def _compare(bought: LinePurchase, recorded: _RecordedPurchase, names: Iterable[str]) -> _Likeness | None:
    """Say whether a purchase is that of a line; `names` are those of the agreement, in which the number of an
    order may stand. None where it is another one."""
    if recorded.product_id != bought.product.id or recorded.currency != bought.currency:
        return None
    has_number = _names_order(names, recorded.order_id)
    apart = abs(recorded.purchase_date - bought.purchase_date)
    same_quantity = abs(recorded.quantity - bought.quantity) <= 1e-6 * bought.quantity
    # An order that states no term may be of any.
    periods = recorded.count_periods(bought.term_months)
    total = recorded.unit_price * recorded.quantity * periods
    tolerance = _HALF_CENT * recorded.quantity * periods + _CENT
    same_price = same_quantity and abs(total - bought.amount) <= tolerance
    same_term = recorded.term_months in (None, bought.term_months)
    if same_price and same_term and (has_number or not apart):
        return "same"
    near_price = same_quantity and abs(total - bought.amount) <= _NEAR_PRICE * bought.amount
    if has_number or (same_price and apart <= _NEAR) or (near_price and not apart):
        return "possibly_same"
    return None


def _names_order(names: Iterable[str], order_id: str | None) -> bool:
    """Say whether a name holds the number of an order as a word of its own."""
    if order_id is None or _ORDER_NUMBER.fullmatch(order_id) is None:
        return False
    word = re.compile(rf"(?<![\w./-]){re.escape(order_id)}(?![\w./-])", re.IGNORECASE)
    return any(word.search(name) for name in names)


def _decide(likeness: _Likeness | None, decision: bool | None) -> _Likeness | None:
    if likeness != "possibly_same" or decision is None:
        return likeness
    return "same" if decision else None


def _match_lines(
    lines: Sequence[LinePurchase],
    recorded: Sequence[_RecordedPurchase],
    names: Sequence[str],
    decided: Mapping[tuple[int, str], bool],
) -> tuple[dict[int, str], dict[int, list[str]]]:
    """Return by line the id of the purchase that it surely is, each purchase for one line alone, and the ids
    of those that it may be. Of what may be the same, `decided` says by line and purchase whether a person
    says that it is."""
    same: dict[int, str] = {}
    alike: dict[int, list[str]] = {}
    for bought in lines:
        found = {
            one.id: _decide(_compare(bought, one, names), decided.get((bought.line, one.id)))
            for one in recorded
        }
        free = [key for key, likeness in found.items() if likeness == "same" and key not in same.values()]
        if free:
            same[bought.line] = free[0]
        else:
            alike[bought.line] = [key for key, likeness in found.items() if likeness == "possibly_same"]
    return same, alike


AT_ONCE = 100
"""Agreements of one transaction."""
MAX_ROUNDING = 0.015
"""By how much amounts of the same line may differ where one of them was rounded."""


def learn_from_agreements(context: Context, organisation_id: str) -> None:
    """The task: make the purchases of those agreements of an organisation that have changed."""
    with context.database.writing() as connection:
        lock_imports(connection)
        forget_lost_agreements(connection, organisation_id, context.clock())
    while True:
        with context.database.writing() as connection:
            lock_imports(connection)
            waiting = (
                owned_by(agreement.c, organisation_id),
                agreement.c.learned.is_(sa.false()),
                agreement.c.sample.is_(sa.false()),
            )
            # Locked, so that a change at the same time asks for another look afterwards.
            ids = connection.scalars(
                sa.select(agreement.c.id)
                .where(*waiting)
                .order_by(agreement.c.id)
                .limit(AT_ONCE)
                .with_for_update()
            ).all()
            loaded = load_agreements(connection, ids)
            for agreement_id in ids:
                reconcile(connection, loaded[agreement_id], context.clock())
            connection.execute(agreement.update().where(agreement.c.id.in_(ids)).values(learned=True))
        if not ids:
            break
    refresh_stale_products(context.database, context.clock())
    with context.database.writing() as connection:
        request_estimate_check(connection, organisation_id, context.clock())


def reconcile(connection: Connection, one: StoredAgreement, now: datetime) -> None:
    """Bring the purchases of one agreement up to date with its lines and with what else is on record."""
    facts = _gather_facts(connection, one)
    read = list(read_lines(facts))
    bought = [each for each in read if isinstance(each, LinePurchase)]
    before = {row.line: row for row in _load_links(connection, [one.id])}
    own = {row.purchase_id for row in before.values() if row.own}
    recorded = _load_recorded(connection, one, {each.product.id for each in bought}, own)
    adopted = _adopt_negotiated(one, bought, recorded, own)
    others = [each for each in recorded if each.id not in adopted.values() and each.id not in own]
    number = find_document_number(connection, one.agreed.scope_id) if one.agreed.scope_id else None
    names = [name for name in (one.agreed.name, one.agreed.reference, number) if name]
    same, alike = _match_lines(bought, others, names, load_decisions(connection, one.id))
    links: list[dict[str, Any]] = []
    changed: set[str] = set()
    kept: set[str] = set()
    for each in read:
        link: dict[str, Any] = {
            "agreement_id": one.id,
            "line": each.line,
            "organisation_id": one.organisation_id,
            "own": False,
            "purchase_id": None,
            "reason": None,
            "alike": [],
        }
        if isinstance(each, NotLearned):
            link |= {"product_id": each.product_id, "reason": each.reason}
        elif each.line in same:
            link |= {"product_id": each.product.id, "purchase_id": same[each.line]}
        else:
            row = before.get(each.line)
            known = adopted.get(each.line) or (row.purchase_id if row is not None and row.own else None)
            purchase_id = _write_purchase(connection, one, each, known, changed)
            kept.add(purchase_id)
            link |= {
                "product_id": each.product.id,
                "purchase_id": purchase_id,
                "own": True,
                "alike": alike.get(each.line, []),
            }
        links.append(link)
    gone = (own | {key for line, key in adopted.items() if line in same}) - kept
    changed |= _delete_purchases(connection, one.organisation_id, gone)
    connection.execute(agreement_purchase.delete().where(agreement_purchase.c.agreement_id == one.id))
    if links:
        connection.execute(agreement_purchase.insert(), links)
    if changed:
        subject = Subject(one.organisation_id, one.id, one.agreed.name)
        record_outcome(connection, PURCHASES_CHANGED, subject, now)
        mark_stale(connection, changed, one.organisation_id)
        recheck_agreements(connection, one.organisation_id, changed, now)


def forget_lost_agreements(connection: Connection, organisation_id: str, now: datetime) -> None:
    """Take back the purchases of agreements that are gone."""
    lost = (
        sa.select(agreement_purchase.c.agreement_id)
        .outerjoin(agreement, agreement.c.id == agreement_purchase.c.agreement_id)
        .where(owned_by(agreement_purchase.c, organisation_id), agreement.c.id.is_(None))
        .distinct()
    )
    ids = connection.scalars(lost).all()
    links = [row for row in _load_links(connection, ids) if row.own]
    own = {row.purchase_id for row in links}
    subjects = [Subject(organisation_id, each) for each in sorted({row.agreement_id for row in links})]
    write_outcomes(connection, [(PURCHASES_TAKEN_BACK, one) for one in subjects], now)
    changed = _delete_purchases(connection, organisation_id, own)
    connection.execute(agreement_purchase.delete().where(agreement_purchase.c.agreement_id.in_(ids)))
    recheck_agreements(connection, organisation_id, changed, now)


def _gather_facts(connection: Connection, one: StoredAgreement) -> AgreementFacts:
    wanted = {line.product_id for line in one.agreed.lines or () if line.product_id is not None}
    products = load_products(connection, wanted, one.organisation_id) if wanted else {}
    scope = find_scope(connection, one.organisation_id, one.agreed.scope_id) if one.agreed.scope_id else None
    agreed_on, months = _find_deal(connection, one, scope)
    return AgreementFacts(
        agreed=one.agreed,
        agreed_on=agreed_on,
        months=months,
        scope=scope,
        products=products,
        units=load_units(connection, one.organisation_id, wanted) if wanted else {},
        paid_once=find_one_time_products(connection, one.organisation_id, wanted) if wanted else (),
    )


def _find_deal(
    connection: Connection, one: StoredAgreement, scope: StoredScope | None
) -> tuple[date | None, int | None]:
    """Return the day of the deal: when its negotiation was signed, else when its first term begins, or when
    it was put on record where that came first. With it come the months that were negotiated."""
    if one.negotiation_id is not None:
        price: Any = connection.scalar(
            sa.select(negotiation.c.agreement).where(negotiation.c.id == one.negotiation_id)
        )
        if price is not None:
            months: int | None = price.get("termLength") or (
                scope.stated_months if scope is not None else None
            )
            return datetime.fromisoformat(price["signedAt"]).date(), months
    start = one.agreed.term_start
    return (None if start is None else min(start, one.created_at.date())), None


_RECORDED = [
    article.c.product_id if field.name == "product_id" else purchase.c[field.name]
    for field in fields(_RecordedPurchase)
]


def _load_recorded(
    connection: Connection, one: StoredAgreement, product_ids: Collection[str], own: Collection[str]
) -> list[_RecordedPurchase]:
    """Return the organisation's purchases of these products, without those of its later agreements, which are
    compared with this one in their turn."""
    later = sa.select(agreement_purchase.c.purchase_id).where(
        owned_by(agreement_purchase.c, one.organisation_id),
        agreement_purchase.c.own,
        agreement_purchase.c.agreement_id > one.id,
        agreement_purchase.c.purchase_id.is_not(None),
    )
    rows = connection.execute(
        sa.select(*_RECORDED)
        .join(article, article.c.id == purchase.c.article_id)
        .where(
            owned_by(purchase.c, one.organisation_id),
            article.c.product_id.in_(product_ids),
            purchase.c.id.not_in(later),
        )
        .order_by(purchase.c.purchase_date, purchase.c.id)
    )
    return [_RecordedPurchase(*row) for row in rows]


def _adopt_negotiated(
    one: StoredAgreement,
    bought: Sequence[LinePurchase],
    recorded: Sequence[_RecordedPurchase],
    own: Collection[str],
) -> dict[int, str]:
    """Return by line the purchase that its negotiation has saved: it becomes that of the agreement."""
    adopted: dict[int, str] = {}
    if one.negotiation_id is None:
        return adopted
    for each in bought:
        for row in recorded:
            of_line = row.order_id == one.negotiation_id and row.product_id == each.product.id
            if of_line and row.id not in own and row.id not in adopted.values():
                adopted[each.line] = row.id
                break
    return adopted


def _write_purchase(
    connection: Connection,
    one: StoredAgreement,
    bought: LinePurchase,
    known: str | None,
    changed: set[str],
) -> str:
    """Insert the purchase of a line, or change the one that it has; return its id."""
    values: dict[str, Any] = {
        "article_id": find_or_insert_article(
            connection, one.organisation_id, bought.product.id, bought.product.name
        ),
        "purchase_date": bought.purchase_date,
        "currency": bought.currency,
        "quantity": bought.quantity,
        "unit": bought.unit,
        "unit_price": bought.unit_price,
        "price_period": "once" if bought.term_months is None else "term",
        "term_months": bought.term_months,
        "purchase_type": bought.purchase_type,
        "attributes": dict(bought.attributes),
    }
    if known is not None:
        row = connection.execute(sa.select(purchase).where(purchase.c.id == known)).mappings().first()
        if row is not None and _is_unchanged(row, values):
            return known
        if row is not None:
            changed |= _delete_purchases(connection, one.organisation_id, {known})
    purchase_id = build_purchase_id("agreement", one.id, bought.line)
    connection.execute(
        purchase.insert().values(
            **values,
            id=purchase_id,
            organisation_id=one.organisation_id,
            order_id=one.id,
        )
    )
    changed.add(bought.product.id)
    return purchase_id


def _is_unchanged(row: RowMapping, values: Mapping[str, Any]) -> bool:
    """Say whether a purchase has these values, its price to the cent of the whole."""
    apart = abs(row["unit_price"] - values["unit_price"]) * values["quantity"]
    return apart < MAX_ROUNDING and all(
        row[name] == value for name, value in values.items() if name != "unit_price"
    )


def _delete_purchases(connection: Connection, owner: str, ids: Collection[str | None]) -> set[str]:
    """Delete purchases, and return their products."""
    listed = [key for key in ids if key is not None]
    return delete_purchases(connection, owner, purchase.c.id.in_(listed))[0] if listed else set()


def _load_links(connection: Connection, agreement_ids: Sequence[str]) -> Iterator[Any]:
    yield from connection.execute(
        sa.select(agreement_purchase).where(agreement_purchase.c.agreement_id.in_(agreement_ids))
    )
