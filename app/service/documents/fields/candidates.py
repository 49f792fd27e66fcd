"""The values that a field of a document may have, each with what speaks for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

from app.service.documents.extraction import Provenance

ValueT = TypeVar("ValueT")


@dataclass(frozen=True)
class Candidate(Generic[ValueT]):
    """A value, where it was read, and a weight for each reason that speaks for it or, below 0, against it."""

    value: ValueT
    reasons: Mapping[str, float]
    provenance: Provenance

    @property
    def score(self) -> float:
        """The sum of the weights."""
        return sum(self.reasons.values())

    def with_reason(self, reason: str, weight: float) -> Self:
        """The candidate with one more reason; of two weights for the same one the greater counts."""
        return replace(self, reasons={**self.reasons, reason: max(weight, self.reasons.get(reason, weight))})


def best(candidates: Iterable[Candidate[ValueT]]) -> Candidate[ValueT] | None:
    """The candidate with the highest score, of equal ones the first; None where there is none."""
    return max(candidates, key=lambda one: one.score, default=None)
