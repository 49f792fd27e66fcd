"""No estimate may tell what a single buyer paid."""

from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Rows


@dataclass(frozen=True, slots=True)
class Anonymity:
    """The least evidence that a distribution is shown for.

    It protects what others paid: `own` are the ids of the caller's purchases, which count without a minimum.
    Buyers count only where they are known: purchases that name none are held to the first minimum.
    """

    min_purchases: int = 5
    min_buyers: int = 2
    own_ids: frozenset[str] = frozenset()

    def refusal_reason(self, candidates: Candidates) -> str | None:
        """Why no distribution may be shown that rests on these purchases, or None."""
        others = [row for row, key in enumerate(candidates.ids) if key not in self.own_ids]
        if not others:
            return None if candidates.ids else "there is no comparable purchase"
        if len(others) < self.min_purchases:
            return f"fewer than {self.min_purchases} comparable purchases"
        buyers = candidates.facet("buyer")[others]
        if buyers.all() and len(np.unique(buyers)) < self.min_buyers:
            return f"comparable purchases of fewer than {self.min_buyers} buyers"
        return None

    def own_rows(self, candidates: Candidates) -> Rows:
        """The positions of the caller's own purchases."""
        return np.array([row for row, key in enumerate(candidates.ids) if key in self.own_ids], dtype=np.intp)
