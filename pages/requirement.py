"""One requirement: its quotes side by side, which line answers which, and scenarios of awards."""

from functools import partial

from app.contract.sourcing import Requirement
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.kit.needs import Tab, draw_offered_tabs
from app.dashboard.kit.record_page import draw_record_page
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.signing_in import identity
from app.dashboard.sourcing.quote_addition import draw_evidence_downloads, draw_quotes, follow_reading
from app.dashboard.sourcing.quote_comparison import draw_alignment, draw_quote_comparison
from app.dashboard.sourcing.requirement_creation import draw_requirement_change
from app.dashboard.sourcing.scenarios import draw_scenarios
from components.elements.empty_state import draw_empty_state
from components.elements.page_header import draw_page_header
from components.elements.tabs import open_tab
from components.sourcing.requirements import describe_requirement
from components.sourcing.scenarios import draw_award

COMPARE, QUOTES, ALIGNMENT, SCENARIOS, CHANGE = "Compare", "Quotes", "Matching", "Scenarios", "Change"
TABS = "requirement-tab"

deployment = identity.require_deployment()
can_add = queries.has_operation(deployment, "POST /v1/requirements/{}/quotes")


def draw_comparison(one: Requirement) -> None:
    matrix = queries.load_matrix(deployment, one.id)
    if matrix.quotes:
        follow_reading(deployment, one.id)
        draw_quote_comparison(deployment, matrix)
    else:
        draw_empty_state(
            "No quotes yet",
            "Quotes that answer this requirement are compared here.",
            "view_column",
            action="Add a quote" if can_add else None,
            on_action=partial(open_tab, QUOTES, key=TABS),
            key="first-quote",
        )


def draw_scenarios_tab(one: Requirement) -> None:
    matrix = queries.load_matrix(deployment, one.id)
    if matrix.quotes:
        draw_scenarios(deployment, matrix, {TABS: SCENARIOS})
    else:
        draw_empty_state("No quotes yet", "Scenarios award what quotes answer: add a quote first.", "balance")


def draw_requirement(one: Requirement) -> None:
    navigation.draw_link("requirements", "All comparisons", icon="arrow_back")
    draw_page_header(one.name, caption=describe_requirement(one))
    draw_sample_notice(deployment, [one.id])
    if one.award is not None:
        draw_award(one.award, one.currency)
    tabs = {
        COMPARE: Tab(partial(draw_comparison, one), what="The table of quotes"),
        QUOTES: Tab(partial(draw_quotes, deployment, one), what="The quotes of this requirement"),
        ALIGNMENT: Tab(partial(draw_alignment, deployment, one), what="Which line answers which"),
        SCENARIOS: Tab(partial(draw_scenarios_tab, one), what="The scenarios of this requirement"),
        CHANGE: Tab(partial(draw_requirement_change, deployment, one), "PATCH /v1/requirements/{}"),
    }
    draw_offered_tabs(deployment, tabs, key=TABS)


draw_record_page(
    "comparison",
    icon="view_column",
    list_page="requirements",
    load=partial(queries.load_requirement, deployment),
    draw=draw_requirement,
    moment=lambda one: ("Stated", one.created_at),
    draw_last=lambda one: draw_evidence_downloads(deployment, one.id),
)
