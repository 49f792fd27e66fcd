"""Turn what was read from a document into a scope, and propose the catalog entry that a line would become:
its words without those about this purchase. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import cast

from app.contract.money import format_money, format_quantity
from app.contract.scope import ProposedDimension, ProposedEntry, PurchaseType
from app.contract.values import MAX_AMOUNT, json_number
from app.service.catalog.line_match import LineMatch, MatchedDocument, MatchedLine
from app.service.catalog.names import name_key, shorten
from app.service.catalog.product_words import find_words, is_edition
from app.service.charges.charge import round_stated
from app.service.documents.extraction import Extraction, LineItem
from app.service.documents.lexicon.languages import WORDS
from app.service.scopes.line_dimensions import ReadDimension, list_questions, read_dimensions
from app.service.scopes.line_roles import LATER_STEP, OF_TAX, LineClass, classify_line, list_tags
from app.service.scopes.quote import GIVES_BACK, NO_CURRENCY, QuoteLine
from app.service.scopes.scope_documents import ExtractedScope
from app.service.scopes.stored_reading import LineInterpretation, StoredMatch, build_reading
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm, TermDimension
from app.service.scopes.units import unit_words
from app.service.scopes.whole_term import WholeTerm, compute_whole_term

ROUNDING = Decimal("0.05")

UNKNOWN_TAX = "Its price includes a tax whose rate is not stated: what is it before tax?"

UNKNOWN_PART = "The document does not say for which part of the term it is."

COUNTED_ONCE = (
    "The discount on the total is counted once: the document does not say that it is for each period."
)

DOCUMENT_TYPES = {"order_form": "order_form", "order": "order_form", "contract": "contract"}
"""The interface's document type for each kind of the reader; every other kind is `other`."""


@dataclass(frozen=True)
class InterpretedLine:
    """A line with its interpretation. `amount` is before tax, for the whole term; `amount_with_tax` is the
    one that holds a tax of an unknown rate; `dimensions` are those of the product that it was matched to.
    `first_month` and `months` are the part of the term that it is for, unless that is all of it;
    `is_part_unproved` says that it may be another."""

    index: int
    line: LineItem
    matched: MatchedLine
    classification: LineClass
    amount: Decimal | None
    amount_with_tax: Decimal | None = None
    dimensions: Sequence[ReadDimension] = ()
    first_month: int | None = None
    months: int | None = None
    is_part_unproved: bool = False

    @property
    def question(self) -> str | None:
        """What must be answered before its price can be judged; None for a line that is no part of the
        price."""
        costs = self.amount is None or self.amount > 0
        if self.classification.role != "product" or not costs:
            return None
        if self.amount_with_tax is not None:
            return UNKNOWN_TAX
        questions = [*list_questions(self.dimensions), *([self._ask_part()] if self.is_part_unproved else [])]
        return " ".join(questions) or self.matched.question

    def _ask_part(self) -> str:
        if self.first_month is None or self.months is None:
            return UNKNOWN_PART
        part = f"months {self.first_month + 1} to {self.first_month + self.months}"
        return f"{UNKNOWN_PART} Read as {part}; it may also be for the whole term."

    @property
    def bought(self) -> LineMatch | None:
        """The product, where the line becomes a term of the scope."""
        return self.matched.match if self.classification.role == "product" else None


