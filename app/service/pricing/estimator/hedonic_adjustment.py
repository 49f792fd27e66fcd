"""How much more a query is worth than past purchases, judged by what both of them state.

A scope says less than a purchase on record: no unit, no buyer, rarely every dimension. What it leaves open is
no difference to a purchase that states it; the purchase's own value is what it most likely means.
"""

from dataclasses import dataclass, replace

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Floats, Rows
from app.service.pricing.estimator.hedonic_model import HedonicModel, number_values

# Days after the latest comparable for which prices are taken to move on as they did.
MAX_EXTRAPOLATION_DAYS = 365


@dataclass(frozen=True, slots=True)
class HedonicAdjustment:
    """In ln price, one entry for each candidate: `shift` is what the query is worth more than it, `unstated`
    what it is worth by what the query leaves open. `own` is what the query itself states."""

    adjustment: Floats
    unstated: Floats
    query_estimate: float


def compute_adjustment(
    asked: Candidates, candidates: Candidates, worth: HedonicModel, same_product: Floats
) -> HedonicAdjustment:
    """Compare the query, the only entry of `asked`. `same_product` is 1 where a candidate is of its product,
    else 0."""
    asked = limit_extrapolation(asked, candidates)
    facets, known = worth.facet_effects(candidates), (asked.facets[0] != 0).astype(np.float64)
    stated = worth.text_effects(candidates) + worth.mean + facets @ known
    unstated = facets @ (1.0 - known)
    alike = np.flatnonzero(same_product)
    for name, column in candidates.attributes.items():
        if name in asked.attributes or not _is_usual(column, alike):
            stated += worth.code_effects(column)
        else:
            unstated += worth.code_effects(column)
    for name in worth.numbers:
        theirs = worth.number_effects(name, candidates)
        unknown = np.isnan(number_values(name, candidates)) | np.isnan(number_values(name, asked)[0])
        if unknown.any():
            mine = worth.number_effects(name, asked)[0]
            stated += np.where(unknown, mine, theirs)
            unstated += np.where(unknown, theirs - mine, 0.0)
        else:
            stated += theirs
    own = float(worth.predict(asked)[0])
    return HedonicAdjustment(own - stated, unstated, own)


def limit_extrapolation(asked: Candidates, candidates: Candidates) -> Candidates:
    """The query as if bought `TREND` days after the latest candidate, where it is later: how prices moved
    tells nothing of the years that nobody bought in."""
    return replace(asked, day=np.minimum(asked.day, candidates.day.max() + MAX_EXTRAPOLATION_DAYS))


def _is_usual(column: Codes, alike: Rows) -> bool:
    """Whether most purchases of the product state the attribute: what only some have is an option, and not to
    ask for it means to go without."""
    seen = column[alike] if len(alike) else column
    return bool(2 * np.count_nonzero(seen) > len(seen))
