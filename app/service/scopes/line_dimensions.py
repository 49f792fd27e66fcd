"""Read the values of a product's pricing dimensions from a line. Pure.

No value is set that the line or its document does not state; a missing one that moves the price is asked for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, SelectField, SelectOption
from app.contract.money import format_count, join_words, lower_first
from app.service.catalog.line_match import LineMatch
from app.service.catalog.product_words import WordInText, find_words, split_words
from app.service.charges.months import list_payments
from app.service.documents.extraction import Extraction, LineItem
from app.service.documents.values.durations import SPAN, count_months
from app.service.scopes.terms import moves_price
from app.service.scopes.units import unit_words, units_agree
from app.service.stored_record import OMITTED, StoredNumber, StoredRecord
from app.service.values.folding import fold_text

ValueSource = Literal["read", "default", "unknown"]

MAX_LISTED_OPTIONS = 6
"""Options that a question names."""


@dataclass(frozen=True)
class ReadDimension(StoredRecord):
    """A dimension of a line's product: `value` as in a product term, `label` for a person, `words` from the
    line. There is a `question` where `source` is unknown and the dimension moves the price."""

    id: str
    name: str
    source: ValueSource
    value: Annotated[StoredNumber | str | None, OMITTED] = None
    label: Annotated[str | None, OMITTED] = None
    words: Annotated[str | None, OMITTED] = None
    moves_price: bool = False
    question: Annotated[str | None, Field(exclude=True)] = None


# Words in the name of a dimension that tell what it is about.
_TERM_WORDS = split_words(
    "term duration commitment laufzeit dauer vertragslaufzeit duree looptijd duracion plazo"
)
_BILLING_WORDS = split_words(
    "billing payment frequency zahlweise abrechnung facturation facturering facturacion"
)
_UNIT_WORDS = split_words("unit einheit unite eenheid unidad")
_BILLING_PERIOD_WORDS = {
    "annual": split_words("annual annually yearly jahrlich annuel jaarlijk anual year"),
    "monthly": split_words("monthly monatlich mensuel maandelijk mensual month"),
    "quarterly": split_words("quarterly quartalsweise trimestriel kwartaal trimestral quarter"),
    "upfront": split_words("upfront prepaid advance vorkasse comptant vooraf anticipado"),
}
_RANGE = re.compile(r"^\D*?(\d[\d.,]*)\s*(?:(?:[-–—]|to|bis|a|tot|up to)\s*(\d[\d.,]*)|(\+))\D*$")


def read_dimensions(line: LineItem, match: LineMatch, document: Extraction) -> list[ReadDimension]:
    """Read each dimension that applies; one that depends on a dimension which is not bought is left out."""
    text = line.description or ""
    words = _words_outside_name(find_words(text), match)
    values: dict[str, ReadDimension] = {}
    for dimension in match.dimensions:
        if not _applies(dimension, values):
            continue
        plain = ReadDimension(
            dimension.id,
            dimension.name,
            "unknown",
            moves_price=moves_price(dimension, match.quantity_dimension_id),
        )
        if dimension.id == match.quantity_dimension_id:
            read = _read_quantity(plain, dimension, line, text)
        else:
            read = _read_dimension(plain, dimension, line, text, words, document)
        values[dimension.id] = (
            read if read.source != "unknown" or read.moves_price else replace(read, question=None)
        )
    return list(values.values())


def _applies(dimension: PricingDimension, values: dict[str, ReadDimension]) -> bool:
    parent = dimension.depends_on.depends_on_dimension_id
    if dimension.depends_on.dependency != "inclusion" or parent is None or parent not in values:
        return True
    return values[parent].value not in {None, Decimal(0)}


def _read_quantity(
    plain: ReadDimension, dimension: PricingDimension, line: LineItem, text: str
) -> ReadDimension:
    label = dimension.form_field.label
    if line.quantity is not None and line.quantity > 0:
        if units_agree(line.unit, label):
            return replace(plain, source="read", value=line.quantity, words=_format_quantity(line))
        return replace(
            plain,
            words=_format_quantity(line),
            question=f"Which quantity ({label})? The line counts {_format_quantity(line)}.",
        )
    if counted := _number_beside(text, label):
        value, words = counted
        return replace(plain, source="read", value=value, words=words)
    return replace(plain, question=f"Which quantity ({label})? The line states none.")


def _read_dimension(
    plain: ReadDimension,
    dimension: PricingDimension,
    line: LineItem,
    text: str,
    words: Sequence[WordInText],
    document: Extraction,
) -> ReadDimension:
    field = dimension.form_field
    named = {word.word for word in find_words(dimension.name)}
    if isinstance(field, CheckboxField):
        at = _find_place(dimension.name, words)
        if at is not None:
            return replace(plain, source="read", value=Decimal(1), label="yes", words=text[slice(*at)])
        return replace(plain, source="default", value=Decimal(0), label="no")
    if isinstance(field, NumberField):
        if named & _TERM_WORDS and document.term_months is not None:
            lasts = list_payments(document.term_months)["year" in unit_words(field.label)]
            return _check_number(plain, field, lasts, format_count(document.term_months, "month"))
        beside = _number_beside(text, dimension.name) or _number_beside(text, field.label)
        if beside and beside[0] != line.quantity:
            return _check_number(plain, field, *beside)
        return replace(plain, question=f"How much {dimension.name} ({field.label})? The line does not say.")
    if named & _TERM_WORDS and document.term_months is not None:
        return _choose_option(plain, field, _find_options_of_length(field.options, document.term_months), "")
    if named & _BILLING_WORDS and document.billing is not None:
        billed = _BILLING_PERIOD_WORDS.get(document.billing, frozenset())
        options = [one for one in field.options if billed & {word.word for word in find_words(one.label)}]
        return _choose_option(plain, field, options, document.billing)
    if named & _UNIT_WORDS and line.unit and unit_words(line.unit):
        options = [one for one in field.options if unit_words(one.label) == unit_words(line.unit)]
        return _choose_option(plain, field, options, line.unit)
    return _read_option(plain, field, text, words, line)


def _read_option(
    plain: ReadDimension,
    field: SelectField,
    text: str,
    words: Sequence[WordInText],
    line: LineItem,
) -> ReadDimension:
    places = {
        option.value: at for option in field.options if (at := _find_place(option.label, words)) is not None
    }
    # `Business Plus` also holds the words of `Business`.
    outer = {
        value: at
        for value, at in places.items()
        if not any(at != other and other[0] <= at[0] and at[1] <= other[1] for other in places.values())
    }
    options = [option for option in field.options if option.value in outer]
    if len(options) == 1:
        return _choose_option(plain, field, options, text[slice(*outer[options[0].value])])
    if len(options) > 1:
        labels = join_words([option.label for option in options])
        return replace(plain, question=f"The line names {labels}: which {lower_first(plain.name)}?")
    ranged = [option for option in field.options if _covers(option.label, line.quantity)]
    if len(ranged) == 1 and all(_RANGE.match(option.label) for option in field.options):
        return _choose_option(plain, field, ranged, f"{line.quantity:f}")
    return _choose_option(plain, field, [], "")


def _choose_option(
    plain: ReadDimension, field: SelectField, options: Sequence[SelectOption], words: str
) -> ReadDimension:
    if len(options) == 1:
        [only] = options
        return replace(plain, source="read", value=only.value, label=only.label, words=words or only.label)
    if len(field.options) == 1:
        [only] = field.options
        return replace(plain, source="default", value=only.value, label=only.label)
    labels = [option.label for option in field.options]
    more = len(labels) - MAX_LISTED_OPTIONS
    named = [*labels[:MAX_LISTED_OPTIONS], f"{more} others"] if more > 0 else labels
    return replace(plain, question=f"Which {lower_first(plain.name)}: {join_words(named, 'or')}?")


def _check_number(plain: ReadDimension, field: NumberField, value: Decimal, words: str) -> ReadDimension:
    if (field.min is not None and value < field.min) or (field.max is not None and value > field.max):
        bounds = f"The line says {words}, which is out of range."
        return replace(plain, words=words, question=f"How much {plain.name}? {bounds}")
    return replace(plain, source="read", value=value, words=words)


def _find_options_of_length(options: Sequence[SelectOption], months: int) -> list[SelectOption]:
    def length(label: str) -> int | None:
        found = SPAN.search(fold_text(label))
        return count_months(found) if found else None

    return [option for option in options if length(option.label) == months]


def _number_beside(text: str, name: str) -> tuple[Decimal, str] | None:
    """Find a number with a unit or a name after it, or before it with a colon: `15 GB`, `Storage: 15`."""
    named = sorted((word for word in unit_words(name) if word.isalpha()), key=len, reverse=True)
    own = [word.word for word in find_words(name) if word.word.isalpha()]
    for word in dict.fromkeys([*own, *named]):
        name_form, number = rf"{re.escape(word)}\w{{0,3}}", r"(\d[\d,]*(?:\.\d+)?)"
        found = re.search(rf"{number}\s*{name_form}\b|\b{name_form}\s*[:=]\s*{number}", fold_text(text))
        if found:
            return Decimal((found[1] or found[2]).replace(",", "")), found[0].strip()
    return None


def _words_outside_name(words: Sequence[WordInText], match: LineMatch) -> list[WordInText]:
    """Return the line's words without those of the product's and its supplier's name: the name `Business
    Suite` does not choose the edition `Business`."""
    named = [word.word for word in (*find_words(match.product_name), *find_words(match.company_name))]
    left: list[WordInText] = []
    for word in words:
        if word.word in named:
            named.remove(word.word)
        else:
            left.append(word)
    return left


def _find_place(name: str, words: Sequence[WordInText]) -> tuple[int, int] | None:
    """Return start and end of the words of a name where they are next to each other in a line."""
    wanted = [word.word for word in find_words(name)]
    if not wanted:
        return None
    for start in range(len(words) - len(wanted) + 1):
        some = words[start : start + len(wanted)]
        if [word.word for word in some] == wanted:
            return some[0].start, some[-1].end
    return None


def _covers(label: str, quantity: Decimal | None) -> bool:
    found = _RANGE.match(label)
    if found is None or quantity is None:
        return False
    low = Decimal(found[1].replace(",", "").rstrip("."))
    high = Decimal(found[2].replace(",", "").rstrip(".")) if found[2] else None
    return low <= quantity and (high is None or quantity <= high)


def _format_quantity(line: LineItem) -> str:
    return f"{line.quantity:f} {line.unit}" if line.unit else f"{line.quantity:f}"


def list_questions(dimensions: Sequence[ReadDimension]) -> Iterator[str]:
    """List what must be answered before a price can be judged."""
    return (one.question for one in dimensions if one.question is not None)
