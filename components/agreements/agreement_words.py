"""What the statuses, stages and fields of agreements are called."""

from datetime import date
from decimal import Decimal

from app.contract.agreements import Agreement, NoticePeriod
from components.elements.page_header import Colour
from components.formatting.counts import format_date, format_known_money

STATUS_LABELS: dict[str, tuple[str, Colour]] = {
    "deadline_missed": ("deadline missed", "red"),
    "in_notice_window": ("decide soon", "orange"),
    "active": ("active", "green"),
    "upcoming": ("not begun", "blue"),
    "unknown": ("last day not known", "violet"),
    "expired": ("expired", "gray"),
    "ended": ("ended", "gray"),
}
"""Label and colour of each status, the most urgent first."""

STAGE_LABELS = {
    "not_started": "no decision yet",
    "in_progress": "being renegotiated",
    "will_renew": "will renew",
    "will_not_renew": "will not renew",
    "replaced": "replaced",
}
DECISION_LABELS = {
    "renew": "Let it renew",
    "end": "End it",
    "renegotiate": "Renegotiate",
    "replace": "Replace it",
    "put_off": "Put it off",
}
RENEWAL_LABELS = {
    "auto_renew": "Renews by itself unless notice is given",
    "none": "Ends by itself",
    "option": "Renews if we take the option",
    "evergreen": "Runs until notice is given",
}
UNIT_LABELS = {"month": "months", "day": "days", "business_day": "business days"}
FIELD_LABELS = {
    "supplierName": "Supplier",
    "owners": "Owner",
    "currency": "Currency",
    "totalValue": "Total value",
    "termStart": "First day",
    "termEnd": "Last day of the first term",
    "renewalType": "What happens at the end",
    "autoRenewalTermMonths": "Renewal term",
    "noticePeriod": "Notice period",
    "uplift": "Price rise",
    "paymentTermsDays": "Payment within",
    "billingFrequency": "Billing",
}
"""Fields by their names on the wire, as the form calls them."""


def label_status(status: str) -> tuple[str, Colour]:
    """Return label and colour of a status; an unknown one as it is."""
    return STATUS_LABELS.get(status, (status.replace("_", " "), "gray"))


def label_due(one: Agreement, today: date) -> tuple[str, Colour]:
    """Return how urgent an agreement is, and its colour: that of its status, or the days that are left."""
    if one.act_by is None or one.status in ("unknown", "deadline_missed"):
        return label_status(one.status)
    left = (one.act_by - today).days
    words = {0: "today", 1: "tomorrow"}.get(left, f"in {left:,} days")
    return words, "red" if left <= _URGENT_DAYS else "orange" if left <= _SOON_DAYS else "gray"


_URGENT_DAYS, _SOON_DAYS = 7, 30


def label_stage(stage: str) -> str:
    return STAGE_LABELS.get(stage, stage.replace("_", " "))


def label_field(name: str) -> str:
    return FIELD_LABELS.get(name, name)


def format_notice(period: NoticePeriod) -> str:
    """Return `3 months` or `1 day`."""
    unit = UNIT_LABELS.get(period.unit, period.unit)
    return f"{period.value} {unit.removesuffix('s') if period.value == 1 else unit}"


def format_last_day(one: Agreement) -> str:
    """Return the last day on which somebody can act, a dash where it is not known."""
    return format_date(None if one.status == "unknown" else one.act_by)


def format_value(one: Agreement, amount: Decimal | None) -> str | None:
    """Return an amount of an agreement with its currency, where it is known."""
    return format_known_money(amount, one.currency)
