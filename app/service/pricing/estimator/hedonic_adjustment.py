"""The hedonic adjustment: how much more the query's features are worth than each past purchase's.

A scope states less than a purchase on record: no unit, no buyer, rarely every dimension. A feature that the
query leaves open counts as no difference, because the purchase's own value is the most likely one.
"""

from dataclasses import dataclass, replace

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Rows
from app.service.pricing.estimator.hedonic_model import HedonicModel

# Days after the latest comparable for which the trend of prices is extended.
MAX_EXTRAPOLATION_DAYS = 365


@dataclass(frozen=True, slots=True)
class HedonicAdjustment:
    """In ln price, one row for each query and one column for each candidate: `adjustment` is the query's
    predicted price less the candidate's, `unstated` the candidate's part of the price that comes from
    features which the query leaves open. `query_estimate` is the price predicted for what each query
    states."""

    adjustment: Floats
    unstated: Floats
    query_estimate: Floats


def compute_adjustment(
    queries: Candidates,
    candidates: Candidates,
    model: HedonicModel,
    same_product: Floats,
    *,
    in_packs_of_query: Flags | None = None,
) -> HedonicAdjustment:
    """Compute the adjustment of each candidate to each of the queries, which differ in quantity, term and
    purchase type alone. `same_product` is 1 for candidates of their product, else 0. Of those that
    `in_packs_of_query` flags the wording counts as the queries': their price is for its pack already."""
    queries = limit_extrapolation(queries, candidates)
    facets, is_stated = model.facet_effects(candidates), (queries.facets[0] != 0).astype(np.float64)
    texts = model.text_effects(candidates)
    if in_packs_of_query is not None:
        texts[in_packs_of_query] = model.text_effects(queries)[0]
    stated = texts + model.mean + facets @ is_stated
    unstated = facets @ (1.0 - is_stated)
    if queries.facet("supplier")[0]:
        stated += model.trend_effects(candidates)
    else:
        unstated += model.trend_effects(candidates)
    rows_of_product = np.flatnonzero(same_product)
    for name, column in candidates.attributes.items():
        if name in queries.attributes or not _is_usual(column, rows_of_product):
            stated += model.code_effects(column)
        else:
            unstated += model.code_effects(column)
    numbers = tuple(model.numbers)
    effects, is_known = model.number_effects(numbers, candidates)
    asked_effects, is_asked = model.number_effects(numbers, queries)
    comparable = is_asked[:, :, None] & is_known[:, None, :]
    of_stated = np.where(comparable, effects[:, None, :], asked_effects[:, :, None]).sum(axis=0)
    query_estimate = model.predict(queries)
    adjustment = query_estimate[:, None] - (stated + of_stated)
    return HedonicAdjustment(adjustment, unstated + effects.sum(axis=0) - of_stated, query_estimate)


def limit_extrapolation(queries: Candidates, candidates: Candidates) -> Candidates:
    """The queries on a day at most `MAX_EXTRAPOLATION_DAYS` after the latest candidate: the trend of prices
    says nothing about years without purchases."""
    return replace(queries, day=np.minimum(queries.day, candidates.day.max() + MAX_EXTRAPOLATION_DAYS))


def _is_usual(column: Codes, rows_of_product: Rows) -> bool:
    """Whether most purchases of the product state the attribute. One that only some state is an option, and a
    query without it is for the product without the option."""
    values = column[rows_of_product] if len(rows_of_product) else column
    return bool(2 * np.count_nonzero(values) > len(values))
