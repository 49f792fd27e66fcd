"""Estimates the price distribution of one product from its candidates. Pure: the day is an argument."""

from datetime import date

import numpy as np

from app.service.pricing.estimator.anonymity import Anonymity
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Flags, Floats
from app.service.pricing.estimator.distribution import GRID, NotEstimable, PriceDistribution
from app.service.pricing.estimator.evidence import Comparison, compare_candidates
from app.service.pricing.estimator.explanation import explain_comparables, explain_factors
from app.service.pricing.estimator.hedonic_adjustment import limit_extrapolation
from app.service.pricing.estimator.mixture import Density, MixtureCoefficients, evaluate_mixture
from app.service.pricing.estimator.newness import classify_newness
from app.service.pricing.estimator.similarity_level import classify_similarity
from app.service.purchase_records.query import PriceQuery

# Candidates whose texts are less similar than this, with no facet in common, are not comparable.
_MIN_TEXT_SIMILARITY = 0.1
_TINY = 1e-12
_ENDS_OF_RANGE = GRID.index(0.1), GRID.index(0.9)


def estimate_product(
    query: PriceQuery,
    candidates: Candidates,
    calibration: Calibration,
    today: date,
    *,
    anonymity: Anonymity | None = None,
) -> PriceDistribution | NotEstimable:
    """Estimate what `query` will cost from purchases known before `today`.

    Candidates in another currency, of the same order, or dated `today` or later are left out; so are one-time
    prices where the query's recurs, and the other way round. Without `anonymity` there is no minimum of
    purchases and buyers.
    """
    query_row = Candidates.from_query(query, today.toordinal())
    is_earlier = candidates.day < today.toordinal()
    if not is_earlier.all():
        candidates = candidates.take(np.flatnonzero(is_earlier))
    return estimate_among(query, query_row, candidates, calibration, anonymity=anonymity)


def estimate_among(
    query: PriceQuery,
    query_row: Candidates,
    candidates: Candidates,
    calibration: Calibration,
    *,
    anonymity: Anonymity | None = None,
) -> PriceDistribution | NotEstimable:
    """Estimate from candidates of any day; `query_row` is the query as `Candidates.from_query` builds it."""
    if query.quantity is None:
        return NotEstimable("how many are bought is not stated", is_unstated=True)
    is_usable = (candidates.currency == query_row.currency[0]) & ~np.isnan(candidates.log_rate)
    if query_row.order[0]:
        is_usable &= candidates.order != query_row.order[0]
    recurring = _is_recurring(query, query_row, candidates, is_usable)
    is_usable &= candidates.recurring == recurring
    if not is_usable.any():
        return NotEstimable(f"no comparable purchases in {query.currency}")
    if not is_usable.all():
        candidates = candidates.take(np.flatnonzero(is_usable))
    comparison = compare_candidates(
        query_row, candidates, calibration.hedonic_model, calibration.document_frequencies
    )
    if _has_nothing_in_common(comparison):
        return NotEstimable("no comparable purchases")
    closest = comparison.candidates.take(comparison.rows)
    if anonymity is not None and (reason := anonymity.refusal_reason(closest)):
        return NotEstimable(reason)
    level = classify_similarity(comparison.similarity)
    newness = classify_newness(query_row, candidates, closest, comparison.similarity)
    mixture = MixtureCoefficients.from_array(calibration.coefficients_for(newness))
    components = evaluate_mixture(mixture, comparison.evidence)
    density = Density.from_components(components, comparison.evidence)
    narrower = [calibration.reliability[level][at] for at in _ENDS_OF_RANGE]
    # All in one, which takes little longer than some of them.
    found = density.quantiles(np.array([*calibration.reliability_of(level, newness), *narrower]))
    log_unit_prices = np.maximum.accumulate(found[: -len(narrower)])
    count = len(comparison.rows)
    weights, centres = components.weights[0][:count], components.centre[0][:count]
    log_median = float(log_unit_prices[GRID.index(0.5)])
    comparables = explain_comparables(
        query_row, closest, comparison.similarity, weights, centres, log_median, calibration.hedonic_model
    )
    return PriceDistribution(
        log_unit_prices=log_unit_prices,
        # For one month where no term is stated: only what is paid for a month is measured like that.
        multiple=query.quantity * (float(query.term_months or 1) if recurring else 1.0),
        currency=query.currency,
        level=level,
        best_similarity=max((one.similarity for one in comparables), default=0),
        purchases=len(candidates),
        effective_purchases=float(weights.sum() ** 2 / np.square(weights).sum()),
        newest=date.fromordinal(int(closest.day.max())),
        recurring=recurring,
        newness=newness,
        widened=_measure_widening(found[-len(narrower) :], log_unit_prices),
        learnt_on=calibration.learnt_on,
        comparables=comparables,
        factors=explain_factors(
            limit_extrapolation(query_row, candidates),
            closest,
            calibration.hedonic_model,
            weights * components.adjustment_share[0][:count],
            weights,
        ),
    )


def _measure_widening(narrower: Floats, log_unit_prices: Floats) -> float:
    """How much wider the 80 % range is than by the reliability of the level alone, whose ends are `narrower`:
    0.1 is a tenth."""
    before, after = np.exp(narrower), np.exp(log_unit_prices[list(_ENDS_OF_RANGE)])
    return max(float(after[1] - after[0]) / max(float(before[1] - before[0]), _TINY) - 1.0, 0.0)


def _is_recurring(query: PriceQuery, query_row: Candidates, candidates: Candidates, is_usable: Flags) -> bool:
    """Whether the price grows with the term: as the query says where such purchases exist, else as for most
    purchases of the product, or of all where the product was never bought."""
    if not is_usable.any():
        return bool(query.recurring)
    share = float(candidates.recurring[is_usable].mean())
    if query.recurring is not None and (share if query.recurring else 1.0 - share) > 0:
        return query.recurring
    key = query_row.facet("product_key")[0]
    of_product = is_usable & (candidates.facet("product_key") == key) & bool(key)
    if of_product.any():
        share = float(candidates.recurring[of_product].mean())
    return share >= 0.5


def _has_nothing_in_common(comparison: Comparison) -> bool:
    similarity = comparison.similarity
    shared = (
        similarity.same_product
        + similarity.same_supplier
        + similarity.same_family
        + similarity.same_brand
        + similarity.dimensions
    )
    return float(similarity.text.max()) < _MIN_TEXT_SIMILARITY and not shared.any()
