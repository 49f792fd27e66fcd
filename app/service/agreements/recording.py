"""Make an agreement of what was confirmed or negotiated, each once."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import AgreementLine, AgreementOwner
from app.service.access.audit import AGREEMENT_RECORDED, AGREEMENT_RENEWED, Subject, record_outcome
from app.service.access.caller import EndUser, RecordOrigin
from app.service.access.quotas import lock_organisation
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.agreements.from_scope import AgreementDraft, ScopeSources, draft_agreement
from app.service.agreements.store import (
    find_agreement,
    find_agreement_of,
    insert_agreement,
    save_agreed,
    store_decision,
    update_agreement,
)
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.agreements.working_calendar import load_working_days
from app.service.charges.months import add_months
from app.service.database.tables import agreement, scope
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem, bad_request
from app.service.scopes.scope_documents import find_document_behind, select_same_files
from app.service.scopes.store import StoredScope, find_scope, load_products


def record_confirmed_document(
    connection: Connection, scope_id: str, origin: RecordOrigin, *, max_agreements: int
) -> str:
    """Write the agreement that a confirmed document is, and return its id. Where an earlier version of the
    same document is on record, that agreement is changed instead: what a person stated of it stays. Raises
    ApiProblem 400 where there is no such scope, and 409 where its document is not confirmed or this version
    was put on record before."""
    organisation_id = origin.organisation_id
    confirmed = find_scope(connection, organisation_id, scope_id)
    if confirmed is None:
        raise bad_request("/scopeId", "There is no such scope.")
    if confirmed.document is not None or confirmed.document_scope_id is None:
        raise ApiProblem(
            409,
            "Only a scope whose document was confirmed becomes an agreement: confirm its lines, and give the"
            " id of the scope that this makes.",
        )
    lock_organisation(connection, organisation_id)
    earlier = find_agreement_of(connection, agreement.c.scope_id, scope_id)
    if earlier is not None:
        raise ApiProblem(409, f"This scope is on record as the agreement {earlier} already.")
    draft = _draft(connection, confirmed)
    days = load_working_days(connection, organisation_id)
    on_record = _lock_same_deal(connection, confirmed)
    if on_record is not None:
        _replace_version(connection, on_record, draft, days, origin.now)
        return on_record.id
    draft.stated |= _find_predecessor(connection, confirmed)
    return insert_agreement(
        connection, draft.build(days), origin, max_agreements=max_agreements, evidence=draft.evidence
    )


def _draft(connection: Connection, one: StoredScope) -> AgreementDraft:
    """Return what a scope and the document behind it say."""
    owner, read_id = one.organisation_id, one.document_scope_id
    as_read = find_scope(connection, owner, read_id) if read_id is not None and read_id != one.id else None
    products = load_products(connection, one.product_ids, owner)
    return draft_agreement(one, ScopeSources(find_document_behind(connection, one.id), as_read, products))


_NEGOTIATED = ("oneTimeValue", "totalValue", "currency", "lines", "termEnd", "companyId", "supplierName")
"""What a negotiation agrees anew."""


@dataclass(frozen=True, slots=True)
class NegotiatedPrice:
    """What a negotiation about a scope ended with. `lines` are empty where nobody knows how the price
    splits; `months` is the length of the term where that was agreed. `renewed_id` is the agreement that was
    to be renewed, `end_user` who agreed. `bought_scope_id` is the scope of what was agreed, where that is
    something else."""

    negotiation_id: str
    scope: StoredScope
    company_id: str | None
    supplier_name: str | None
    owner: AgreementOwner
    amount: Decimal
    currency: str
    lines: Sequence[AgreementLine]
    end_user: dict[str, str] | None
    sample: bool
    months: int | None = None
    renewed_id: str | None = None
    bought_scope_id: str | None = None


def record_negotiation(
    connection: Connection, price: NegotiatedPrice, *, now: datetime, max_agreements: int
) -> None:
    """Write the agreement that a negotiation ended with, once. Where the document that was negotiated is on
    record as an agreement, that one has the agreed price from then on. Raises ApiProblem 409 where the
    organisation has no room for another."""
    organisation_id = price.scope.organisation_id
    lock_organisation(connection, organisation_id)
    if find_agreement_of(connection, agreement.c.negotiation_id, price.negotiation_id) is not None:
        return
    draft = _draft(connection, price.scope)
    _replace_price(draft, price)
    days = load_working_days(connection, organisation_id)
    on_record = _lock_same_deal(connection, price.scope)
    if on_record is not None and on_record.negotiation_id is None:
        _replace_version(connection, on_record, draft, days, now, negotiation_id=price.negotiation_id)
        subject = Subject(organisation_id, on_record.id, on_record.agreed.name, asked_of=price.negotiation_id)
        record_outcome(connection, AGREEMENT_RECORDED, subject, now)
        return
    renewed = _find_renewed(connection, price)
    if renewed is not None:
        draft.stated |= _continue_agreement(renewed)
        _add_unmatched_lines(draft, renewed)
    else:
        draft.stated |= _find_predecessor(connection, price.scope)
    agreed = draft.build(days)
    agreement_id = insert_agreement(
        connection,
        agreed,
        RecordOrigin(organisation_id, now, price.sample, price.end_user),
        max_agreements=max_agreements,
        evidence=draft.evidence,
        negotiation_id=price.negotiation_id,
    )
    subject = Subject(organisation_id, agreement_id, agreed.name, asked_of=price.negotiation_id)
    record_outcome(connection, AGREEMENT_RECORDED, subject, now)
    if renewed is not None:
        position = renewed.dates.find_position(now.date(), days)
        agreed_by = EndUser(**price.end_user or {}).named
        store_decision(
            connection,
            renewed,
            "renew",
            note=f"Renewed by negotiation: the agreement {agreement_id} follows it.",
            term_end=position.term_end,
            decided_at=now,
            decided_by=f"Parley, on behalf of {agreed_by}" if agreed_by else None,
        )
        subject = subject._replace(object_id=renewed.id, name=renewed.agreed.name)
        record_outcome(connection, AGREEMENT_RENEWED, subject, now)


def find_same_deal(connection: Connection, one: StoredScope) -> str | None:
    """Return the id of the agreement that was made of the same document: of another version of what was read
    in it, or of the same place in the same file, unless that is a price list, of which other things may be
    bought another time. The newest, where there are several."""
    document = find_document_behind(connection, one.id)
    if one.document_scope_id is None or document is None or document.reading is None:
        return None
    is_same = scope.c.document_scope_id == one.document_scope_id
    if document.reading["kind"] != "price_list":
        is_same = scope.c.document_scope_id.in_(select_same_files(one.organisation_id, one.document_scope_id))
    of_document = sa.select(scope.c.id).where(scope.c.organisation_id == one.organisation_id, is_same)
    return connection.scalar(
        sa.select(agreement.c.id)
        .where(
            owned_by(agreement.c, one.organisation_id),
            agreement.c.scope_id.in_(of_document),
            agreement.c.next_agreement_id.is_(None),
        )
        .order_by(agreement.c.created_at.desc(), agreement.c.id.desc())
        .limit(1)
    )


def _lock_same_deal(connection: Connection, one: StoredScope) -> StoredAgreement | None:
    found = find_same_deal(connection, one)
    return None if found is None else find_agreement(connection, one.organisation_id, found, to_change=True)


def _replace_version(
    connection: Connection,
    one: StoredAgreement,
    draft: AgreementDraft,
    days: WorkingDays,
    now: datetime,
    negotiation_id: str | None = None,
) -> None:
    """Change an agreement to what another version of its document says, or to what was negotiated of it. A
    value that is not what its own version said was stated by a person, and stays; a negotiated price does
    not."""
    before = one.agreed.wire()
    scope_id = one.agreed.scope_id
    earlier = find_scope(connection, one.organisation_id, scope_id) if scope_id is not None else None
    said: dict[str, Any] = {}
    if earlier is not None:
        said = _draft(connection, earlier).build(days).wire()
    kept = {name: value for name, value in before.items() if value != said.get(name)}
    if negotiation_id is not None:
        kept = {name: value for name, value in kept.items() if name not in _NEGOTIATED}
    merged = AgreementDraft({**draft.stated, **kept, "scopeId": draft.stated["scopeId"]}, draft.evidence)
    agreed = merged.build(days)
    evidence = {name: seen for name, seen in draft.evidence.items() if name not in kept}
    save_agreed(connection, one, agreed, now, evidence=evidence)
    if negotiation_id is not None:
        update_agreement(connection, one, now, negotiation_id=negotiation_id)


def _add_unmatched_lines(draft: AgreementDraft, renewed: StoredAgreement) -> None:
    """Add the lines of the agreement before that are paid again and are no product of the catalog: what they
    cost now was not agreed line by line."""
    unmatched = [
        line.model_copy(update={"amount": None, "unit_price": None})
        for line in renewed.agreed.lines or ()
        if line.product_id is None and line.recurring is not False
    ]
    if unmatched:
        draft.stated["lines"] = [*draft.stated.get("lines", ()), *unmatched]


def _find_renewed(connection: Connection, price: NegotiatedPrice) -> StoredAgreement | None:
    """Return the agreement that was to be renewed, unless another one follows it by now."""
    if price.renewed_id is None:
        return None
    renewed = find_agreement(connection, price.scope.organisation_id, price.renewed_id, to_change=True)
    return None if renewed is None or renewed.next_agreement_id is not None else renewed


def _continue_agreement(renewed: StoredAgreement) -> dict[str, Any]:
    """Return what the organisation itself says of an agreement, and does not agree anew. Its notice period
    and its price rises may have changed, so they are missing until somebody states them."""
    before = renewed.agreed
    stated = {
        "name": before.name,
        "owners": before.owners,
        "costCenter": before.cost_center,
        "tags": before.tags,
        "deliveryBufferDays": before.delivery_buffer_days,
        "previousAgreementId": renewed.id,
    }
    return {name: value for name, value in stated.items() if value is not None}


def _replace_price(draft: AgreementDraft, price: NegotiatedPrice) -> None:
    """Put what was agreed in the place of what was quoted."""
    for name in ("oneTimeValue", "totalValue", "currency", "lines"):
        draft.stated.pop(name, None)
        draft.evidence.pop(name, None)
    supplier = {"companyId": price.company_id, "supplierName": price.supplier_name}
    draft.stated = {
        **draft.stated,
        **{name: value for name, value in supplier.items() if value},
        "owners": [price.owner],
        "totalValue": price.amount,
        "currency": price.currency,
        "scopeId": price.bought_scope_id or price.scope.id,
    }
    start: date | None = draft.stated.get("termStart")
    if price.months is not None and start is not None:
        draft.stated["termEnd"] = add_months(start, price.months) - ONE_DAY
    if price.lines:
        draft.stated["lines"] = [*price.lines]


def _find_predecessor(connection: Connection, one: StoredScope) -> dict[str, str]:
    """Return the agreement of the scope that this one follows, where there is one that nothing follows
    yet."""
    if one.previous_scope_id is None:
        return {}
    before = find_agreement_of(
        connection, agreement.c.scope_id, one.previous_scope_id, agreement.c.next_agreement_id.is_(None)
    )
    return {} if before is None else {"previousAgreementId": before}
