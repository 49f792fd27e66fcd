"""What a large catalog is read by: indexes, and no more rows than are shown. The plans are those of a store
that has an index wherever it can use one, so that they hold for a small catalog too."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection, event

from app.contract.page import PageRequest
from app.service.catalog import store
from app.service.catalog.purchase_recount import update_purchase_counts
from app.service.catalog.supplier_match import find_similar_names
from app.service.context import Context
from app.service.database import word_search
from app.service.database.dialect import refresh_statistics
from app.service.database.tables import article, common_word, company, company_gram
from app.service.database.word_search import (
    count_common_words,
    find_articles,
    search_articles,
)
from app.service.pricing.catalog_product import load_products
from app.service.pricing.comparable_finder import ComparableFinder
from app.service.pricing.past_purchases import load_latest_purchases
from app.service.purchases.own_purchases import find_one_time_products
from tests.service.catalog.conftest import NOW, SmallCatalog

pytestmark = pytest.mark.both_stores

OTHER_WAYS = ("seqscan", "bitmapscan", "hashjoin", "mergejoin", "sort")
"""What PostgreSQL prefers to an index where a table has few rows."""

Work = Callable[[Connection], object]


def choose_words(connection: Connection, text: str) -> word_search.WordQuery:
    """The query that finds articles by the words of a text."""
    for query in word_search._list_queries(connection, text):
        if query.last or word_search._matches(connection, query):
            return query
    return word_search.WordQuery("")


def record_statements(connection: Connection, work: Work) -> list[tuple[str, Any]]:
    """The statements that the work executes, with their parameters."""
    statements: list[tuple[str, Any]] = []

    def record(_c: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        statements.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", record)
    try:
        work(connection)
    finally:
        event.remove(connection, "before_cursor_execute", record)
    return statements


def explain(context: Context, work: Work) -> str:
    """The plans of all statements that the work executes."""
    sqlite = context.database.is_sqlite
    with context.database.reading() as connection:
        statements = record_statements(connection, work)
        lines: list[str] = []
        if not sqlite:
            for way in OTHER_WAYS:
                connection.exec_driver_sql(f"SET enable_{way} = off")
        for statement, parameters in statements:
            explained = f"EXPLAIN {'QUERY PLAN ' if sqlite else ''}{statement}"
            rows = connection.exec_driver_sql(explained, parameters).all()
            lines += [str(row[3] if sqlite else row[0]) for row in rows]
        if not sqlite:
            for way in OTHER_WAYS:
                connection.exec_driver_sql(f"RESET enable_{way}")
    return "\n".join(lines)


@pytest.mark.parametrize("offset", [0, 1])
@pytest.mark.parametrize("query", [{}, {"name": "a"}, {"sort_by": "name"}, {"sort_by": "name", "name": "a"}])
def test_a_page_reads_an_index_and_the_rows_it_shows(
    context: Context, small: SmallCatalog, query: Any, offset: int
) -> None:
    page = PageRequest(limit=1, offset=offset)
    plan = explain(context, lambda c: store.list_products(c, None, small.acme, query, page))
    alone = "COVERING INDEX" if context.database.is_sqlite else "Index Only Scan"
    assert alone in plan, "the ids of the page"
    assert "SCAN product" not in plan
    assert "Seq Scan" not in plan


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("by_name", [True, False])
def test_pages_from_either_end_are_those_of_the_whole_list(
    context: Context, small: SmallCatalog, order: Any, by_name: bool
) -> None:
    query: Any = {"sort_order": order} | ({"sort_by": "name"} if by_name else {})
    with context.database.reading() as connection:
        for viewer in (None, "nobody"):

            def read(limit: int, offset: int, viewer: str | None = viewer) -> store.StoredPage:
                page = PageRequest(limit=limit, offset=offset)
                return store.list_products(connection, viewer, small.acme, query, page)

            whole = read(100, 0)
            assert whole.total == len(whole.records) > 1
            for limit in (1, 2):
                for offset in range(whole.total + 2):
                    page = read(limit, offset)
                    assert page.total == whole.total
                    assert list(page.records) == list(whole.records)[offset : offset + limit]


def test_comparables_of_a_supplier_are_its_latest_products(context: Context, small: SmallCatalog) -> None:
    def find(connection: Connection) -> object:
        sold = load_products(connection, [small.seats], "")[small.seats]
        return ComparableFinder(connection, "", "EUR", before=NOW.date()).find(sold, "")

    plan = explain(context, find)
    if context.database.is_sqlite:  # of few rows PostgreSQL may find a product by its id as well
        assert "ix_product_company_id_id" in plan
    assert "SCAN purchase" not in plan
    assert "Seq Scan on purchase" not in plan


def test_own_comparables_of_a_supplier_are_found_among_own_purchases_of_it(
    context: Context, small: SmallCatalog
) -> None:
    def find(connection: Connection) -> object:
        sold = load_products(connection, [small.seats], "")[small.seats]
        return ComparableFinder(connection, "buyer", "EUR", before=NOW.date(), own_only=True).find(sold, "")

    if context.database.is_sqlite:
        assert "ix_purchase_own (organisation_id=? AND article_id=?)" in explain(context, find)


@pytest.mark.campaign
def test_a_product_s_comparables_take_few_statements(context: Context, small: SmallCatalog) -> None:
    """A round trip to PostgreSQL takes as long as what it finds."""
    with context.database.writing() as connection:
        connection.execute(common_word.insert().values(word="common", articles=5_000))
    with context.database.reading() as connection:
        sold = load_products(connection, [small.seats], "")[small.seats]
        sold = replace(sold, item_key="ac10010")
        finder = ComparableFinder(connection, "", "EUR", before=NOW.date())
        for most in (3, 2):  # the common words are read once
            read = record_statements(connection, lambda _: finder.find(sold, f"common {sold.name}"))
            # Without the one for those purchases of this catalog that are not packed.
            short = [one for one, _ in read if "purchase.buyer, purchase.attributes" not in one]
            assert len(short) <= most
        assert max(map(len, short)) <= 4_096, "the driver for PostgreSQL analyses a longer one each time"
        other = load_products(connection, [small.storage], "")[small.storage]
        anew = ComparableFinder(connection, "", "EUR", before=NOW.date()).find(other, "")
        assert {*finder.find(other, "").candidates.ids} == {*anew.candidates.ids}
        assert anew.candidates.ids, "those of the supplier"


def test_the_latest_purchases_are_read_from_the_end_of_an_index(context: Context) -> None:
    plan = explain(context, lambda c: load_latest_purchases(c, 10, sample=False))
    assert "ix_purchase_purchase_date_organisation_id" in plan


def test_whether_products_are_paid_once_is_read_from_their_purchases_alone(
    context: Context, small: SmallCatalog
) -> None:
    plan = explain(context, lambda c: find_one_time_products(c, "", [small.seats]))
    assert "ix_purchase_article_id_purchase_date_organisation_id" in plan
    assert "SCAN purchase" not in plan
    assert "Seq Scan on purchase" not in plan


def test_invented_purchases_are_read_by_their_suppliers(context: Context, small: SmallCatalog) -> None:
    if not context.database.is_sqlite:
        pytest.skip("PostgreSQL weighs the limit against the number of purchases")
    with context.database.writing() as connection:
        connection.execute(company.update().where(company.c.id == small.acme).values(sample=True))
    plan = explain(context, lambda c: load_latest_purchases(c, 10, sample=True))
    assert "ix_purchase_article_id_purchase_date_organisation_id" in plan
    assert "ix_purchase_purchase_date_organisation_id" not in plan


def test_a_similar_name_is_found_among_few(context: Context, small: SmallCatalog) -> None:
    found: Sequence[Any] = ()

    def find(connection: Connection) -> None:
        nonlocal found
        found = find_similar_names(connection, "", "acmee 100")

    plan = explain(context, find)
    assert small.acme in [row.id for row in found]
    assert "SCAN company" not in plan.replace("SCAN company_gram", "")
    assert "Seq Scan" not in plan


def test_similar_names_are_found_by_the_same_statements(context: Context, small: SmallCatalog) -> None:
    """PostgreSQL prepares those that come again."""
    texts: set[tuple[str, ...]] = set()
    with context.database.reading() as connection:
        for key in ("acm", "acmee and something more"):
            read = record_statements(connection, lambda _, key=key: find_similar_names(connection, "", key))
            texts.add(tuple(statement for statement, _ in read if statement != "BEGIN"))
    [same] = texts
    assert len(same) == 3


def test_parts_of_names_follow_the_names(context: Context, small: SmallCatalog) -> None:
    def parts() -> set[str]:
        query = sa.select(company_gram.c.gram).where(company_gram.c.company_id == small.acme)
        with context.database.reading() as connection:
            return set(connection.scalars(query))

    assert " ac" in parts()
    with context.database.writing() as connection:
        renamed = company.update().where(company.c.id == small.acme).values(name_key="zyx öl")
        connection.execute(renamed)
    assert parts() == {" zy", "zyx", "yx ", "x ö", " öl", "öl "}


def test_only_purchases_at_the_ends_of_two_years_are_counted_again(
    context: Context, small: SmallCatalog
) -> None:
    update_purchase_counts(context)
    read: list[str] = []

    def record(_c: Any, _cursor: Any, statement: str, *_: Any) -> None:
        read.append(statement)

    event.listen(context.database.engine, "before_cursor_execute", record)
    try:
        assert update_purchase_counts(context) == 0
        assert not any("FROM purchase" in statement and "recount" not in statement for statement in read)
        read.clear()
        tomorrow = replace(context, clock=lambda: NOW + timedelta(days=1))
        assert update_purchase_counts(tomorrow) == 0
        assert not any("count(" in statement for statement in read), "none of the suppliers was counted"
    finally:
        event.remove(context.database.engine, "before_cursor_execute", record)


def test_words_of_most_articles_are_searched_only_where_no_other_word_is_found(
    context: Context, small: SmallCatalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    with context.database.writing() as connection:
        worded = [f"Common wording of number{letter}" for letter in "abcdefghij"]
        rows = [
            {"id": number, "product_id": small.seats, "text": text, "digest": text[-9:]}
            for number, text in enumerate(worded, 2)
        ]
        connection.execute(article.insert(), rows)
    refresh_statistics(context.database)
    monkeypatch.setattr(
        word_search,
        "_COUNT_COMMON",
        {
            dialect: [statement.replace(str(word_search.MAX_RANKED), "5") for statement in statements]
            for dialect, statements in word_search._COUNT_COMMON.items()
        },
    )
    with context.database.writing() as connection:
        count_common_words(connection)
        for text, words, found in (
            ("common numberd", {"numberd"}, 1),  # the rare word alone
            ("common unheard", {"common"}, 10),  # which no article has
            ("common wording", {"common", "wording"}, 10),
            ("quite unheard", {"quite", "unheard"}, 0),
        ):
            chosen = choose_words(connection, text)
            assert set(re.findall(r"\w+", chosen.words)) - {"OR", "AND"} == words
            assert chosen.ranked == words.isdisjoint({"common"})
            assert len(search_articles(connection, text)) == found
        # Common words are no substitute for a rare one that only other articles have.
        others = article.c.text.not_like("%numberd")
        assert not find_articles(connection, "common numberd", 10, others, {})
        connection.execute(common_word.delete())
        assert not choose_words(connection, "common wording").ranked, (
            "common words are read every few seconds"
        )
        monkeypatch.setattr(word_search, "MAX_AGE_SECONDS", -1.0)
        assert choose_words(connection, "common wording").ranked
        count_common_words(connection)
    plan = explain(context, lambda connection: choose_words(connection, "common numberd"))
    assert "pk_article" not in plan, "all articles would be looked through for a word that few have"


def test_statistics_are_of_some_entries(context: Context) -> None:
    """Nobody else can write to SQLite while they are made."""
    if not context.database.is_sqlite:
        pytest.skip("PostgreSQL reads a sample of each table, and locks nothing")
    statements: list[str] = []

    def record(_c: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(context.database.engine, "before_cursor_execute", record)
    refresh_statistics(context.database)
    assert statements.index("PRAGMA analysis_limit = 1000") < statements.index("ANALYZE")
