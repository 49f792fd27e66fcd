"""A search among 100,000 entries in milliseconds, against the read of one product by the same server.

Nine in ten entries are products of 2,000 suppliers, whose names share their words as a catalog's do; the rest
are the caller's own scopes and as many of another organisation. Each search and the product read take turns;
a ratio is the median search over the median read of the same round, "nothing kept".
"""

import http.client
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from app.service.access.keys import create_key
from app.service.catalog.entries import company_row, product_row
from app.service.catalog.rows import quantity_dimension
from app.service.context import Context, open_context
from app.service.database.dialect import refresh_statistics
from app.service.database.schema import migrate
from app.service.database.search_index import SearchEntry, index_records
from app.service.database.tables import api_key, company, product
from app.service.ids import new_id
from app.settings import Settings
from tests.benchmarks.figures import Figure
from tests.benchmarks.server import running
from tests.benchmarks.stores import on_each_store

SUPPLIERS, PRODUCTS_OF_EACH, OWN, OTHERS = 2_000, 46, 3_000, 3_000
SEARCHES = {
    "a rare word": "zyxwor",
    "two words": "cloud storage",
    "the commonest word": "cloud",
    "two letters": "cl",
    "a document's number": "Q-2024-01234",
    "words that are in nothing together": "cloud qqqq",
}
AT_MOST_MS = 50.0


def run(full: bool) -> list[Figure]:
    """Each kind of search, on SQLite and, where there is one, PostgreSQL."""
    return on_each_store(lambda store, url: _on_store(store, url, full))


def _on_store(store: str, database_url: str | None, full: bool) -> list[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-searching-")))
        settings = Settings(data_dir=folder, rate_limit=0).model_copy(update={"database_url": database_url})
        key, product_id = _fill(settings)
        host, port = stack.enter_context(running(folder, database_url))
        caller = _Caller(host, port, key)
        return [
            figure
            for name, words in SEARCHES.items()
            for figure in _measure(store, name, words, caller, product_id, 200 if full else 40)
        ]


class _Caller:
    def __init__(self, host: str, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection(host, port, timeout=60)
        self._headers = {"Authorization": f"Bearer {key}"}

    def milliseconds(self, path: str) -> float:
        """How long the answer took; it is 200."""
        start = time.perf_counter()
        self._connection.request("GET", path, headers=self._headers)
        response = self._connection.getresponse()
        body = response.read()
        taken = (time.perf_counter() - start) * 1000
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status} {body[:200]!r}")
        return taken


def _measure(
    store: str, name: str, words: str, caller: _Caller, product_id: str, rounds: int
) -> list[Figure]:
    searches: list[float] = []
    reads: list[float] = []
    for n in range(rounds):
        searches.append(caller.milliseconds(f"/v1/search?q={quote(words)}"))
        # No answer that is kept for a second, as the search's is not.
        reads.append(caller.milliseconds(f"/v1/catalog/products/{product_id}?n={name}{n}".replace(" ", "")))
    median = statistics.median(searches)
    slow = sorted(searches)[int(rounds * 0.95)]
    note = f"p95 {slow:.1f} ms; a product read {statistics.median(reads):.1f} ms"
    return [
        Figure(f"searching, {store}", name, median, "ms", at_most=AT_MOST_MS, note=note),
        Figure(
            f"searching, {store}", f"{name}, of a product read", median / statistics.median(reads), "ratio"
        ),
    ]


def _fill(settings: Settings) -> tuple[str, str]:
    """Return a key of the caller and the id of a product."""
    context = open_context(settings)
    try:
        migrate(context.database)
        keys = [_create_key(context, name) for name in ("Caller", "Other")]
        product_id = _add_catalog(context)
        with context.database.writing() as connection:
            for (_, owner), count in zip(keys, (OWN, OTHERS), strict=True):
                index_records(connection, _make_scopes(context, owner, count))
        refresh_statistics(context.database)
        return keys[0][0], product_id
    finally:
        context.close()


def _create_key(context: Context, organisation: str) -> tuple[str, str]:
    with context.database.writing() as connection:
        key_id, key = create_key(
            connection,
            name="benchmark",
            organisation_name=organisation,
            role="reader",
            now=context.clock(),
        )
        owner = connection.scalar(sa.select(api_key.c.organisation_id).where(api_key.c.id == key_id))
    assert owner is not None
    return key, owner


def _add_catalog(context: Context) -> str:
    dice, now = random.Random(1), context.clock()
    product_id = ""
    with context.database.writing() as connection:
        for number in range(SUPPLIERS):
            seller = company_row(
                new_id(), f"{_name(dice, 2)} {number}", now, domain=f"s{number}.example", details={}
            )
            sold = [
                product_row(
                    new_id(),
                    seller,
                    f"{_name(dice, 3)} {order}",
                    now,
                    sort_order=order,
                    item_id=f"P-{number}-{order}",
                    dimensions=[quantity_dimension(new_id(), None)],
                    quantity_dimension_id=new_id(),
                    details={},
                )
                for order in range(PRODUCTS_OF_EACH)
            ]
            connection.execute(company.insert(), [seller])
            connection.execute(product.insert(), sold)
            product_id = sold[0]["id"]
    return product_id


def _make_scopes(context: Context, owner: str, count: int) -> Iterator[SearchEntry]:
    dice, now = random.Random(2), context.clock()
    for number in range(count):
        yield SearchEntry(
            "scope",
            new_id(),
            owner,
            _name(dice, 3),
            now,
            words=[f"quote {number}.pdf"],
            numbers=[f"Q-2024-{number:05}"],
        )


def _name(dice: random.Random, length: int) -> str:
    return " ".join(dice.choices(_VOCABULARY, _WEIGHTS, k=length))


def _make_vocabulary() -> Sequence[str]:
    dice = random.Random(3)
    syllables = ("clo", "ser", "vi", "da", "net", "ra", "mo", "ti", "zen", "lux", "pra", "do", "ki", "wor")
    rare = {"".join(dice.choices(syllables, k=dice.randint(2, 4))) for _ in range(4_000)}
    return ["cloud", "storage", "service", "support", "plus", "zyxwor", *sorted(rare)]


_VOCABULARY = _make_vocabulary()
_WEIGHTS = [3000, 1500, 1500, 800, 800, 1, *([1] * (len(_VOCABULARY) - 6))]
"""The commonest word is in every second name, as in a catalog of one trade."""
