"""Names to ids: an agent may say what a person would say."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.agents.tool import AgentCaller, Refusal, cut
from app.contract.catalog import Product
from app.contract.overview import MAX_SEARCH_LIMIT, MIN_SEARCH_LENGTH, SearchHit
from app.contract.values import UUID

SHOWN = 6


def is_id(text: str) -> bool:
    return UUID.fullmatch(text) is not None


@dataclass(frozen=True)
class Found:
    """What was found of one kind, and whether there is more of it."""

    hits: Sequence[SearchHit]
    more: bool


async def find_hits(caller: AgentCaller, kind: str, words: str) -> Found:
    """What of one kind has all the words. Refusal where they are too few to search for."""
    if len(words.strip()) < MIN_SEARCH_LENGTH:
        raise Refusal(f"Give at least {MIN_SEARCH_LENGTH} letters or digits to search for.")
    found = await caller.client.search.find(words.strip()[:200], limit=MAX_SEARCH_LIMIT)
    group = next((group for group in found.groups if group.kind == kind), None)
    return Found(group.hits, group.more) if group else Found([], False)


async def find_id(caller: AgentCaller, kind: str, said: str) -> str:
    """The id of the one record that is meant. Refusal names the candidates where there are several."""
    said = said.strip()
    if is_id(said):
        return said.lower()
    hits = (await find_hits(caller, kind, said)).hits
    exact = [
        hit for hit in hits if said.casefold() in {hit.name.casefold(), f"{hit.detail} {hit.name}".casefold()}
    ]
    for choice in (exact, hits):
        if len(choice) == 1:
            return choice[0].id
    if not hits:
        raise Refusal(
            f"No {kind} has all of the words {cut(said, 80)!r}. Try fewer or other words, or ask a person."
        )
    named = "; ".join(
        f"{cut(hit.name, 60)} ({cut(hit.detail or 'no supplier', 40)}): {hit.id}" for hit in hits[:SHOWN]
    )
    more = f" and {len(hits) - SHOWN} more" if len(hits) > SHOWN else ""
    raise Refusal(
        f"Several records of the kind {kind} match. Call again with one of these ids: {named}{more}."
    )


async def find_product(caller: AgentCaller, said: str) -> Product:
    """The one product that is meant."""
    return await caller.client.catalog.product(await find_id(caller, "product", said))
