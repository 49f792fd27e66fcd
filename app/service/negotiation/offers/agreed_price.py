"""What was agreed at the end of a negotiation, as its row stores it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Self

from app.service.negotiation.amounts import amount_to_text, parse_amount
from app.service.negotiation.offers.savings import Savings, select_main


@dataclass(frozen=True, slots=True)
class AgreedPrice:
    """`amount` is the total before tax, `target` the buyer's target at that time for the same term,
    `measures` the savings by each baseline that there was; `unmeasured` says in words why it is not measured
    against others."""

    amount: Decimal
    signed_at: datetime
    term_length: int | None
    target: Decimal | None
    measures: Sequence[Savings]
    unmeasured: str | None = None

    @property
    def savings(self) -> Savings | None:
        """The savings that count; None without a baseline."""
        return select_main(self.measures)

    def to_record(self) -> dict[str, Any]:
        """Return the JSON object that the negotiation's row stores; `from_record` reads it again."""
        return {
            "amount": amount_to_text(self.amount),
            "signedAt": self.signed_at.isoformat(),
            "termLength": self.term_length,
            "savings": self.savings.to_record() if self.savings else None,
            "measures": [each.to_record() for each in self.measures],
            "target": None if self.target is None else amount_to_text(self.target),
            "unmeasured": self.unmeasured,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        if "measures" in record:
            measures: Sequence[Mapping[str, Any]] = record["measures"]
        else:  # agreed before there were several baselines
            measures = [record["savings"]] if record["savings"] else []
        target = record["target"]
        return cls(
            amount=parse_amount(record["amount"]),
            signed_at=datetime.fromisoformat(record["signedAt"]),
            term_length=record.get("termLength"),
            target=None if target is None else parse_amount(target),
            measures=[Savings.from_record(each) for each in measures],
            unmeasured=record.get("unmeasured"),
        )
