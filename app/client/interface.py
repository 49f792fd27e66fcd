"""All subjects of the interface, called as one identity.

A subject is imported when it is first used: the records of all of them would nearly double the time that
`import parley_client` takes.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from .calls import CallRecord
from .errors import Answer
from .redaction import Headers
from .reply import read_as
from .request import Call
from .resources.resource import DispatcherT, Resource, operation

if TYPE_CHECKING:
    from .resources.access import Access
    from .resources.agent_calls import AgentCalls
    from .resources.agreements import Agreements
    from .resources.audit import Audit
    from .resources.catalog import Catalog
    from .resources.comments import Comments
    from .resources.files import Files
    from .resources.health import Health
    from .resources.imports import Imports
    from .resources.negotiations import Negotiations
    from .resources.overview import Overview
    from .resources.people import Keys, Members
    from .resources.pricing import Pricing
    from .resources.renewals import Renewals
    from .resources.sample import Sample
    from .resources.scopes import Scopes
    from .resources.search import Search
    from .resources.second_opinion import SecondOpinions
    from .resources.sign_in import SignIn
    from .resources.sourcing import Requirements
    from .resources.webhooks import Webhooks


@lru_cache(maxsize=4)
def _read_description(body: bytes) -> Mapping[str, object]:
    """Read a description once: it is long, and the same for everybody."""
    return read_as(Mapping[str, object])(Answer(200, Headers(), body))


class Interface(Resource[DispatcherT]):
    """The whole interface, with a resource for each of its subjects."""

    @cached_property
    def access(self) -> "Access[DispatcherT]":
        from .resources.access import Access

        return Access(self._dispatcher, self._credentials)

    @cached_property
    def agent_calls(self) -> "AgentCalls[DispatcherT]":
        from .resources.agent_calls import AgentCalls

        return AgentCalls(self._dispatcher, self._credentials)

    @cached_property
    def agreements(self) -> "Agreements[DispatcherT]":
        from .resources.agreements import Agreements

        return Agreements(self._dispatcher, self._credentials)

    @cached_property
    def comments(self) -> "Comments[DispatcherT]":
        from .resources.comments import Comments

        return Comments(self._dispatcher, self._credentials)

    @cached_property
    def audit(self) -> "Audit[DispatcherT]":
        from .resources.audit import Audit

        return Audit(self._dispatcher, self._credentials)

    @cached_property
    def keys(self) -> "Keys[DispatcherT]":
        from .resources.people import Keys

        return Keys(self._dispatcher, self._credentials)

    @cached_property
    def members(self) -> "Members[DispatcherT]":
        from .resources.people import Members

        return Members(self._dispatcher, self._credentials)

    @cached_property
    def renewals(self) -> "Renewals[DispatcherT]":
        from .resources.renewals import Renewals

        return Renewals(self._dispatcher, self._credentials)

    @cached_property
    def requirements(self) -> "Requirements[DispatcherT]":
        from .resources.sourcing import Requirements

        return Requirements(self._dispatcher, self._credentials)

    @cached_property
    def catalog(self) -> "Catalog[DispatcherT]":
        from .resources.catalog import Catalog

        return Catalog(self._dispatcher, self._credentials)

    @cached_property
    def search(self) -> "Search[DispatcherT]":
        from .resources.search import Search

        return Search(self._dispatcher, self._credentials)

    @cached_property
    def second_opinion(self) -> "SecondOpinions[DispatcherT]":
        from .resources.second_opinion import SecondOpinions

        return SecondOpinions(self._dispatcher, self._credentials)

    @cached_property
    def overview(self) -> "Overview[DispatcherT]":
        from .resources.overview import Overview

        return Overview(self._dispatcher, self._credentials)

    @cached_property
    def scopes(self) -> "Scopes[DispatcherT]":
        from .resources.scopes import Scopes

        return Scopes(self._dispatcher, self._credentials)

    @cached_property
    def pricing(self) -> "Pricing[DispatcherT]":
        from .resources.pricing import Pricing

        return Pricing(self._dispatcher, self._credentials)

    @cached_property
    def sign_in(self) -> "SignIn[DispatcherT]":
        from .resources.sign_in import SignIn

        return SignIn(self._dispatcher, self._credentials)

    @cached_property
    def webhooks(self) -> "Webhooks[DispatcherT]":
        from .resources.webhooks import Webhooks

        return Webhooks(self._dispatcher, self._credentials)

    @cached_property
    def negotiations(self) -> "Negotiations[DispatcherT]":
        from .resources.negotiations import Negotiations

        return Negotiations(self._dispatcher, self._credentials)

    @cached_property
    def files(self) -> "Files[DispatcherT]":
        from .resources.files import Files

        return Files(self._dispatcher, self._credentials)

    @cached_property
    def imports(self) -> "Imports[DispatcherT]":
        from .resources.imports import Imports

        return Imports(self._dispatcher, self._credentials)

    @cached_property
    def sample(self) -> "Sample[DispatcherT]":
        from .resources.sample import Sample

        return Sample(self._dispatcher, self._credentials)

    @cached_property
    def health(self) -> "Health[DispatcherT]":
        from .resources.health import Health

        return Health(self._dispatcher, self._credentials)

    @property
    def calls(self) -> list[CallRecord]:
        """The latest 200 calls of this identity, newest last."""
        return self._dispatcher.state.calls.of(self._credentials.fingerprint)

    @operation
    def openapi(self) -> Call[Mapping[str, object]]:
        """The OpenAPI description of the deployment; `offered_operations` reads it."""
        return Call(
            "GET",
            "/v1/openapi",
            (),
            lambda answer: _read_description(answer.body),
            identity="nobody",
            caches_body=True,
        )
