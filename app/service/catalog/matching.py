"""Match the lines of a document with products of the catalog."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.catalog import PricingDimension
from app.contract.money import join_words
from app.service.catalog.line_choice import (
    ChosenProduct,
    LineWords,
    ProductWording,
    choose_product,
    describe_difference,
    find_best_fit,
    find_by_item_number,
    similarity,
)
from app.service.catalog.line_match import LineMatch, MatchedDocument, MatchedLine, ProductCandidate
from app.service.catalog.names import company_key, item_key, name_key
from app.service.catalog.product_words import EDITIONS, all_words, is_edition, plain_words, telling_words
from app.service.catalog.rows import DimensionRecord, option_labels
from app.service.catalog.supplier_match import match_supplier
from app.service.database.tables import article, company, product
from app.service.database.visibility import as_seen_by, visible_to
from app.service.database.word_search import search_articles
from app.service.documents.extraction import Extraction, LineItem
from app.service.documents.tables.line_parts import remove_part

_MAX_CANDIDATES = 5
_MIN_SIMILARITY_NAMED = 55.0
"""Similarity from which a product of a supplier that the document names is offered."""
_MIN_SIMILARITY_OTHER = 72.0
"""The same for any other supplier's."""
_PRICE_TOLERANCE = Decimal("0.25")
"""A usual price within this share of the quoted price counts as near."""
_SUPPLIER_BONUS, _PRICE_BONUS = 8.0, 4.0
"""Added to the similarity where the supplier is named, and where the price is near."""


@dataclass(frozen=True)
class _CandidateProduct:
    """What is shown of a candidate. `price` is the usual price of a unit."""

    product_id: str
    name: str
    company_id: str
    company_name: str
    price: float | None
    currency: str | None


def _is_near(line: LineItem, currency: str | None, known: _CandidateProduct) -> bool:
    asked = line.price_before_tax
    if asked is None or known.price is None or known.currency != currency or known.price <= 0:
        return False
    price = Decimal(repr(known.price))
    return abs(asked - price) <= _PRICE_TOLERANCE * price


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

    candidate: _CandidateProduct
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
        maker = plain_words(company_key(self._document.supplier or ""))[:1]
        # A line that names the document's supplier is no other supplier's product.
        if maker and maker[0] in plain_words(line_words.description):
            return self._rank(line, choices, sellers, doubtful)
        worded = search_articles(
            self._connection, line_words.description, MAX_FOUND, organisation_id=self._organisation
        )
        choices += self._select_articles(sa.and_(article.c.id.in_(worded), self._is_real()), MAX_FOUND)
        same_name = product.c.name_key == name_key(line_words.description)
        choices += self._select_names(sa.and_(same_name, self._is_real()), MAX_FOUND)
        return self._rank(line, choices, sellers, doubtful)

    def _rank(
        self,
        line: LineItem,
        choices: Iterable[ProductWording],
        sellers: Collection[str],
        doubtful: Collection[str],
    ) -> list[ProductCandidate]:
        """Return the candidates for a line. `sellers` are the companies that the document or the line names;
        `doubtful` are the products between which the words do not decide, and come first."""
        words = name_key(line.description or "")
        alike: dict[str, tuple[float, ProductWording]] = {}
        for choice in choices:
            score = similarity(words, name_key(choice.wording))
            least = _MIN_SIMILARITY_NAMED if choice.company_id in sellers else _MIN_SIMILARITY_OTHER
            known = alike.get(choice.product_id)
            if choice.company_id not in sellers and not self._shares_a_name(line, choice):
                continue
            if (score >= least or choice.product_id in doubtful) and (known is None or score > known[0]):
                alike[choice.product_id] = (score, choice)
        likeliest = sorted(
            alike.values(),
            key=lambda one: (
                one[1].product_id not in doubtful,
                -one[0] - (_SUPPLIER_BONUS if one[1].company_id in sellers else 0),
                one[1].product_id,  # pyrefly: ignore[unknown-attribute-access]
            ),
        )[: 2 * _MAX_CANDIDATES]
        products = {
            one.product_id: one for one in self._describe([choice.product_id for _, choice in likeliest])
        }
        ranked: list[tuple[float, ProductCandidate]] = []
        for score, choice in likeliest:
            known = products.get(choice.product_id)
            if known is None:
                continue
            best_fit = find_best_fit(
                line.description or "",
                choice,
                self._find_option_words(choice.product_id),
                self._find_company_words(choice.company_id),
            )
            near = _is_near(line, self._document.currency, known)
            reasons = [describe_difference(line.description or "", best_fit)]
            if choice.company_id in sellers:
                reasons.append(f"The document names {known.company_name}.")
            else:
                reasons.append(
                    f"{known.company_name} sells it, but the document does not name this supplier."
                )
            if near:
                reasons.append("Its usual price is close to the quoted one.")
            rank = (
                score
                + (_SUPPLIER_BONUS if choice.company_id in sellers else 0)
                + (_PRICE_BONUS if near else 0)
            )
            rank += 100 if choice.product_id in doubtful else 0
            ranked.append(
                (
                    rank,
                    ProductCandidate(
                        product_id=known.product_id,
                        product_name=known.name,
                        company_id=known.company_id,
                        company_name=known.company_name,
                        score=round(score, 1),
                        why=" ".join(reasons),
                    ),
                )
            )
        ranked.sort(key=lambda one: -one[0])
        return [candidate for _, candidate in ranked[:_MAX_CANDIDATES]]

    def _shares_a_name(self, line: LineItem, choice: ProductWording) -> bool:
        """Return whether the line has most words of a product's name. Words of the seller's name and the
        edition do not count: many products are a `Professional`."""
        wording = telling_words(choice.wording)
        name = {
            word for word in wording - self._find_company_words(choice.company_id) if not is_edition(word)
        }
        return 2 * len(name & telling_words(line.description or "")) > len(name)

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
            self._products[shown[0]] = _KnownProduct(_CandidateProduct(*shown), quantity_id, dimensions)

    def _describe(self, ids: Sequence[str]) -> list[_CandidateProduct]:
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
    return f"Which product is this: {join_words([one.product_name for one in near], 'or')}?"
