from datetime import UTC, datetime
from decimal import Decimal

from app.contract.overview import AgreedSum, OpenSum, OverviewFigures, SpentSum
from components.year_figures import draw_year_figures


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
    stake = OpenSum(currency="USD", records=3, amount=Decimal(205_960))
    due = [
        OpenSum(currency="GBP", records=1, amount=Decimal(7_800)),
        OpenSum(currency="USD", records=3, amount=Decimal(146_670), unpriced=1),
    ]
    since = datetime(2025, 3, 2, tzinfo=UTC)
    draw_year_figures(OverviewFigures(since=since, agreed=[agreed], at_stake=[stake], due=due, spent=[spent]))
