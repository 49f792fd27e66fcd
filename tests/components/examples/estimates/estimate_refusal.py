from components.estimates.verdict import draw_estimate_refusal


def example() -> None:
    draw_estimate_refusal(
        "No estimate: no comparable purchases in USD for Ledger Cloud. What would help: purchases from "
        "Ledgerworks in USD, including your own, or a second quote to compare with."
    )
