"""The hedonic adjustment: how much more the query's features are worth than each past purchase's.

A scope states less than a purchase on record: no unit, no buyer, rarely every dimension. A feature that the
query leaves open counts as no difference, because the purchase's own value is the most likely one.
"""

from dataclasses import dataclass, replace

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Rows
from app.service.pricing.estimator.hedonic_model import HedonicModel, number_values

# Days after the latest comparable for which the trend of prices is extended.
MAX_EXTRAPOLATION_DAYS = 365


@dataclass(frozen=True, slots=True)
class HedonicAdjustment:
    """In ln price, one entry for each candidate: `adjustment` is the query's predicted price less the
    candidate's, `unstated` the candidate's part of the price that comes from features which the query leaves
    open. `query_estimate` is the price predicted for what the query states."""

    adjustment: Floats
    unstated: Floats
    query_estimate: float


def compute_adjustment(
    query_row: Candidates,
    candidates: Candidates,
    model: HedonicModel,
    same_product: Floats,
    *,
    in_packs_of_query: Flags | None = None,
) -> HedonicAdjustment:
    """Compute the adjustment of each candidate to the query, the only entry of `query_row`. `same_product` is
    1 for candidates of the query's product, else 0. Of those that `in_packs_of_query`
    flags the wording counts as the query's: their price is for its pack already."""
    query_row = limit_extrapolation(query_row, candidates)
    facets, is_stated = model.facet_effects(candidates), (query_row.facets[0] != 0).astype(np.float64)
    texts = model.text_effects(candidates)
    if in_packs_of_query is not None:
        texts[in_packs_of_query] = model.text_effects(query_row)[0]
    stated = texts + model.mean + facets @ is_stated
    unstated = facets @ (1.0 - is_stated)
    if query_row.facet("supplier")[0]:
        stated += model.trend_effects(candidates)
    else:
        unstated += model.trend_effects(candidates)
    rows_of_product = np.flatnonzero(same_product)
    for name, column in candidates.attributes.items():
        if name in query_row.attributes or not _is_usual(column, rows_of_product):
            stated += model.code_effects(column)
        else:
            unstated += model.code_effects(column)
    for name in model.numbers:
        candidate_effects = model.number_effects(name, candidates)
        unknown = np.isnan(number_values(name, candidates)) | np.isnan(number_values(name, query_row)[0])
        if unknown.any():
            query_effect = model.number_effects(name, query_row)[0]
            stated += np.where(unknown, query_effect, candidate_effects)
            unstated += np.where(unknown, candidate_effects - query_effect, 0.0)
        else:
            stated += candidate_effects
    query_estimate = float(model.predict(query_row)[0])
    return HedonicAdjustment(query_estimate - stated, unstated, query_estimate)


def limit_extrapolation(query_row: Candidates, candidates: Candidates) -> Candidates:
    """The query on a day at most `MAX_EXTRAPOLATION_DAYS` after the latest candidate: the trend of prices
    says nothing about years without purchases."""
    return replace(query_row, day=np.minimum(query_row.day, candidates.day.max() + MAX_EXTRAPOLATION_DAYS))


def _is_usual(column: Codes, rows_of_product: Rows) -> bool:
    """Whether most purchases of the product state the attribute. One that only some state is an option, and a
    query without it is for the product without the option."""
    values = column[rows_of_product] if len(rows_of_product) else column
    return bool(2 * np.count_nonzero(values) > len(values))
