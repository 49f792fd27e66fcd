"""What a scope asks for, as its row holds it: the terms of the purchase and its products. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Annotated, Self

from pydantic import AfterValidator, Field

from app.contract.scope import NewProductTerm, NewScopeTerm, PurchaseType
from app.service.charges.months import count_months
from app.service.stored_record import OMITTED, StoredNumber, StoredRecord


@dataclass(frozen=True, slots=True)
class StoredScopeTerm(StoredRecord):
    """A term of the purchase. Money is the total before tax for the whole term, in the scope's currency;
    `discount` is a percentage of `list_price`."""

    months: Annotated[int, Field(alias="termLength")]
    purchase_type: PurchaseType
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


def add_final_prices(terms: Sequence[StoredScopeTerm] | Sequence[StoredProductTerm]) -> Decimal | None:
    """Return what the terms cost together, before tax; None where one of them states no final price."""
    stated = [term.final_price for term in terms if term.final_price is not None]
    return sum(stated, Decimal(0)) if stated and len(stated) == len(terms) else None


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


def as_number(value: Decimal | str) -> Decimal | None:
    """Return a dimension's value as a number; None for a text that is none."""
    if isinstance(value, Decimal):
        return value
    try:
        number = Decimal(value)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