def extract_scope(
    document: Extraction, matched: MatchedDocument, *, purchase_type: PurchaseType | None, currency: str
) -> ExtractedScope:
    """Build the scope that a document describes. `matched` is the document matched with the catalog;
    `currency` is used where the document names none."""
    is_matched = [found.match is not None for found in matched.lines]
    kinds = [
        classify_line(line, matched=is_known, is_price_list=document.kind == "price_list")
        for line, is_known in zip(document.line_items, is_matched, strict=True)
    ]
    kinds = _leave_steps_aside(document.line_items, kinds)
    whole = compute_whole_term(document, [kind.recurring for kind in kinds], is_matched)
    lines = [
        _interpret_line(index, line, found, kind, whole, document)
        for index, (line, found, kind) in enumerate(
            zip(document.line_items, matched.lines, kinds, strict=True)
        )
    ]
    currency = document.currency or currency
    bought = [one for one in lines if one.bought is not None]
    places = {one.index: at for at, one in enumerate(bought)}
    stated = document.total if document.net_total is None else document.net_total
    money = [GIVES_BACK] if stated is not None and stated < 0 else []
    money += _describe_too_large_discounts(document.line_items)
    warnings = [*money, *document.warnings, *whole.warnings]
    if document.currency is None:
        warnings.append(NO_CURRENCY)
    if document.minimum_total is not None:
        warnings.append(_describe_minimum(document, whole))
    adding = [one for one in lines if one.classification.adds_to_total]
    costs = sum((one.amount or Decimal(0) for one in adding), Decimal(0))
    total = whole.net_total(document)
    if whole.grows and total is not None and total + ROUNDING < costs:
        warnings.append(COUNTED_ONCE)
    if total is None and adding and all(one.amount is not None for one in adding):
        total = costs  # it prints no total, but all of which that is made
    taxes = sum(
        (one.amount or Decimal(0) for one in lines if one.classification.reason == OF_TAX), Decimal(0)
    )
    if total is not None and abs(total - costs - taxes) <= ROUNDING:
        total -= taxes  # a line of the table, that the total has too
    return ExtractedScope(
        currency=currency,
        document_type=DOCUMENT_TYPES.get(document.kind, "other"),
        scope_terms=[_build_scope_term(document, purchase_type, whole, _money(total, currency))],
        product_terms=[
            _build_product_term(one, one.bought, whole, currency) for one in bought if one.bought is not None
        ],
        reading=build_reading(
            document,
            warnings=warnings,
            term_warnings=whole.warnings,
            doubts=[*money, *whole.doubts],
            matches=[_match_record(_find_known(one, document)) for one in lines],
            understood=[_line_record(one, document, currency) for one in lines],
            supplier_match=matched.supplier.to_record(),
        ),
        quote_lines=[
            QuoteLine(
                index=one.index,
                description=one.line.description or f"Line {one.index + 1}",
                role=one.classification.role,
                amount=_round(one.amount, currency),
                amount_with_tax=_round(one.amount_with_tax, currency),
                recurring=one.classification.recurring,
                term=places.get(one.index),
                is_part_unproved=one.is_part_unproved,
            )
            for one in adding
        ],
    )


def _leave_steps_aside(lines: Sequence[LineItem], kinds: Sequence[LineClass]) -> list[LineClass]:
    """The classes of lines, where of the steps of one price the first stands for all."""
    seen: set[str] = set()
    classes: list[LineClass] = []
    for line, kind in zip(lines, kinds, strict=True):
        name = name_key(line.description or "")
        is_later = line.from_quantity is not None and name in seen
        if line.from_quantity is not None:
            seen.add(name)
        classes.append(replace(kind, role="left_aside", reason=LATER_STEP) if is_later else kind)
    return classes


def _describe_too_large_discounts(lines: Sequence[LineItem]) -> list[str]:
    """Say which discounts are more than the price of their line: of their own, or of the one that they name.
    A credit has no price that it is less than."""
    sentences: list[str] = []
    for number, line in enumerate(lines, 1):
        price = line.unit_price if line.list_unit_price is None else line.list_unit_price
        if line.amount is None or line.amount >= 0:
            continue
        before = (line.quantity or 0) * (price or 0)
        if before > 0 and before != -line.amount:
            sentences.append(
                f"Line {number} ({line.description}): its discount is more than its price of"
                f" {format_quantity(before)}, which leaves {format_quantity(line.amount)}: check it."
            )
            continue
        own = name_key(line.description or "")
        named = [one for one in lines if (one.amount or 0) > 0 and _is_named(one, own)]
        most = sum((one.amount or Decimal(0) for one in named), Decimal(0))
        if named and -line.amount > most:
            sentences.append(
                f"Line {number} ({line.description}): it takes off {format_quantity(-line.amount)}, more than"
                f" the {format_quantity(most)} of what it names: check it."
            )
    return sentences


def _is_named(line: LineItem, words: str) -> bool:
    """Whether the words, folded, name what a line is of."""
    name = name_key(line.description or "")
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) is not None


