"""An agreement on record, and what makes two descriptions the same one: its supplier and its number there,
else its name and first day. One that is called by its supplier alone has neither: another of the same
supplier is another agreement unless it says the same. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from app.contract.agreements import (
    PAST_STATUSES,
    AgreementStage,
    Decision,
    NewAgreement,
    NoticePeriod,
    NoticeTo,
    NoticeUnit,
    RenewalType,
)
from app.service.agreements.dates.position import (
    AgreementTerms,
    Position,
    find_position,
    is_arranged,
    is_of_term,
)
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.line_amounts import find_paid_once
from app.service.catalog.names import company_key
from app.service.values.folding import fold_text


class DateRow(NamedTuple):
    """The columns of an agreement that its dates and its stage follow from."""

    id: str
    term_start: date | None
    term_end: date | None
    renewal_type: RenewalType | None
    auto_renewal_term_months: int | None
    max_renewals: int | None
    max_extent_date: date | None
    notice_value: int | None
    notice_unit: NoticeUnit | None
    notice_to: NoticeTo | None
    delivery_buffer_days: int | None
    notice_given_on: date | None
    options_exercised: int
    next_start: date | None
    decision: Decision | None
    decided_on: date | None
    put_off_until: date | None

    @property
    def terms(self) -> AgreementTerms:
        """What the agreement says of its dates. Notice counts from its receipt where nothing else is
        stated."""
        notice = None
        if self.notice_value is not None and self.notice_unit is not None:
            notice = NoticePeriod(value=self.notice_value, unit=self.notice_unit)
        return AgreementTerms(
            start=self.term_start,
            end=self.term_end,
            renewal=self.renewal_type,
            renewal_months=self.auto_renewal_term_months,
            max_renewals=self.max_renewals,
            max_extent=self.max_extent_date,
            notice=notice,
            notice_to=self.notice_to or "received",
            buffer_days=self.delivery_buffer_days or 0,
            notice_given=self.notice_given_on,
            options_exercised=self.options_exercised,
            followed_on=self.next_start,
        )

    def find_position(self, as_of: date, days: WorkingDays) -> Position:
        """Return where the agreement stands on a day. Later decisions are not known on that day."""
        is_settled = self.decision == "renew" or (self.decision == "end" and self.renewal_type == "none")
        return find_position(self.terms, as_of, days, self.decided_on if is_settled else None)

    def find_stage(self, position: Position) -> AgreementStage:
        """Return what is to become of the agreement at the end of its current term. A decision holds for the
        term that it was taken in; one to replace it, for good."""
        if self.decision is None or self.decided_on is None:
            return "not_started"
        of_this_term = position.occurrence is None or is_of_term(position.occurrence, self.decided_on)
        return _STAGES[self.decision] if of_this_term or self.decision == "replace" else "not_started"

    def needs_action(self, position: Position) -> bool:
        """Say whether somebody must still do something by a day: not where the agreement is over, goes on or
        ends as decided, where notice was given or where another agreement follows."""
        if position.act_by is None or position.status in PAST_STATUSES or position.occurrence is None:
            return False
        stage = self.find_stage(position)
        ends_as_decided = stage == "will_not_renew" and position.ends_on is not None
        is_decided = stage in ("will_renew", "replaced") or ends_as_decided
        return not is_decided and not is_arranged(self.terms, position.occurrence)

    def find_put_off_day(self, position: Position) -> date | None:
        """Return the day until which nobody is to be asked to act: that which a person named, and never later
        than the last on which somebody can."""
        if self.put_off_until is None or position.act_by is None:
            return None
        return min(self.put_off_until, position.act_by)

    def find_order_day(self, position: Position, as_of: date) -> date | None:
        """Return the day that lists of what must be done are sorted by; None where nobody must act, or not
        yet."""
        put_off = self.find_put_off_day(position)
        is_put_off = put_off is not None and as_of < put_off
        return position.order_day if self.needs_action(position) and not is_put_off else None


_STAGES: Mapping[str, AgreementStage] = {
    "renew": "will_renew",
    "end": "will_not_renew",
    "renegotiate": "in_progress",
    "replace": "replaced",
}


@dataclass(frozen=True, slots=True)
class StoredAgreement:
    """What an organisation agreed with a supplier. `agreed` is what a person may change, `dates` what its
    dates follow from; `missing` names fields as on the wire, `evidence` says where a field was read,
    `price_changes` how often something has changed that its price today follows from."""

    id: str
    organisation_id: str
    agreed: NewAgreement
    dates: DateRow
    missing: list[str]
    evidence: Mapping[str, Any]
    negotiation_id: str | None
    next_agreement_id: str | None
    sample: bool
    price_changes: int
    created_at: datetime
    updated_at: datetime


DATE_COLUMNS = (
    "term_start", "term_end", "renewal_type", "auto_renewal_term_months", "max_renewals", "max_extent_date",
    "notice_to", "delivery_buffer_days", "notice_given_on",
)  # fmt: skip
"""Fields with a column of the same name."""
PAID_COLUMNS = ("currency", "total_value", "owners", "cost_center")
"""Those too, which hold what the fields are on the wire."""
REFERENCES = ("company_id", "supplier_name", "scope_id", "file_id", "previous_agreement_id")
OTHER_FIELDS = tuple(
    name
    for name in NewAgreement.model_fields
    if name not in {*DATE_COLUMNS, *PAID_COLUMNS, *REFERENCES, "name", "notice_period"}
)
"""Fields that the column `content` holds."""


def build_columns(agreed: NewAgreement) -> dict[str, Any]:
    """Return the columns of a row that hold what was agreed; `read_agreed` is the inverse."""
    notice = agreed.notice_period
    paid = agreed.model_dump(mode="json", include={*PAID_COLUMNS})
    return {
        "name": agreed.name,
        **{name: getattr(agreed, name) for name in (*DATE_COLUMNS, *REFERENCES)},
        "notice_value": notice.value if notice else None,
        "notice_unit": notice.unit if notice else None,
        **{name: paid[name] for name in PAID_COLUMNS},
        "one_time_value": None if (once := find_paid_once(agreed)) is None else float(once),
        "priced_by_part": any(line.months is not None for line in agreed.lines or ()),
        "content": agreed.model_dump(mode="json", by_alias=True, exclude_none=True, include={*OTHER_FIELDS}),
        "missing": find_missing(agreed),
    }


def read_agreed(row: Mapping[Any, Any]) -> NewAgreement:
    """Return what was agreed from the columns of a row."""
    stated: dict[str, Any] = dict(row["content"])
    if not any(line.get("recurring") is False for line in stated.get("lines", ())):
        # No line says it, so it was stated: rows of before have it in the column alone.
        stated.setdefault("oneTimeValue", row["one_time_value"])
    stated |= {name: row[name] for name in ("name", *DATE_COLUMNS, *PAID_COLUMNS, *REFERENCES)}
    if row["notice_value"] is not None:
        stated["notice_period"] = NoticePeriod(value=row["notice_value"], unit=row["notice_unit"])
    return NewAgreement.model_validate(stated)


def find_missing(agreed: NewAgreement) -> list[str]:
    """Return the fields, as on the wire, without which a date cannot be computed, nobody be reminded, or
    nothing be compared."""
    renewal = agreed.renewal_type
    renews = renewal in ("auto_renew", "option")
    needed = {
        "supplierName": agreed.supplier_name or agreed.company_id,
        "owners": agreed.owners,
        "currency": agreed.currency,
        "totalValue": agreed.total_value,
        "termStart": agreed.term_start,
        "termEnd": agreed.term_end or renewal == "evergreen",
        "renewalType": renewal,
        "autoRenewalTermMonths": agreed.auto_renewal_term_months or not renews,
        "noticePeriod": agreed.notice_period or not (renews or renewal == "evergreen"),
    }
    return [name for name, value in needed.items() if value is None or value is False or value == []]


_OF_CATALOG = frozenset({"companyId", "supplierName", "name"})
"""What is called otherwise once the catalog knows the supplier."""


def is_unnamed(agreed: NewAgreement) -> bool:
    """Return whether an agreement has no number, and no other name than its supplier's."""
    supplier = agreed.supplier_name
    return not agreed.reference and supplier is not None and company_key(agreed.name) == company_key(supplier)


def build_identity_key(agreed: NewAgreement) -> str:
    """Return a key that is equal for descriptions of the same agreement, however its supplier's name is
    spelt."""
    supplier = company_key(agreed.supplier_name) if agreed.supplier_name else ""
    if agreed.reference:
        parts = ("reference", supplier, fold_text(agreed.reference))
    elif is_unnamed(agreed):
        values = {name: value for name, value in agreed.wire().items() if name not in _OF_CATALOG}
        parts = ("values", supplier, json.dumps(values, sort_keys=True, default=str))
    else:
        parts = ("name", supplier, fold_text(agreed.name), str(agreed.term_start or ""))
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=16).hexdigest()
