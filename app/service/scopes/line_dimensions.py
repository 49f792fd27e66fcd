"""What a line says of its product's pricing dimensions: pure. Nothing is set that the line or its document
does not say; what moves the price and is not said is asked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, SelectField, SelectOption
from app.service.catalog.line_match import LineMatch
from app.service.catalog.names import folded
from app.service.catalog.product_words import SpottedWord, spotted, words_in
from app.service.documents.extraction import Extraction, LineItem
from app.service.documents.values.durations import SPAN, count_months
from app.service.scopes.term_checks import moves_price
from app.service.scopes.units import unit_words, units_agree

Source = Literal["read", "default", "unknown"]

SHOWN_OPTIONS = 6
"""Options that a question names."""


@dataclass(frozen=True)
class ReadDimension:
    """A dimension of a line's product: `value` as in a product term and `label` what a person reads, `words`
    the line's own. `question` where `source` is unknown and it moves the price."""

    id: str
    name: str
    source: Source
    value: Decimal | str | None = None
    label: str | None = None
    words: str | None = None
    moves_price: bool = False
    question: str | None = None


# What a dimension is about, by its name.
_TERM = words_in("term duration commitment laufzeit dauer vertragslaufzeit duree looptijd duracion plazo")
_BILLING = words_in("billing payment frequency zahlweise abrechnung facturation facturering facturacion")
_UNIT = words_in("unit einheit unite eenheid unidad")
_BILLED = {
    "annual": words_in("annual annually yearly jahrlich annuel jaarlijk anual year"),
    "monthly": words_in("monthly monatlich mensuel maandelijk mensual month"),
    "quarterly": words_in("quarterly quartalsweise trimestriel kwartaal trimestral quarter"),
    "upfront": words_in("upfront prepaid advance vorkasse comptant vooraf anticipado"),
}
_RANGE = re.compile(r"^\D*?(\d[\d.,]*)\s*(?:(?:[-–—]|to|bis|a|tot|up to)\s*(\d[\d.,]*)|(\+))\D*$")


def read_dimensions(line: LineItem, match: LineMatch, document: Extraction) -> list[ReadDimension]:
    """One for each dimension that applies; those that need one which is not taken are left out."""
    text = line.description or ""
    words = _outside_name(spotted(text), match)
    found: dict[str, ReadDimension] = {}
    for dimension in match.dimensions:
        if not _applies(dimension, found):
            continue
        plain = ReadDimension(
            dimension.id,
            dimension.name,
            "unknown",
            moves_price=moves_price(dimension, match.quantity_dimension_id),
        )
        if dimension.id == match.quantity_dimension_id:
            read = _quantity(plain, dimension, line, text)
        else:
            read = _read(plain, dimension, line, text, words, document)
        found[dimension.id] = (
            read if read.source != "unknown" or read.moves_price else replace(read, question=None)
        )
    return list(found.values())


def _applies(dimension: PricingDimension, found: dict[str, ReadDimension]) -> bool:
    parent = dimension.depends_on.depends_on_dimension_id
    if dimension.depends_on.dependency != "inclusion" or parent is None or parent not in found:
        return True
    return found[parent].value not in {None, Decimal(0)}


def _quantity(plain: ReadDimension, dimension: PricingDimension, line: LineItem, text: str) -> ReadDimension:
    label = dimension.form_field.label
    if line.quantity is not None and line.quantity > 0:
        if units_agree(line.unit, label):
            return replace(plain, source="read", value=line.quantity, words=_counted(line))
        return replace(
            plain,
            words=_counted(line),
            question=f"Which quantity ({label})? The line counts {_counted(line)}.",
        )
    if counted := _number_beside(text, label):
        value, words = counted
        return replace(plain, source="read", value=value, words=words)
    return replace(plain, question=f"Which quantity ({label})? The line states none.")


def _read(
    plain: ReadDimension,
    dimension: PricingDimension,
    line: LineItem,
    text: str,
    words: Sequence[SpottedWord],
    document: Extraction,
) -> ReadDimension:
    field = dimension.form_field
    named = _name_words(dimension)
    if isinstance(field, CheckboxField):
        at = _place(dimension.name, words)
        if at is not None:
            return replace(plain, source="read", value=Decimal(1), label="yes", words=_cut(text, at))
        return replace(plain, source="default", value=Decimal(0), label="no")
    if isinstance(field, NumberField):
        if named & _TERM and document.term_months is not None:
            return _number(plain, field, *_term(field, document.term_months))
        beside = _number_beside(text, dimension.name) or _number_beside(text, field.label)
        if beside and beside[0] != line.quantity:
            return _number(plain, field, *beside)
        return replace(plain, question=f"How much {dimension.name} ({field.label})? The line does not say.")
    if named & _TERM and document.term_months is not None:
        return _chosen(plain, field, _of_term(field.options, document.term_months), "")
    if named & _BILLING and document.billing is not None:
        billed = _BILLED.get(document.billing, frozenset())
        options = [one for one in field.options if billed & {word.word for word in spotted(one.label)}]
        return _chosen(plain, field, options, document.billing)
    if named & _UNIT and line.unit and unit_words(line.unit):
        options = [one for one in field.options if unit_words(one.label) == unit_words(line.unit)]
        return _chosen(plain, field, options, line.unit)
    return _option(plain, field, text, words, line)


