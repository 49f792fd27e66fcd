from components.savings import (
    draw_agreed_prices,
    draw_savings_by_month,
    draw_savings_sums,
    draw_savings_total,
)
from tests.components.savings.fixtures import make_savings_report


def example() -> None:
    report = make_savings_report()
    draw_savings_total(report.total[0])
    draw_savings_by_month(report.by_month, key="example-savings-months")
    draw_savings_sums(report.by_month, "Month")
    draw_agreed_prices(report.negotiations)
