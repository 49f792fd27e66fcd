"""Who may use an organisation's data: `/v1/keys` and `/v1/members`, extensions; see
`openapi.offered_operations`. All calls take the role admin."""

from collections.abc import Sequence
from datetime import datetime

from ...contract.access import Role
from ...contract.page import MAX_LIMIT, ListPage, ListQuery
from ...contract.people import ApiKey, EndedSessions, ErasedPerson, Member, NewKey, PersonalData, RevokedKey
from ..paging import AllRecords, PagedList
from ..request import Call
from .resource import DispatcherT, Resource, delete, get, iteration, operation, post

_keys = PagedList("/v1/keys", ListPage[ApiKey])
_members = PagedList("/v1/members", ListPage[Member])


class Keys(Resource[DispatcherT]):
    """The API keys of the organisation."""

    @operation
    def list(self, *, limit: int | None = None, offset: int | None = None) -> Call[ListPage[ApiKey]]:
        """A page of keys, those in use before those that were revoked, without the keys themselves."""
        return _keys.page(ListQuery(), limit, offset)

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT) -> AllRecords[ApiKey]:
        """Every key of the organisation, page by page."""
        return _keys.all(ListQuery(), page_size)

    @operation
    def create(
        self,
        name: str,
        role: Role,
        *,
        expires_at: datetime | None = None,
        networks: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> Call[ApiKey]:
        """Make a key, which works until `expires_at` and from `networks` alone where these are given. Only
        this answer has it: store it. Forbidden for a role above the caller's."""
        body = NewKey(name=name, role=role, expires_at=expires_at, networks=(*networks,) or None)
        return post("/v1/keys", ApiKey, body=body, key=idempotency_key)

    @operation
    def revoke(self, key_id: str) -> Call[RevokedKey]:
        """Revoke a key. NotFound for one that is not in use, Conflict for the last access of an owner."""
        return delete("/v1/keys/{}", RevokedKey, key_id)


class Members(Resource[DispatcherT]):
    """The people who sign in with the identity provider."""

    @operation
    def list(self, *, limit: int | None = None, offset: int | None = None) -> Call[ListPage[Member]]:
        """A page of people, by their names."""
        return _members.page(ListQuery(), limit, offset)

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT) -> AllRecords[Member]:
        """Every person of the organisation, page by page."""
        return _members.all(ListQuery(), page_size)

    @operation
    def sign_out(self, member_id: str) -> Call[EndedSessions]:
        """End all sessions of a person."""
        return delete("/v1/members/{}/sessions", EndedSessions, member_id)

    @operation
    def data(self, member_id: str) -> Call[PersonalData]:
        """All that is on record of a person, but for what documents and imported files say."""
        return get("/v1/members/{}/data", PersonalData, member_id)

    @operation
    def erase(self, member_id: str, *, idempotency_key: str | None = None) -> Call[ErasedPerson]:
        """Replace a person by a pseudonym for good, and end their access. Conflict for oneself, and for
        somebody who works in another organisation too."""
        path = "/v1/members/{}/erase"
        return post(path, ErasedPerson, member_id, key=idempotency_key)
