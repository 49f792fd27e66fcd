"""Agreements: what was agreed with a supplier, until when, and by when somebody must act. An extension, see
`/v1/openapi`.

Ends are inclusive: a term of a year from 1 January ends on 31 December. What is not known is left out and
listed in `missing`, never guessed.
"""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from .comments import Owner
from .model import Change, Part, Reply, Request, Wire
from .page import ListPage, ListQuery
from .values import (
    WHOLE,
    Amount,
    CurrencyCode,
    Date,
    Flag,
    Id,
    Months,
    Name,
    Number,
    Percentage,
    Quantity,
    ReplyInstant,
    Text,
    open_words,
)

RenewalType = Literal["none", "auto_renew", "evergreen", "option"]
"""What follows the end of a term: nothing; another term, unless notice is given; nothing ends, until notice
is given; or another term, if the buyer takes the option."""
NoticeUnit = Literal["day", "month", "business_day"]
NoticeTo = Literal["sent", "received"]
UpliftKind = Literal["fixed", "cap", "index"]
UpliftBasis = Literal["year", "term"]
BillingFrequency = Literal["monthly", "quarterly", "semiannual", "annual", "upfront", "once"]
LinePricePer = Literal["month", "quarter", "half_year", "year", "term", "once"]
"""What the price of one unit is for: `term` is the whole term, `once` what is not paid again."""
Decision = Literal["renew", "end", "renegotiate", "replace", "put_off"]
AgreementStage = Literal["not_started", "in_progress", "will_renew", "will_not_renew", "replaced"]
AgreementStatus = Literal[
    "upcoming", "active", "in_notice_window", "deadline_missed", "expired", "ended", "unknown"
]
"""Not begun; running; running and to be decided on within 90 days; running, its deadline past without notice
or a decision to renew; ended by itself; ended by notice; or too little is known to say by when to act."""
PAST_STATUSES: tuple[AgreementStatus, ...] = ("expired", "ended")
"""Those of agreements that are over."""


def find_last_day(status: str, act_by: date | None) -> date | None:
    """Return the last day on which somebody can act on an agreement; None where it is not known: `act_by` is
    then the end of its term."""
    return None if status == "unknown" else act_by


DEFAULT_WITHIN, MAX_WITHIN = 90, 3660
"""In days, how far `GET /v1/renewals` looks ahead."""
LATEST_DAY = date(2098, 12, 31)
"""An end in 2099 or 9999 says that there is none, or that nobody knows it; it is no date."""
EARLIEST_DAY = date(1900, 1, 1)
MAX_NOTICE = 3660
MAX_LINES = 1_000


class NoticePeriod(Part):
    """How long before the end of a term notice must be given. Units are not exchanged: three months before
    31 December is 30 September, 90 days before it is 2 October."""

    value: Annotated[int, Field(ge=0, le=MAX_NOTICE), WHOLE] = Field(
        description="How many of the unit; 0 where notice can be given until the end."
    )
    unit: NoticeUnit = Field(description="What it is counted in.")


class Uplift(Part):
    """By how much the price rises: by so many per cent (`fixed`), by so many at most (`cap`), or with an
    index, where `percent` is what is added to it. `basis` says whether each year or at each renewal,
    `compounding` whether on the risen price."""

    kind: UpliftKind = Field(description="Whether it rises by so much, by so much at most, or with an index.")
    percent: Percentage | None = Field(
        default=None, description="By how many per cent; with an index, what is added to it."
    )
    index: Annotated[Text, Field(min_length=1, max_length=200)] | None = Field(
        default=None, description="The name of the price index."
    )
    basis: UpliftBasis = Field(
        default="term", description="Whether the price rises each year or at each renewal."
    )
    compounding: Flag = Field(default=False, description="Whether the price rises on what it has risen to.")


class AgreementOwner(Owner):
    """Who looks after an agreement."""

    name: Annotated[Text, Field(min_length=1, max_length=200)] = Field(description="The person's name.")


class AgreementLine(Part):
    """What is bought. `amount` is before tax, for the whole term, or for the part of it that the line is for:
    `months` of it from the one after `first_month` on. `recurring` says whether it is paid again in the next
    term."""

    product_id: Id | None = None
    description: Annotated[Text, Field(min_length=1, max_length=2_000)]
    quantity: Quantity | None = None
    unit: Annotated[Text, Field(max_length=100)] | None = None
    unit_price: Amount | None = Field(default=None, description="The price of one unit, as agreed.")
    price_per: LinePricePer | None = Field(
        default=None, description="What the price of one unit is for; absent where nobody knows."
    )
    amount: Amount | None = Field(
        default=None, description="What it costs: a total before tax for the whole term."
    )
    recurring: Flag | None = Field(default=None, description="Whether it is paid again in the next term.")
    first_month: Annotated[int, Field(ge=0, lt=1200), WHOLE] | None = Field(
        default=None,
        description="After how many months of the first term it begins; absent where it is for all.",
    )
    months: Months | None = Field(
        default=None, description="For how many months of the first term it is; absent where it is for all."
    )

    @model_validator(mode="after")
    def _know_paid_once(self) -> Self:
        """A price that is not paid again says so of its line."""
        if self.price_per == "once" and self.recurring is None:
            self.recurring = False
        return self


