"""Classify a line of a quote: a product that can be estimated, something that costs and is no product, or a
product that the buyer leaves out. Pure; a person can change the result."""

import re
from dataclasses import dataclass

from app.contract.scope import LineRole, LineTag
from app.service.documents.extraction import LineItem
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.lexicon.vocabulary import DISCOUNT
from app.service.scopes.units import SERVICE_UNITS, find_period, unit_words
from app.service.values.folding import fold_text


@dataclass(frozen=True)
class LineClass:
    """The class of a line. `reason` is a sentence, None for a plain product; `recurring` is None where
    unknown. A text, a tax or a sum of other lines does not add to the quote's total, which is before tax."""

    role: LineRole
    reason: str | None = None
    recurring: bool | None = None
    adds_to_total: bool = True


_WORDS = WORDS.line_roles
# The whole line must match: `SMS Delivery & Authentication` is no delivery.
_SHIPPING = re.compile(
    rf"^(?:{_WORDS.shipping_before} )*{_WORDS.shipping}(?:[ ,:/&+-]+{_WORDS.shipping_after})*"
    rf"(?: {_WORDS.shipping_to} .{{2,40}})?$"
)
_RATE = r"\d+(?:[.,]\d+)? ?%"
_TAX = re.compile(rf"^(?:{_RATE} )?{_WORDS.tax}(?: (?:{_WORDS.rate_at} )?{_RATE})?$")
_ROUNDING = re.compile(rf"^{_WORDS.rounding}\b")
_SUM = re.compile(rf"^{_WORDS.sum}\b")
_SERVICES, _CHARGES = phrase(_WORDS.service), phrase(_WORDS.charge)
_ONCE, _RECURRING = phrase(_WORDS.once), phrase(_WORDS.recurring)


LATER_STEP = "It is another step of a price: the quantity that is bought decides which one holds."
OF_TAX = "It is a tax."
OF_PRICE_LIST = "It is a price of a list: choose it as a product, and how many, where it is bought."


def classify_line(line: LineItem, *, matched: bool, is_price_list: bool = False) -> LineClass:
    """Classify a line. `matched` says whether it was found to be a product of the catalog, `is_price_list`
    that the document asks for nothing: what is bought of it is to be chosen."""
    words = fold_text(line.description or "")
    units = unit_words(line.unit or "")
    if line.part_of is not None:
        reason = f"Its price is part of “{line.part_of}”."
        return LineClass("left_aside", reason, _is_recurring(line, words, units), adds_to_total=False)
    if line.optional:
        reason = "It is optional and not in any total of the quote."
        return LineClass("left_aside", reason, _is_recurring(line, words, units), adds_to_total=False)
    if line.amount is None and line.unit_price is None and line.quantity is None and not line.included:
        return LineClass("not_product", "It is a text without a price.", False, adds_to_total=False)
    if is_price_list:
        recurring = _is_recurring(line, words, units)
        return LineClass("left_aside", OF_PRICE_LIST, recurring, adds_to_total=False)
    if not matched and _SUM.match(words):
        return LineClass("not_product", "It is a sum of other lines.", False, adds_to_total=False)
    if line.amount is not None and line.amount < 0:
        return LineClass("not_product", "It is a credit or discount that reduces the price.", False)
    if not matched and _TAX.match(words):
        return LineClass("not_product", OF_TAX, False, adds_to_total=False)
    if not matched and (reason := _reason_no_product(line, words, units)):
        return LineClass("not_product", reason, False)
    if not matched and (line.included or line.amount == 0):
        return LineClass("left_aside", "It is included at no extra charge.", None)
    return LineClass("product", None, _is_recurring(line, words, units))


def list_tags(line: LineItem, recurring: bool | None) -> list[LineTag]:
    """List what a line is beside its role."""
    reduces = line.amount is not None and line.amount < 0
    is_discount = bool(DISCOUNT.search(fold_text(line.description or "")))
    tags: dict[LineTag, bool | None] = {
        "optional": line.optional and line.part_of is None,
        "alternative": line.alternative,
        "one_off": recurring is False and not reduces,
        "recurring": recurring,
        "included": line.included or line.part_of is not None,
        "credit": reduces and not is_discount,
        "discount": reduces and is_discount,
    }
    return [tag for tag, holds in tags.items() if holds]


def _reason_no_product(line: LineItem, words: str, units: frozenset[str]) -> str | None:
    if _SHIPPING.match(words):
        return "It is shipping or handling."
    if _ROUNDING.match(words):
        return "It is a rounding difference."
    if _is_service(line, words, units):
        return "It is a service: work that is done once or by the day."
    if _CHARGES.search(words):
        return "It is a charge, not a product."
    return None


def _is_service(line: LineItem, words: str, units: frozenset[str]) -> bool:
    if _has_service_unit(line, units):
        return True
    return bool(_SERVICES.search(words)) and line.period_months is None and not _RECURRING.search(words)


def _has_service_unit(line: LineItem, units: frozenset[str]) -> bool:
    return bool(units) and units <= SERVICE_UNITS and not find_period(line.unit)


def _is_recurring(line: LineItem, words: str, units: frozenset[str]) -> bool | None:
    """Return whether it is paid for a period; None where neither its table, its words nor its price tell."""
    if line.recurring is not None:
        return line.recurring
    if _ONCE.search(words) or _has_service_unit(line, units):
        return False
    if line.period_months is not None or find_period(line.unit) or _RECURRING.search(words):
        return True
    return False if _SERVICES.search(words) else None
