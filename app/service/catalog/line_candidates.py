"""The products that a line may mean, the likeliest first, each with why."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.service.catalog.line_choice import Choice, OptionWords, fit, likeness, why_not
from app.service.catalog.line_match import ProductCandidate
from app.service.catalog.names import name_key
from app.service.catalog.product_words import is_edition, word_set
from app.service.documents.extraction import LineItem

SHOWN = 5
LIKE_THE_SUPPLIERS = 55.0
"""Likeness from which a product of a supplier that the document names is offered."""
LIKE_ANOTHERS = 72.0
"""The same for any other supplier's."""
NEAR_PRICE = Decimal("0.25")
"""A usual price that is so near the quoted one is a reason, as a share of it."""
OF_SUPPLIER, OF_PRICE = 8.0, 4.0
"""What it adds to the likeness that the supplier is named, and that the price is near."""


@dataclass(frozen=True)
class CandidateProduct:
    """What is shown of a product that is offered. `price` is the usual one of a unit."""

    product_id: str
    name: str
    company_id: str
    company_name: str
    price: float | None
    currency: str | None


def ranked(
    line: LineItem,
    choices: Iterable[Choice],
    currency: str | None,
    *,
    named: Collection[str],
    doubtful: Collection[str],
    options: OptionWords,
    seller_words: Callable[[str], Collection[str]],
    described: Callable[[Sequence[str]], Sequence[CandidateProduct]],
) -> list[ProductCandidate]:
    """`named` are the companies that the document or the line names, `doubtful` the products between which
    the words do not decide; they come first."""
    words = name_key(line.description or "")
    alike: dict[str, tuple[float, Choice]] = {}
    for choice in choices:
        score = likeness(words, name_key(choice.wording))
        least = LIKE_THE_SUPPLIERS if choice.company_id in named else LIKE_ANOTHERS
        known = alike.get(choice.product_id)
        if choice.company_id not in named and not _shares_a_name(line, choice, seller_words):
            continue
        if (score >= least or choice.product_id in doubtful) and (known is None or score > known[0]):
            alike[choice.product_id] = (score, choice)
    likeliest = sorted(
        alike.values(),
        key=lambda one: (
            one[1].product_id not in doubtful,
            -one[0] - (OF_SUPPLIER if one[1].company_id in named else 0),
            one[1].product_id,
        ),
    )[: 2 * SHOWN]
    products = {one.product_id: one for one in described([choice.product_id for _, choice in likeliest])}
    found: list[tuple[float, ProductCandidate]] = []
    for score, choice in likeliest:
        known = products.get(choice.product_id)
        if known is None:
            continue
        held = fit(
            line.description or "", choice, options(choice.product_id), seller_words(choice.company_id)
        )
        near = _is_near(line, currency, known)
        reasons = [why_not(line.description or "", held)]
        if choice.company_id in named:
            reasons.append(f"{known.company_name} is named.")
        else:
            reasons.append(f"{known.company_name} sells it, whom the document does not name.")
        if near:
            reasons.append("Its usual price is near the quoted one.")
        rank = score + (OF_SUPPLIER if choice.company_id in named else 0) + (OF_PRICE if near else 0)
        rank += 100 if choice.product_id in doubtful else 0
        found.append(
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
    found.sort(key=lambda one: -one[0])
    return [candidate for _, candidate in found[:SHOWN]]


def _shares_a_name(line: LineItem, choice: Choice, seller_words: Callable[[str], Collection[str]]) -> bool:
    """Whether the line has most of the words of a product's name, those of its seller and its edition left
    out: that both are a `Professional` says nothing."""
    wording = word_set(choice.wording)
    name = {word for word in wording - set(seller_words(choice.company_id)) if not is_edition(word)}
    return 2 * len(name & word_set(line.description or "")) > len(name)


def _is_near(line: LineItem, currency: str | None, known: CandidateProduct) -> bool:
    if line.unit_price is None or known.price is None or known.currency != currency or known.price <= 0:
        return False
    price = Decimal(repr(known.price))
    return abs(line.unit_price - price) <= NEAR_PRICE * price
