"""What a negotiation is to buy: term, quantities and chosen options of its scope."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from sqlalchemy import Connection

from app.contract.catalog import CheckboxField, FormField, NumberField, SelectField
from app.contract.money import format_exact_quantity
from app.service.charges.charge import convert_price
from app.service.purchases.own_purchases import find_one_time_products
from app.service.scopes.quote import compute_coverage
from app.service.scopes.quote_store import load_quote
from app.service.scopes.store import ScopeProduct, StoredScope, load_products
from app.service.scopes.terms import StoredProductTerm, as_number, find_months_of_part, find_quantity
from app.service.values.rounding import round_to_cents


@dataclass(frozen=True, slots=True)
class ChosenOption:
    """The chosen value of a pricing dimension, as a number and in words; `labels` name all values there
    are."""

    name: str
    value: Decimal
    label: str
    labels: Mapping[Decimal, str]


@dataclass(frozen=True, slots=True)
class ScopeRequirements:
    """What is to be bought: the term in months (None: not stated, or all of it `is_paid_once`), the
    quantities by product id (None: not stated), and by product and dimension the chosen option.
    `is_exclusive` says that a price for it is for these products and nothing else, `is_in_parts` that some is
    bought for a part of the term by itself, as one year of several: the quantities of a product's parts are
    added up, but nobody has so many at a time."""

    term_length: int | None
    quantities: Mapping[str, Decimal | None]
    options: Mapping[str, Mapping[str, ChosenOption]] = field(
        default_factory=dict[str, Mapping[str, ChosenOption]]
    )
    is_exclusive: bool = True
    is_in_parts: bool = False
    is_paid_once: bool = False

    @property
    def quantity(self) -> Decimal | None:
        """The quantity of the one product; None for several, whose units do not add up, for one that is
        bought in parts, and where the price is for something else too."""
        is_one = len(self.quantities) == 1 and self.is_exclusive and not self.is_in_parts
        return next(iter(self.quantities.values())) if is_one else None

    @property
    def unit(self) -> str:
        """What a unit price is for."""
        return "per unit" if self.is_paid_once else "per unit and month"

    def find_unit_price(self, amount: Decimal) -> Decimal | None:
        """Return a total as the price of one unit, for one month unless it is paid once; None where quantity
        or term is not known."""
        months = 1 if self.is_paid_once else self.term_length
        if not self.quantity or not months or self.quantity < 0:
            return None
        return round_to_cents(convert_price(amount / self.quantity, months))


def load_requirements(connection: Connection, scope: StoredScope) -> ScopeRequirements:
    terms, quantities = scope.product_terms, dict[str, Decimal | None]()
    products = load_products(connection, [term.product_id for term in terms], scope.organisation_id)
    for term in terms:
        known = products.get(term.product_id)
        amount = find_quantity(term, known.quantity_dimension_id) if known else None
        before = quantities.get(term.product_id, Decimal(0))
        quantities[term.product_id] = None if before is None or amount is None else before + amount
    # With several terms for one product it is unknown which of them an offer's line is for.
    single = {term.product_id: term for term in terms} if len(quantities) == len(terms) else {}
    is_paid_once = bool(quantities) and quantities.keys() <= find_one_time_products(
        connection, scope.organisation_id, quantities
    )
    return ScopeRequirements(
        None if is_paid_once else scope.stated_months,
        quantities,
        {key: read_chosen_options(term, products.get(key)) for key, term in single.items()},
        is_exclusive=not asks_for_more(connection, scope),
        is_in_parts=any(find_months_of_part(term, scope.months) is not None for term in terms),
        is_paid_once=is_paid_once,
    )


def asks_for_more(connection: Connection, scope: StoredScope) -> bool:
    """Whether the quote behind a scope has lines that cost and are none of the scope's products."""
    quote = load_quote(connection, scope)
    return quote is not None and bool(compute_coverage(quote, range(len(scope.product_terms))).uncovered)


def read_chosen_options(term: StoredProductTerm, known: ScopeProduct | None) -> dict[str, ChosenOption]:
    """Return what a product term chooses of the product's dimensions, besides the quantity."""
    values = term.values
    chosen: dict[str, ChosenOption] = {}
    for dimension in known.dimensions if known else ():
        given = values.get(dimension.id)
        number = None if given is None else as_number(given)
        if known is None or number is None or dimension.id == known.quantity_dimension_id:
            continue
        labels = label_values(dimension.form_field)
        label = labels.get(number, format_exact_quantity(number))
        chosen[dimension.id] = ChosenOption(dimension.name, number, label, labels)
    return chosen


def label_values(field: FormField) -> dict[Decimal, str]:
    """Return the names of a dimension's values; empty for one that is a number."""
    match field:
        case CheckboxField():
            return {Decimal(1): "yes", Decimal(0): "no"}
        case NumberField():
            return {}
        case SelectField():
            labels = {as_number(option.value): option.label for option in field.options}
            return {value: label for value, label in labels.items() if value is not None}
