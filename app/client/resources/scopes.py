"""Descriptions of purchases, made by hand or read from a document: `/v1/scope`."""

from collections.abc import Sequence
from typing import Unpack

from ...contract.comments import Owner
from ...contract.page import MAX_LIMIT
from ...contract.scope import (
    ConfirmDocument,
    DocumentReading,
    ListedLine,
    NewScope,
    NewScopeFromDocument,
    PurchaseType,
    Scope,
    ScopeFromDocument,
    TakeListPrices,
)
from ...contract.scope_list import ListedScope, ScopeChange, ScopePage, ScopeQuery
from ..paging import Listing, PagedList
from ..request import Call, Upload, list_query
from .files import Content, as_upload
from .resource import DispatcherT, Resource, get, iteration, operation, patch, post, post_only

_scopes = PagedList("/v1/scope", ScopePage)


class Scopes(Resource[DispatcherT]):
    """What is to be bought, for how long and at what price."""

    @operation
    def get(self, scope_id: str) -> Call[Scope]:
        """A scope of the caller's organisation. NotFound for any other."""
        return get("/v1/scope/{}", Scope, scope_id)

    @operation
    def create(self, scope: NewScope, *, idempotency_key: str | None = None) -> Call[Scope]:
        """Create a scope. BadRequest names each place that is wrong."""
        return post("/v1/scope", Scope, body=scope, key=idempotency_key)

    @operation
    def from_document(
        self, file_url: str, *, purchase_type: PurchaseType | None = None, idempotency_key: str | None = None
    ) -> Call[ScopeFromDocument]:
        """Create a scope from a document, which is read in the background. `file_url` is the address of an
        uploaded file (`files.address`) or any http(s) address; `get` shows the progress in
        `document_processing`."""
        body = NewScopeFromDocument(file_url=file_url, purchase_type=purchase_type)
        return post("/v1/scope/from-document", ScopeFromDocument, body=body, key=idempotency_key)

    @operation
    def from_upload(
        self,
        content: Content,
        *,
        filename: str | None = None,
        mime_type: str | None = None,
        purchase_type: PurchaseType | None = None,
        idempotency_key: str | None = None,
    ) -> Call[ScopeFromDocument]:
        """Create a scope from a document that is sent with the call (an extension: a multipart `file`
        part)."""
        upload: Upload = as_upload(content, filename, mime_type)
        return post(
            "/v1/scope/from-document",
            ScopeFromDocument,
            upload=upload,
            form={"purchaseType": purchase_type} if purchase_type else {},
            key=idempotency_key,
        )

    # Extensions: a deployment may lack them, see `openapi.offered_operations`.

    @operation
    def list(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[ScopeQuery]
    ) -> Call[ScopePage]:
        """A page of the organisation's own scopes, newest first, with how many there are of each status."""
        return get("/v1/scope", ScopePage, query=list_query(query, limit, offset))

    @iteration
    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[ScopeQuery]) -> Listing[ListedScope]:
        """Every scope of the organisation, page by page."""
        return _scopes.all(query, page_size)

    @operation
    def update(
        self,
        scope_id: str,
        *,
        name: str | None = None,
        archived: bool | None = None,
        without_name: bool = False,
        owners: Sequence[Owner] | None = None,
    ) -> Call[ListedScope]:
        """Give a scope a name, archive it, or take it back; what is left out stays as it is. `without_name`
        gives back the name that is made of supplier and products, and `owners` of `[]` names
        nobody. ValueError for a name that is blank, longer than 200 characters or more than a line."""
        change: dict[str, object] = {"name": name} if without_name or name is not None else {}
        if archived is not None:
            change["archived"] = archived
        if owners is not None:
            change["owners"] = [*owners] or None
        body = ScopeChange.model_validate(change)
        return patch("/v1/scope/{}", ListedScope, scope_id, body=body)

    @operation
    def document(self, scope_id: str) -> Call[DocumentReading]:
        """Every value read from the scope's document, with its page, box and confidence, and the warnings."""
        return get("/v1/scope/{}/document", DocumentReading, scope_id)

    @operation
    def confirm_document(
        self, scope_id: str, confirmed: ConfirmDocument, *, idempotency_key: str | None = None
    ) -> Call[Scope]:
        """Create the scope that follows a document's, with every line as a person confirmed it. BadRequest
        names each place that is wrong."""
        return post("/v1/scope/{}/document/confirm", Scope, scope_id, body=confirmed, key=idempotency_key)

    @operation
    def take_list_prices(
        self, scope_id: str, lines: Sequence[ListedLine], *, idempotency_key: str | None = None
    ) -> Call[None]:
        """Take the prices of these lines of a price list as list prices of their products, in the place of
        those that were taken from it before; `[]` takes them back. BadRequest names each line that states no
        price of a unit, Unprocessable says that the document is no price list."""
        body = TakeListPrices(lines=[*lines])
        return post_only("/v1/scope/{}/document/list-prices", scope_id, body=body, key=idempotency_key)

    @operation
    def document_page(self, scope_id: str, page: int) -> Call[bytes]:
        """A page of the scope's document as a PNG; pages count from 1."""
        return Call(
            "GET",
            "/v1/scope/{}/document/pages/{}",
            (scope_id, page),
            lambda answer: answer.body,
            accept="image/png",
        )
