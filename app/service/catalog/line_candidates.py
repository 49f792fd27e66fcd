"""Rank the products that a line may mean, the likeliest first, each with the reason."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.service.catalog.line_choice import (
    OptionWords,
    ProductWording,
    describe_difference,
    find_best_fit,
    similarity,
)
from app.service.catalog.line_match import ProductCandidate
from app.service.catalog.names import name_key
from app.service.catalog.product_words import is_edition, telling_words
from app.service.documents.extraction import LineItem

MAX_CANDIDATES = 5
MIN_SIMILARITY_NAMED = 55.0
"""Similarity from which a product of a supplier that the document names is offered."""
MIN_SIMILARITY_OTHER = 72.0
"""The same for any other supplier's."""
PRICE_TOLERANCE = Decimal("0.25")
"""A usual price within this share of the quoted price counts as near."""
SUPPLIER_BONUS, PRICE_BONUS = 8.0, 4.0
"""Added to the similarity where the supplier is named, and where the price is near."""


@dataclass(frozen=True)
class CandidateProduct:
    """What is shown of a candidate. `price` is the usual price of a unit."""

    product_id: str
    name: str
    company_id: str
    company_name: str
    price: float | None
    currency: str | None


def rank_candidates(
    line: LineItem,
    choices: Iterable[ProductWording],
    currency: str | None,
    *,
    named: Collection[str],
    doubtful: Collection[str],
    options: OptionWords,
    seller_words: Callable[[str], Collection[str]],
    described: Callable[[Sequence[str]], Sequence[CandidateProduct]],
) -> list[ProductCandidate]:
    """Return the candidates for a line. `named` are the companies that the document or the line names;
    `doubtful` are the products between which the words do not decide, and come first."""
    words = name_key(line.description or "")
    alike: dict[str, tuple[float, ProductWording]] = {}
    for choice in choices:
        score = similarity(words, name_key(choice.wording))
        least = MIN_SIMILARITY_NAMED if choice.company_id in named else MIN_SIMILARITY_OTHER
        known = alike.get(choice.product_id)
        if choice.company_id not in named and not _shares_a_name(line, choice, seller_words):
            continue
        if (score >= least or choice.product_id in doubtful) and (known is None or score > known[0]):
            alike[choice.product_id] = (score, choice)
    likeliest = sorted(
        alike.values(),
        key=lambda one: (
            one[1].product_id not in doubtful,
            -one[0] - (SUPPLIER_BONUS if one[1].company_id in named else 0),
            one[1].product_id,  # pyrefly: ignore[unknown-attribute-access]
        ),
    )[: 2 * MAX_CANDIDATES]
    products = {one.product_id: one for one in described([choice.product_id for _, choice in likeliest])}
    ranked: list[tuple[float, ProductCandidate]] = []
    for score, choice in likeliest:
        known = products.get(choice.product_id)
        if known is None:
            continue
        best_fit = find_best_fit(
            line.description or "", choice, options(choice.product_id), seller_words(choice.company_id)
        )
        near = _is_near(line, currency, known)
        reasons = [describe_difference(line.description or "", best_fit)]
        if choice.company_id in named:
            reasons.append(f"The document names {known.company_name}.")
        else:
            reasons.append(f"{known.company_name} sells it, but the document does not name this supplier.")
        if near:
            reasons.append("Its usual price is close to the quoted one.")
        rank = score + (SUPPLIER_BONUS if choice.company_id in named else 0) + (PRICE_BONUS if near else 0)
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
    return [candidate for _, candidate in ranked[:MAX_CANDIDATES]]


def _shares_a_name(
    line: LineItem, choice: ProductWording, seller_words: Callable[[str], Collection[str]]
) -> bool:
    """Return whether the line has most words of a product's name. Words of the seller's name and the edition
    do not count: many products are a `Professional`."""
    wording = telling_words(choice.wording)
    name = {word for word in wording - set(seller_words(choice.company_id)) if not is_edition(word)}
    return 2 * len(name & telling_words(line.description or "")) > len(name)


def _is_near(line: LineItem, currency: str | None, known: CandidateProduct) -> bool:
    asked = line.price_before_tax
    if asked is None or known.price is None or known.currency != currency or known.price <= 0:
        return False
    price = Decimal(repr(known.price))
    return abs(asked - price) <= PRICE_TOLERANCE * price
