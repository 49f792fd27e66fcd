"""An agreement on record as the reply that goes over the wire. Pure."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import get_args

from app.contract.agreements import (
    Agreement,
    AgreementDecision,
    AgreementOccurrence,
    AgreementPage,
    AgreementStatus,
    AgreementStatusCount,
    FieldEvidence,
    NewAgreement,
)
from app.contract.page import PageRequest, Pagination
from app.service.agreements.action import describe_action
from app.service.agreements.dates.position import Occurrence, Position
from app.service.agreements.dates.statement import describe_dates
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.agreements.line_amounts import find_paid_once
from app.service.agreements.listing import StoredAgreementPage
from app.service.agreements.market.renewal_cost import find_renewal_cost
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.charges.charge import NO_CURRENCY, round_money

DAYS_PER_YEAR = 365


def agreement_record(
    one: StoredAgreement,
    position: Position,
    as_of: date,
    days: WorkingDays,
    decisions: Sequence[AgreementDecision] | None = None,
) -> Agreement:
    return Agreement(
        **{name: getattr(one.agreed, name) for name in NewAgreement.model_fields},
        id=one.id,
        status=position.status,
        stage=one.dates.find_stage(position),
        current_term_start=position.term_start,
        current_term_end=position.term_end,
        notice_deadline=position.deadline,
        act_by=position.act_by,
        put_off_until=one.dates.find_put_off_day(position),
        action=describe_action(one, position, as_of),
        statement=describe_dates(one.dates.terms, position, as_of, days),
        annualized_value=compute_annualized_value(one.agreed),
        next_term=find_renewal_cost(one.agreed, one.dates.terms, position, as_of),
        negotiation_id=one.negotiation_id,
        next_agreement_id=one.next_agreement_id,
        evidence={name: FieldEvidence.model_validate(seen) for name, seen in one.evidence.items()},
        missing=one.missing,
        decisions=None if decisions is None else [*decisions],
        created_at=one.created_at,
        updated_at=one.updated_at,
    )


def occurrence_record(occurrence: Occurrence) -> AgreementOccurrence:
    return AgreementOccurrence(
        start=occurrence.start,
        end=occurrence.end,
        notice_deadline=occurrence.deadline.day if occurrence.deadline else None,
    )


def compute_annualized_value(agreed: NewAgreement) -> Decimal | None:
    """Return what is paid again and again for 365 days, without what is paid once; None where the value or
    the length of the first term is not known."""
    if agreed.total_value is None or agreed.term_start is None or agreed.term_end is None:
        return None
    length = (agreed.term_end + ONE_DAY - agreed.term_start).days
    recurring = agreed.total_value - (find_paid_once(agreed) or 0)
    return round_money(recurring / length * DAYS_PER_YEAR, agreed.currency or NO_CURRENCY)


def agreement_page(
    found: StoredAgreementPage, as_of: date, days: WorkingDays, page: PageRequest
) -> AgreementPage:
    """Return a page of agreements, and how many there are of each status."""
    return AgreementPage(
        data=[agreement_record(one.agreement, one.position, as_of, days) for one in found.agreements],
        pagination=Pagination(total=found.total, limit=page.limit, offset=page.offset),
        statuses=[
            AgreementStatusCount(status=status, total=found.statuses[status])
            for status in get_args(AgreementStatus)
            if found.statuses.get(status)
        ],
    )
