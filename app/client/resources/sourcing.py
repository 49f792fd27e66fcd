"""Several quotes, one decision: `/v1/requirements`. All of it is an extension: a deployment may lack it, see
`openapi.offered_operations`."""

from ...contract.page import MAX_LIMIT, ListPage, ListQuery
from ...contract.sourcing import (
    Alignment,
    Matrix,
    NewRequirement,
    NewScenario,
    NewSourcingQuote,
    Requirement,
    RequirementChange,
    Scenario,
    SourcingQuote,
)
from ...contract.sourcing_award import Award, NewAward
from ...contract.sourcing_changes import RemovedQuote, SourcingQuoteChange
from ..paging import Listing, PagedList
from ..reply import FileContent
from ..request import Call, list_query
from .files import get_file
from .resource import DispatcherT, Resource, delete, get, iteration, operation, patch, post, put

_requirements = PagedList("/v1/requirements", ListPage[Requirement])


class Requirements(Resource[DispatcherT]):
    """What is to be bought, the quotes that answer it, and whom to award what."""

    @operation
    def list(self, *, limit: int | None = None, offset: int | None = None) -> Call[ListPage[Requirement]]:
        """A page of the organisation's requirements, the newest first."""
        return _requirements.page(ListQuery(), limit, offset)

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT) -> Listing[Requirement]:
        """Every requirement of the organisation, page by page."""
        return _requirements.all(ListQuery(), page_size)

    @operation
    def create(self, requirement: NewRequirement, *, idempotency_key: str | None = None) -> Call[Requirement]:
        """State what is to be bought."""
        return post("/v1/requirements", Requirement, body=requirement, key=idempotency_key)

    @operation
    def get(self, requirement_id: str) -> Call[Requirement]:
        """A requirement with its lines. NotFound for one of another organisation."""
        return get("/v1/requirements/{}", Requirement, requirement_id)

    @operation
    def update(self, requirement_id: str, change: RequirementChange) -> Call[Requirement]:
        """Change the fields that `change` was given."""
        return patch("/v1/requirements/{}", Requirement, requirement_id, body=change)

    @operation
    def list_quotes(
        self, requirement_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[SourcingQuote]]:
        """A page of the quotes of a requirement, the first that came first."""
        path, query = "/v1/requirements/{}/quotes", list_query({}, limit, offset)
        return get(path, ListPage[SourcingQuote], requirement_id, query=query)

    @operation
    def add_quote(
        self, requirement_id: str, quote: NewSourcingQuote, *, idempotency_key: str | None = None
    ) -> Call[SourcingQuote]:
        """Add a quote by hand, or from a scope. BadRequest names each place that is wrong."""
        return post(
            "/v1/requirements/{}/quotes", SourcingQuote, requirement_id, body=quote, key=idempotency_key
        )

    @operation
    def update_quote(
        self, requirement_id: str, quote_id: str, change: SourcingQuoteChange
    ) -> Call[SourcingQuote]:
        """Correct the fields that `change` was given. Conflict where the quote was awarded something."""
        path = "/v1/requirements/{}/quotes/{}"
        return patch(path, SourcingQuote, requirement_id, quote_id, body=change)

    @operation
    def remove_quote(self, requirement_id: str, quote_id: str) -> Call[RemovedQuote]:
        """Remove a wrong quote; its scope stays. Conflict where the quote was awarded something."""
        path = "/v1/requirements/{}/quotes/{}"
        return delete(path, RemovedQuote, requirement_id, quote_id)

    @operation
    def align(self, requirement_id: str, alignment: Alignment) -> Call[Matrix]:
        """Say which lines of quotes answer which lines of the requirement."""
        return put("/v1/requirements/{}/alignment", Matrix, requirement_id, body=alignment)

    @operation
    def matrix(self, requirement_id: str) -> Call[Matrix]:
        """The table: what each quote asks for each line."""
        return get("/v1/requirements/{}/matrix", Matrix, requirement_id)

    @operation
    def evidence_xlsx(self, requirement_id: str) -> Call[FileContent]:
        """The requirement, its quotes, their table, scenarios and decision: a workbook with formulas."""
        return get_file("/v1/requirements/{}/evidence.xlsx", requirement_id)

    @operation
    def evidence_html(self, requirement_id: str) -> Call[FileContent]:
        """The same as a page that prints."""
        return get_file("/v1/requirements/{}/evidence.html", requirement_id)

    @operation
    def evidence_pdf(self, requirement_id: str) -> Call[FileContent]:
        """The same as a PDF."""
        return get_file("/v1/requirements/{}/evidence.pdf", requirement_id)

    @operation
    def list_scenarios(
        self, requirement_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> Call[ListPage[Scenario]]:
        """A page of the scenarios of a requirement, the newest first."""
        path, query = "/v1/requirements/{}/scenarios", list_query({}, limit, offset)
        return get(path, ListPage[Scenario], requirement_id, query=query)

    @operation
    def create_scenario(
        self, requirement_id: str, scenario: NewScenario, *, idempotency_key: str | None = None
    ) -> Call[Scenario]:
        """Find the best award. Its status is `solving` where that takes long: read it again."""
        return post(
            "/v1/requirements/{}/scenarios", Scenario, requirement_id, body=scenario, key=idempotency_key
        )

    @operation
    def get_scenario(self, requirement_id: str, scenario_id: str) -> Call[Scenario]:
        """A scenario as it was solved."""
        return get("/v1/requirements/{}/scenarios/{}", Scenario, requirement_id, scenario_id)

    @operation
    def award(
        self, requirement_id: str, award: NewAward, *, idempotency_key: str | None = None
    ) -> Call[Award]:
        """Award the requirement by a scenario or by hand: negotiations start, or agreements are put on
        record."""
        return post("/v1/requirements/{}/award", Award, requirement_id, body=award, key=idempotency_key)
