"""What the story is made of: quotes, purchases described by hand, and what happens in their negotiations.

Prices are shares of the list price. What a sample supplier usually sells at is `usual_share`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import Literal

from app.contract.negotiation import EngagementType
from app.contract.scope import PurchaseType
from app.service.sample.quotes import OrderedProduct, QuotePlan
from app.service.sample.suppliers import ProductKind, SampleSupplier

BUYER, BUYER_EMAIL = "Robin Berger", "purchasing@acorn.example"
FAILING_ADDRESS = "https://erp.acorn.example/hooks/parley"
"""No such host is ever found (RFC 2606), so deliveries to it fail and are tried again."""

Happening = Literal["quote", "message", "counter", "agreement"]


@dataclass(frozen=True)
class NegotiationStep:
    """Something that happens `days_ago` days before the story begins. `share` is the price as a share of what
    the supplier usually sells at; `text` is that of a message."""

    happening: Happening
    days_ago: float
    share: float = 1.0
    text: str = ""


@dataclass(frozen=True)
class NegotiationPlan:
    engagement: EngagementType
    steps: Sequence[NegotiationStep] = ()
    valid_days: int | None = None
    """How long offers stay valid, from the beginning of the story."""


@dataclass(frozen=True)
class HandmadeScope:
    """A purchase that is described by hand: one product and one option."""

    supplier: str
    kind: ProductKind
    quantity: int
    option: str
    purchase_type: PurchaseType
    negotiation: NegotiationPlan
    term_months: int = 12


CONFIRMED_QUOTE, REVIEWED_QUOTE, FAILED_QUOTE, LAST_QUOTE = "Q-1018", "Q-5530", "Q-3374", "Q-6092"

QUOTES: Mapping[str, QuotePlan] = {
    CONFIRMED_QUOTE: QuotePlan(
        "Dunstane Works",
        (OrderedProduct("usage", 40, "1 year", 0.86), OrderedProduct("services", 8, "Consultant", 0.9)),
        days_ago=3,
    ),
    REVIEWED_QUOTE: QuotePlan(
        "Corstane Works",
        (
            OrderedProduct("seats", 180, "Professional", 0.93),
            OrderedProduct("services", 12, "Senior consultant", 0.92),
        ),
        days_ago=2,
        notice_days=90,
    ),
    FAILED_QUOTE: QuotePlan(
        "Marstane Works",
        (OrderedProduct("seats", 70, "Starter", 0.95), OrderedProduct("services", 5, "Consultant", 1.0)),
        mixes_currencies=True,
    ),
    LAST_QUOTE: QuotePlan(
        "Lumforge Systems", (OrderedProduct("seats", 240, "Professional", 0.9),), days_ago=0, term_months=24
    ),
}
"""The quotes of the story, by their numbers: one is confirmed, one waits for a review, one cannot be read
because it mixes currencies, and one comes last, so that a visitor may see it being read."""

DECISION = NegotiationPlan("strategy_only")
"""The negotiation about the confirmed quote, which waits for a decision."""

BY_HAND: Mapping[str, HandmadeScope] = {
    "planned": HandmadeScope(
        "Holstane Systems", "seats", 320, "Starter", "new_purchase", NegotiationPlan("svc_led")
    ),
    "countered": HandmadeScope(
        "Pelnesse Cloud",
        "seats",
        150,
        "Professional",
        "renewal",
        NegotiationPlan(
            "strategy_only",
            (
                NegotiationStep("quote", 4, share=1.16),
                NegotiationStep("message", 3.5, text="Our list prices rise in January."),
                NegotiationStep("counter", 3),
            ),
            valid_days=18,
        ),
    ),
    "agreed in another season": HandmadeScope(
        "Orbforge Works",
        "seats",
        600,
        "Professional",
        "renewal",
        NegotiationPlan(
            "strategy_only",
            (
                NegotiationStep("quote", 252, share=1.2),
                NegotiationStep("message", 249, text="We can move if you sign for the whole year."),
                NegotiationStep("quote", 246, share=1.06),
                NegotiationStep("agreement", 241, share=0.99),
            ),
        ),
    ),
    "agreed some months ago": HandmadeScope(
        "Marquen Cloud",
        "seats",
        450,
        "Starter",
        "new_purchase",
        NegotiationPlan(
            "strategy_only",
            (
                NegotiationStep("quote", 103, share=1.14),
                NegotiationStep("quote", 97, share=1.03),
                NegotiationStep("agreement", 92, share=0.97),
            ),
        ),
    ),
}
"""The purchases that are described by hand, by what becomes of them."""


def usual_share(supplier: SampleSupplier, quantity: int, term_months: int) -> float:
    """Return the share of the list price that the supplier usually gets for so much."""
    policy = supplier.discounts
    volume = policy.for_ten_times_as_many * max(0.0, log10(quantity / 10))
    return 1 - policy.always - volume - policy.for_each_further_year * (term_months // 12 - 1)