Tag = Annotated[Text, Field(min_length=1, max_length=100)]


class _AgreementFields(Wire):
    """What an agreement says, as far as it is known."""

    reference: Annotated[Text, Field(min_length=1, max_length=200)] | None = None
    company_id: Id | None = Field(default=None, description="The supplier, by its id in the catalog.")
    supplier_name: Name | None = None
    owners: Annotated[list[AgreementOwner], Field(max_length=20)] | None = None
    currency: CurrencyCode | None = None
    term_start: Date | None = None
    term_end: Date | None = None
    renewal_type: RenewalType | None = None
    auto_renewal_term_months: Months | None = None
    max_renewals: Annotated[int, Field(ge=0, le=1000), WHOLE] | None = None
    max_extent_date: Date | None = None
    notice_period: NoticePeriod | None = None
    notice_to: NoticeTo | None = None
    delivery_buffer_days: Annotated[int, Field(ge=0, le=365), WHOLE] | None = None
    notice_given_on: Date | None = None
    uplift: Uplift | None = None
    total_value: Amount | None = None
    one_time_value: Amount | None = None
    committed_spend: Amount | None = None
    payment_terms_days: Annotated[int, Field(ge=0, le=3650), WHOLE] | None = None
    billing_frequency: BillingFrequency | None = None
    cost_center: Annotated[Text, Field(max_length=200)] | None = None
    tags: Annotated[list[Tag], Field(max_length=50)] | None = None
    lines: Annotated[list[AgreementLine], Field(max_length=MAX_LINES)] | None = Field(
        default=None, description="What is bought, line by line."
    )
    scope_id: Id | None = Field(default=None, description="The scope that it was agreed for, by its id.")
    file_id: Id | None = Field(
        default=None, description="The file that it was read from, or that belongs to it, by its id."
    )
    previous_agreement_id: Id | None = None


class NewAgreement(_AgreementFields, Request):
    """The body of `POST /v1/agreements`. Only the name is needed: what is left out is listed as missing."""

    name: Name


class AgreementChange(_AgreementFields, Change):
    """The body of `PATCH /v1/agreements/{agreementId}`. What is left out stays as it is; `null` removes what
    was stated. With another `supplierName` the agreement is no longer with the company that it was with."""

    removable = frozenset(_AgreementFields.model_fields)

    name: Name | None = None


class NewAgreementFromDocument(Request):
    """The body of `POST /v1/agreements/from-document`: the scope whose document was confirmed."""

    scope_id: Id


class NewDecision(Request):
    """The body of `POST /v1/agreements/{agreementId}/decision`: what is to become of an agreement when its
    current term ends. `end` gives no notice: `noticeGivenOn` says when that was sent, or received where that
    counts. `replace` may name the agreement that takes its place. `put_off` decides nothing: until the day
    `until`, or the last day to act if that is earlier, nobody is asked to."""

    decision: Decision
    note: Annotated[Text, Field(max_length=5_000)] | None = None
    notice_given_on: Date | None = None
    next_agreement_id: Id | None = None
    until: Date | None = Field(
        default=None, description="Until when nobody is asked to act, where it is put off."
    )


class AgreementDecision(Reply):
    """A decision, with the end of the term that it was taken in, and who took it."""

    decision: Annotated[str, open_words(Decision)]
    note: str | None = None
    notice_given_on: date | None = None
    term_end: date | None = Field(default=None, description="The end of the term that it was decided in.")
    decided_at: ReplyInstant = Field(description="When it was decided.")
    decided_by: str | None = Field(
        default=None, description="The person or key that decided, and on whose behalf."
    )


class FieldEvidence(Reply):
    """Where a value was read in the document."""

    page: int | None = None
    box: list[Number] | None = None
    text: str | None = Field(default=None, description="What stands there.")
    confidence: Number | None = None


class RenewalForecast(Reply):
    """What the next term costs if nobody acts, before tax. Without an amount where it is not known;
    `statement` says what it follows from, or why."""

    amount: Number | None = Field(default=None, description="What the term costs, before tax.")
    start: date | None = Field(default=None, description="The first day of the next term.")
    end: date | None = Field(default=None, description="The last day of the next term.")
    statement: str = Field(description="What the cost follows from, or why it is not known.")


