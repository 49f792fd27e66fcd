"""The tools, a file for each task. Of several with one name, a caller has the first that is for them."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.agents.tool import AgentCaller, Tool
from app.agents.tools.agreements import GET_AGREEMENT, LIST_RENEWALS
from app.agents.tools.estimates import ESTIMATE_PRICE
from app.agents.tools.products import FIND_PRODUCTS
from app.agents.tools.proposals import PROPOSE_DECISION
from app.agents.tools.quotes import CHECK_KNOWN_QUOTE, CHECK_QUOTE, CHECK_QUOTE_ON_DISK
from app.agents.tools.sourcing import COMPARE_QUOTES, RUN_AWARD_SCENARIO

TOOLS: Sequence[Tool[Any]] = (
    FIND_PRODUCTS,
    ESTIMATE_PRICE,
    CHECK_QUOTE_ON_DISK,
    CHECK_QUOTE,
    CHECK_KNOWN_QUOTE,
    LIST_RENEWALS,
    GET_AGREEMENT,
    COMPARE_QUOTES,
    RUN_AWARD_SCENARIO,
    PROPOSE_DECISION,
)


def tools_for(caller: AgentCaller) -> Mapping[str, Tool[Any]]:
    """The tools that the caller's deployment can do and their key may, by name."""
    found: dict[str, Tool[Any]] = {}
    for tool in TOOLS:
        if tool.is_for(caller):
            found.setdefault(tool.name, tool)
    return found
