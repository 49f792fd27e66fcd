"""The calibration: everything that a deployment has learnt from past purchases, as one value to store."""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Self

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.candidates import Floats
from app.service.pricing.estimator.distribution import GRID, LEVELS, NEWNESSES, Level, Newness
from app.service.pricing.estimator.hedonic_model import HedonicModel, Scale
from app.service.pricing.estimator.mixture import COEFFICIENT_COUNT, add_new_features
from app.service.pricing.estimator.prior import PRIOR_COEFFICIENTS, PRIOR_RELIABILITY
from app.service.pricing.estimator.text_similarity import BUCKETS, DocumentFrequencies

VERSION = 5
_WITHOUT_TRENDS, _WITHOUT_NEW_SUPPLIERS, _WITHOUT_NEWNESS, _WITHOUT_NEW_FEATURES = 4, 3, 2, 1
"""Still read: until the next import a deployment's own coefficients are better than the prior."""

_HALF_PURCHASES = 30.0
"""How many purchases of a supplier that was not learnt from move coefficients half the way."""

Reliability = Mapping[Level, tuple[float, ...]]
"""For each level and each probability of `GRID`, the predicted probability below which prices really lay so
often."""
NewnessReliability = Mapping[Newness, Reliability]


@dataclass(frozen=True)
class Calibration:
    """The fitted parameters of the estimator; by default the built-in prior that a deployment begins with.

    `learnt_on` counts the purchases learnt from and `learnt_until` is the day of the latest.
    `new_supplier_coefficients` are the mixture's where no comparable is of the query's supplier; None where
    nothing was learnt of that. `own_model` is the `hedonic_model` adapted to what an organisation bought
    itself, for an estimate of its own; it is not stored.
    `newness_reliability` is the `reliability` made wider by how new a query is; it is empty where that was
    not measured. `attribute_impact` has, for each attribute with a significant effect on price, the share of
    the squared error that it explains (0 to 1).
    """

    learnt_on: int = 0
    learnt_until: date | None = None
    hedonic_model: HedonicModel = field(default_factory=HedonicModel)
    document_frequencies: DocumentFrequencies = field(
        default_factory=lambda: DocumentFrequencies(0, np.zeros(BUCKETS, dtype=np.float32))
    )
    mixture_coefficients: Floats = field(default_factory=lambda: PRIOR_COEFFICIENTS)
    new_supplier_coefficients: Floats | None = None
    reliability: Reliability = field(default_factory=lambda: dict.fromkeys(LEVELS, PRIOR_RELIABILITY))
    newness_reliability: NewnessReliability = field(default_factory=dict[Newness, Reliability])
    attribute_impact: Mapping[str, float] = field(default_factory=dict[str, float])
    own_model: HedonicModel | None = None

    @property
    def model(self) -> HedonicModel:
        """The hedonic model to estimate by."""
        return self.own_model or self.hedonic_model

    def coefficients_for(self, supplier: int, purchases: int) -> Floats:
        """The mixture's coefficients for a query of this supplier (a code, 0 for none), of which so many
        purchases are known. Until a learning has seen the supplier they move from those of a new one to the
        others with every purchase."""
        of_new = self.new_supplier_coefficients
        if of_new is None or not supplier or (purchases and self.hedonic_model.has_learnt(supplier)):
            return self.mixture_coefficients
        return of_new + (self.mixture_coefficients - of_new) * purchases / (purchases + _HALF_PURCHASES)

    def reliability_of(self, level: Level, newness: Newness) -> tuple[float, ...]:
        """The predicted probabilities that stand for those of `GRID` in such an estimate."""
        return self.newness_reliability.get(newness, self.reliability)[level]

    def to_json(self) -> str:
        """Write the calibration as one JSON object."""
        return json.dumps(
            {
                "version": VERSION,
                "learntOn": self.learnt_on,
                "learntUntil": None if self.learnt_until is None else self.learnt_until.isoformat(),
                "mean": self.hedonic_model.mean,
                "coefficients": _encode(self.hedonic_model.coefficients),
                "numbers": {
                    name: [scale.centre, scale.width, scale.coefficient]
                    for name, scale in self.hedonic_model.numbers.items()
                },
                "texts": self.document_frequencies.texts,
                "counts": _encode(self.document_frequencies.counts),
                "mixture": self.mixture_coefficients.tolist(),
                "newSupplierMixture": (
                    None
                    if self.new_supplier_coefficients is None
                    else self.new_supplier_coefficients.tolist()
                ),
                "reliability": self.reliability,
                "newness": self.newness_reliability,
                "impact": self.attribute_impact,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote. ValueError for another version and for anything else."""
        try:
            record = json.loads(text)
            version = record["version"]
            if version not in range(_WITHOUT_NEW_FEATURES, VERSION + 1):
                raise ValueError(f"version {version}, not {VERSION}")
            until = record["learntUntil"]
            of_new_supplier = record["newSupplierMixture"] if version > _WITHOUT_NEW_SUPPLIERS else None
            by_newness: Mapping[str, Mapping[str, Sequence[float]]] = (
                record["newness"] if version > _WITHOUT_NEWNESS else {}
            )
            numbers = {name: Scale(*values) for name, values in record["numbers"].items()}
            return cls(
                learnt_on=record["learntOn"],
                learnt_until=None if until is None else date.fromisoformat(until),
                hedonic_model=HedonicModel(
                    record["mean"],
                    _decode(record["coefficients"]),
                    numbers,
                    has_trends=version > _WITHOUT_TRENDS,
                ),
                document_frequencies=DocumentFrequencies(record["texts"], _decode(record["counts"])),
                mixture_coefficients=_read_coefficients(record["mixture"], version),
                new_supplier_coefficients=(
                    None if of_new_supplier is None else _read_coefficients(of_new_supplier, version)
                ),
                reliability=_read_reliability(record["reliability"]),
                newness_reliability={
                    newness: _read_reliability(by_newness[newness])
                    for newness in NEWNESSES
                    if newness in by_newness
                },
                attribute_impact=record["impact"],
            )
        except (KeyError, TypeError, ValueError, zlib.error) as error:
            raise ValueError(f"this is no calibration of this version: {error}") from None


def _read_coefficients(record: Sequence[float], version: int) -> Floats:
    coefficients = np.array(record, dtype=np.float64)
    if version == _WITHOUT_NEW_FEATURES:
        coefficients = add_new_features(coefficients)
    if coefficients.shape != (COEFFICIENT_COUNT,):
        raise ValueError("the number of coefficients")
    return coefficients


def _read_reliability(record: Mapping[str, Sequence[float]]) -> Reliability:
    reliability: Reliability = {level: tuple(map(float, record[level])) for level in LEVELS}
    if any(len(corrected) != len(GRID) for corrected in reliability.values()):
        raise ValueError("the number of probabilities")
    return reliability


def _encode(values: NDArray[np.float32]) -> str:
    return b64encode(zlib.compress(values.astype("<f4").tobytes(), 6)).decode("ascii")


def _decode(text: str) -> NDArray[np.float32]:
    values = np.frombuffer(zlib.decompress(b64decode(text)), dtype="<f4")
    if values.shape != (BUCKETS,):
        raise ValueError("the number of buckets")
    return values