class Agreement(_AgreementFields, Reply):
    """An agreement, and its dates as of today or of `asOf`. `currentTermEnd` is the last day of the current
    term; `noticeDeadline` the last working day on which notice is in time, or the option can be taken;
    `actBy` the same, or the end of an agreement that ends by itself, or of a term where by when to act is not
    known: the status is then `unknown`. `action` says what somebody must do, by when, and what happens
    otherwise; it is left out where nobody must act. `statement` says how the dates were computed, `missing`
    which fields are not known that they or a comparison need."""

    id: Id
    name: str
    status: Annotated[str, open_words(AgreementStatus)]
    stage: Annotated[str, open_words(AgreementStage)] = Field(
        description="What is to become of it at the end of its current term."
    )
    current_term_start: date | None = None
    current_term_end: date | None = None
    notice_deadline: date | None = None
    act_by: date | None = None
    put_off_until: date | None = Field(
        default=None, description="Until when nobody is asked to act; absent where nothing was put off."
    )
    action: str | None = Field(
        default=None,
        description="What must be done and what happens otherwise, in a sentence; absent where nothing must.",
    )
    statement: str = Field(description="How its dates were computed, in sentences.")
    annualized_value: Number | None = Field(
        default=None,
        description="What is paid again and again for 365 days of the first term, on average, before tax"
        " and without what is paid once.",
    )
    next_term: RenewalForecast | None = Field(
        default=None, description="What the next term costs if nobody acts."
    )
    negotiation_id: Id | None = None
    next_agreement_id: Id | None = None
    evidence: dict[str, FieldEvidence] = Field(
        default_factory=dict[str, FieldEvidence],
        description="Where each value was read in the document, by the name of the field.",
    )
    missing: list[str] = Field(
        description="The fields that are not known and that a date, a reminder or a comparison needs."
    )
    decisions: list[AgreementDecision] | None = Field(
        default=None, description="What was decided about it, the newest first."
    )
    created_at: ReplyInstant
    updated_at: ReplyInstant


class DeletedAgreement(Reply):
    """The id of the agreement that was deleted."""

    id: Id


class AgreementStatusCount(Reply):
    """How many agreements have a status."""

    status: Annotated[str, open_words(AgreementStatus)]
    total: int = Field(description="How many agreements have it.")


class AgreementPage(ListPage[Agreement]):
    """A page of agreements: first those to act on, by the day by which to act, or 90 days before their end
    where that day is not known; then those on which nobody must act, last those that have ended.
    `statuses` counts all that match the query whatever their status."""

    statuses: list[AgreementStatusCount] = Field(
        default_factory=list[AgreementStatusCount],
        description="How many agreements have each status, of all that match the query whatever it is.",
    )


class AgreementOccurrence(Reply):
    """One term of an agreement; `end` is its last day."""

    start: date | None = Field(
        default=None, description="The first day of the term; absent where nobody knows it."
    )
    end: date = Field(description="The last day of the term.")
    notice_deadline: date | None = None


def read_flag(value: object) -> object:
    """Return the value of a flag in a query; anything but true and false is a ValueError."""
    if isinstance(value, bool):
        return value
    if value not in {"true", "false"}:
        raise ValueError("must be true or false")
    return value == "true"


def _check_day(day: date) -> date:
    if not EARLIEST_DAY <= day <= LATEST_DAY:
        raise ValueError(f"must be from {EARLIEST_DAY} to {LATEST_DAY}")
    return day


AsOfDay = Annotated[
    Date,
    AfterValidator(_check_day),
    WithJsonSchema({"type": "string", "format": "date", "pattern": "^(19[0-9]{2}|20[0-8][0-9]|209[0-8])-"}),
]
"""A day that dates are computed for."""


class AgreementQuery(ListQuery, total=False):
    """Which agreements are listed, and as of which day their dates are computed."""

    name: Annotated[
        str | None, Field(max_length=500, description="Part of the name or of the supplier's, in any case.")
    ]
    status: AgreementStatus | None
    stage: Annotated[AgreementStage | None, Field(description="Only those at this stage.")]
    renewal_type: Annotated[RenewalType | None, Field(description="Only those that renew like this.")]
    company_id: Annotated[Id | None, Field(description="Only those with this supplier.")]
    missing: Annotated[
        Annotated[bool, BeforeValidator(read_flag)] | None,
        Field(description="Only those of which something is not known, or nothing is missing."),
    ]
    ids: Sequence[str] | None
    as_of: Annotated[
        AsOfDay | None,
        Field(description="The day that dates are computed for; today by default."),
    ]