def _describe_minimum(document: Extraction, whole: WholeTerm) -> str:
    """Say what a minimum commitment makes of the total."""
    period, currency = document.minimum_months, document.currency or ""
    per = "" if period is None else {1: " a month", 12: " a year"}.get(period, f" for each {period} months")
    least = f"At least {format_money(document.minimum_total or 0, currency)}{per} is to be paid"
    shortfall = whole.find_shortfall(document)
    if shortfall is None:
        return f"{least}, and whether the total is more is not known: check it."
    if not shortfall:
        return f"{least}; the total is more."
    return f"{least}: the total counts with {format_money(shortfall, currency)} more than its lines cost."


def _interpret_line(
    index: int, line: LineItem, matched: MatchedLine, kind: LineClass, whole: WholeTerm, document: Extraction
) -> InterpretedLine:
    dimensions = read_dimensions(line, matched.match, document) if matched.match is not None else []
    first_month, months = whole.find_part(index)
    return InterpretedLine(
        index,
        line,
        matched,
        kind,
        amount=whole.amount(index, line.amount_before_tax),
        amount_with_tax=whole.amount(index, line.amount) if line.has_unknown_tax else None,
        dimensions=dimensions,
        first_month=line.first_month if first_month is None else first_month,
        months=months,
        is_part_unproved=index in whole.unproved,
    )


def _build_scope_term(
    document: Extraction, purchase_type: PurchaseType | None, whole: WholeTerm, total: Decimal | None
) -> StoredScopeTerm:
    return StoredScopeTerm(
        months=whole.months,
        term_assumed=whole.is_assumed or None,
        currency_assumed=document.currency is None or None,
        purchase_type=purchase_type or ("renewal" if document.is_renewal else "new_purchase"),
        auto_renew=document.auto_renew,
        start_date=document.start_date,
        end_date=document.end_date,
        final_price=total,
    )


def _build_product_term(
    one: InterpretedLine, match: LineMatch, whole: WholeTerm, currency: str
) -> StoredProductTerm:
    line = one.line
    discount = list_price = None
    if line.discount_percent is not None and 0 <= line.discount_percent <= 100:
        discount = line.discount_percent
        if line.list_unit_price is not None and line.unit_price and one.amount is not None:
            list_price = one.amount * line.list_unit_price / line.unit_price
    return StoredProductTerm(
        product_id=match.product_id,
        # Those that are known and bought, and those that must be asked for: they have no value.
        dimensions=tuple(
            TermDimension(each.id, each.value)
            for each in one.dimensions
            if (each.moves_price if each.value is None else each.source == "read" or each.value != 0)
        ),
        final_price=_money(one.amount, currency),
        list_price=_money(list_price, currency),
        discount=discount,
        months=one.months,
        first_month=one.first_month,
    )


def _round(value: Decimal | None, currency: str) -> Decimal | None:
    return None if value is None else round_stated(value, currency)


def _money(value: Decimal | None, currency: str) -> Decimal | None:
    """Round to the decimals of the currency; None for what cannot be a price."""
    return round_stated(value, currency) if value is not None and 0 <= value < MAX_AMOUNT else None


def _match_record(match: LineMatch | None) -> StoredMatch | None:
    if match is None:
        return None
    return {
        "productId": match.product_id,
        "productName": match.product_name,
        "score": round(match.score, 1),
        "matchedBy": match.matched_by,
    }


def _line_record(one: InterpretedLine, document: Extraction, currency: str) -> LineInterpretation:
    is_listed = document.kind == "price_list" and one.classification.role == "left_aside"
    is_product = one.classification.role == "product" or is_listed
    proposed = propose_entry(one.line) if is_product and _find_known(one, document) is None else None
    record = {
        "role": one.classification.role,
        "roleReason": one.classification.reason,
        "question": one.question,
        "recurring": one.classification.recurring,
        "termAmount": _term_amount(one, currency),
        "tags": list_tags(one.line, one.classification.recurring),
        "firstMonth": one.first_month,
        "months": one.months,
        "candidates": [candidate.to_record() for candidate in one.matched.candidates],
        "dimensions": [dimension.to_record() for dimension in one.dimensions],
        "proposed": None
        if proposed is None
        else proposed.model_dump(mode="json", by_alias=True, exclude_none=True),
    }
    return cast(LineInterpretation, {name: value for name, value in record.items() if value is not None})


def _find_known(one: InterpretedLine, document: Extraction) -> LineMatch | None:
    """Return the product that a line shows: what is bought, and what a price list has a price of."""
    return one.matched.match if document.kind == "price_list" else one.bought