def _option(
    plain: ReadDimension,
    field: SelectField,
    text: str,
    words: Sequence[SpottedWord],
    line: LineItem,
) -> ReadDimension:
    places = {option.value: at for option in field.options if (at := _place(option.label, words)) is not None}
    # `Business Plus` also holds the words of `Business`.
    outer = {
        value: at
        for value, at in places.items()
        if not any(_within(at, other) for key, other in places.items() if key != value)
    }
    options = [option for option in field.options if option.value in outer]
    if len(options) == 1:
        at = outer[options[0].value]
        return _chosen(plain, field, options, _cut(text, at))
    if len(options) > 1:
        labels = _listed([option.label for option in options], "and")
        return replace(plain, question=f"The line names {labels}: which {_called(plain.name)}?")
    ranged = [option for option in field.options if _covers(option.label, line.quantity)]
    if len(ranged) == 1 and all(_RANGE.match(option.label) for option in field.options):
        return _chosen(plain, field, ranged, f"{line.quantity:f}")
    return _chosen(plain, field, [], "")


def _chosen(
    plain: ReadDimension, field: SelectField, options: Sequence[SelectOption], words: str
) -> ReadDimension:
    if len(options) == 1:
        [only] = options
        return replace(plain, source="read", value=only.value, label=only.label, words=words or only.label)
    if len(field.options) == 1:
        [only] = field.options
        return replace(plain, source="default", value=only.value, label=only.label)
    labels = [option.label for option in field.options]
    more = len(labels) - SHOWN_OPTIONS
    named = [*labels[:SHOWN_OPTIONS], f"{more} others"] if more > 0 else labels
    return replace(plain, question=f"Which {_called(plain.name)}: {_listed(named, 'or')}?")


def _number(plain: ReadDimension, field: NumberField, value: Decimal, words: str) -> ReadDimension:
    if (field.min is not None and value < field.min) or (field.max is not None and value > field.max):
        bounds = f"The line says {words}, which is out of bounds."
        return replace(plain, words=words, question=f"How much {plain.name}? {bounds}")
    return replace(plain, source="read", value=value, words=words)


def _term(field: NumberField, months: int) -> tuple[Decimal, str]:
    years = "year" in unit_words(field.label)
    return (Decimal(months) / 12 if years else Decimal(months)), f"{months} months"


def _of_term(options: Sequence[SelectOption], months: int) -> list[SelectOption]:
    def length(label: str) -> int | None:
        found = SPAN.search(folded(label))
        return count_months(found) if found else None

    return [option for option in options if length(option.label) == months]


def _number_beside(text: str, name: str) -> tuple[Decimal, str] | None:
    """A number with a unit or a name after it, or before it with a colon: `15 GB`, `Storage: 15`."""
    named = sorted((word for word in unit_words(name) if word.isalpha()), key=len, reverse=True)
    own = [word.word for word in spotted(name) if word.word.isalpha()]
    for word in dict.fromkeys([*own, *named]):
        name_form, number = rf"{re.escape(word)}\w{{0,3}}", r"(\d[\d,]*(?:\.\d+)?)"
        found = re.search(rf"{number}\s*{name_form}\b|\b{name_form}\s*[:=]\s*{number}", folded(text))
        if found:
            return Decimal((found[1] or found[2]).replace(",", "")), found[0].strip()
    return None


def _outside_name(words: Sequence[SpottedWord], match: LineMatch) -> list[SpottedWord]:
    """The line's words without those that are the product's or its supplier's name: a `Business Suite` is not
    thereby in its edition `Business`."""
    named = [word.word for word in (*spotted(match.product_name), *spotted(match.company_name))]
    left: list[SpottedWord] = []
    for word in words:
        if word.word in named:
            named.remove(word.word)
        else:
            left.append(word)
    return left


def _place(name: str, words: Sequence[SpottedWord]) -> tuple[int, int] | None:
    """Where the words of a name stand next to each other among a line's: the first and last sign."""
    wanted = [word.word for word in spotted(name)]
    if not wanted:
        return None
    for start in range(len(words) - len(wanted) + 1):
        some = words[start : start + len(wanted)]
        if [word.word for word in some] == wanted:
            return some[0].start, some[-1].end
    return None


def _within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _covers(label: str, quantity: Decimal | None) -> bool:
    found = _RANGE.match(label)
    if found is None or quantity is None:
        return False
    low = Decimal(found[1].replace(",", "").rstrip("."))
    high = Decimal(found[2].replace(",", "").rstrip(".")) if found[2] else None
    return low <= quantity and (high is None or quantity <= high)


def _name_words(dimension: PricingDimension) -> set[str]:
    return {word.word for word in spotted(dimension.name)}


def _called(name: str) -> str:
    return name if name.isupper() else name[:1].lower() + name[1:]


def _counted(line: LineItem) -> str:
    return f"{line.quantity:f} {line.unit}" if line.unit else f"{line.quantity:f}"


def _cut(text: str, at: tuple[int, int]) -> str:
    return text[at[0] : at[1]]


def _listed(names: Sequence[str], word: str) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def questions(dimensions: Sequence[ReadDimension]) -> Iterator[str]:
    """What is to be answered before a price can be judged."""
    return (one.question for one in dimensions if one.question is not None)
