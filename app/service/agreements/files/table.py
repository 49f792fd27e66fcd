"""Agreements as a table: a row for each, or one for each of its lines. The import reads it back. Pure.

Its headings are the fields on the wire. What is told of the agreement stands in the row of its first line
alone, so that a sum counts it once; the rows of the others name it again. References to what else the
organisation has on record (scope, file, negotiation, other agreements, entries of the catalog) are left out:
they mean nothing elsewhere."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal

from app.contract.agreements import Agreement, AgreementLine
from app.service.agreements.files.cell_values import join_texts
from app.service.table_files.cells import escape_text

Cell = str | Decimal | date | None

_IDENTITY: Mapping[str, Callable[[Agreement], Cell]] = {
    "reference": lambda one: _text(one.reference),
    "name": lambda one: _text(one.name),
    "supplierName": lambda one: _text(one.supplier_name),
    "termStart": lambda one: one.term_start,
}
_AGREED: Mapping[str, Callable[[Agreement], Cell]] = {
    "termEnd": lambda one: one.term_end,
    "renewalType": lambda one: one.renewal_type,
    "autoRenewalTermMonths": lambda one: _number(one.auto_renewal_term_months),
    "maxRenewals": lambda one: _number(one.max_renewals),
    "maxExtentDate": lambda one: one.max_extent_date,
    "noticePeriod": lambda one: _describe_notice(one),
    "noticeTo": lambda one: one.notice_to,
    "deliveryBufferDays": lambda one: _number(one.delivery_buffer_days),
    "noticeGivenOn": lambda one: one.notice_given_on,
    "currency": lambda one: one.currency,
    "totalValue": lambda one: one.total_value,
    "oneTimeValue": lambda one: one.one_time_value,
    "committedSpend": lambda one: one.committed_spend,
    "paymentTermsDays": lambda one: _number(one.payment_terms_days),
    "billingFrequency": lambda one: one.billing_frequency,
    "costCenter": lambda one: _text(one.cost_center),
    "tags": lambda one: _text(join_texts(one.tags or ())),
    "owners": lambda one: _text(join_texts(owner.name for owner in one.owners or ())),
    "ownerEmails": lambda one: _list_addresses(one),
    "upliftKind": lambda one: one.uplift.kind if one.uplift else None,
    "upliftPercent": lambda one: one.uplift.percent if one.uplift else None,
    "upliftIndex": lambda one: _text(one.uplift.index if one.uplift else None),
    "upliftBasis": lambda one: one.uplift.basis if one.uplift else None,
    "upliftCompounding": lambda one: _flag(one.uplift.compounding) if one.uplift else None,
}
_LINE: Mapping[str, Callable[[AgreementLine], Cell]] = {
    "lineDescription": lambda line: _text(line.description),
    "quantity": lambda line: line.quantity,
    "unit": lambda line: _text(line.unit),
    "unitPrice": lambda line: line.unit_price,
    "pricePer": lambda line: line.price_per,
    "lineAmount": lambda line: line.amount,
    "recurring": lambda line: _flag(line.recurring),
    "lineFirstMonth": lambda line: _number(line.first_month),
    "lineMonths": lambda line: _number(line.months),
}
_COMPUTED: Mapping[str, Callable[[Agreement], Cell]] = {
    "id": lambda one: one.id,
    "status": lambda one: one.status,
    "stage": lambda one: one.stage,
    "currentTermStart": lambda one: one.current_term_start,
    "currentTermEnd": lambda one: one.current_term_end,
    "noticeDeadline": lambda one: one.notice_deadline,
    "actBy": lambda one: one.act_by,
    "annualizedValue": lambda one: one.annualized_value,
    "missing": lambda one: ", ".join(one.missing) or None,
    "statement": lambda one: _text(one.statement),
}
HEADINGS = (*_IDENTITY, *_AGREED, "line", *_LINE, *_COMPUTED)


def make_agreement_rows(one: Agreement) -> Iterator[Sequence[Cell]]:
    """Yield the rows of an agreement, one where it has no lines."""
    identity = [make(one) for make in _IDENTITY.values()]
    agreed = [make(one) for make in _AGREED.values()]
    computed = [make(one) for make in _COMPUTED.values()]
    lines = one.lines or [None]
    for at, line in enumerate(lines, 1):
        if line is None:
            parts: list[Cell] = [None] * (1 + len(_LINE))
        else:
            parts = [f"{at} of {len(lines)}", *(make(line) for make in _LINE.values())]
        if at == 1:
            yield [*identity, *agreed, *parts, *computed]
        else:
            yield [*identity, *([None] * len(agreed)), *parts, *([None] * len(computed))]


def _text(text: str | None) -> str | None:
    return escape_text(text) if text else None


def _number(number: int | None) -> Decimal | None:
    return None if number is None else Decimal(number)


def _flag(flag: bool | None) -> str | None:
    return None if flag is None else "yes" if flag else "no"


def _describe_notice(one: Agreement) -> str | None:
    if one.notice_period is None:
        return None
    value, unit = one.notice_period.value, one.notice_period.unit.replace("_", " ")
    return f"{value} {unit}" if value == 1 else f"{value} {unit}s"


def _list_addresses(one: Agreement) -> str | None:
    addresses = [owner.email or "" for owner in one.owners or ()]
    return _text(join_texts(addresses)) if any(addresses) else None
