"""Which product of the catalog a line of a document means, and which company a supplier's name."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import sqlalchemy as sa
from rapidfuzz import fuzz, process
from sqlalchemy import Connection

from app.contract.catalog import PricingDimension
from app.service.catalog.names import company_key, domain_key, item_key, name_key
from app.service.catalog.wire import Row
from app.service.database.dialect import search_articles
from app.service.database.tables.catalog import company, product
from app.service.database.tables.purchases import article
from app.service.database.visibility import as_seen_by, visible_to
from app.service.documents.extraction import Extraction, LineItem
from app.service.scopes.reading import LineMatch

SURE_OF_SUPPLIER = 84.0
"""Likeness from which a wording means a product, when the supplier is known to sell it."""
SURE_ALONE = 93.0
"""The same when only the wording speaks."""
SURE_OF_COMPANY = 92.0
OTHER_NUMBERS = 25.0
"""What is taken off when two wordings name different numbers: 30 tests are not 100 tests."""
SHORTEST_NUMBER = 4
"""Item numbers of fewer signs, such as the place in the document, say nothing without the supplier."""
LONGEST_CHOICE = 5_000
CANDIDATES = 100

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True)
class Choice:
    """A product that a line may mean, in one of its wordings."""

    product_id: str
    company_id: str
    wording: str
    item_key: str | None


@dataclass(frozen=True)
class Best:
    """The product found: `score` in per cent, and what it was found by."""

    product_id: str
    score: float
    matched_by: str


def match_lines(connection: Connection, document: Extraction, organisation_id: str) -> list[LineMatch | None]:
    """For each line of the document the catalog product that it means, among those that the organisation
    sees, or None."""
    supplier = find_company(connection, organisation_id, name=document.supplier)
    own = _choices_of_company(connection, organisation_id, supplier) if supplier else []
    found = [_match(connection, organisation_id, line, supplier, own) for line in document.line_items]
    products = _products(connection, organisation_id, {best.product_id for best in found if best})
    return [_line_match(products[best.product_id], best) if best else None for best in found]


def find_company(
    connection: Connection, organisation_id: str, *, name: str | None = None, domain: str | None = None
) -> str | None:
    """The id of the company of that domain (an address will do), else of that name, else of one that is
    spelled nearly so; None when several fit equally well or none does."""
    visible = visible_to(company.c, organisation_id)
    seen = sa.select(company.c.id).where(visible)
    if domain and (host := domain_key(domain)):
        ids = connection.scalars(seen.where(company.c.domain == host).limit(2)).all()
        if len(ids) == 1:
            return ids[0]
    if not name or not name.strip():
        return None
    key = company_key(name)
    ids = connection.scalars(seen.where(company.c.name_key == key).limit(2)).all()
    if ids:
        return ids[0] if len(ids) == 1 else None
    names = {
        row[0]: row[1]
        for row in connection.execute(sa.select(company.c.id, company.c.name_key).where(visible))
    }
    likeliest = process.extract(
        key, names, scorer=fuzz.token_sort_ratio, score_cutoff=SURE_OF_COMPANY, limit=2
    )
    if not likeliest or (len(likeliest) == 2 and likeliest[0][1] == likeliest[1][1]):
        return None
    return likeliest[0][2]


def best_choice(
    line: LineItem, choices: Iterable[Choice], *, supplier: str | None, sure: float
) -> Best | None:
    """The choice that the line means most clearly, by its item number first, then by its words."""
    asked = list(choices)
    words = name_key(line.description or "")
    if line.item_id and (number := item_key(line.item_id)):
        numbered = [choice for choice in asked if choice.item_key == number]
        of_supplier = [choice for choice in numbered if choice.company_id == supplier]
        telling = of_supplier or (numbered if len(number) >= SHORTEST_NUMBER else [])
        if telling and len({choice.product_id for choice in telling}) == 1:
            return Best(telling[0].product_id, 100.0 if of_supplier else 95.0, "item number")
        if telling:
            likeliest = max(telling, key=lambda choice: likeness(words, name_key(choice.wording)))
            return Best(likeliest.product_id, 90.0, "item number and wording")
    if not words:
        return None
    best: Best | None = None
    for choice in asked:
        score = likeness(words, name_key(choice.wording))
        if score >= sure and (best is None or score > best.score):
            best = Best(choice.product_id, round(score, 1), "wording")
    return best


def likeness(one: str, other: str) -> float:
    """How alike two folded wordings are, 0 to 100: half for the order of words left aside, half for what
    they have in common, less where they name different numbers."""
    if one == other:
        return 100.0
    score = (fuzz.token_sort_ratio(one, other) + fuzz.token_set_ratio(one, other)) / 2
    numbers, others = set(_NUMBER.findall(one)), set(_NUMBER.findall(other))
    return score - OTHER_NUMBERS if numbers and others and not numbers & others else score


def _match(
    connection: Connection, organisation_id: str, line: LineItem, supplier: str | None, own: Sequence[Choice]
) -> Best | None:
    if own:
        best = best_choice(line, own, supplier=supplier, sure=SURE_OF_SUPPLIER)
        if best:
            return best
    worded = search_articles(connection, line.description or "", CANDIDATES, organisation_id=organisation_id)
    choices = _choices(connection, organisation_id, article.c.id.in_(worded))
    choices += _choices_by_name(connection, organisation_id, line)
    return best_choice(line, choices, supplier=supplier, sure=SURE_ALONE)


def _choices_of_company(connection: Connection, organisation_id: str, company_id: str) -> list[Choice]:
    named = (
        sa.select(product.c.id, product.c.company_id, product.c.name, product.c.item_key)
        .where(product.c.company_id == company_id, visible_to(product.c, organisation_id))
        .limit(LONGEST_CHOICE)
    )
    worded = _choices(connection, organisation_id, product.c.company_id == company_id)
    return [Choice(*row) for row in connection.execute(named)] + worded


def _choices_by_name(connection: Connection, organisation_id: str, line: LineItem) -> list[Choice]:
    """Products of any company with exactly that name or item number, bought before or not."""
    same = [product.c.name_key == name_key(line.description)] if line.description else []
    if line.item_id:
        same.append(product.c.item_key == item_key(line.item_id))
    if not same:
        return []
    named = (
        sa.select(product.c.id, product.c.company_id, product.c.name, product.c.item_key)
        .where(sa.or_(*same), visible_to(product.c, organisation_id))
        .limit(CANDIDATES)
    )
    return [Choice(*row) for row in connection.execute(named)]


def _choices(connection: Connection, organisation_id: str, condition: sa.ColumnElement[bool]) -> list[Choice]:
    worded = (
        sa.select(product.c.id, product.c.company_id, article.c.text, product.c.item_key)
        .join(article, article.c.product_id == product.c.id)
        .where(condition, visible_to(product.c, organisation_id), visible_to(article.c, organisation_id))
        .limit(LONGEST_CHOICE)
    )
    return [Choice(*row) for row in connection.execute(worded)]


def _products(connection: Connection, organisation_id: str, ids: Collection[str]) -> Mapping[str, Row]:
    seen = as_seen_by(product, organisation_id).c
    columns = (seen.id, seen.name, seen.dimensions, seen.quantity_dimension_id)
    rows = connection.execute(sa.select(*columns).where(seen.id.in_(ids))).mappings()
    return {row["id"]: row for row in cast(Iterable[Mapping[str, Any]], rows)}


def _line_match(row: Row, best: Best) -> LineMatch:
    return LineMatch(
        product_id=row["id"],
        product_name=row["name"],
        score=best.score,
        matched_by=best.matched_by,
        dimensions=[PricingDimension.model_validate(dimension) for dimension in row["dimensions"]],
        quantity_dimension_id=row["quantity_dimension_id"],
    )
