"""What a scope asks for, as its row holds it: the terms of the purchase and its products. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, NotRequired, Self, TypedDict

from app.contract.scope import NewProductTerm, NewScopeTerm, PurchaseType
from app.contract.values import json_number
from app.service.charges.months import count_months


@dataclass(frozen=True, slots=True)
class StoredScopeTerm:
    """A term of the purchase. Money is the total before tax for the whole term, in the scope's currency;
    `discount` is a percentage of `list_price`."""

    months: int
    purchase_type: PurchaseType
    auto_renew: bool | None = None
    start_date: date | None = None
    end_date: date | None = None
    list_price: Decimal | None = None
    discount: Decimal | None = None
    final_price: Decimal | None = None

    @classmethod
    def from_request(cls, term: NewScopeTerm) -> Self:
        return cls(
            months=int(term.term_length),
            purchase_type=term.purchase_type,
            auto_renew=term.auto_renew,
            start_date=term.start_date,
            end_date=term.end_date,
            list_price=term.list_price,
            discount=term.discount,
            final_price=term.final_price,
        )

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        return cls(
            months=int(record["termLength"]),
            purchase_type=record["purchaseType"],
            auto_renew=record.get("autoRenew"),
            start_date=_date(record.get("startDate")),
            end_date=_date(record.get("endDate")),
            list_price=_decimal(record.get("listPrice")),
            discount=_decimal(record.get("discount")),
            final_price=_decimal(record.get("finalPrice")),
        )

    def record(self) -> dict[str, Any]:
        """The term as JSON, without what is None; `from_record` reads it again."""
        return _without_none(
            {
                "termLength": self.months,
                "purchaseType": self.purchase_type,
                "autoRenew": self.auto_renew,
                "startDate": _iso(self.start_date),
                "endDate": _iso(self.end_date),
                "listPrice": _number(self.list_price),
                "discount": _number(self.discount),
                "finalPrice": _number(self.final_price),
            }
        )


class TermDimensionRecord(TypedDict):
    """A dimension of a product term as JSON."""

    id: str
    value: NotRequired[int | float | str]


@dataclass(frozen=True, slots=True)
class TermDimension:
    """A pricing dimension of a product term. `value` is a number or the value of a select's option; None
    where the document that the scope was read from does not say."""

    id: str
    value: Decimal | str | None = None

    @classmethod
    def from_record(cls, record: TermDimensionRecord) -> Self:
        value = record.get("value")
        return cls(record["id"], value if isinstance(value, str) else _decimal(value))

    def record(self) -> TermDimensionRecord:
        if self.value is None:
            return {"id": self.id}
        value = self.value
        return {"id": self.id, "value": value if isinstance(value, str) else json_number(value)}


@dataclass(frozen=True, slots=True)
class StoredProductTerm:
    """One product of the purchase with its pricing dimensions. Money and `discount` are as in
    `StoredScopeTerm`. `months` is how long it is bought for and `first_month` after how many months that
    begins, where a quote prices the years of the term by themselves."""

    product_id: str
    dimensions: Sequence[TermDimension] = ()
    start_date: date | None = None
    end_date: date | None = None
    list_price: Decimal | None = None
    discount: Decimal | None = None
    final_price: Decimal | None = None
    months: int | None = None
    first_month: int | None = None

    @classmethod
    def from_request(cls, term: NewProductTerm) -> Self:
        return cls(
            product_id=term.product_id,
            dimensions=tuple(TermDimension(one.id, one.value) for one in term.pricing_dimensions),
            start_date=term.start_date,
            end_date=term.end_date,
            list_price=term.list_price,
            discount=term.discount,
            final_price=term.final_price,
            months=term.months,
            first_month=term.first_month,
        )

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        return cls(
            product_id=record["productId"],
            dimensions=tuple(TermDimension.from_record(one) for one in record["pricingDimensions"]),
            start_date=_date(record.get("startDate")),
            end_date=_date(record.get("endDate")),
            list_price=_decimal(record.get("listPrice")),
            discount=_decimal(record.get("discount")),
            final_price=_decimal(record.get("finalPrice")),
            months=record.get("months"),
            first_month=record.get("firstMonth"),
        )

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

    def record(self) -> dict[str, Any]:
        """The term as JSON, without what is None; `from_record` reads it again."""
        return _without_none(
            {
                "productId": self.product_id,
                "pricingDimensions": [one.record() for one in self.dimensions],
                "startDate": _iso(self.start_date),
                "endDate": _iso(self.end_date),
                "listPrice": _number(self.list_price),
                "discount": _number(self.discount),
                "finalPrice": _number(self.final_price),
                "months": self.months,
                "firstMonth": self.first_month,
            }
        )


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


def _decimal(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def _number(value: Decimal | None) -> int | float | None:
    return None if value is None else json_number(value)


def _date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _without_none(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if value is not None}
