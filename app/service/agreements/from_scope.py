"""What a scope and the document behind it say of an agreement. What they do not say, or say in two ways, is
left out: it is then listed as missing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from app.contract.agreements import (
    EARLIEST_DAY,
    LATEST_DAY,
    AgreementLine,
    NewAgreement,
    Uplift,
)
from app.contract.dates import format_day
from app.service.agreements.checks import check_agreement
from app.service.agreements.dates.notice import parse_read_period
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.charges.charge import round_stated
from app.service.charges.months import add_months
from app.service.scopes.quote import add_amounts
from app.service.scopes.schedule import find_part
from app.service.scopes.scope_documents import ScopeDocument
from app.service.scopes.store import ScopeProduct, StoredScope, count_line
from app.service.scopes.stored_reading import read_price_before_tax

Reading = Mapping[str, Any]


@dataclass(slots=True)
class AgreementDraft:
    """The fields of an agreement as far as they are known, and where each was read."""

    stated: dict[str, Any] = field(default_factory=dict[str, Any])
    evidence: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])

    def build(self, days: WorkingDays) -> NewAgreement:
        """Return the agreement without what cannot be true of it."""
        agreed = NewAgreement.model_validate(self.stated)
        while wrong := check_agreement(agreed, days):
            for place in wrong:
                name = place.pointer.removeprefix("/")
                # Of an end before the start, nobody knows which of the two is wrong.
                for one in ("termStart", "termEnd") if name == "termEnd" else (name,):
                    self.stated.pop(one, None)
            agreed = NewAgreement.model_validate(self.stated)
        return agreed


@dataclass(frozen=True, slots=True)
class ScopeSources:
    """What a scope says follows from: its document, the scope `as_read` in it where a person confirmed or
    changed that since, and its `products`."""

    document: ScopeDocument | None
    as_read: StoredScope | None
    products: Mapping[str, ScopeProduct]

    @property
    def reading(self) -> Reading:
        return (self.document.reading if self.document is not None else None) or {}


def draft_agreement(scope: StoredScope, sources: ScopeSources) -> AgreementDraft:
    """Return what a scope and the document behind it say, with page and box of what was read in the document
    and not corrected since."""
    term = _read_term(scope, sources)
    draft = AgreementDraft(_state(scope, sources, term), dict(_collect_evidence(sources.reading)))
    if sources.as_read is not None:
        read = replace(sources, as_read=None)
        said = _state(sources.as_read, read, _read_term(sources.as_read, read))
        draft.evidence = {
            name: seen
            for name, seen in draft.evidence.items()
            if name not in draft.stated or draft.stated[name] == said.get(name)
        }
    if term.is_contradictory and "termEnd" in draft.evidence:
        draft.evidence["termEnd"] = {**draft.evidence["termEnd"], "text": term.describe()}
    return draft


def _state(scope: StoredScope, sources: ScopeSources, term: "_Term") -> dict[str, Any]:
    reading, document = sources.reading, sources.document
    stated = {
        "name": scope.title[:500],
        "companyId": scope.company_id,
        "supplierName": scope.supplier_name and scope.supplier_name[:500],
        "currency": scope.stated_currency,
        "totalValue": scope.stated_total,
        "oneTimeValue": _find_one_time(scope),
        "renewalType": _read_renewal(scope, reading),
        "autoRenewalTermMonths": reading.get("renewal_months"),
        "noticePeriod": parse_read_period(reading.get("notice_days"), reading.get("notice_unit")),
        "uplift": _read_uplift(reading),
        "paymentTermsDays": reading.get("payment_terms_days"),
        "billingFrequency": reading.get("billing"),
        "lines": list(_build_lines(scope, sources)),
        "scopeId": scope.id,
        "fileId": document.file_id if document is not None else None,
        "termStart": term.start,
        "termEnd": term.end,
    }
    return {name: value for name, value in stated.items() if value not in (None, [])}


@dataclass(frozen=True, slots=True)
class _Term:
    """The first term: its first day, its last as it is stated, its length in months, and the last day that
    follows from this."""

    start: date | None
    stated: date | None
    months: int | None
    counted: date | None

    @property
    def is_contradictory(self) -> bool:
        """Whether the length contradicts the last day, also by the one day that makes it exclusive."""
        return self.stated is not None and self.counted is not None and self.stated != self.counted

    @property
    def end(self) -> date | None:
        """The last day, where it is a date and stated in one way."""
        if self.is_contradictory:
            return None
        end = self.stated or self.counted
        return end if end is not None and EARLIEST_DAY <= end <= LATEST_DAY else None

    def describe(self) -> str:
        """Return what contradicts what."""
        assert self.start is not None
        assert self.stated is not None
        assert self.counted is not None
        return (
            f"{format_day(self.stated)} is stated, but {self.months} months from {format_day(self.start)}"
            f" end on {format_day(self.counted)}"
        )


def _read_term(scope: StoredScope, sources: ScopeSources) -> _Term:
    terms, reading, as_read = scope.scope_terms, sources.reading, sources.as_read
    start = (terms[0].start_date if terms else None) or _read_day(reading.get("start_date"))
    stated, read_end = (terms[-1].end_date if terms else None), _read_day(reading.get("end_date"))
    end = stated or read_end
    # Without a place it was computed from the dates.
    months: int | None = reading.get("term_months") if "term_months" in reading.get("evidence", {}) else None
    if as_read is not None and scope.stated_months != as_read.stated_months:
        months = scope.stated_months
    elif as_read is not None and stated not in (None, read_end):
        months = None
    counted = add_months(start, months) - ONE_DAY if start is not None and months else None
    return _Term(start, end, months, counted)


def _read_renewal(scope: StoredScope, reading: Reading) -> str | None:
    terms = scope.scope_terms
    renews = terms[-1].auto_renew if terms else None
    if renews is None:
        renews = reading.get("auto_renew")
    return None if renews is None else "auto_renew" if renews else "none"


def _read_uplift(reading: Reading) -> Uplift | None:
    percent = reading.get("renewal_uplift_percent")
    if percent is None or not 0 <= percent <= 100:
        return None
    kind = "cap" if reading.get("renewal_uplift_is_cap") else "fixed"
    return Uplift(kind=kind, percent=Decimal(str(percent)))


def _find_one_time(scope: StoredScope) -> Decimal | None:
    """Return what is paid once, less its share of a discount on the whole; None where that is not known of
    every line."""
    lines, total = scope.quote_lines or (), scope.stated_total
    if any(line.recurring is None for line in lines) or (whole := add_amounts(lines)) is None:
        return None
    once = max(add_amounts([line for line in lines if not line.recurring]) or Decimal(0), Decimal(0))
    if total is None or total >= whole:
        return once
    return round_stated(once * total / whole, scope.currency)


def _build_lines(scope: StoredScope, sources: ScopeSources) -> Iterator[AgreementLine]:
    items: Sequence[Mapping[str, Any]] = sources.reading.get("line_items") or ()
    read = {line.index: line.amount for line in (sources.as_read or scope).quote_lines or ()}
    for line in scope.quote_lines or ():
        if line.amount is not None and line.amount < 0:  # a credit
            continue
        item: Mapping[str, Any] = items[line.index] if line.index < len(items) else {}
        term = scope.product_terms[line.term] if line.term is not None else None
        counted = count_line(term, sources.products, item)
        first_month, months = (None, None) if term is None else find_part(term, scope.scope_terms)
        is_as_read = not counted.is_corrected and line.amount == read.get(line.index)
        yield AgreementLine.model_validate(
            {
                "productId": None if term is None else term.product_id,
                "description": line.description[:2_000],
                "quantity": _amount(counted.quantity),
                "unit": counted.unit,
                "unitPrice": _amount(read_price_before_tax(item)) if is_as_read else None,
                "amount": _amount(line.amount),
                "recurring": line.recurring,
                "firstMonth": first_month,
                "months": months,
            }
        )


def _amount(value: Any) -> Any:
    """Return what an amount may be; None for a credit."""
    return value if value is not None and value >= 0 else None


def _read_day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


_UNITS = {
    "notice_days": "days",
    "payment_terms_days": "days",
    "term_months": "months",
    "renewal_months": "months",
}
_FIELDS = {
    "supplier": "supplierName",
    "currency": "currency",
    "net_total": "totalValue",
    "start_date": "termStart",
    "term_months": "termEnd",
    "end_date": "termEnd",
    "auto_renew": "renewalType",
    "renewal_months": "autoRenewalTermMonths",
    "notice_days": "noticePeriod",
    "renewal_uplift_percent": "uplift",
    "payment_terms_days": "paymentTermsDays",
    "billing": "billingFrequency",
}
"""The field of an agreement that follows from a value of a reading; of two, the last that was read."""


def _collect_evidence(reading: Reading) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield where the value of each field was read, also of one that could not be taken over: it says where
    to look."""
    seen: Mapping[str, Mapping[str, Any]] = reading.get("evidence") or {}
    for read, name in _FIELDS.items():
        if read in seen and reading.get(read) is not None:
            place = {part: seen[read][part] for part in ("page", "box", "confidence") if part in seen[read]}
            yield name, {**place, "text": _describe(read, reading)}


def _describe(read: str, reading: Reading) -> str:
    value = reading[read]
    period = parse_read_period(value, reading.get("notice_unit")) if read == "notice_days" else None
    if period is not None:
        return f"{period.value} {period.unit}s"
    if isinstance(value, bool):
        return "renews by itself" if value else "does not renew by itself"
    unit = f" {_UNITS[read]}" if read in _UNITS else ""
    return f"{value}{unit}"[:200]
