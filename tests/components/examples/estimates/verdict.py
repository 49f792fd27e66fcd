from components.estimates.verdict import draw_product_verdicts, draw_verdict
from tests.components.estimates.fixtures import make_coverage, make_product_explanation, make_verdict


def example() -> None:
    draw_verdict(make_verdict("accept"), "USD")
    draw_verdict(make_verdict("negotiate"), "USD", make_coverage())
    thin = "Only 3 purchases of the same product, edition and unit support the range; 5 are needed."
    draw_verdict(make_verdict("withheld", thin), "USD")
    first, second = make_product_explanation(), make_product_explanation()
    draw_product_verdicts([first, second], "USD")
