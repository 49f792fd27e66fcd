"""The savings report: agreements in total, by supplier, by month and by category."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import get_args

from app.contract.savings import AgreedNegotiation, SavingsBaseline, SavingsReport, SavingsSum
from app.service.negotiation.agreed_prices import AgreedNegotiationRow
from app.service.negotiation.offers.savings import Savings
from app.service.negotiation.wire import build_measures

UNKNOWN = "unknown"


def build_savings_report(agreements: Sequence[AgreedNegotiationRow]) -> SavingsReport:
    """Build the report. Sums are within one currency; money of two currencies is never added."""
    return SavingsReport(
        total=_sum_by_group(agreements, lambda one: ("total", "All")),
        by_supplier=_sum_by_group(agreements, lambda one: (one.company_id or one.supplier, one.supplier)),
        by_month=_sum_by_group(agreements, lambda one: (f"{one.signed_at:%Y-%m}", f"{one.signed_at:%Y-%m}")),
        by_category=_sum_by_group(
            agreements, lambda one: (one.category_id or UNKNOWN, one.category or "Unknown")
        ),
        negotiations=[_build_agreed_negotiation(one) for one in agreements],
    )


def _sum_by_group(
    agreements: Iterable[AgreedNegotiationRow], group: Callable[[AgreedNegotiationRow], tuple[str, str]]
) -> list[SavingsSum]:
    groups: dict[tuple[str, str], list[tuple[AgreedNegotiationRow, Savings]]] = {}
    names: dict[str, str] = {}
    for one in agreements:
        if one.savings is not None:
            key, name = group(one)
            names[key] = name
            groups.setdefault((key, one.currency), []).append((one, one.savings))
    return [
        _sum_group(key, names, currency, measured)
        for (key, currency), measured in sorted(groups.items(), key=lambda item: item[0])
    ]


def _sum_group(
    key: str,
    names: Mapping[str, str],
    currency: str,
    measured: Sequence[tuple[AgreedNegotiationRow, Savings]],
) -> SavingsSum:
    baseline = sum((savings.baseline for _, savings in measured), Decimal(0))
    agreed = sum((savings.agreed for _, savings in measured), Decimal(0))
    targets = [one.target for one, _ in measured if one.target is not None]
    whole = Savings("first_offer", baseline, agreed)
    return SavingsSum(
        key=key,
        name=names[key],
        currency=currency,
        negotiations=len(measured),
        baseline=baseline,
        target=sum(targets, Decimal(0)) if targets else None,
        agreed=agreed,
        savings=whole.saved,
        savings_rate=whole.rate,
        measures=build_measures(_sum_measures([one for one, _ in measured])),
    )


def _sum_measures(agreements: Sequence[AgreedNegotiationRow]) -> list[Savings]:
    """Sum the savings against each baseline over the agreements that have it."""
    savings: list[Savings] = []
    for against in get_args(SavingsBaseline):
        having = [one for each in agreements for one in each.measures if one.against == against]
        if having:
            baseline = sum((one.baseline for one in having), Decimal(0))
            agreed = sum((one.agreed for one in having), Decimal(0))
            of = "1 agreed price" if len(agreements) == 1 else f"{len(agreements)} agreed prices"
            savings.append(Savings(against, baseline, agreed, f"Known for {len(having)} of {of}."))
    return savings


def _build_agreed_negotiation(one: AgreedNegotiationRow) -> AgreedNegotiation:
    savings = one.savings
    return AgreedNegotiation.build_from(
        one,
        agreed_at=one.signed_at,
        against=savings.against if savings else None,
        baseline=savings.baseline if savings else None,
        agreed=one.amount,
        savings=savings.saved if savings else None,
        savings_rate=savings.rate if savings else None,
        measures=build_measures(one.measures),
    )