class RenewalQuery(ListQuery, total=False):
    """How far ahead to look for what must be decided."""

    within: Annotated[
        int | None,
        Field(
            ge=0,
            le=MAX_WITHIN,
            description=f"In so many days from `asOf` on; {DEFAULT_WITHIN} by default.",
        ),
    ]
    as_of: Annotated[
        AsOfDay | None,
        Field(description="The day that dates are computed for; today by default."),
    ]


class CalendarFeed(Reply):
    """A feed of deadlines that calendar programs subscribe to. Its address holds a token of its own, and is
    in the answer that creates it and in no other. It ends with the key or membership of who made it."""

    id: Id
    url: str | None = Field(
        default=None,
        description="The address to subscribe to, with its token; in the answer that creates it alone.",
    )
    created_at: ReplyInstant
    made_by: str | None = Field(
        default=None, description="The name of the person or key that made it; it ends with their access."
    )
    used_at: ReplyInstant | None = Field(default=None, description="When it was last read, to the hour.")


class DeletedCalendarFeed(Reply):
    """The id of the feed that was revoked."""

    id: Id


class Holiday(Part):
    """A day on which the organisation does not work."""

    date: Date = Field(description="The day.")
    name: Annotated[Text, Field(max_length=200)] | None = None


Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


Weekend = Annotated[list[Weekday], Field(max_length=6)]
Holidays = Annotated[list[Holiday], Field(max_length=1_000)]


class WorkingDaysChange(Change):
    """The body of `PATCH /v1/working-days`: on which days of the week the organisation does not work, or all
    of its holidays, or both. What is left out stays as it is."""

    weekend: Weekend | None = None
    holidays: Holidays | None = None


class WorkingDays(Reply):
    """The days on which an organisation does not work: those of each week, and holidays. A deadline on one of
    them moves back to the last working day before."""

    weekend: Weekend
    holidays: Holidays


MAX_MOVED = 100


class MovedDeadline(Reply):
    """A deadline that other working days would move: the day that it is on, and the day that it would be
    on."""

    agreement_id: Id
    name: str
    current_deadline: date = Field(description="The day that the deadline is on.")
    moved_deadline: date = Field(description="The day that the deadline would be on.")


class MovedDeadlines(Reply):
    """How many deadlines would move, and the first 100 of them."""

    total: int = Field(description="How many deadlines would move.")
    data: list[MovedDeadline] = Field(
        description="The first 100 deadlines that would move, the nearest first."
    )


class DeadlineMailChange(Change):
    """The body of `PATCH /v1/deadline-mail`: whether the owners of agreements get mail."""

    enabled: Flag | None = Field(
        default=None, description="Whether the owners of agreements get mail about their dates."
    )


class DeadlineMail(Reply):
    """Whether the owners of the organisation's agreements get mail before each day by which to act, when a
    deadline was missed, and when an agreement renewed or ended. `available` says whether this deployment has
    a mail server; without one nobody gets any."""

    enabled: bool = Field(description="Whether the owners of agreements get mail about their dates.")
    available: bool = Field(
        description="Whether this deployment has a mail server; without one nobody gets any."
    )


MissingName = Literal[
    "supplierName",
    "owners",
    "currency",
    "totalValue",
    "termStart",
    "termEnd",
    "renewalType",
    "autoRenewalTermMonths",
    "noticePeriod",
]
"""What an agreement can miss: the fields that its dates, a reminder or a comparison need."""


class MissingDetailsQuery(ListQuery, total=False):
    """Which agreements with missing details are listed."""

    field: Annotated[MissingName | None, Field(description="Only those of which this is not known.")]
    as_of: Annotated[
        AsOfDay | None,
        Field(description="The day that dates are computed for; today by default."),
    ]


class MissingField(Reply):
    """Of how many agreements a field is not known, and for how many of them there is no deadline because of
    it."""

    field: Annotated[str, open_words(MissingName)] = Field(description="The field that is not known.")
    total: int = Field(description="Of how many agreements it is not known.")
    deadlines: int = Field(description="For how many agreements there is no deadline because of it.")


class MissingDetailsPage(ListPage[Agreement]):
    """A page of the agreements of which something is not known, those that cost most each year first; those
    that have ended are left out. `fields` counts over all of them, the field first without which most
    deadlines cannot be computed. `withoutDeadline` counts those for which nobody knows by when to act."""

    fields: list[MissingField] = Field(
        default_factory=list[MissingField],
        description="How many agreements miss each field, of all that miss something.",
    )
    without_deadline: int = Field(
        default=0, description="For how many agreements nobody knows by when to act."
    )
