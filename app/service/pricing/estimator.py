"""From a query and its candidates to a price distribution. Pure: the day comes in as an argument."""

from datetime import date

import numpy as np

from app.service.pricing.anonymity import Anonymity
from app.service.pricing.calibration import Calibration
from app.service.pricing.candidates import Candidates, Floats, code_of
from app.service.pricing.distribution import (
    GRID,
    Comparable,
    Factor,
    NotEstimable,
    PriceDistribution,
    weighted_quantiles,
)
from app.service.pricing.query import PriceQuery
from app.service.pricing.similarity import YEAR, Similarity, level_of, similarity

SHOWN = 25
_MIDDLE = GRID.index(0.5)


def estimate_product(
    query: PriceQuery,
    candidates: Candidates,
    calibration: Calibration,
    today: date,
    *,
    anonymity: Anonymity | None = None,
) -> PriceDistribution | NotEstimable:
    """Estimate what `query` will cost from purchases known before `today`.

    Candidates in another currency, of the same order, or dated `today` or later are left out; so are
    one-time prices where the asked one recurs, and the other way round. `anonymity` None asks for no
    minimum of purchases and buyers.
    """
    return estimate_among(query, usable(query, candidates, today), calibration, today, anonymity=anonymity)


def usable(query: PriceQuery, candidates: Candidates, today: date) -> Candidates:
    """The candidates that may be compared at all."""
    kept = (candidates.currency == code_of(query.currency)) & (candidates.day < today.toordinal())
    if query.order_id:
        kept &= candidates.order != code_of(query.order_id)
    return candidates if kept.all() else candidates.take(np.flatnonzero(kept))


def estimate_among(
    query: PriceQuery,
    candidates: Candidates,
    calibration: Calibration,
    today: date,
    *,
    anonymity: Anonymity | None = None,
) -> PriceDistribution | NotEstimable:
    """The estimate from candidates that are all usable; of their dates only the distance matters."""
    if not len(candidates):
        return NotEstimable("no comparable purchase in this currency")
    if anonymity is not None and (reason := anonymity.refusal(candidates)):
        return NotEstimable(reason)
    found = similarity(query, candidates, today)
    recurring = _recurring(query, candidates, found)
    kept = candidates.recurring == recurring
    if not kept.any():
        return NotEstimable("every comparable purchase is priced in another way (once, or for a time)")
    weight = np.where(kept, found.weight, 0.0)
    weight /= weight.sum()
    moves = _moves(query, candidates, calibration, today, recurring)
    adjusted = candidates.log_rate + sum(moves.values(), np.zeros(len(candidates)))
    level = level_of(found)
    spread = weighted_quantiles(adjusted[kept], weight[kept])
    middle = spread[_MIDDLE]
    half = calibration.floor[level] * _NORMAL
    log_unit = np.maximum.accumulate(middle + (spread - middle) * calibration.stretch[level] + half)
    months = query.term_months or 1
    multiple = query.quantity * (months if recurring else 1.0)
    size = np.exp(
        -np.abs(candidates.log_rate + candidates.log_quantity - middle - np.log(query.quantity)) / 3
    )
    return PriceDistribution(
        log_unit=log_unit,
        multiple=multiple,
        currency=query.currency,
        level=level,
        best_similarity=_percent(float(found.product[kept].max())),
        purchases=int(kept.sum()),
        effective=float(1.0 / np.square(weight).sum()),
        newest=date.fromordinal(int(candidates.day[kept].max())),
        recurring=recurring,
        comparables=_comparables(candidates, found, weight, adjusted, size),
        factors=tuple(Factor(name, float(np.exp((move * weight).sum()))) for name, move in moves.items()),  # type: ignore[arg-type]
    )


# Quantiles of a Laplace distribution of unit scale: errors of estimates have its sharp peak and long tails.
_P = np.array(GRID)
_NORMAL = np.where(_P < 0.5, np.log(2 * np.minimum(_P, 0.5)), -np.log(2 * np.minimum(1 - _P, 0.5)))


def _recurring(query: PriceQuery, candidates: Candidates, found: Similarity) -> bool:
    if query.recurring is not None and bool((candidates.recurring == query.recurring).any()):
        return query.recurring
    return bool((found.weight * np.where(candidates.recurring, 1.0, -1.0)).sum() > 0)


def _moves(
    query: PriceQuery, candidates: Candidates, calibration: Calibration, today: date, recurring: bool
) -> dict[str, Floats]:
    """By factor, what to add to each candidate's ln price to have it on the terms of the query."""
    moves = {"volume": calibration.elasticity * (np.log(query.quantity) - candidates.log_quantity)}
    if recurring and query.term_months:
        known = candidates.term > 0
        ratio = np.log(query.term_months / np.where(known, candidates.term, query.term_months))
        moves["term"] = calibration.term_elasticity * ratio
    if query.purchase_type is not None and calibration.renewal:
        asked = 1.0 if query.purchase_type == "renewal" else 0.0
        moves["renewal"] = np.where(
            candidates.renewal >= 0, calibration.renewal * (asked - candidates.renewal), 0.0
        )
    moves["recency"] = calibration.drift * (today.toordinal() - candidates.day) / YEAR
    return moves


def _comparables(
    candidates: Candidates, found: Similarity, weight: Floats, adjusted: Floats, size: Floats
) -> tuple[Comparable, ...]:
    shown = np.argsort(-weight, kind="stable")[:SHOWN]
    best = weight[shown[0]]
    return tuple(
        Comparable(
            id=candidates.ids[row],
            weight=float(weight[row]),
            similarity=_percent(
                0.45 * found.product[row]
                + 0.2 * found.dimensions[row]
                + 0.1 * found.quantity[row]
                + 0.1 * found.term[row]
                + 0.1 * found.recency[row]
                + 0.05 * size[row]
            ),
            parts={
                "product": _percent(found.product[row]),
                "dimensions": _percent(found.dimensions[row]),
                "quantity": _percent(found.quantity[row]),
                "term": _percent(found.term[row]),
                "recency": _percent(found.recency[row]),
                "size": _percent(size[row]),
            },
            unit_price=float(np.exp(adjusted[row])),
            purchase_date=date.fromordinal(int(candidates.day[row])),
        )
        for row in shown.tolist()
        if weight[row] > best * 1e-4
    )


def _percent(share: float) -> int:
    return round(100 * min(max(float(share), 0.0), 1.0))
