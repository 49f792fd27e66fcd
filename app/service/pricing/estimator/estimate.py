"""From a query and its candidates to a price distribution. Pure: the day comes in as an argument."""

from datetime import date

import numpy as np

from app.service.pricing.estimator.anonymity import Anonymity
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates, Flags
from app.service.pricing.estimator.distribution import GRID, NotEstimable, PriceDistribution
from app.service.pricing.estimator.evidence import Comparison, compare_candidates
from app.service.pricing.estimator.explanation import explain_comparables, explain_factors
from app.service.pricing.estimator.hedonic_adjustment import limit_extrapolation
from app.service.pricing.estimator.mixture import Density, MixtureCoefficients, evaluate_mixture
from app.service.pricing.estimator.similarity_level import classify_similarity
from app.service.purchase_records.query import PriceQuery

# Below this share of common wording, and with no facet in common, two purchases have nothing to compare.
_MIN_TEXT_SIMILARITY = 0.1


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
    asked = Candidates.from_query(query, today.toordinal())
    known = candidates.day < today.toordinal()
    if not known.all():
        candidates = candidates.take(np.flatnonzero(known))
    return estimate_among(query, asked, candidates, calibration, anonymity=anonymity)


def estimate_among(
    query: PriceQuery,
    asked: Candidates,
    candidates: Candidates,
    calibration: Calibration,
    *,
    anonymity: Anonymity | None = None,
) -> PriceDistribution | NotEstimable:
    """The estimate from candidates of any day: `asked` is the query as `Candidates.asking` has it."""
    kept = candidates.currency == asked.currency[0]
    if asked.order[0]:
        kept &= candidates.order != asked.order[0]
    recurring = _is_recurring(query, asked, candidates, kept)
    kept &= candidates.recurring == recurring
    if not kept.any():
        return NotEstimable(f"there is no comparable purchase in {query.currency}")
    if not kept.all():
        candidates = candidates.take(np.flatnonzero(kept))
    found = compare_candidates(asked, candidates, calibration.hedonic_model, calibration.document_frequencies)
    if _has_nothing_in_common(found):
        return NotEstimable("no past purchase is comparable")
    close = candidates.take(found.rows)
    if anonymity is not None and (reason := anonymity.refusal_reason(close)):
        own = anonymity.own_rows(candidates)
        if not len(own) or len(own) == len(candidates):
            return NotEstimable(reason)
        # Too few of others' to show: the caller's own stand without them.
        return estimate_among(query, asked, candidates.take(own), calibration, anonymity=anonymity)

    spoken = evaluate_mixture(
        MixtureCoefficients.from_array(calibration.mixture_coefficients), found.evidence
    )
    density = Density.from_components(spoken, found.evidence)
    level = classify_similarity(found.similarity)
    log_unit = np.maximum.accumulate(density.quantiles(np.array(calibration.reliability[level])))
    weights, centres = spoken.weights[0][: len(found.rows)], spoken.centre[0][: len(found.rows)]
    middle = float(log_unit[GRID.index(0.5)])
    shown = explain_comparables(
        asked, close, found.similarity, weights, centres, middle, calibration.hedonic_model
    )
    return PriceDistribution(
        log_unit_prices=log_unit,
        multiple=query.quantity * (float(query.term_months or 1) if recurring else 1.0),
        currency=query.currency,
        level=level,
        best_similarity=max((one.similarity for one in shown), default=0),
        purchases=len(candidates),
        effective_purchases=float(weights.sum() ** 2 / np.square(weights).sum()),
        newest=date.fromordinal(int(close.day.max())),
        recurring=recurring,
        comparables=shown,
        factors=explain_factors(
            limit_extrapolation(asked, candidates),
            close,
            calibration.hedonic_model,
            weights * spoken.adjustment_share[0][: len(weights)],
            weights,
        ),
    )


def _is_recurring(query: PriceQuery, asked: Candidates, candidates: Candidates, kept: Flags) -> bool:
    """Whether the price grows with the term: as asked where such purchases are there, else as most are of the
    product, where it was bought, or of all."""
    if not kept.any():
        return bool(query.recurring)
    share = float(candidates.recurring[kept].mean())
    if query.recurring is not None and (share if query.recurring else 1.0 - share) > 0:
        return query.recurring
    key = asked.facet("product_key")[0]
    of_product = kept & (candidates.facet("product_key") == key) & bool(key)
    if of_product.any():
        share = float(candidates.recurring[of_product].mean())
    return share >= 0.5


def _has_nothing_in_common(found: Comparison) -> bool:
    near = found.similarity
    shared = near.same_product + near.same_supplier + near.same_family + near.same_brand + near.dimensions
    return float(near.text.max()) < _MIN_TEXT_SIMILARITY and not shared.any()
