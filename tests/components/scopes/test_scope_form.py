"""The form builds its fields from the product and returns what was entered."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.components.catalog.fixtures import make_product

PRODUCT = make_product()
USERS, SSO, ADMINISTRATORS, SYNC = (dimension.id for dimension in PRODUCT.pricing_dimensions)


def form() -> None:
    import streamlit as st

    from components.scopes.scope_form import draw_scope_form, read_scope_form
    from tests.components.catalog.fixtures import make_product

    products = [make_product()]
    draw_scope_form(products, key="example-scope")
    typed = read_scope_form(products, key="example-scope")
    st.json({"months": typed.term_length, "quantities": typed.quantities})


def follow_up() -> None:
    from components.scopes.scope_form import draw_scope_form
    from tests.components.catalog.fixtures import make_product
    from tests.components.scopes.fixtures import make_scope

    draw_scope_form([make_product()], key="form", initial_scope=make_scope(term=36))


def drawn(script: Any) -> AppTest:
    app = AppTest.from_function(script, default_timeout=30).run()
    assert not app.exception
    return app


def field(ident: str) -> str:
    return f"example-scope/{PRODUCT.id}/dimension/{ident}"


def test_a_choice_that_hangs_on_a_tick_appears_with_it() -> None:
    app = drawn(form)
    assert field(SYNC) not in [box.key for box in app.selectbox]
    app.checkbox(key=field(SSO)).check().run()
    assert field(SYNC) in [box.key for box in app.selectbox]


def test_typed_values_are_returned() -> None:
    app = drawn(form)
    app.number_input(key=field(USERS)).set_value(250).run()
    app.number_input(key="example-scope/termLength").set_value(24).run()
    typed = json.loads(app.json[0].value)
    assert typed["months"] == 24
    assert typed["quantities"][PRODUCT.id][USERS] == 250


def test_a_follow_up_starts_from_what_was_bought() -> None:
    app = drawn(follow_up)
    assert app.number_input(key="form/termLength").value == 36
    assert app.number_input(key=f"form/{PRODUCT.id}/dimension/{USERS}").value == 120
    assert app.checkbox(key=f"form/{PRODUCT.id}/dimension/{SSO}").value is True
    assert app.number_input(key="form/finalPrice").value == 52_400, "what was quoted is kept"
