"""The agreements of the story: what was agreed, and how many days from its beginning somebody must act."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from app.contract.agreements import Decision, NoticeUnit, RenewalType
from app.service.sample.suppliers import ProductKind

OWNERS: Mapping[str, str] = {
    "Robin Berger": "purchasing@acorn.example",
    "Ines Falk": "it@acorn.example",
    "Tom Adler": "marketing@acorn.example",
}


@dataclass(frozen=True)
class AgreementPlan:
    """One product of a supplier. `ends_in` counts days until the current term ends. What a plan leaves out is
    not known, and listed as missing."""

    title: str
    supplier: str
    kind: ProductKind
    quantity: int
    ends_in: int
    years: int = 1
    renewal: RenewalType | None = "auto_renew"
    notice: tuple[int, NoticeUnit] | None = (3, "month")
    owner: str | None = "Robin Berger"
    cost_center: str = "IT"
    paid_share: float = 1.0
    """The price as a share of what the supplier usually gets."""
    uplift_percent: float | None = None
    decision: Decision | None = None
    note: str | None = None


AGREEMENTS: Sequence[AgreementPlan] = (
    AgreementPlan("Sales pipeline", "Tamvora Systems", "seats", 140, 96, paid_share=1.18, uplift_percent=5),
    AgreementPlan(
        "Identity and access", "Erinesse Cloud", "seats", 620, 45, notice=(30, "day"), owner="Ines Falk"
    ),
    AgreementPlan(
        "Video meetings", "Istquen Systems", "seats", 300, 110, years=2, paid_share=1.1, owner="Ines Falk"
    ),
    AgreementPlan("Design boards", "Nornesse Systems", "seats", 85, 162, cost_center="Product", owner=None),
    AgreementPlan(
        "Campaign mails",
        "Lumlantis Systems",
        "seats",
        40,
        130,
        cost_center="Marketing",
        owner="Tom Adler",
        decision="renegotiate",
        note="Half of the seats are not used.",
    ),
    AgreementPlan(
        "Data warehouse",
        "Brequen Labs",
        "usage",
        12,
        24,
        notice=(10, "business_day"),
        paid_share=1.07,
        cost_center="Data",
        uplift_percent=3,
    ),
    AgreementPlan(
        "Backup storage", "Marvora Software", "usage", 20, 20, notice=(30, "day"), owner="Ines Falk"
    ),
    AgreementPlan(
        "Help desk", "Junforge Cloud", "seats", 55, 150, decision="renew", note="Works well.", paid_share=0.94
    ),
    AgreementPlan(
        "Team chat", "Sellantis Cloud", "seats", 480, 210, years=3, notice=(60, "day"), paid_share=0.97
    ),
    AgreementPlan(
        "Recruiting", "Tamdelta Digital", "seats", 18, 12, renewal="none", notice=None, cost_center="People"
    ),
    AgreementPlan(
        "Learning platform",
        "Hollantis Cloud",
        "seats",
        260,
        320,
        renewal="option",
        notice=(2, "month"),
        cost_center="People",
    ),
    AgreementPlan(
        "Expense reports",
        "Orbnesse Software",
        "seats",
        130,
        -20,
        renewal="none",
        notice=None,
        cost_center="Finance",
    ),
)
"""Twelve: due soon and later, one whose deadline was missed, one that has ended, decided and undecided, with
notice in months, days and business days."""


def describe_agreement(plan: AgreementPlan, begun: date) -> dict[str, Any]:
    """Return the dates, clauses and people of an agreement as the body of `POST /v1/agreements` has them."""
    end = begun + timedelta(days=plan.ends_in)
    after = end + timedelta(days=1)
    start = after.replace(year=after.year - plan.years, day=min(after.day, 28))
    body: dict[str, Any] = {
        "name": plan.title,
        "termStart": start.isoformat(),
        "termEnd": end.isoformat(),
        "costCenter": plan.cost_center,
        "billingFrequency": "annual",
        "paymentTermsDays": 30,
    }
    if plan.renewal is not None:
        body["renewalType"] = plan.renewal
    if plan.renewal in ("auto_renew", "option"):
        body["autoRenewalTermMonths"] = 12
    if plan.notice is not None:
        body["noticePeriod"] = {"value": plan.notice[0], "unit": plan.notice[1]}
    if plan.owner is not None:
        body["owners"] = [{"name": plan.owner, "email": OWNERS[plan.owner]}]
    if plan.uplift_percent is not None:
        body["uplift"] = {"kind": "cap", "percent": plan.uplift_percent}
    return body
