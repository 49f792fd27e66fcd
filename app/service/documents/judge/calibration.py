"""How often a value is right of which certain facts hold, as counted on generated documents.

`calibration.json` holds for each field the weights of its facts (a logistic regression) and the least
probability with which a value is called certain. `python -m tests.reader_training.calibration` makes it, from
classes of layouts that neither the rules nor the model of the learned reader were made with.
"""

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_name("calibration.json")


@dataclass(frozen=True)
class FieldCalibration:
    """The weights of one field. Facts that were never seen weigh nothing."""

    bias: float
    weights: Mapping[str, float]
    least: float
    """The least probability of a certain value."""

    def probability(self, facts: Collection[str]) -> float:
        """How likely a value with these facts is right."""
        score = self.bias + sum(self.weights.get(fact, 0.0) for fact in facts)
        return 1.0 / (1.0 + math.exp(-score))

    def is_certain(self, facts: Collection[str]) -> bool:
        """Whether a value with these facts is right so often that it is shown as certain."""
        return self.probability(facts) >= self.least


@cache
def load_calibration() -> Mapping[str, FieldCalibration]:
    """The calibration of each field."""
    stored: Mapping[str, Mapping[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))["fields"]
    return {name: FieldCalibration(one["bias"], one["weights"], one["least"]) for name, one in stored.items()}
