"""What a scope asks for, as its row holds it: the terms of the purchase and its products. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Annotated, Self

from pydantic import AfterValidator, Field

from app.contract.catalog import CheckboxField, NumberField, PricingDimension, SelectField
from app.contract.scope import DimensionValue, NewProductTerm, NewScopeTerm, PurchaseType
from app.service.catalog.product_words import find_words, split_words
from app.service.charges.months import count_months
from app.service.http.problems import InvalidField
from app.service.stored_record import OMITTED, StoredNumber, StoredRecord


@dataclass(frozen=True, slots=True)
class StoredScopeTerm(StoredRecord):
    """A term of the purchase. Money is the total before tax for the whole term, in the scope's currency;
    `discount` is a percentage of `list_price`; `currency_assumed` says that nobody has said the currency."""

    months: Annotated[int, Field(alias="termLength")]
    purchase_type: PurchaseType
    term_assumed: Annotated[bool | None, OMITTED] = None
    currency_assumed: Annotated[bool | None, OMITTED] = None
    auto_renew: Annotated[bool | None, OMITTED] = None
    start_date: Annotated[date | None, OMITTED] = None
    end_date: Annotated[date | None, OMITTED] = None
    list_price: Annotated[StoredNumber | None, OMITTED] = None
    discount: Annotated[StoredNumber | None, OMITTED] = None
    final_price: Annotated[StoredNumber | None, OMITTED] = None

    @classmethod
    def from_request(cls, term: NewScopeTerm) -> Self:
        return cls.from_record(term.wire())


@dataclass(frozen=True, slots=True)
class TermDimension(StoredRecord):
    """A pricing dimension of a product term. `value` is a number or the value of a select's option; None
    where the document that the scope was read from does not say."""

    id: str
    value: Annotated[StoredNumber | str | None, OMITTED] = None


@dataclass(frozen=True, slots=True)
class StoredProductTerm(StoredRecord):
    """One product of the purchase with its pricing dimensions. Money and `discount` are as in
    `StoredScopeTerm`. `months` is how long it is bought for and `first_month` after how many months that
    begins, where a quote prices the years of the term by themselves."""

    product_id: str
    dimensions: Annotated[
        Sequence[TermDimension], Field(alias="pricingDimensions"), AfterValidator(tuple)
    ] = ()
    start_date: Annotated[date | None, OMITTED] = None
    end_date: Annotated[date | None, OMITTED] = None
    list_price: Annotated[StoredNumber | None, OMITTED] = None
    discount: Annotated[StoredNumber | None, OMITTED] = None
    final_price: Annotated[StoredNumber | None, OMITTED] = None
    months: Annotated[int | None, OMITTED] = None
    first_month: Annotated[int | None, OMITTED] = None

    @classmethod
    def from_request(cls, term: NewProductTerm) -> Self:
        return cls.from_record(term.wire())

    def with_own_months(self, months: int | None, first_month: int | None) -> Self:
        """The term with months of its own, unless it says itself when it is bought."""
        dated = self.start_date is not None and self.end_date is not None
        return (
            self
            if dated or self.months is not None
            else replace(self, months=months, first_month=first_month)
        )

    @property
    def own_months(self) -> int | None:
        """The months between its own dates where it has both, else those that it is priced for; None where it
        states neither."""
        if self.start_date is None or self.end_date is None:
            return self.months
        return count_months(self.start_date, self.end_date + timedelta(days=1))

    @property
    def values(self) -> dict[str, Decimal | str | None]:
        """The value of each dimension by its id."""
        return {one.id: one.value for one in self.dimensions}

    def buys_as(self, other: Self) -> bool:
        """Whether nothing that both state of a product differs: its quantity, edition or another option."""
        return self.product_id == other.product_id and all(
            value is None or stated is None or as_number(value) == as_number(stated)
            for key, stated in other.values.items()
            for value in [self.values.get(key)]
        )


def find_quantity(term: StoredProductTerm, counted: str | None) -> Decimal | None:
    """Return how many units of a product are bought, by the id of the dimension that counts them: 1 of a
    product that nothing counts, None where the term states none above 0."""
    if not counted:
        return Decimal(1)
    value = term.values.get(counted)
    number = None if value is None else as_number(value)
    return number if number is not None and number > 0 else None


def find_months(term: StoredProductTerm, scope_terms: Sequence[StoredScopeTerm]) -> int:
    """Return how many months a product is bought for: its own, else those of all terms of the scope."""
    return term.own_months or sum(one.months for one in scope_terms)


def find_months_of_part(term: StoredProductTerm, whole: int) -> int | None:
    """Return how many months a product is bought for by itself: one year of several, or between dates that
    are not those of the `whole` months of its scope. They stay, however long the term was agreed to be."""
    return None if term.months is None and term.own_months == whole else term.own_months


def leave_whole_dates(term: StoredProductTerm, whole: int) -> StoredProductTerm:
    """Return a product without its dates where they are those of the `whole` months of its scope, as for
    another term."""
    is_part = find_months_of_part(term, whole) is not None
    return term if is_part else replace(term, start_date=None, end_date=None)


def as_number(value: Decimal | str) -> Decimal | None:
    """Return a dimension's value as a number; None for a text that is none."""
    if isinstance(value, Decimal):
        return value
    try:
        number = Decimal(value)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