def _term_amount(one: InterpretedLine, currency: str) -> int | float | None:
    """Return what the line adds to the quote: a sum of others adds nothing, one that may be bought besides
    what it would add."""
    if not one.classification.adds_to_total and one.classification.role == "not_product":
        return 0
    return None if one.amount is None else json_number(round_stated(one.amount, currency))


_EDITION = "Edition"
_MAX_NAME_LENGTH = 250
_COUNTING_UNITS = {"user", "employee", "member", "agent", "host", "device"}
"""By which products are bought."""

_WORDS = WORDS.entries
_PERIOD = rf"(?:\d{{1,3}}[ -]?{_WORDS.periods}|{_WORDS.frequencies})"
_TAIL = re.compile(
    rf"[\s,;:(\-–—|]+(?:{_WORDS.before_period}\s+)?(?:{_PERIOD}\s*{_WORDS.after_period}?"
    rf"|\d[\d.,]*\s*(?:x\s*)?(?:{_WORDS.named}\s+)?(?P<unit>[^\W\d_]+))[\s)]*$",
    re.IGNORECASE,
)
_HEAD = re.compile(rf"^\s*\d[\d.,]*\s*(?:x|×|{_WORDS.counted})\s+(?:{_WORDS.of}\s+)?", re.IGNORECASE)
_NAMED_EDITION = re.compile(
    rf"(?:\s*[-–—,:|(]\s*|\s+)(?:{_WORDS.editions}\b\s*(?P<colon>:)?\s*(?P<after>[^\W\d_]+\+?)"
    rf"|(?P<before>[^\W\d_]+\+?)\s+{_WORDS.editions}\b)\s*\)?",
    re.IGNORECASE,
)
_PARTED_EDITION = re.compile(r"(?:\s*[,:|(]\s*|\s+[-–—]\s+)(?P<word>[^\W\d_]+\+?)\s*\)?$")
_PRICE_PERIOD = re.compile(rf"\s*/\s*{_WORDS.price_periods}\b")


def propose_entry(line: LineItem) -> ProposedEntry | None:
    """Propose an entry; None for a line without words. An edition that is set apart (`Desk - Growth Edition`,
    `Desk (Team)`) becomes a dimension; one that is part of the name (`Desk Pro`) stays in it."""
    text = (line.description or "").split("\n")[0].strip()
    if not any(sign.isalpha() for sign in text):
        return None
    name = _HEAD.sub("", text)
    name, edition = _split_edition(_remove_tail(name))
    name = _remove_tail(name).strip(" ,;:-–—|(") or text
    return ProposedEntry(
        name=shorten(name, _MAX_NAME_LENGTH),
        unit=_read_unit(line),
        dimensions=[ProposedDimension(name=_EDITION, option=edition)] if edition else [],
    )


def _remove_tail(name: str) -> str:
    """Remove quantities and periods at the end: `Desk, 120 users, 12 months` is `Desk`."""
    while (match := _TAIL.search(name)) and name[: match.start()].strip():
        unit = match["unit"]
        # `8 vCPU` is part of a name.
        if unit is not None and not unit_words(unit) & _COUNTING_UNITS:
            break
        name = name[: match.start()]
    return name


def _split_edition(name: str) -> tuple[str, str | None]:
    match = _NAMED_EDITION.search(name)
    if match and name[: match.start()].strip():
        edition = match["after"] or match["before"]
        # `Standard Success Plan` is a plan, not the edition `Success`.
        if match["colon"] or _is_edition_word(edition):
            return name[: match.start()] + name[match.end() :], edition
    match = _PARTED_EDITION.search(name)
    if match and name[: match.start()].strip() and _is_edition_word(match["word"]):
        return name[: match.start()], match["word"]
    return name, None


def _is_edition_word(word: str) -> bool:
    return any(is_edition(one.word) for one in find_words(word))


def _read_unit(line: LineItem) -> str | None:
    """Return the unit in the singular, without the period of its price."""
    unit = _PRICE_PERIOD.split(line.unit or "")[0].strip()
    if not unit or not unit_words(unit):
        return None
    if unit.endswith("ies") and len(unit) > 4:
        return f"{unit[:-3]}y"
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") and not unit.endswith("ss") else unit
