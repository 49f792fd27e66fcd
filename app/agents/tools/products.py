"""Which products and suppliers are on record."""

from typing import Annotated

from pydantic import Field

from app.agents.lookup import find_hits
from app.agents.results import Link, ToolAnswer, cut, fit
from app.agents.tool import AgentCaller, Arguments, Tool
from app.contract.model import Wire


class Words(Arguments):
    words: Annotated[
        str, Field(min_length=2, max_length=200, description="Words of the product's or supplier's name.")
    ]


class FoundProduct(Wire):
    """A product; its pricing dimensions and options are in the resource."""

    product_id: str
    name: str
    supplier: str | None = None


class FoundProducts(Wire):
    """The products that have all the words, the best first."""

    summary: str
    products: list[FoundProduct]
    not_shown: int = 0


async def _find(caller: AgentCaller, given: Words) -> ToolAnswer:
    hits = await find_hits(caller, "product", given.words)
    found = [
        FoundProduct(
            product_id=hit.id, name=cut(hit.name, 80), supplier=cut(hit.detail, 60) if hit.detail else None
        )
        for hit in hits
    ]

    def answer(shown: int) -> ToolAnswer:
        products = found[:shown]
        many = "1 product has" if len(found) == 1 else f"{len(found)} products have"
        summary = (
            f"{many} these words. Use a productId with estimate_price."
            if found
            else "No product has all of these words. Try fewer words or the supplier's name."
        )
        record = FoundProducts(summary=summary, products=products, not_shown=len(found) - shown)
        return ToolAnswer(record, [Link("product", one.product_id, one.name) for one in products[:5]])

    return fit(answer, len(found))


FIND_PRODUCTS = Tool(
    name="find_products",
    title="Find products",
    description="Finds products in the catalog by words of their name or their supplier's, with their ids.",
    arguments=Words,
    answers=FoundProducts,
    run=_find,
    operations=frozenset({"GET /v1/search"}),
)
