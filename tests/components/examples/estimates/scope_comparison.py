from decimal import Decimal

from components.estimates.scope_comparison import ComparedScope, draw_scope_comparison
from tests.components.estimates.fixtures import make_percentiles
from tests.components.fixtures import make_id


def example() -> None:
    estimate = make_percentiles()
    small = ComparedScope(
        make_id(1), "Ledger Cloud", estimate, "USD", "Edition Team", Decimal(80), "user", Decimal(12)
    )
    large = ComparedScope(
        make_id(2), "Ledger Cloud", estimate, "USD", "", Decimal(120), "user", Decimal(36), Decimal(52_400)
    )
    draw_scope_comparison([small, large], key="example-comparison")
