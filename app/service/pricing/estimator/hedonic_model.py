"""The hedonic model: the ln price of a purchase as a sum of effects of words, values and numbers.

A ridge regression (hedonic pricing in the sense of Rosen, J. Political Economy 82, 1974) whose features are
hashed, so that it accepts any imported attribute and always has the same size. The day has one effect for all
and, drawn towards it, one for each supplier: prices of one can fall while those of others rise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats
from app.service.pricing.estimator.text_similarity import BUCKETS, long_group_buckets, word_buckets

YEAR = 365.25

# A letter group says less than a word, and a text has many more of them.
LETTER_GROUP_WEIGHT = 0.35
# A supplier's own trend is drawn towards the common one more than a word's effect is towards none.
_TREND_WEIGHT = 0.5
_MAX_WIDTHS = 4.0

# The numbers that every purchase has, beside those among its attributes.
VOLUME, DAY, TERM, RENEWAL = "volume", "day", "term", "renewal"


@dataclass(frozen=True, slots=True)
class Scale:
    """Turns a number into a feature: (number - centre) / width, at most four widths from 0; unknown is 0."""

    centre: float
    width: float
    coefficient: float = 0.0

    def feature(self, values: Floats) -> Floats:
        return _features(values, self.centre, self.width)


def _features(values: Floats, centre: Floats | float, width: Floats | float) -> Floats:
    features = np.minimum(np.maximum((values - centre) / width, -_MAX_WIDTHS), _MAX_WIDTHS)
    features[np.isnan(features)] = 0.0
    return features


_NO_EFFECT = Scale(0.0, 1.0)


class HedonicModel:
    """`mean` ln price, the coefficient of each bucket, and each number's scale with its coefficient.

    The keys of `numbers` are `volume` (ln quantity), `day` (years), `term` (ln months), `renewal` (1 or 0)
    and, as decimal text, the `attribute_key` of attributes that are numbers. Without numbers nothing was
    fitted yet; models that were fitted before suppliers had trends of their own have none.
    """

    def __init__(
        self,
        mean: float = 0.0,
        coefficients: NDArray[np.float32] | None = None,
        numbers: Mapping[str, Scale] | None = None,
        *,
        has_trends: bool = True,
    ) -> None:
        self.mean = mean
        self.coefficients = np.zeros(BUCKETS, dtype=np.float32) if coefficients is None else coefficients
        self.has_trends = has_trends
        self.numbers: Mapping[str, Scale] = {} if numbers is None else numbers
        # The same texts are compared by query after query, and hashing them is slow.
        self._text_effects: dict[str, float] = {}

    def predict(self, candidates: Candidates) -> Floats:
        total = self.text_effects(candidates) + self.mean
        total += self.facet_effects(candidates).sum(axis=1)
        for column in candidates.attributes.values():
            total += self.code_effects(column)
        total += self.number_effects(tuple(self.numbers), candidates)[0].sum(axis=0)
        return total + self.trend_effects(candidates)

    def trend_effects(self, candidates: Candidates) -> Floats:
        """What the day of each candidate adds beside the common trend, by its supplier's own."""
        day = self.numbers.get(DAY)
        if day is None or not self.has_trends:
            return np.zeros(len(candidates))
        buckets, values = trend_features(candidates, day)
        return self.coefficients[buckets] * values

    def has_learnt(self, supplier: int) -> bool:
        """Whether purchases of the supplier with this code were fitted to."""
        buckets = [supplier % BUCKETS]
        if self.has_trends and DAY in self.numbers:
            buckets.append(int(_trend_bucket(np.array([supplier], dtype=np.uint32))[0]))
        return bool(self.coefficients[buckets].all())

    def number_effects(self, names: Sequence[str], candidates: Candidates) -> tuple[Floats, Flags]:
        """What each of these numbers adds to the ln price of each candidate, one row a number, and whether
        the candidate has it."""
        shape = len(names), len(candidates)
        values = np.array([number_values(name, candidates) for name in names]).reshape(shape)
        scales = [self.numbers.get(name, _NO_EFFECT) for name in names]
        numbers = [(one.centre, one.width, one.coefficient) for one in scales]
        centre, width, coefficient = np.array(numbers).reshape(-1, 3).T[:, :, None]
        return coefficient * _features(values, centre, width), ~np.isnan(values)

    def attribute_effects(self, name: int, candidates: Candidates) -> Floats:
        """What an attribute adds to the ln price of each candidate, as a value and as a number."""
        of_number, _ = self.number_effects([str(name)], candidates)
        return self.code_effects(candidates.attributes[name]) + of_number[0]

    def text_effects(self, candidates: Candidates) -> Floats:
        """What the product's text adds to the ln price of each candidate."""
        values = np.empty(len(candidates.texts))
        for at, text in enumerate(candidates.texts):
            value = self._text_effects.get(text)
            if value is None:
                words = self.coefficients[word_buckets(text)].sum()
                groups = self.coefficients[long_group_buckets(text)].sum()
                value = self._text_effects[text] = float(words + LETTER_GROUP_WEIGHT * groups)
            values[at] = value
        return values[candidates.text]

    def facet_effects(self, candidates: Candidates) -> Floats:
        """What each of `FACETS` adds, one column each."""
        return self.code_effects(candidates.facets)

    def code_effects(self, codes: NDArray[np.uint32]) -> Floats:
        """What each coded value adds; 0 where there is none."""
        return self.coefficients[codes % BUCKETS] * (codes != 0)


def trend_features(candidates: Candidates, day: Scale) -> tuple[Codes, Floats]:
    """The bucket of the trend of each candidate's supplier, and the value of its day there; 0 without one."""
    suppliers = candidates.facet("supplier")
    values = _TREND_WEIGHT * day.feature(number_values(DAY, candidates))
    return _trend_bucket(suppliers), values * (suppliers != 0)


def _trend_bucket(suppliers: Codes) -> Codes:
    """Other buckets than the suppliers' own: Knuth's multiplicative hash of the code."""
    return (suppliers * np.uint32(2_654_435_761) >> np.uint32(8)) % np.uint32(BUCKETS)


def number_values(name: str, candidates: Candidates) -> Floats:
    """One of the model's numbers for each candidate, NaN where it has none."""
    if name == VOLUME:
        return candidates.log_quantity
    if name == DAY:
        return candidates.day / YEAR
    if name == TERM:
        return np.where(candidates.term > 0, np.log(np.maximum(candidates.term, 1.0)), np.nan)
    if name == RENEWAL:
        return np.where(candidates.renewal >= 0, candidates.renewal.astype(np.float64), np.nan)
    column = candidates.numbers.get(int(name))
    return np.full(len(candidates), np.nan) if column is None else column
