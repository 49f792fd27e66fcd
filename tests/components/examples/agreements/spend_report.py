from components.agreements.portfolio import draw_spend_groups, draw_spend_total
from tests.components.agreements.fixtures import make_spend_group


def example() -> None:
    draw_spend_total(make_spend_group("All", 18_000))
    groups = [make_spend_group(), make_spend_group("Southgate", 6_000)]
    draw_spend_groups(groups, "Supplier", key="example-spend")
