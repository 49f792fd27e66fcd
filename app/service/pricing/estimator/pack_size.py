"""How many pieces a wording says are in a pack: "box of 100", "100/pk", "12-pack", "per dozen".

What is not said plainly is not read: a wording with two counts that are not one in the other says none.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from math import log

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Flags, Floats
from app.service.pricing.estimator.similarity import RELATED_TEXT
from app.service.pricing.estimator.text_similarity import MAX_LENGTH, DocumentFrequencies

_CACHED_TEXTS = 50_000
_MAX_PIECES = 1_000_000
_DOZEN = 12
# Wordings that are as similar but for the pack name one article.
_SAME_ARTICLE = 0.8
# Among so few texts each is compared: where hardly any are known, no similarity says much.
_FEW_TEXTS = 20

_NUMBER = r"(?<![\w.,/#-])(?P<count>\d{1,3}(?:,\d{3})+|\d{1,6})(?!\d)"
_CONTAINER = (
    r"(?:pack(?:et|age)?s?|pkgs?|pks?|pkts?|box(?:es)?|bx|cases?|cs|cartons?|ctns?|ct|bags?|bg|trays?|sets?"
    r"|bundles?|sleeves?|tubs?)"
)
_PIECES = r"(?:each|ea|pieces?|pcs?|units?|count|sheets?)"
_MEASURE = r"(?:ml|cl|l|lit(?:er|re)s?|g|kg|oz|lbs?|mm|cm|m|in|inch(?:es)?|ft)"
_TIMES = rf"\s*[x×]\s*(?P<piece>\d+(?:[.,]\d+)?\s*{_MEASURE})\b"
_STATEMENTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # "box of 100", "1 BX OF ( 25 EA)", "case of 24 x 500 ml"; not "box of 10 mm screws".
        rf"\b{_CONTAINER}\s+of\s*\(?\s*(?<!\S){_NUMBER}(?:{_TIMES})?(?![.,]\d|\s*[x×]|\s*{_MEASURE}\b)",
        # "100/pk", "12 per box", "50 sheets/pack".
        rf"{_NUMBER}\s*(?:{_PIECES}\s*)?(?:/|\bper\b)\s*{_CONTAINER}\b",
        # "12-pack", "6PK", "100 pcs", "100 count".
        rf"{_NUMBER}\s*-?\s*(?:packs?|pks?|pieces?|pcs|count)\b(?!\s+of\b)",
        # "24 x 500 ml": so many of them.
        rf"{_NUMBER}{_TIMES}",
        # "per dozen", "2 dozen"; not "half a dozen".
        rf"(?:{_NUMBER}\s*|(?<!half)(?<!half.)(?<!half a )(?<!\d)(?<!\d )\b)(?P<dozen>dozens?|doz|dz)\b",
    )
)


@dataclass(frozen=True, slots=True)
class PackSize:
    """The number of pieces and, where it is said, the size of one ("500ml")."""

    pieces: int
    piece: str = ""


@lru_cache(maxsize=_CACHED_TEXTS)
def read_pack_size(text: str) -> PackSize | None:
    """The pack size that a text states; None where it states none, or several that disagree."""
    text = text[:MAX_LENGTH]
    pieces: set[int] = set()
    piece = ""
    for statement in _STATEMENTS:
        inner_of, product = -1, 1
        for match in statement.finditer(text):
            groups = match.groupdict()
            count = int((groups["count"] or "1").replace(",", "")) * (_DOZEN if groups.get("dozen") else 1)
            piece = piece or _normalise_piece(groups.get("piece") or "")
            # "case of 10 boxes of 50" is one pack of 500.
            is_inner = statement is _STATEMENTS[0] and inner_of == match.start()
            if is_inner:
                pieces.discard(product)
            product = count * product if is_inner else count
            pieces.add(product)
            inner_of = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
    # "1 pack" says how many packs are bought.
    pieces.discard(1)
    if len(pieces) != 1 or not 0 < (only := pieces.pop()) <= _MAX_PIECES:
        return None
    return PackSize(only, piece)


def _normalise_piece(text: str) -> str:
    return re.sub(r"\s", "", text).lower().replace(",", ".")


@lru_cache(maxsize=_CACHED_TEXTS)
def without_pack_size(text: str) -> str:
    """The text without what it states of its pack: the wording of the article itself."""
    for statement in _STATEMENTS:
        text = statement.sub(" ", text)
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class PackComparison:
    """For each candidate: `is_other` says that its wording states another pack than the query's; `log_ratio`
    is the ln of how many times its pieces the query's pack has, 0 where that says nothing about its price;
    `likeness` is how similar the wordings are but for the pack, 0 where its pack is the query's."""

    is_other: Flags
    log_ratio: Floats
    likeness: Floats


def compare_packs(
    query_row: Candidates,
    candidates: Candidates,
    frequencies: DocumentFrequencies,
    *,
    same_product: Flags,
    text_similarity: Floats,
) -> PackComparison | None:
    """Compare the packs of the related candidates that are the query's article otherwise; None where no pack
    is another. The price of a pack of pieces of another size, or of a product worded otherwise, says nothing
    about a piece: it is in another unit and stays as it is."""
    asked = read_pack_size(query_row.texts[0])
    if asked is None:
        return None
    related = (text_similarity >= RELATED_TEXT) | (len(candidates.texts) <= _FEW_TEXTS)
    texts: list[int] = np.unique(candidates.text[related]).tolist()
    sizes = {at: read_pack_size(candidates.texts[at]) for at in texts}
    others = {at: size for at, size in sizes.items() if size is not None and size != asked}
    if not others:
        return None
    article = without_pack_size(query_row.texts[0])
    articles = [without_pack_size(candidates.texts[at]) for at in others]
    alike = frequencies.similarities_to(article, articles)
    number = len(candidates.texts)
    likeness, ratios, states_another = np.zeros(number), np.zeros(number), np.zeros(number, dtype=np.bool_)
    for (at, size), similarity in zip(others.items(), alike.tolist(), strict=True):
        states_another[at] = True
        likeness[at] = similarity
        if similarity >= _SAME_ARTICLE and _are_same_pieces(size, asked):
            ratios[at] = log(asked.pieces / size.pieces)
    text = candidates.text
    is_other = states_another[text] & (same_product | (likeness[text] >= _SAME_ARTICLE))
    return PackComparison(is_other, ratios[text], np.where(is_other, likeness[text], 0.0))


def _are_same_pieces(one: PackSize, other: PackSize) -> bool:
    return not one.piece or not other.piece or one.piece == other.piece
