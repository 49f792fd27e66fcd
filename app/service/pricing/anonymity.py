"""No estimate may tell what a single buyer paid."""

from dataclasses import dataclass

import numpy as np

from app.service.pricing.candidates import Candidates


@dataclass(frozen=True, slots=True)
class Anonymity:
    """The least evidence that a distribution is shown for.

    Buyers count only where they are known: purchases that name none are held to the first minimum.
    """

    purchases: int = 5
    buyers: int = 2

    def refusal(self, candidates: Candidates) -> str | None:
        """Why no distribution may be shown, or None."""
        if len(candidates) < self.purchases:
            return f"fewer than {self.purchases} comparable purchases"
        buyers = candidates.facet("buyer")
        if buyers.all() and len(np.unique(buyers)) < self.buyers:
            return f"comparable purchases of fewer than {self.buyers} buyers"
        return None
