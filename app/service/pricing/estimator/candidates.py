"""Past purchases that may be comparable, stored in columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from app.service.purchase_records import (
    FACETS,
    PriceQuery,
    Purchase,
    describe_article,
    encode_name,
    pack,
    pack_query,
    unpack,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.uint32]
Flags = NDArray[np.bool_]
Rows = NDArray[np.intp]

_FACET_PLACES = {name: place for place, name in enumerate(FACETS)}


@dataclass(frozen=True, slots=True)
class Candidates:
    """Columns of one length, one entry for each purchase.

    `day` is a proleptic ordinal; `log_rate` the ln of the unit price (of a month's share of it where
    `recurring`); `log_quantity` the ln of the quantity; `term` months or 0; `renewal` 1, 0, or -1 where
    unknown; `text` the position of what names the
    article (`describe_article`) in `texts`. `facets` has a column of codes for each of
    `FACETS`, `attributes` one for each attribute by `attribute_key`, `numbers` the values of those that are
    numbers (NaN where a purchase has none).
    """

    ids: list[str]
    day: Ints
    log_rate: Floats
    log_quantity: Floats
    term: Floats
    recurring: Flags
    renewal: Ints
    currency: Codes
    order: Codes
    text: Rows
    texts: list[str]
    facets: Codes
    attributes: Mapping[int, Codes]
    numbers: Mapping[int, Floats]

    def __len__(self) -> int:
        return len(self.day)

    @classmethod
    def from_purchases(cls, purchases: Iterable[Purchase]) -> Self:
        """Build the columns of purchases, in their order."""
        rows = list(purchases)
        return cls.from_packed(
            [row.id for row in rows], [describe_article(row) for row in rows], [pack(row) for row in rows]
        )

    @classmethod
    def from_query(cls, query: PriceQuery, day: int) -> Self:
        """Build a single entry for the query, bought on `day` (an ordinal), with NaN for its price."""
        return cls.from_queries([query], day)

    @classmethod
    def from_queries(cls, queries: Sequence[PriceQuery], day: int) -> Self:
        """Build an entry for each query, all bought on `day`."""
        return cls.from_packed(
            [""] * len(queries),
            [describe_article(query) for query in queries],
            [pack_query(query, day) for query in queries],
        )

    @classmethod
    def from_packed(cls, ids: list[str], articles: Sequence[str], packed: Sequence[bytes]) -> Self:
        """Build the columns of stored purchases from their ids, the texts that name their articles
        (`describe_article`) and their packed forms."""
        heads, flat, row_of = unpack(packed)
        texts: dict[str, int] = {}
        text = np.array([texts.setdefault(article, len(texts)) for article in articles], dtype=np.intp)
        attributes: dict[int, Codes] = {}
        numbers: dict[int, Floats] = {}
        for name in np.unique(flat["name"]).tolist():
            chosen = flat["name"] == name
            rows, values = row_of[chosen], flat["number"][chosen]
            attributes[name] = np.zeros(len(packed), dtype=np.uint32)
            attributes[name][rows] = flat["value"][chosen]
            if not np.isnan(values).all():
                numbers[name] = np.full(len(packed), np.nan)
                numbers[name][rows] = values
        return cls(
            ids=ids,
            day=heads["day"].astype(np.int64),
            log_rate=heads["log_rate"],
            log_quantity=heads["log_quantity"],
            term=heads["term"].astype(np.float64),
            recurring=heads["recurring"].astype(np.bool_),
            renewal=heads["renewal"].astype(np.int64),
            currency=heads["currency"],
            order=heads["order"],
            text=text,
            texts=list(texts),
            facets=heads["facets"].reshape(len(packed), len(FACETS)),
            attributes=attributes,
            numbers=numbers,
        )

    def facet(self, name: str) -> Codes:
        return self.facets[:, _FACET_PLACES[name]]

    def take(self, rows: Rows) -> Self:
        """The purchases at these positions, with their texts only."""
        used, text = np.unique(self.text[rows], return_inverse=True)
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
            text=text.astype(np.intp),
            texts=[self.texts[at] for at in used.tolist()],
            facets=self.facets[rows],
            attributes={name: column[rows] for name, column in self.attributes.items()},
            numbers={name: column[rows] for name, column in self.numbers.items()},
        )


def attribute_key(name: str) -> int:
    return encode_name(name)
