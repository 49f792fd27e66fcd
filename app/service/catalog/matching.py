"""Match the lines of a document with products of the catalog."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.catalog import PricingDimension
from app.service.catalog.dimensions import option_labels
from app.service.catalog.line_candidates import CandidateProduct, rank_candidates
from app.service.catalog.line_choice import (
    ChosenProduct,
    LineWords,
    ProductWording,
    choose_product,
    find_by_item_number,
)
from app.service.catalog.line_match import LineMatch, MatchedDocument, MatchedLine, ProductCandidate
from app.service.catalog.names import company_key, item_key, name_key
from app.service.catalog.product_words import EDITIONS, all_words, plain_words, telling_words
from app.service.catalog.rows import DimensionRecord
from app.service.catalog.supplier_match import find_company, match_supplier
from app.service.database.tables.catalog import company, product
from app.service.database.tables.purchases import article
from app.service.database.visibility import as_seen_by, visible_to
from app.service.database.word_search import search_articles
from app.service.documents.extraction import Extraction, LineItem
from app.service.documents.tables.line_parts import remove_part

__all__ = ["find_company", "match_document"]

MAX_WORDINGS = 5_000
MAX_FOUND = 100
MAX_NAME_WORDS = 4
"""Longest name of a company, in words, that is looked for in a line."""


def match_document(
    connection: Connection, document: Extraction, organisation_id: str, *, supplier_id: str | None = None
) -> MatchedDocument:
    """Match the document's supplier and lines with what the organisation sees of the catalog. `supplier_id`
    is the company that the document is from, where that is known already."""
    supplier = match_supplier(connection, organisation_id, document.supplier)
    if supplier.company_id is None and supplier_id is not None:
        supplier = match_supplier(connection, organisation_id, document.supplier, supplier_id)
    sellers = [one for one in dict.fromkeys((supplier.company_id, supplier_id)) if one is not None]
    matcher = _Matcher(connection, organisation_id, sellers, document)
    return MatchedDocument(supplier, [matcher.match(line) for line in document.line_items])


class _KnownProduct(NamedTuple):
    """A product as the organisation sees it. `dimensions` are as stored: most products are only shown as
    candidates and need no models of them."""

    candidate: CandidateProduct
    quantity_dimension_id: str | None
    dimensions: Sequence[DimensionRecord]


class _Matcher:
    """Matches one document's lines and caches what it loads from the catalog for them."""

    def __init__(
        self, connection: Connection, organisation_id: str, sellers: Sequence[str], document: Extraction
    ) -> None:
        self._connection = connection
        self._organisation = organisation_id
        self._sellers = sellers
        self._document = document
        self._wordings: dict[str, list[ProductWording]] = {}
        self._products: dict[str, _KnownProduct] = {}
        self._option_words: dict[str, frozenset[str]] = {}
        self._company_words: dict[str, frozenset[str]] = {}

    def match(self, line: LineItem) -> MatchedLine:
        words = line.description or ""
        line_words = LineWords(words if line.first_month is None else remove_part(words), line.item_id)
        named = self._find_named_companies(line_words.description)
        sellers = [*self._sellers, *(one for one in named if one not in self._sellers)]
        best, doubtful = self._choose(line_words, sellers)
        others = self._find_candidates(line, line_words, sellers, doubtful)
        match = self._build_match(best) if best else None
        candidates = [one for one in others if best is None or one.product_id != best.product_id]
        return MatchedLine(
            match, candidates, None if match else _write_question(candidates, doubtful, sellers)
        )

    def _choose(
        self, line_words: LineWords, sellers: Sequence[str]
    ) -> tuple[ChosenProduct | None, list[str]]:
        """Choose the product by its number or its words; else return the products that fit equally well."""
        for seller in sellers:
            if best := find_by_item_number(line_words, self._company_wordings(seller), seller):
                return best, []
        for seller in sellers:
            choices = self._company_wordings(seller)
            if seller not in self._sellers:
                # A word of the line may be a company's name by chance: `Box` alone is no evidence.
                choices = [
                    one for one in choices if telling_words(one.wording) - self._find_company_words(seller)
                ]
            best, doubtful = choose_product(
                line_words, choices, self._find_option_words, self._find_company_words(seller)
            )
            if best or doubtful:
                return best, doubtful
        return find_by_item_number(line_words, self._wordings_with_number(line_words), None), []

    def _find_named_companies(self, description: str) -> list[str]:
        """Find real companies named in a line: a reseller's quote names the maker of a product."""
        words = plain_words(description)
        names = {
            " ".join(words[start:end])
            for start in range(len(words))
            for end in range(start + 1, min(start + MAX_NAME_WORDS, len(words)) + 1)
        }
        telling = [name for name in names if len(name) > 2 and not name.isdigit() and name not in EDITIONS]
        if not telling:
            return []
        query = sa.select(company.c.id).where(
            company.c.name_key.in_(telling),
            company.c.sample.is_(sa.false()),
            visible_to(company.c, self._organisation),
        )
        return list(self._connection.scalars(query.order_by(company.c.id).limit(MAX_NAME_WORDS)))

    def _company_wordings(self, company_id: str) -> list[ProductWording]:
        if company_id not in self._wordings:
            self._wordings[company_id] = self._select_names(product.c.company_id == company_id, MAX_WORDINGS)
            self._wordings[company_id] += self._select_articles(
                product.c.company_id == company_id, MAX_WORDINGS
            )
        return self._wordings[company_id]

    def _wordings_with_number(self, line_words: LineWords) -> list[ProductWording]:
        if not line_words.item_id:
            return []
        return self._select_names(
            sa.and_(product.c.item_key == item_key(line_words.item_id), self._is_real()), MAX_FOUND
        )

    def _find_candidates(
        self, line: LineItem, line_words: LineWords, sellers: Sequence[str], doubtful: Sequence[str]
    ) -> list[ProductCandidate]:
        if not line_words.description:
            return []
        choices = [choice for seller in sellers for choice in self._company_wordings(seller)]
        if self._names_its_maker(line_words.description):
            return self._rank(line, choices, sellers, doubtful)
        worded = search_articles(
            self._connection, line_words.description, MAX_FOUND, organisation_id=self._organisation
        )
        choices += self._select_articles(sa.and_(article.c.id.in_(worded), self._is_real()), MAX_FOUND)
        same_name = product.c.name_key == name_key(line_words.description)
        choices += self._select_names(sa.and_(same_name, self._is_real()), MAX_FOUND)
        return self._rank(line, choices, sellers, doubtful)

    def _names_its_maker(self, description: str) -> bool:
        """Return whether a line names the document's supplier: then it is no other supplier's product."""
        maker = plain_words(company_key(self._document.supplier or ""))[:1]
        return bool(maker) and maker[0] in plain_words(description)

    def _rank(
        self,
        line: LineItem,
        choices: Sequence[ProductWording],
        sellers: Sequence[str],
        doubtful: Sequence[str],
    ) -> list[ProductCandidate]:
        return rank_candidates(
            line,
            choices,
            self._document.currency,
            named=sellers,
            doubtful=doubtful,
            options=self._find_option_words,
            seller_words=self._find_company_words,
            described=self._describe,
        )

    def _is_real(self) -> sa.ColumnElement[bool]:
        """Select products of real suppliers: sample products are offered only for a sample supplier's
        quote."""
        sample = sa.select(company.c.id).where(company.c.sample.is_(sa.true()))
        return product.c.company_id.not_in(sample)

    def _select_names(self, condition: sa.ColumnElement[bool], most: int) -> list[ProductWording]:
        named = (
            sa.select(product.c.id, product.c.company_id, product.c.name, product.c.item_key)
            .where(condition, visible_to(product.c, self._organisation))
            .limit(most)
        )
        return [ProductWording(*row) for row in self._connection.execute(named)]

    def _select_articles(self, condition: sa.ColumnElement[bool], most: int) -> list[ProductWording]:
        worded = (
            sa.select(product.c.id, product.c.company_id, article.c.text, product.c.item_key)
            .join(article, article.c.product_id == product.c.id)
            .where(
                condition,
                visible_to(product.c, self._organisation),
                visible_to(article.c, self._organisation),
            )
            .limit(most)
        )
        return [ProductWording(*row) for row in self._connection.execute(worded)]

    def _load_products(self, ids: Collection[str]) -> None:
        seen = as_seen_by(product, self._organisation).c
        columns = (
            seen.id,
            seen.name,
            seen.company_id,
            company.c.name,
            seen.default_price,
            seen.currency,
            seen.quantity_dimension_id,
            seen.dimensions,
        )
        query = sa.select(*columns).join(company, company.c.id == seen.company_id).where(seen.id.in_(ids))
        for *shown, quantity_id, dimensions in self._connection.execute(query):
            self._products[shown[0]] = _KnownProduct(CandidateProduct(*shown), quantity_id, dimensions)

    def _describe(self, ids: Sequence[str]) -> list[CandidateProduct]:
        self._load_products([one for one in ids if one not in self._products])
        return [self._products[one].candidate for one in ids if one in self._products]

    def _find_option_words(self, product_id: str) -> frozenset[str]:
        """Return the words of a product's dimensions and their options: in a line they are no part of its
        name."""
        if product_id not in self._option_words:
            if product_id not in self._products:
                self._load_products([product_id])
            words: set[str] = set()
            for dimension in self._products[product_id].dimensions:
                words |= all_words(dimension["name"]) | all_words(dimension["formField"]["label"])
                for label in option_labels(dimension):
                    words |= all_words(label)
            self._option_words[product_id] = frozenset(words)
        return self._option_words[product_id]

    def _find_company_words(self, company_id: str) -> frozenset[str]:
        """Return the words of a company's name."""
        if company_id not in self._company_words:
            called = self._connection.scalar(sa.select(company.c.name).where(company.c.id == company_id))
            self._company_words[company_id] = all_words(company_key(called or ""))
        return self._company_words[company_id]

    def _build_match(self, best: ChosenProduct) -> LineMatch:
        self._load_products([best.product_id])
        known = self._products[best.product_id]
        return LineMatch(
            product_id=known.candidate.product_id,
            product_name=known.candidate.name,
            score=best.score,
            matched_by=best.matched_by,
            dimensions=[PricingDimension.model_validate(dimension) for dimension in known.dimensions],
            quantity_dimension_id=known.quantity_dimension_id,
            company_name=known.candidate.company_name,
        )


def _write_question(
    candidates: Sequence[ProductCandidate], doubtful: Sequence[str], sellers: Sequence[str]
) -> str:
    """Write the question about a line whose product is not certain. Without `sellers` the document names no
    supplier, so that none is another's."""
    if not candidates:
        return "Which product is this? No similar product is on record."
    near = [one for one in candidates if one.product_id in doubtful]
    near = near or [one for one in candidates if not sellers or one.company_id in sellers][:3]
    if not near:
        return "Which product is this? Only products of other suppliers are similar."
    if len(near) == 1:
        return f"Is this {near[0].product_name}? {near[0].why}"
    names = [one.product_name for one in near]
    return f"Which product is this: {', '.join(names[:-1])} or {names[-1]}?"
