"""What a deployment has learnt from its own past: effects on price, and how far off estimates were."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Self

from app.service.pricing.distribution import LEVELS, Level


@dataclass(frozen=True, slots=True)
class Calibration:
    """Learnt on past purchases only; without any it is the built-in prior.

    `elasticity`: change of ln unit price for each unit of ln quantity. `drift`: change of ln price in a
    year. `term_elasticity`: of ln monthly price for each unit of ln term. `renewal`: change of ln price
    of a renewal against a new purchase. `stretch`: by level, what the spread of the comparables is
    multiplied with. `floor`: by level, the smallest spread in ln price. `impact`: names of the
    dimensions with a real effect, with what they explain of the spread (0 to 1).
    """

    learnt_on: int = 0
    learnt_until: date | None = None
    elasticity: float = -0.03
    drift: float = 0.0
    term_elasticity: float = -0.05
    renewal: float = 0.0
    stretch: Mapping[Level, float] = field(default_factory=lambda: dict.fromkeys(LEVELS, 1.15))
    floor: Mapping[Level, float] = field(
        default_factory=lambda: dict(zip(LEVELS, (0.01, 0.03, 0.15, 0.4, 0.8), strict=True))
    )
    impact: Mapping[str, float] = field(default_factory=dict[str, float])

    def to_json(self) -> str:
        """As one JSON object, for the store."""
        record = asdict(self)
        record["learnt_until"] = None if self.learnt_until is None else self.learnt_until.isoformat()
        return json.dumps(record, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote. Raises `ValueError` on anything else."""
        record = json.loads(text)
        until = record.get("learnt_until")
        known = cls.__dataclass_fields__.keys()
        if not isinstance(record, dict) or record.keys() - known:
            raise ValueError("this is no calibration of this version")
        return cls(**{**record, "learnt_until": None if until is None else date.fromisoformat(until)})
