"""Which product of the catalog a line of a document means, and what else it may mean."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.catalog import PricingDimension
from app.service.catalog.line_candidates import CandidateProduct, ranked
from app.service.catalog.line_choice import Best, Choice, LineWords, choose, numbered
from app.service.catalog.line_match import LineMatch, MatchedDocument, MatchedLine, ProductCandidate
from app.service.catalog.names import company_key, item_key, name_key
from app.service.catalog.product_words import EDITIONS, all_words, plain_words, word_set
from app.service.catalog.supplier_match import find_company, match_supplier
from app.service.catalog.wire import Row
from app.service.database.tables.catalog import company, product
from app.service.database.tables.purchases import article
from app.service.database.visibility import as_seen_by, visible_to
from app.service.database.word_search import search_articles
from app.service.documents.extraction import Extraction, LineItem

__all__ = ["find_company", "match_document", "match_lines"]

LONGEST_CHOICE = 5_000
CANDIDATES = 100
LONGEST_NAME = 4
"""Words of a company's name that are looked for in a line."""


def match_lines(
    connection: Connection, document: Extraction, organisation_id: str, *, supplier_id: str | None = None
) -> list[LineMatch | None]:
    """For each line of the document the product that it means, among those that the organisation sees, or
    None. `supplier_id` is the company that the document is from, where that is known already."""
    matched = match_document(connection, document, organisation_id, supplier_id=supplier_id)
    return [line.match for line in matched.lines]


def match_document(
    connection: Connection, document: Extraction, organisation_id: str, *, supplier_id: str | None = None
) -> MatchedDocument:
    """The document's supplier and lines held against what the organisation sees of the catalog."""
    supplier = match_supplier(connection, organisation_id, document.supplier)
    if supplier.company_id is None and supplier_id is not None:
        supplier = match_supplier(connection, organisation_id, document.supplier, supplier_id)
    sellers = [one for one in dict.fromkeys((supplier.company_id, supplier_id)) if one is not None]
    matcher = _Matcher(connection, organisation_id, sellers, document)
    return MatchedDocument(supplier, [matcher.match(line) for line in document.line_items])


