"""Past purchases that may be comparable, held in columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.query import FACETS, log_rate
from app.service.purchases.records import Purchase

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UNKNOWN = 0


def code_of(value: str | float | None) -> int:
    """A value as an integer that is equal where the values are; 0 is no value. Good for one process."""
    if value is None or value == "":
        return UNKNOWN
    return hash(value.casefold() if isinstance(value, str) else value) or 1


@dataclass(frozen=True, slots=True)
class Candidates:
    """Columns of one length, one entry for each purchase.

    `day` is a proleptic ordinal, `log_rate` ln of the unit price (a month's share where `recurring`),
    `log_quantity` ln of the quantity, `term` months or 0, `renewal` 1, 0 or -1 where unknown, `text` an
    index into `texts`. `codes` holds facets and attributes for comparing, `numbers` those attributes
    that are numbers (NaN where a purchase has none).
    """

    ids: Sequence[str]
    day: Ints
    log_rate: Floats
    log_quantity: Floats
    term: Floats
    recurring: NDArray[np.bool_]
    renewal: Ints
    currency: Ints
    order: Ints
    text: Ints
    texts: Sequence[str]
    codes: Mapping[str, Ints]
    numbers: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, purchases: Iterable[Purchase]) -> Self:
        """Columns of these purchases, in their order."""
        rows = list(purchases)
        texts: dict[str, int] = {}
        text = np.array([texts.setdefault(row.product, len(texts)) for row in rows], dtype=np.int64)
        codes: dict[str, Ints] = {}
        for facet in FACETS:
            column = np.array([code_of(getattr(row, facet)) for row in rows], dtype=np.int64)
            if column.any():
                codes[facet] = column
        names = dict.fromkeys(name for row in rows for name in row.attributes)
        numbers: dict[str, Floats] = {}
        for name in names:
            values = [row.attributes.get(name) for row in rows]
            codes[name] = np.array([code_of(value) for value in values], dtype=np.int64)
            if any(isinstance(value, float) for value in values):
                numbers[name] = np.array([value if isinstance(value, float) else np.nan for value in values])
        return cls(
            ids=[row.id for row in rows],
            day=np.array([row.purchase_date.toordinal() for row in rows], dtype=np.int64),
            log_rate=np.array([log_rate(row) for row in rows], dtype=np.float64),
            log_quantity=np.log(np.array([float(row.quantity) for row in rows], dtype=np.float64)),
            term=np.array([float(row.term_months or 0) for row in rows], dtype=np.float64),
            recurring=np.array([row.price_period != "once" for row in rows], dtype=np.bool_),
            renewal=np.array([_RENEWAL[row.purchase_type] for row in rows], dtype=np.int64),
            currency=np.array([code_of(row.currency) for row in rows], dtype=np.int64),
            order=np.array([code_of(row.order_id) for row in rows], dtype=np.int64),
            text=text,
            texts=list(texts),
            codes=codes,
            numbers=numbers,
        )

    def take(self, rows: NDArray[np.intp]) -> Self:
        """The purchases at these positions."""
        return type(self)(
            ids=[self.ids[row] for row in rows.tolist()],
            day=self.day[rows],
            log_rate=self.log_rate[rows],
            log_quantity=self.log_quantity[rows],
            term=self.term[rows],
            recurring=self.recurring[rows],
            renewal=self.renewal[rows],
            currency=self.currency[rows],
            order=self.order[rows],
            text=self.text[rows],
            texts=self.texts,
            codes={name: column[rows] for name, column in self.codes.items()},
            numbers={name: column[rows] for name, column in self.numbers.items()},
        )


_RENEWAL = {"renewal": 1, "new_purchase": 0, None: -1}


def ordinal(day: date) -> int:
    """The day as `Candidates.day` counts it."""
    return day.toordinal()
