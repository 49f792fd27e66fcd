"""What was paid for a unit over time, on the pages of an agreement and of a supplier."""

from app.dashboard.agreements.same_purchases import draw_same_purchases
from app.dashboard.api import queries, renewal_queries
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.agreements.learned_lines import draw_learned_lines
from components.agreements.price_history import draw_price_history
from components.elements.empty_state import draw_empty_state


def has_price_history(deployment: Deployment) -> bool:
    """Whether the deployment tells it."""
    return queries.has_operation(deployment, "GET /v1/price-history")


def draw_price_history_tab(
    deployment: Deployment, *, agreement_id: str | None = None, company_id: str | None = None
) -> None:
    """Draw the history of an agreement or of a supplier, or say where it comes from."""
    with failure_panel("The prices paid over time"):
        if agreement_id is not None and queries.has_operation(deployment, "GET /v1/agreements/{}/purchases"):
            lines = renewal_queries.load_agreement_purchases(deployment, agreement_id)
            draw_learned_lines(lines)
            draw_same_purchases(deployment, agreement_id, lines)
        history = renewal_queries.load_price_history(deployment, agreement_id, company_id)
        if history.lines or history.doubts:
            draw_price_history(history, key="price-history")
        else:
            draw_empty_state(
                "No purchases of yours yet",
                "Lines of contracts with a product, a quantity and a price become purchases, as do imported"
                " orders.",
                icon="show_chart",
            )
