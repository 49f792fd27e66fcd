"""What was agreed at the end of a negotiation, as its row stores it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import PlainSerializer

from app.service.negotiation.offers.savings import Savings, select_main
from app.service.stored_record import StoredRecord


@dataclass(frozen=True, slots=True)
class AgreedPrice(StoredRecord):
    """`amount` is the total before tax, `target` the buyer's target at that time for the same term,
    `measures` the savings by each baseline that there was; `unmeasured` says in words why it is not measured
    against others."""

    amount: Decimal
    signed_at: Annotated[datetime, PlainSerializer(datetime.isoformat)]
    term_length: int | None
    target: Decimal | None
    measures: Sequence[Savings]
    unmeasured: str | None = None

    @property
    def savings(self) -> Savings | None:
        """The savings that count; None without a baseline."""
        return select_main(self.measures)

    def to_record(self) -> dict[str, Any]:
        """Return what is stored, with the savings that count."""
        return {
            **super(AgreedPrice, self).to_record(),
            "savings": self.savings.to_record() if self.savings else None,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Build it from what is stored: one that was agreed before there were several baselines has its
        savings alone, and may have no term."""
        alone = [record["savings"]] if record["savings"] else []
        return super(AgreedPrice, cls).from_record({"measures": alone, "termLength": None, **record})