_EDITION_WORDS = split_words(
    "edition tier plan version level package variant ausgabe stufe paket tarif formule niveau versie editie"
    " pakket edicion nivel"
)
"""Words in the name of a choice between editions of a product."""


def check_product_terms(
    terms: Sequence[NewProductTerm],
    dimensions_of: Mapping[str, Sequence[PricingDimension]],
    scope_terms: Sequence[NewScopeTerm],
    prefix: str = "",
) -> list[InvalidField]:
    """Return every mistake, each with a JSON Pointer that starts with `prefix`. `dimensions_of` holds the
    dimensions of every product that exists."""
    return [
        wrong
        for index, term in enumerate(terms)
        for wrong in check_product_term(term, dimensions_of, scope_terms, f"{prefix}/productTerms/{index}")
    ]


def check_product_term(
    term: NewProductTerm,
    dimensions_of: Mapping[str, Sequence[PricingDimension]],
    scope_terms: Sequence[NewScopeTerm],
    at: str,
) -> Iterator[InvalidField]:
    """The same for one term, at the pointer `at`."""
    whole = sum(one.term_length for one in scope_terms)
    if (term.first_month or 0) + (term.months or 1) > whole:
        yield InvalidField(f"{at}/months", f"It ends after the {whole} months of the term.")
    if term.first_month and term.months is None:
        yield InvalidField(f"{at}/months", "It begins after the term does: say for how many months it is.")
    dimensions = dimensions_of.get(term.product_id)
    if dimensions is None:
        yield InvalidField(f"{at}/productId", "There is no such product.")
    else:
        yield from _check_dimensions(term.pricing_dimensions, dimensions, f"{at}/pricingDimensions")


def check_choices_made(
    term: NewProductTerm, dimensions: Sequence[PricingDimension], at: str
) -> Iterator[InvalidField]:
    """Yield choices that move the price and were not made, although they are optional. An optional number
    that is not given is 0."""
    given = {entry.id: (0, as_number(entry.value) or Decimal(0)) for entry in term.pricing_dimensions}
    for dimension in dimensions:
        field = dimension.form_field
        if not isinstance(field, SelectField) or dimension.id in given or field.required:
            continue
        if moves_price(dimension, None) and _applies(dimension, given):
            labels = ", ".join(option.label for option in field.options[:6])
            yield InvalidField(
                f"{at}/pricingDimensions",
                f"“{dimension.name}” ({dimension.id}) affects the price: choose one ({labels}), or leave the"
                " line out (left_aside).",
                dimension.id,
            )


