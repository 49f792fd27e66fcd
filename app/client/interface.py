"""All subjects of the interface, called as one identity.

A subject is imported when it is first used: the records of all of them would nearly double the time that
`import parley_client` takes.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from .calls import CallRecord
from .credentials import Credentials
from .dispatcher import Deadline
from .errors import Answer
from .redaction import Headers
from .reply import read_as
from .request import Call
from .resources.resource import DispatcherT, Resource, operation, subject

if TYPE_CHECKING:
    from .resources.agreements import Agreements, Renewals
    from .resources.catalog import Catalog
    from .resources.deployment import Health, Sample, SecondOpinions
    from .resources.files import Files, Imports
    from .resources.negotiations import Negotiations
    from .resources.overview import Comments, Overview, Search
    from .resources.people import Access, AgentCalls, Approvals, Audit, Keys, Members
    from .resources.pricing import Pricing
    from .resources.scopes import Scopes
    from .resources.sign_in import SignIn
    from .resources.sourcing import Requirements
    from .resources.webhooks import Webhooks


@lru_cache(maxsize=4)
def _read_description(body: bytes) -> Mapping[str, object]:
    """Read a description once: it is long, and the same for everybody."""
    return read_as(Mapping[str, object])(Answer(200, Headers(), body))


class Interface(Resource[DispatcherT]):
    """The whole interface, with a resource for each of its subjects, called as one identity over connections
    that others may share."""

    access: "Access[DispatcherT]" = subject("people")
    agent_calls: "AgentCalls[DispatcherT]" = subject("people")
    agreements: "Agreements[DispatcherT]" = subject()
    comments: "Comments[DispatcherT]" = subject("overview")
    approvals: "Approvals[DispatcherT]" = subject("people")
    audit: "Audit[DispatcherT]" = subject("people")
    keys: "Keys[DispatcherT]" = subject("people")
    members: "Members[DispatcherT]" = subject("people")
    renewals: "Renewals[DispatcherT]" = subject("agreements")
    requirements: "Requirements[DispatcherT]" = subject("sourcing")
    catalog: "Catalog[DispatcherT]" = subject()
    search: "Search[DispatcherT]" = subject("overview")
    second_opinion: "SecondOpinions[DispatcherT]" = subject("deployment")
    overview: "Overview[DispatcherT]" = subject()
    scopes: "Scopes[DispatcherT]" = subject()
    pricing: "Pricing[DispatcherT]" = subject()
    sign_in: "SignIn[DispatcherT]" = subject()
    webhooks: "Webhooks[DispatcherT]" = subject()
    negotiations: "Negotiations[DispatcherT]" = subject()
    files: "Files[DispatcherT]" = subject()
    imports: "Imports[DispatcherT]" = subject("files")
    sample: "Sample[DispatcherT]" = subject("deployment")
    health: "Health[DispatcherT]" = subject("deployment")

    def acting_for(
        self, credentials: Credentials, *, seconds: float | None = None
    ) -> "Interface[DispatcherT]":
        """A client of the same deployment over the same connections that calls as another identity. No
        identity is ever given what another one received. Calls that have not ended after `seconds`, counted
        from now and with all their tries, are given up (TimedOut)."""
        return Interface(replace(self._dispatcher, deadline=Deadline.after(seconds)), credentials)

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
