"""Scopes at a glance and side by side."""

from decimal import Decimal

import pytest

from app.contract.catalog import SelectField
from app.contract.scope import ProductTerm, ScopeDimension
from components.scopes import (
    compare_scopes,
    count_term_months,
    describe_rest,
    describe_term,
    get_option_labels,
    get_quoted_total,
    make_scope_title,
    name_change,
)
from tests.components.catalog.fixtures import make_product
from tests.components.scopes.fixtures import make_scope


def test_versions_name_every_field_that_differs() -> None:
    changes = {
        (part, field): (before, after)
        for part, field, before, after in compare_scopes(make_scope(), make_scope(users=90, term=36), "USD")
        if before != after
    }
    assert changes == {("Terms", "Months"): ("12", "36"), ("Ledger Cloud", "Users"): ("120", "90")}


def test_a_product_that_was_dropped_is_removed_and_one_that_came_is_added() -> None:
    before = make_scope()
    other = before.product_terms[0].model_copy(update={"product_name": "Ledger Cloud Plus"})
    after = before.model_copy(update={"product_terms": [other]})
    changes = {part: name_change(*texts) for part, _, *texts in compare_scopes(before, after, "USD")}
    assert changes == {"Terms": "same", "Ledger Cloud Plus": "added", "Ledger Cloud": "removed"}


def test_a_product_bought_twice_is_compared_twice() -> None:
    once = make_scope()
    twice = once.model_copy(update={"product_terms": once.product_terms * 2})
    parts = {part: name_change(*texts) for part, _, *texts in compare_scopes(once, twice, "USD")}
    assert parts["Ledger Cloud (2)"] == "added"
    assert parts["Ledger Cloud"] == "same"


def test_the_quote_is_that_of_the_terms_else_the_sum_of_all_products() -> None:
    quoted = make_scope(price=52_400)
    assert get_quoted_total(quoted) == 52_400
    [term], [bought] = quoted.scope_terms, quoted.product_terms
    unquoted = quoted.model_copy(update={"scope_terms": [term.model_copy(update={"final_price": None})]})
    assert get_quoted_total(unquoted) is None
    with_price = bought.model_copy(update={"final_price": Decimal(40_000)})
    without_price = bought.model_copy(update={"final_price": None})
    assert get_quoted_total(unquoted.model_copy(update={"product_terms": [with_price]})) == 40_000
    both = unquoted.model_copy(update={"product_terms": [with_price, without_price]})
    assert get_quoted_total(both) is None
    in_two_terms = quoted.model_copy(update={"scope_terms": [term, term]})
    assert (get_quoted_total(in_two_terms), count_term_months(in_two_terms)) == (104_800, 24)


@pytest.mark.parametrize(
    ("of_product", "said"),
    [
        (50_400, "USD 2,000 of it is for none of these products: a charge, or a line that is no product."),
        (53_400, "The prices of these products make USD 1,000 more than that."),
        (52_400, None),
        (Decimal("52399.95"), None),
        (None, None),
    ],
)
def test_what_of_the_quote_is_for_none_of_the_products_is_said(
    of_product: Decimal | int | None, said: str | None
) -> None:
    scope = make_scope(price=52_400)
    price = None if of_product is None else Decimal(of_product)
    [bought] = scope.product_terms
    products = [bought.model_copy(update={"final_price": price})]
    assert describe_rest(scope.model_copy(update={"product_terms": products}), "USD") == said


def test_a_scope_without_products_is_called_by_its_document_or_day() -> None:
    scope = make_scope().model_copy(update={"product_terms": []})
    assert make_scope_title(scope) == "Request of 2 Mar 2026"


@pytest.mark.parametrize(("months", "said"), [(12, "12 months"), (36, "3 years")])
def test_terms_read_as_a_sentence(months: int, said: str) -> None:
    words = describe_term(make_scope(term=months).scope_terms[0], "USD")
    assert words.startswith(f"New purchase, {said}")
    assert words.endswith("quoted USD 52,400")


def test_an_amount_without_a_known_currency_says_so() -> None:
    term = make_scope().scope_terms[0].model_copy(update={"list_price": Decimal(60_000)})
    words = describe_term(term)
    assert "list price 60,000 (currency not stated)" in words
    assert words.endswith("quoted 52,400 (currency not stated)")


def test_a_product_bought_in_two_editions_keeps_both_apart() -> None:
    product = make_product()
    [select] = [one for one in product.pricing_dimensions if isinstance(one.form_field, SelectField)]
    assert isinstance(select.form_field, SelectField)
    terms: list[ProductTerm] = []
    for option in select.form_field.options[:2]:
        chosen = ScopeDimension(id=select.id, name=select.name, value=option.value)
        terms.append(make_scope().product_terms[0].model_copy(update={"pricing_dimensions": [chosen]}))
    labels = [get_option_labels(term, product)[select.id] for term in terms]
    assert labels == [option.label for option in select.form_field.options[:2]]
