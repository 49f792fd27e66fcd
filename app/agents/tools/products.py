"""Which products and suppliers are on record."""

from typing import Annotated

from pydantic import Field

from app.agents.lookup import Found, find_hits
from app.agents.tool import AgentCaller, Arguments, Link, Tool, ToolAnswer, cut, fit
from app.contract.model import Wire

SHOWN_LINKS = 3


class Words(Arguments):
    words: Annotated[
        str, Field(min_length=2, max_length=200, description="Words of the product's or supplier's name.")
    ]
    skip: Annotated[int, Field(ge=0, le=20, description="How many to leave out that you have seen.")] = 0


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
    more: bool | None = None


async def _find(caller: AgentCaller, given: Words) -> ToolAnswer:
    everything = await find_hits(caller, "product", given.words)
    found = [
        FoundProduct(
            product_id=hit.id, name=cut(hit.name, 80), supplier=cut(hit.detail, 60) if hit.detail else None
        )
        for hit in everything.hits
    ]

    def answer(shown: int) -> ToolAnswer:
        products = found[given.skip : given.skip + shown]
        record = FoundProducts(
            summary=_summarise(everything),
            products=products,
            not_shown=len(found) - len(products),
            more=everything.more or None,
        )
        return ToolAnswer(
            record, [Link("product", one.product_id, one.name) for one in products[:SHOWN_LINKS]]
        )

    return fit(answer, max(len(found) - given.skip, 0))


def _summarise(everything: Found) -> str:
    count = len(everything.hits)
    if not count:
        return "No product has all of these words. Try fewer words or the supplier's name."
    if everything.more:
        return f"More than {count} products have these words. Add words, such as the supplier's name."
    many = "1 product has" if count == 1 else f"{count} products have"
    return f"{many} these words. Use a productId with estimate_price; skip those that you have seen."


FIND_PRODUCTS = Tool(
    name="find_products",
    title="Find products",
    description="Finds products in the catalog by words of their name or their supplier's, with their ids.",
    arguments=Words,
    answers=FoundProducts,
    run=_find,
    operations=frozenset({"GET /v1/search"}),
)
