"""Agreements as releases of the Open Contracting Data Standard 1.1. Pure.

An agreement is a contracting process of one award and one contract. The contract's value is that of the first
term, as agreed; its period goes on to the last day of the current term, since an agreement that has renewed
still runs. Days are whole: a period begins at the first second of its first day and ends at the last second
of its last one, in UTC. What is not known is left out."""

from datetime import date
from decimal import Decimal
from hashlib import blake2b
from typing import Any, NamedTuple

from app.contract.agreements import Agreement, AgreementLine
from app.contract.values import json_number, wire_instant
from app.service.agreements.dates.working_days import ONE_DAY
from app.service.catalog.names import company_key

VERSION = "1.1"
_NOT_IN_CODELIST = frozenset({"CNH", "SLE", "VED", "XCG", "ZWG"})
"""Currencies that the closed codelist of OCDS 1.1 does not have. An amount in one of them is left out."""
_CONTRACT_STATUSES = {
    "upcoming": "pending",
    "active": "active",
    "in_notice_window": "active",
    "deadline_missed": "active",
    "expired": "terminated",
    "ended": "terminated",
}


class Buyer(NamedTuple):
    """The organisation whose agreements are published. `prefix` begins the ids of its processes: one that the
    Open Contracting Partnership has registered for it, else a neutral word."""

    id: str
    name: str
    prefix: str


def build_release(one: Agreement, buyer: Buyer) -> dict[str, Any]:
    """Return the release of an agreement. Its id is another one where it says something else, as releases are
    never changed: an agreement also renews by itself, another may be put on record that follows it, and
    either side be renamed."""
    supplier = _build_supplier(one)
    me = {"id": buyer.id, "name": buyer.name}
    changed, end = wire_instant(one.updated_at) if one.updated_at else None, _find_end(one)
    day, status = str(end) if end else None, _CONTRACT_STATUSES.get(one.status)
    names = _digest(f"{buyer.name}\x1f{one.supplier_name}")
    award = {
        "id": f"{one.id}-award",
        "title": one.name,
        "status": "active",
        "suppliers": [supplier] if supplier else None,
    }
    release = {
        "ocid": build_ocid(buyer.prefix, one.id),
        "id": "-".join(filter(None, (one.id, changed, status, day, one.next_agreement_id, names))),
        "date": changed,
        "tag": ["award", "contract"],
        "initiationType": "tender",
        "parties": [
            {**me, "roles": ["buyer"]},
            *([{**supplier, "roles": ["supplier"]}] if supplier else []),
        ],
        "buyer": me,
        "awards": [_leave_out_unknown(award)],
        "contracts": [_build_contract(one, buyer.prefix)],
        "relatedProcesses": _relate("prior", one.previous_agreement_id, buyer.prefix),
    }
    return _leave_out_unknown(release)


def build_ocid(prefix: str, agreement_id: str) -> str:
    """Return the id of the contracting process that an agreement is."""
    return f"{prefix}-{agreement_id}"


def _build_contract(one: Agreement, prefix: str) -> dict[str, Any]:
    contract = {
        "id": one.id,
        "awardID": f"{one.id}-award",
        "title": one.name,
        "description": f"Contract number {one.reference}" if one.reference else None,
        "status": _CONTRACT_STATUSES.get(one.status),
        "period": _build_period(one),
        "value": _build_value(one.total_value, one.currency),
        "items": [_build_item(at, line, one.currency) for at, line in enumerate(one.lines or (), 1)],
        "relatedProcesses": _relate("renewalProcess", one.next_agreement_id, prefix),
    }
    return _leave_out_unknown(contract)


def _build_period(one: Agreement) -> dict[str, Any]:
    start, end, extent = one.term_start, _find_end(one), one.max_extent_date
    period = {
        "startDate": f"{start}T00:00:00Z" if start else None,
        "endDate": _end_of(end),
        "maxExtentDate": _end_of(extent),
        "durationInDays": (end + ONE_DAY - start).days if start and end else None,
    }
    return _leave_out_unknown(period)


def _find_end(one: Agreement) -> date | None:
    return one.current_term_end or one.term_end


def _end_of(day: date | None) -> str | None:
    return f"{day}T23:59:59Z" if day else None


def _build_value(amount: Decimal | None, currency: str | None) -> dict[str, Any] | None:
    if amount is None or currency is None or currency in _NOT_IN_CODELIST:
        return None
    return {"amount": json_number(amount), "currency": currency}


def _build_item(number: int, line: AgreementLine, currency: str | None) -> dict[str, Any]:
    unit = {"name": line.unit, "value": _build_value(line.unit_price, currency)}
    item = {
        "id": str(number),
        "description": line.description,
        "quantity": None if line.quantity is None else json_number(line.quantity),
        "unit": _leave_out_unknown(unit),
    }
    return _leave_out_unknown(item)


def _build_supplier(one: Agreement) -> dict[str, str] | None:
    """Return the supplier, with the same id in all agreements with it."""
    if one.supplier_name is None:
        return None
    if one.company_id is not None:
        return {"id": one.company_id, "name": one.supplier_name}
    return {"id": f"supplier-{_digest(company_key(one.supplier_name))}", "name": one.supplier_name}


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _relate(relationship: str, agreement_id: str | None, prefix: str) -> list[dict[str, Any]] | None:
    if agreement_id is None:
        return None
    ocid = build_ocid(prefix, agreement_id)
    return [{"id": "1", "relationship": [relationship], "scheme": "ocid", "identifier": ocid}]


def _leave_out_unknown(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if value not in (None, [], {}, "")}
