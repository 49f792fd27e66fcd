"""Estimates the price distribution of one product from its candidates. Pure: the day is an argument."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import date
from operator import attrgetter

import numpy as np

from app.service.pricing.estimator.anonymity import Anonymity
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Flags, Floats
from app.service.pricing.estimator.distribution import GRID, Level, Newness, NotEstimable, PriceDistribution
from app.service.pricing.estimator.evidence import Comparison, compare_candidates
from app.service.pricing.estimator.explanation import explain_comparables, explain_factors
from app.service.pricing.estimator.hedonic_adjustment import limit_extrapolation
from app.service.pricing.estimator.hedonic_model import YEAR
from app.service.pricing.estimator.mixture import Components, Densities, MixtureCoefficients, evaluate_mixture
from app.service.pricing.estimator.newness import classify_newness, widen_by_age
from app.service.pricing.estimator.similarity import classify_similarity
from app.service.purchase_records import PriceQuery

# Candidates whose texts are less similar than this, with no facet in common, are not comparable.
_MIN_TEXT_SIMILARITY = 0.1
_TINY = 1e-12
_ENDS_OF_RANGE = GRID.index(0.1), GRID.index(0.9)
# Arrays of so many queries and their candidates take a few megabytes.
_MAX_AT_ONCE = 64
_DIFFERENT = {"quantity", "term_months", "purchase_type", "attributes"}
_take_shared = attrgetter(*(one.name for one in fields(PriceQuery) if one.name not in _DIFFERENT))


def estimate_queries(
    queries: Sequence[PriceQuery],
    candidates: Candidates,
    calibration: Calibration,
    today: date,
    *,
    anonymity: Anonymity | None = None,
) -> list[PriceDistribution | NotEstimable]:
    """Estimate what each of the queries will cost from purchases known before `today`: those that differ in
    quantity, term and purchase type alone at once.

    Candidates in another currency, of the same order, or dated `today` or later are left out; so are one-time
    prices where the query's recurs, and the other way round. Without `anonymity` there is no minimum of
    purchases and buyers.
    """
    day = today.toordinal()
    is_earlier = candidates.day < day
    if not is_earlier.all():
        candidates = candidates.take(np.flatnonzero(is_earlier))
    alike: dict[object, list[int]] = {}
    for at, query in enumerate(queries):
        key = *_take_shared(query), tuple(query.attributes.items()), query.quantity is None
        alike.setdefault(key, []).append(at)
    found: dict[int, PriceDistribution | NotEstimable] = {}
    for places in alike.values():
        for begin in range(0, len(places), _MAX_AT_ONCE):
            some = places[begin : begin + _MAX_AT_ONCE]
            asked = [queries[at] for at in some]
            rows = Candidates.from_queries(asked, day)
            prices = estimate_among(asked, rows, candidates, calibration, anonymity=anonymity)
            found |= zip(some, prices, strict=True)
    return [found[at] for at in range(len(queries))]


def estimate_among(
    queries: Sequence[PriceQuery],
    query_rows: Candidates,
    candidates: Candidates,
    calibration: Calibration,
    *,
    anonymity: Anonymity | None = None,
) -> list[PriceDistribution | NotEstimable]:
    """Estimate queries that differ in quantity, term and purchase type alone from candidates of any day;
    `query_rows` are the queries as `Candidates.from_queries` builds them."""
    query, number = queries[0], len(queries)
    if query.quantity is None:
        return [NotEstimable("how many are bought is not stated", is_unstated=True)] * number
    is_usable = (candidates.currency == query_rows.currency[0]) & ~np.isnan(candidates.log_rate)
    if query_rows.order[0]:
        is_usable &= candidates.order != query_rows.order[0]
    recurring = _is_recurring(query, query_rows, candidates, is_usable)
    is_usable &= candidates.recurring == recurring
    if not is_usable.any():
        return [NotEstimable(f"no comparable purchases in {query.currency}")] * number
    if not is_usable.all():
        candidates = candidates.take(np.flatnonzero(is_usable))
    comparison = compare_candidates(
        query_rows, candidates, calibration.model, calibration.document_frequencies
    )
    refusals = _find_refusals(comparison, anonymity)
    if None not in refusals:
        return [NotEstimable(reason) for reason in refusals if reason is not None]
    return [
        price if reason is None else NotEstimable(reason)
        for price, reason in zip(
            _estimate_compared(queries, query_rows, candidates, comparison, calibration, recurring=recurring),
            refusals,
            strict=True,
        )
    ]


def _find_refusals(comparison: Comparison, anonymity: Anonymity | None) -> list[str | None]:
    """Why each query cannot be estimated from what it was compared with; None where it can."""
    none: list[str | None] = [None] * len(comparison.rows)
    reasons = none if anonymity is None else anonymity.refusal_reasons(comparison.candidates, comparison.rows)
    has_nothing = _have_nothing_in_common(comparison).tolist()
    return [
        "no comparable purchases" if nothing else reason
        for nothing, reason in zip(has_nothing, reasons, strict=True)
    ]


def _estimate_compared(
    queries: Sequence[PriceQuery],
    query_rows: Candidates,
    candidates: Candidates,
    comparison: Comparison,
    calibration: Calibration,
    *,
    recurring: bool,
) -> Iterator[PriceDistribution]:
    model, rows, similarity = calibration.model, comparison.rows, comparison.similarity
    levels = classify_similarity(similarity)
    newnesses = classify_newness(query_rows, candidates, rows, similarity)
    supplier = int(query_rows.facet("supplier")[0])
    of_supplier = int(np.count_nonzero(candidates.facet("supplier") == supplier))
    mixture = MixtureCoefficients.from_array(calibration.coefficients_for(supplier, of_supplier))
    components = evaluate_mixture(mixture, comparison.evidence)
    newest = candidates.day[rows].max(axis=1)
    years = np.maximum(query_rows.day - newest, 0) / YEAR
    found = _find_quantiles(components, comparison, calibration, levels, newnesses, years)
    count = rows.shape[1]
    weights = components.weights[:, :count]
    log_unit_prices, narrower = np.maximum.accumulate(found[:, : len(GRID)], axis=1), found[:, len(GRID) :]
    comparables = explain_comparables(
        query_rows,
        comparison.candidates,
        rows,
        similarity,
        weights,
        components.centre[:, :count],
        log_unit_prices[:, GRID.index(0.5)],
        model,
    )
    factors = explain_factors(
        limit_extrapolation(query_rows, candidates),
        comparison.candidates,
        rows,
        model,
        weights * components.adjustment_share[:, :count],
        weights,
    )
    effective = weights.sum(axis=1) ** 2 / np.square(weights).sum(axis=1)
    for at, query in enumerate(queries):
        assert query.quantity is not None
        yield PriceDistribution(
            log_unit_prices=log_unit_prices[at],
            # For one month where no term is stated: only what is paid for a month is measured like that.
            multiple=query.quantity * (float(query.term_months or 1) if recurring else 1.0),
            currency=query.currency,
            level=levels[at],
            best_similarity=max((one.similarity for one in comparables[at]), default=0),
            purchases=len(candidates),
            effective_purchases=float(effective[at]),
            newest=date.fromordinal(int(newest[at])),
            recurring=recurring,
            newness=newnesses[at],
            widened=_measure_widening(narrower[at], log_unit_prices[at]),
            learnt_on=calibration.learnt_on,
            comparables=comparables[at],
            factors=factors[at],
        )


def _find_quantiles(
    components: Components,
    comparison: Comparison,
    calibration: Calibration,
    levels: Sequence[Level],
    newnesses: Sequence[Newness],
    years: Floats,
) -> Floats:
    """For each query, the ln unit prices for the probabilities of `GRID`, and at the ends of the 80 % range
    by the reliability of its level alone: in one, which takes little longer than some. The newest purchase is
    so many `years` old."""
    probabilities = [
        [
            *widen_by_age(np.array(calibration.reliability_of(level, newness)), newness, age),
            *(calibration.reliability[level][end] for end in _ENDS_OF_RANGE),
        ]
        for level, newness, age in zip(levels, newnesses, years.tolist(), strict=True)
    ]
    return Densities.from_components(components, comparison.evidence).quantiles(np.array(probabilities))


def _measure_widening(narrower: Floats, log_unit_prices: Floats) -> float:
    """How much wider the 80 % range is than by the reliability of the level alone, whose ends are `narrower`:
    0.1 is a tenth."""
    before, after = np.exp(narrower), np.exp(log_unit_prices[list(_ENDS_OF_RANGE)])
    return max(float(after[1] - after[0]) / max(float(before[1] - before[0]), _TINY) - 1.0, 0.0)


def _is_recurring(
    query: PriceQuery, query_rows: Candidates, candidates: Candidates, is_usable: Flags
) -> bool:
    """Whether the price grows with the term: as the query says where such purchases exist, else as for most
    purchases of the product, or of all where the product was never bought."""
    if not is_usable.any():
        return bool(query.recurring)
    share = float(candidates.recurring[is_usable].mean())
    if query.recurring is not None and (share if query.recurring else 1.0 - share) > 0:
        return query.recurring
    key = query_rows.facet("product_key")[0]
    of_product = is_usable & (candidates.facet("product_key") == key) & bool(key)
    if of_product.any():
        share = float(candidates.recurring[of_product].mean())
    return share >= 0.5


def _have_nothing_in_common(comparison: Comparison) -> Flags:
    similarity = comparison.similarity
    shared = (
        similarity.same_product
        + similarity.same_supplier
        + similarity.same_family
        + similarity.same_brand
        + similarity.dimensions
    )
    return (similarity.text.max(axis=1) < _MIN_TEXT_SIMILARITY) & ~shared.any(axis=1)
