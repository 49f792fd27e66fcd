"""The route that finds records by words."""

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, get_args

import sqlalchemy as sa
from fastapi import APIRouter, Query
from pydantic import BeforeValidator
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.overview import (
    DEFAULT_SEARCH_LIMIT,
    MAX_SEARCH_LENGTH,
    MAX_SEARCH_LIMIT,
    MIN_SEARCH_LENGTH,
    SearchGroup,
    SearchHit,
    SearchKind,
    SearchResults,
)
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.database.search_index import FoundEntry, SearchText, find_entries, read_search_text
from app.service.database.tables import agreement, negotiation, scope
from app.service.database.visibility import counted
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import bad_request
from app.service.http.query_parameters import check_digits
from app.service.http.responses import NO_STORE, json_response

router = APIRouter(prefix="/v1/search", tags=["Search"], route_class=GuardedRoute)

SearchWords = Annotated[
    str,
    Query(
        alias="q",
        min_length=MIN_SEARCH_LENGTH,
        max_length=MAX_SEARCH_LENGTH,
        description="Words of a name, a domain, or a number, in any order; case, accents and marks do not "
        "matter. A word is found by its beginning.",
    ),
]
SearchLimit = Annotated[
    int,
    BeforeValidator(check_digits),
    Query(
        ge=1,
        le=MAX_SEARCH_LIMIT,
        description=f"At most so many of each kind; {DEFAULT_SEARCH_LIMIT} by default.",
        json_schema_extra={"minimum": 1, "maximum": MAX_SEARCH_LIMIT},
    ),
]


@router.get(
    "",
    **extension(
        "searchResults.read",
        "Find suppliers, products, scopes, negotiations, agreements and documents",
        SearchResults,
    ),
)
@counts_as(WorkKind.READ)
def search(
    words: SearchWords, context: ContextDep, caller: CallerDep, limit: SearchLimit = DEFAULT_SEARCH_LIMIT
) -> Response:
    """Returns what the caller may see and what has all words, by kind. First come those whose names begin
    with the text, then the newest scopes, negotiations, agreements and documents."""
    text = read_search_text(words)
    if len("".join(text.words)) < MIN_SEARCH_LENGTH:
        raise bad_request("q", f"must have at least {MIN_SEARCH_LENGTH} letters or digits")
    groups: list[SearchGroup] = []
    with context.database.reading() as connection:
        for kind in get_args(SearchKind):
            found = _find_counted(connection, caller.organisation_id, kind, text, limit + 1)
            if found:
                archived = _find_archived(connection, kind, found)
                hits = [_build_hit(kind, entry, archived) for entry in found[:limit]]
                groups.append(SearchGroup(kind=kind, hits=hits, more=len(found) > limit))
    return json_response(SearchResults(groups=groups), headers=NO_STORE)


_MARKED: Mapping[SearchKind, Sequence[sa.Table]] = {
    "scope": [scope],
    "document": [scope, negotiation],
    "negotiation": [negotiation],
    "agreement": [agreement],
}
"""The tables that mark the sample data among the records of a kind."""


def _find_counted(
    connection: Connection, organisation_id: str, kind: SearchKind, text: SearchText, most: int
) -> Sequence[FoundEntry]:
    """Return at most so many entries, without those of sample data beside real data."""
    asked = most
    while True:
        found = find_entries(connection, organisation_id, kind, text, asked)
        hidden = _find_uncounted(connection, organisation_id, kind, found)
        shown = [entry for entry in found if _find_owner(entry) not in hidden]
        if len(shown) >= most or len(found) < asked:
            return shown[:most]
        asked *= 2


def _find_uncounted(
    connection: Connection, organisation_id: str, kind: SearchKind, found: Sequence[FoundEntry]
) -> set[str]:
    """Return the ids of those among them, or of what their documents are of, that are sample data beside real
    data."""
    ids = [_find_owner(entry) for entry in found]
    hidden: set[str] = set()
    for table in _MARKED.get(kind, ()) if ids else ():
        uncounted = table.c.id.in_(ids), ~counted(table.c, organisation_id)
        hidden |= set(connection.scalars(sa.select(table.c.id).where(*uncounted)))
    return hidden


def _find_owner(entry: FoundEntry) -> str:
    return entry.negotiation_id or entry.record_id


def _find_archived(connection: Connection, kind: SearchKind, found: Sequence[FoundEntry]) -> set[str]:
    """Return the ids of the scopes among them, or of the scopes of the documents, that are archived."""
    if kind not in {"scope", "document"}:
        return set()
    ids = [entry.record_id for entry in found]
    return set(
        connection.scalars(sa.select(scope.c.id).where(scope.c.id.in_(ids), scope.c.archived_at.is_not(None)))
    )


def _build_hit(kind: SearchKind, entry: FoundEntry, archived: Collection[str]) -> SearchHit:
    is_of_scope = kind == "document" and entry.negotiation_id is None
    return SearchHit(
        id=entry.record_id,
        name=entry.title,
        detail=entry.detail or None,
        created_at=entry.created_at,
        scope_id=entry.record_id if is_of_scope else None,
        negotiation_id=entry.negotiation_id,
        archived=True if entry.record_id in archived else None,
    )
