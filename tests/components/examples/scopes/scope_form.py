from components.scopes.scope_form import draw_scope_form
from tests.components.catalog.fixtures import make_product


def example() -> None:
    draw_scope_form([make_product()], key="example-scope", faults={"termLength": "1 to 1200."})
