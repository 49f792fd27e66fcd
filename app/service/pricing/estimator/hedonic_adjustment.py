"""How much more a query is worth than past purchases, judged by what both of them state.

A scope says less than a purchase on record: no unit, no buyer, rarely every dimension. What it leaves open is
no difference to a purchase that states it; the purchase's own value is what it most likely means.
"""

from dataclasses import dataclass, replace

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Floats, Rows
from app.service.pricing.estimator.hedonic_model import Worth, number_of

# Days after the latest comparable for which prices are taken to move on as they did.
TREND = 365


@dataclass(frozen=True, slots=True)
class Difference:
    """In ln price, one entry for each candidate: `shift` is what the query is worth more than it, `unstated`
    what it is worth by what the query leaves open. `own` is what the query itself states."""

    shift: Floats
    unstated: Floats
    own: float


def difference(asked: Candidates, candidates: Candidates, worth: Worth, same_product: Floats) -> Difference:
    """Compare the query, the only entry of `asked`. `same_product` is 1 where a candidate is of its product,
    else 0."""
    asked = soon_after(asked, candidates)
    facets, known = worth.of_facets(candidates), (asked.facets[0] != 0).astype(np.float64)
    stated = worth.of_texts(candidates) + worth.mean + facets @ known
    unstated = facets @ (1.0 - known)
    alike = np.flatnonzero(same_product)
    for name, column in candidates.attributes.items():
        if name in asked.attributes or not _usual(column, alike):
            stated += worth.of_codes(column)
        else:
            unstated += worth.of_codes(column)
    for name in worth.numbers:
        theirs = worth.of_number(name, candidates)
        unknown = np.isnan(number_of(name, candidates)) | np.isnan(number_of(name, asked)[0])
        if unknown.any():
            mine = worth.of_number(name, asked)[0]
            stated += np.where(unknown, mine, theirs)
            unstated += np.where(unknown, theirs - mine, 0.0)
        else:
            stated += theirs
    own = float(worth.of(asked)[0])
    return Difference(own - stated, unstated, own)


def soon_after(asked: Candidates, candidates: Candidates) -> Candidates:
    """The query as if bought `TREND` days after the latest candidate, where it is later: how prices moved
    tells nothing of the years that nobody bought in."""
    return replace(asked, day=np.minimum(asked.day, candidates.day.max() + TREND))


def _usual(column: Codes, alike: Rows) -> bool:
    """Whether most purchases of the product state the attribute: what only some have is an option, and not to
    ask for it means to go without."""
    seen = column[alike] if len(alike) else column
    return bool(2 * np.count_nonzero(seen) > len(seen))