def moves_price(dimension: PricingDimension, quantity_dimension_id: str | None) -> bool:
    """Return whether a price cannot be judged without the dimension: the quantity, a required one, one with
    an effect in past purchases, and a choice between editions. A checkbox that is not mentioned is
    unticked."""
    field = dimension.form_field
    if isinstance(field, CheckboxField):
        return dimension.price_impact_known
    names_edition = isinstance(field, SelectField) and any(
        word.word in _EDITION_WORDS for word in find_words(dimension.name)
    )
    return (
        dimension.id == quantity_dimension_id
        or field.required
        or dimension.price_impact_known
        or names_edition
    )


def _check_dimensions(
    given: Sequence[DimensionValue], dimensions: Sequence[PricingDimension], at: str
) -> Iterator[InvalidField]:
    known = {dimension.id: dimension for dimension in dimensions}
    values: dict[str, tuple[int, Decimal]] = {}
    for index, entry in enumerate(given):
        dimension = known.get(entry.id)
        if dimension is None:
            yield InvalidField(f"{at}/{index}/id", "The product has no such pricing dimension.")
            continue
        if entry.id in values:
            yield InvalidField(f"{at}/{index}/id", f"“{dimension.name}” appears twice.")
            continue
        number = as_number(entry.value)
        problem = "must be a number" if number is None else _explain_invalid(number, dimension)
        if problem is not None or number is None:
            yield InvalidField(f"{at}/{index}/value", f"“{dimension.name}” {problem}.")
            number = Decimal(1)
        values[entry.id] = (index, number)
    for dimension in dimensions:
        if dimension.form_field.required and dimension.id not in values and _applies(dimension, values):
            yield InvalidField(at, f"“{dimension.name}” ({dimension.id}) is required.", dimension.id)
    for dimension_id, (index, number) in values.items():
        problem = _explain_dependency(known[dimension_id], number, values, known)
        if problem is not None:
            yield InvalidField(f"{at}/{index}/value", problem)


def _explain_invalid(number: Decimal, dimension: PricingDimension) -> str | None:
    match dimension.form_field:
        case CheckboxField():
            return None if number in {0, 1} else "is a checkbox: 1, or 0"
        case SelectField(options=options):
            allowed = {as_number(option.value) for option in options}
            return None if number in allowed else "must be the value of one of its options"
        case NumberField(min=low, max=high):
            if low is not None and number < low:
                return f"must be at least {low.normalize():f}"
            if high is not None and number > high:
                return f"must be at most {high.normalize():f}"
            return None


def _applies(dimension: PricingDimension, values: Mapping[str, tuple[int, Decimal]]) -> bool:
    """Return whether the dimension applies: one that depends on another's inclusion does not without it."""
    parent = dimension.depends_on.depends_on_dimension_id
    if dimension.depends_on.dependency != "inclusion" or parent is None:
        return True
    return parent in values and values[parent][1] > 0


def _explain_dependency(
    dimension: PricingDimension,
    number: Decimal,
    values: Mapping[str, tuple[int, Decimal]],
    known: Mapping[str, PricingDimension],
) -> str | None:
    parent = dimension.depends_on.depends_on_dimension_id
    if parent is None or number == 0 or parent not in known:
        return None
    parent_number = values[parent][1] if parent in values else Decimal(0)
    if dimension.depends_on.dependency == "inclusion" and parent_number == 0:
        return f"“{dimension.name}” is only sold together with “{known[parent].name}”."
    # A ticked checkbox takes the other's quantity, whatever that is.
    is_bounded = not isinstance(dimension.form_field, CheckboxField)
    if dimension.depends_on.dependency == "quantity" and is_bounded and number > parent_number:
        return f"“{dimension.name}” cannot exceed “{known[parent].name}” ({parent_number.normalize():f})."
    return None
