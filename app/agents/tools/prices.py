"""What figures every answer about a price has in common."""

from collections.abc import Sequence

from app.agents.tool import cut
from app.contract.model import Wire
from app.contract.price_level import format_next_step, format_price_level
from app.contract.pricing import PriceVerdict, ProductExplanation
from app.contract.values import Number

RANGE = (10, 25, 50, 75, 90)


class PriceRange(Wire):
    """Percentiles of the total before tax for the whole term: a quarter of comparable purchases cost less
    than p25."""

    p10: Number
    p25: Number
    p50: Number
    p75: Number
    p90: Number


class Evidence(Wire):
    """What an estimate of one product rests on."""

    product: str
    purchases: int
    newest_purchase: str
    likeness: str
    like_for_like: int | None = None
    invented_sample: bool | None = None
    not_stated: list[str] | None = None


class Verdict(Wire):
    """Our judgement of the asked total: accept, consider, negotiate, or withheld; `price` is where it stands
    among comparable purchases."""

    word: str
    price: str
    reasons: list[str]
    judged_amount: Number
    target: Number | None = None
    median: Number | None = None
    next_step: str | None = None


def to_verdict(verdict: PriceVerdict | None, currency: str) -> Verdict | None:
    if verdict is None:
        return None
    step = verdict.next_step
    return Verdict.build_from(
        verdict,
        price=format_price_level(verdict.price_level, verdict.word),
        reasons=[cut(reason, 220) for reason in verdict.reasons[:3]],
        next_step=format_next_step(step.action, step.amount, currency) if step else None,
    )


def to_evidence(products: Sequence[ProductExplanation]) -> list[Evidence]:
    return [
        Evidence(
            product=cut(one.name, 60),
            purchases=one.purchases,
            newest_purchase=one.newest.isoformat(),
            likeness=one.level,
            like_for_like=one.like_for_like,
            invented_sample=True if one.sample else None,
            not_stated=[cut(each.name, 40) for each in one.unknown_dimensions[:4]] or None,
        )
        for one in products
    ]
