from datetime import UTC, datetime
from decimal import Decimal

from app.contract.overview import AgreedSum, OverviewFigures, SpentSum
from components.overview.year_figures import draw_year_figures


def example() -> None:
    agreed = AgreedSum(
        currency="USD",
        sample=False,
        agreements=3,
        agreed=Decimal(118_260),
        measured=2,
        baseline=Decimal(131_400),
        saved=Decimal(13_140),
    )
    spent = SpentSum(currency="EUR", purchases=41, suppliers=7, amount=Decimal("84210.5"), without_term=2)
    draw_year_figures(OverviewFigures(since=datetime(2025, 3, 2, tzinfo=UTC), agreed=[agreed], spent=[spent]))