class _Matcher:
    """One document's lines, with what was read of the catalog for them."""

    def __init__(
        self, connection: Connection, organisation_id: str, sellers: Sequence[str], document: Extraction
    ) -> None:
        self._connection = connection
        self._organisation = organisation_id
        self._sellers = sellers
        self._document = document
        self._sold: dict[str, list[Choice]] = {}
        self._products: dict[str, Row] = {}
        self._option_words: dict[str, frozenset[str]] = {}
        self._company_words: dict[str, frozenset[str]] = {}

    def match(self, line: LineItem) -> MatchedLine:
        asked = LineWords(line.description or "", line.item_id)
        named = self._named_in(asked.description)
        sellers = [*self._sellers, *(one for one in named if one not in self._sellers)]
        best, doubtful = self._chosen(asked, sellers)
        others = self._candidates(line, asked, sellers, doubtful)
        match = self._line_match(best) if best else None
        candidates = [one for one in others if best is None or one.product_id != best.product_id]
        return MatchedLine(match, candidates, None if match else _question(candidates, doubtful, sellers))

    def _chosen(self, asked: LineWords, sellers: Sequence[str]) -> tuple[Best | None, list[str]]:
        """The product by its number or its words, else the products between which nobody can tell."""
        for seller in sellers:
            if best := numbered(asked, self._sold_by(seller), seller):
                return best, []
        for seller in sellers:
            choices = self._sold_by(seller)
            if seller not in self._sellers:
                # A word of the line may be the name of a company by chance: `Box` alone says nothing.
                choices = [one for one in choices if word_set(one.wording) - self._seller_words(seller)]
            best, doubtful = choose(asked, choices, self._options, self._seller_words(seller))
            if best or doubtful:
                return best, doubtful
        return numbered(asked, self._with_number(asked), None), []

    def _named_in(self, description: str) -> list[str]:
        """The real companies whose names stand in a line: a reseller's quote names who makes a product."""
        words = plain_words(description)
        names = {
            " ".join(words[start:end])
            for start in range(len(words))
            for end in range(start + 1, min(start + LONGEST_NAME, len(words)) + 1)
        }
        telling = [name for name in names if len(name) > 2 and not name.isdigit() and name not in EDITIONS]
        if not telling:
            return []
        found = sa.select(company.c.id).where(
            company.c.name_key.in_(telling),
            company.c.sample.is_(sa.false()),
            visible_to(company.c, self._organisation),
        )
        return list(self._connection.scalars(found.order_by(company.c.id).limit(LONGEST_NAME)))

    def _sold_by(self, company_id: str) -> list[Choice]:
        if company_id not in self._sold:
            self._sold[company_id] = self._named(product.c.company_id == company_id, LONGEST_CHOICE)
            self._sold[company_id] += self._worded(product.c.company_id == company_id, LONGEST_CHOICE)
        return self._sold[company_id]

    def _with_number(self, asked: LineWords) -> list[Choice]:
        if not asked.item_id:
            return []
        return self._named(
            sa.and_(product.c.item_key == item_key(asked.item_id), self._is_real()), CANDIDATES
        )

    def _candidates(
        self, line: LineItem, asked: LineWords, sellers: Sequence[str], doubtful: Sequence[str]
    ) -> list[ProductCandidate]:
        if not asked.description:
            return []
        choices = [choice for seller in sellers for choice in self._sold_by(seller)]
        if self._names_its_maker(asked.description):
            return self._ranked(line, choices, sellers, doubtful)
        worded = search_articles(
            self._connection, asked.description, CANDIDATES, organisation_id=self._organisation
        )
        choices += self._worded(sa.and_(article.c.id.in_(worded), self._is_real()), CANDIDATES)
        same_name = product.c.name_key == name_key(asked.description)
        choices += self._named(sa.and_(same_name, self._is_real()), CANDIDATES)
        return self._ranked(line, choices, sellers, doubtful)

    def _names_its_maker(self, description: str) -> bool:
        """Whether a line repeats who the document is from: then it is no other supplier's product."""
        maker = plain_words(company_key(self._document.supplier or ""))[:1]
        return bool(maker) and maker[0] in plain_words(description)

    def _ranked(
        self,
        line: LineItem,
        choices: Sequence[Choice],
        sellers: Sequence[str],
        doubtful: Sequence[str],
    ) -> list[ProductCandidate]:
        return ranked(
            line,
            choices,
            self._document.currency,
            named=sellers,
            doubtful=doubtful,
            options=self._options,
            seller_words=self._seller_words,
            described=self._described,
        )

    def _is_real(self) -> sa.ColumnElement[bool]:
        """Of a real supplier: what was invented is offered for the quote of an invented supplier alone."""
        sample = sa.select(company.c.id).where(company.c.sample.is_(sa.true()))
        return product.c.company_id.not_in(sample)

    def _named(self, condition: sa.ColumnElement[bool], most: int) -> list[Choice]:
        named = (
            sa.select(product.c.id, product.c.company_id, product.c.name, product.c.item_key)
            .where(condition, visible_to(product.c, self._organisation))
            .limit(most)
        )
        return [Choice(*row) for row in self._connection.execute(named)]

    def _worded(self, condition: sa.ColumnElement[bool], most: int) -> list[Choice]:
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
        return [Choice(*row) for row in self._connection.execute(worded)]

    def _load(self, ids: Collection[str]) -> None:
        seen = as_seen_by(product, self._organisation).c
        columns = (
            seen.id,
            seen.name,
            seen.company_id,
            company.c.name.label("company_name"),
            seen.dimensions,
            seen.quantity_dimension_id,
            seen.default_price,
            seen.currency,
        )
        query = sa.select(*columns).join(company, company.c.id == seen.company_id).where(seen.id.in_(ids))
        rows = self._connection.execute(query).mappings()
        for row in cast(Iterable[Mapping[str, Any]], rows):
            self._products[row["id"]] = row

    def _described(self, ids: Sequence[str]) -> list[CandidateProduct]:
        self._load([one for one in ids if one not in self._products])
        rows = [self._products[one] for one in ids if one in self._products]
        return [
            CandidateProduct(
                row["id"],
                row["name"],
                row["company_id"],
                row["company_name"],
                row["default_price"],
                row["currency"],
            )
            for row in rows
        ]

    def _options(self, product_id: str) -> frozenset[str]:
        """What the dimensions of a product are called, and their options: words of a line that are no part of
        its name."""
        if product_id not in self._option_words:
            if product_id not in self._products:
                self._load([product_id])
            words: set[str] = set()
            for dimension in self._products[product_id]["dimensions"]:
                words |= all_words(dimension["name"]) | all_words(dimension["formField"]["label"])
                for option in dimension["formField"].get("options", ()):
                    words |= all_words(option["label"])
            self._option_words[product_id] = frozenset(words)
        return self._option_words[product_id]

    def _seller_words(self, company_id: str) -> frozenset[str]:
        """The words of a company's name, as `all_words`."""
        if company_id not in self._company_words:
            called = self._connection.scalar(sa.select(company.c.name).where(company.c.id == company_id))
            self._company_words[company_id] = all_words(company_key(called or ""))
        return self._company_words[company_id]

    def _line_match(self, best: Best) -> LineMatch:
        self._load([best.product_id])
        row = self._products[best.product_id]
        return LineMatch(
            product_id=row["id"],
            product_name=row["name"],
            score=best.score,
            matched_by=best.matched_by,
            dimensions=[PricingDimension.model_validate(dimension) for dimension in row["dimensions"]],
            quantity_dimension_id=row["quantity_dimension_id"],
            company_name=row["company_name"],
        )


def _question(candidates: Sequence[ProductCandidate], doubtful: Sequence[str], sellers: Sequence[str]) -> str:
    """What somebody has to say about a line that no product is sure for."""
    if not candidates:
        return "Which product is this? Nothing on record is like it."
    near = [one for one in candidates if one.product_id in doubtful]
    near = near or [one for one in candidates if one.company_id in sellers][:3]
    if not near:
        return "Which product is this? Only products of other suppliers are like it."
    if len(near) == 1:
        return f"Is this {near[0].product_name}? {near[0].why}"
    names = [one.product_name for one in near]
    return f"Which product is this: {', '.join(names[:-1])} or {names[-1]}?"
