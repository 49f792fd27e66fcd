"""Two versions of a scope compared field by field."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from app.contract.money import format_quantity
from app.contract.scope import ProductTerm, Scope, ScopeTerm
from components.elements.table import draw_table
from components.formatting.counts import format_count
from components.scopes.scope_card import (
    describe_part,
    format_dimension_value,
    format_scope_money,
    name_purchase_type,
)

Change = Literal["same", "changed", "added", "removed"]


@dataclass(frozen=True)
class FieldDifference:
    """The texts of one field in both versions, "" where a version does not have it."""

    part: str
    field: str
    before: str
    after: str

    @property
    def change(self) -> Change:
        if self.before == self.after:
            return "same"
        return "changed" if self.before and self.after else "added" if self.after else "removed"


def compare_scopes(before: Scope, after: Scope, currency: str) -> list[FieldDifference]:
    """Return every field that either version has: terms first, products in the order of the later version."""
    return [
        FieldDifference(part, field, values[0], values[1])
        for (part, field), values in _align(
            _list_fields(before, currency), _list_fields(after, currency)
        ).items()
    ]


def _align(
    before: dict[tuple[str, str], str], after: dict[tuple[str, str], str]
) -> dict[tuple[str, str], tuple[str, str]]:
    places = [*after, *(place for place in before if place not in after)]
    order = {part: at for at, part in enumerate(dict.fromkeys(part for part, _ in places))}
    places.sort(key=lambda place: order[place[0]])
    return {place: (before.get(place, ""), after.get(place, "")) for place in places}


def _list_fields(scope: Scope, currency: str) -> dict[tuple[str, str], str]:
    fields: dict[tuple[str, str], str] = {}
    for at, term in enumerate(scope.scope_terms):
        part = "Terms" if at == 0 else f"Terms {at + 1}"
        fields[part, "Kind"] = name_purchase_type(term)
        fields[part, "Months"] = format_quantity(term.term_length)
        fields |= _list_prices(part, term, currency)
    for part, term in _name_products(scope.product_terms):
        for dimension in term.pricing_dimensions:
            fields[part, dimension.name] = format_dimension_value(dimension)
        if span := describe_part(term.first_month, term.months):
            fields[part, "Part of the term"] = span
        fields |= _list_prices(part, term, currency)
    return fields


def _list_prices(part: str, term: ScopeTerm | ProductTerm, currency: str) -> dict[tuple[str, str], str]:
    amounts = {"List price": term.list_price, "Quoted price": term.final_price}
    prices = {
        (part, name): format_scope_money(amount, currency)
        for name, amount in amounts.items()
        if amount is not None
    }
    if term.discount is not None:
        prices[part, "Discount"] = f"{format_quantity(term.discount)} %"
    return prices


def _name_products(terms: Sequence[ProductTerm]) -> list[tuple[str, ProductTerm]]:
    """Return each product with a name of its own: the second of the same name gets a number."""
    seen: dict[str, int] = {}
    named: list[tuple[str, ProductTerm]] = []
    for term in terms:
        count = seen[term.product_name] = seen.get(term.product_name, 0) + 1
        named.append((term.product_name if count == 1 else f"{term.product_name} ({count})", term))
    return named


def draw_scope_versions(before: Scope, after: Scope, currency: str, *, key: str) -> None:
    """Draw a table of the fields that differ, or of all fields where the reader asks for them."""
    differences = compare_scopes(before, after, currency)
    changed = [difference for difference in differences if difference.change != "same"]
    show_all = st.toggle("Show unchanged fields", key=f"{key}-all")
    if not changed and not show_all:
        st.info("The two versions are the same.", icon=":material/equal:")
        return
    draw_table(
        [
            {
                "Part": difference.part,
                "Field": difference.field,
                "Before": difference.before,
                "After": difference.after,
                "Change": difference.change,
            }
            for difference in (differences if show_all else changed)
        ],
        key=key,
        alt=f"{format_count(len(changed), 'difference')} between the two versions",
        columns={
            name: st.column_config.TextColumn() for name in ("Part", "Field", "Before", "After", "Change")
        },
    )
