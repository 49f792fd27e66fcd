"""The rule that keeps an estimate from revealing what a single buyer paid."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.service.pricing.estimator.candidates import Candidates, Rows


@dataclass(frozen=True, slots=True)
class Anonymity:
    """The least evidence that a distribution may be shown for.

    It protects what others paid: the caller's own purchases (`own_ids`) need no minimum. Buyers are counted
    only where every purchase names one; otherwise the minimum of purchases alone applies.
    """

    min_purchases: int = 5
    min_buyers: int = 2
    own_ids: frozenset[str] = frozenset()

    def refusal_reasons(self, candidates: Candidates, rows: Rows) -> list[str | None]:
        """Why a distribution from the candidates at each row's positions may not be shown; None where it
        may."""
        is_own = [key in self.own_ids for key in candidates.ids]
        buyers: list[int] = candidates.facet("buyer").tolist()
        chosen_rows: list[list[int]] = rows.tolist()
        return [
            self._refuse([buyers[at] for at in chosen if not is_own[at]], chosen) for chosen in chosen_rows
        ]

    def _refuse(self, buyers_of_others: Sequence[int], chosen: Sequence[int]) -> str | None:
        if not buyers_of_others:
            return None if chosen else "no comparable purchases"
        return self.refuse_buyers(buyers_of_others)

    def refuse_buyers(self, buyers: Sequence[int | str]) -> str | None:
        """Why purchases of others may not be shown; None where they may. `buyers` has the code or name of the
        buyer of each, 0 or "" where it names none."""
        if len(buyers) < self.min_purchases:
            return f"fewer than {self.min_purchases} comparable purchases"
        if all(buyers) and len(set(buyers)) < self.min_buyers:
            return f"comparable purchases from fewer than {self.min_buyers} buyers"
        return None
