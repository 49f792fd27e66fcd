"""Descriptions of purchases, made by hand or read from a document: `/v1/scope`."""

from collections.abc import Iterator
from typing import Unpack

from ...contract.page import MAX_LIMIT, ListPage
from ...contract.scope import (
    ConfirmDocument,
    DocumentReading,
    NewScope,
    NewScopeFromDocument,
    PurchaseType,
    Scope,
    ScopeFromDocument,
    ScopeQuery,
)
from ..paging import iter_records
from ..reply import read_as
from ..request import Call, Upload, list_query
from .files import Content, as_upload
from .resource import Resource

_scope = read_as(Scope)
_scopes = read_as(ListPage[Scope])
_from_document = read_as(ScopeFromDocument)
_reading = read_as(DocumentReading)


class Scopes(Resource):
    """What is to be bought, for how long and at what price."""

    def get(self, scope_id: str) -> Scope:
        """A scope of the caller's organisation. NotFound for any other."""
        return self._ask(Call("GET", "/v1/scope/{}", (scope_id,), _scope))

    def create(self, scope: NewScope, *, idempotency_key: str | None = None) -> Scope:
        """Create a scope. BadRequest names each place that is wrong."""
        return self._ask(
            Call("POST", "/v1/scope", (), _scope, json=scope.wire(), idempotency_key=idempotency_key)
        )

    def from_document(
        self, file_url: str, *, purchase_type: PurchaseType | None = None, idempotency_key: str | None = None
    ) -> ScopeFromDocument:
        """Create a scope from a document, which is read in the background. `file_url` is the address of an
        uploaded file (`files.address`) or any http(s) address; `get` shows the progress in
        `document_processing`."""
        body = NewScopeFromDocument(file_url=file_url, purchase_type=purchase_type)
        return self._ask(
            Call(
                "POST",
                "/v1/scope/from-document",
                (),
                _from_document,
                json=body.wire(),
                idempotency_key=idempotency_key,
            )
        )

    def from_upload(
        self,
        content: Content,
        *,
        filename: str | None = None,
        mime_type: str | None = None,
        purchase_type: PurchaseType | None = None,
        idempotency_key: str | None = None,
    ) -> ScopeFromDocument:
        """Create a scope from a document that is sent with the call (an extension: a multipart `file`
        part)."""
        upload: Upload = as_upload(content, filename, mime_type)
        return self._ask(
            Call(
                "POST",
                "/v1/scope/from-document",
                (),
                _from_document,
                upload=upload,
                form={"purchaseType": purchase_type} if purchase_type else {},
                idempotency_key=idempotency_key,
            )
        )

    # Extensions: a deployment may lack them, see `openapi.offered_operations`.

    def list(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[ScopeQuery]
    ) -> ListPage[Scope]:
        """A page of the organisation's own scopes, newest first; `status` is that of a document's reading."""
        return self._ask(Call("GET", "/v1/scope", (), _scopes, query=list_query(query, limit, offset)))

    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[ScopeQuery]) -> Iterator[Scope]:
        """Every scope of the organisation, page by page."""
        return iter_records(
            lambda limit, offset: self.list(limit=limit, offset=offset, **query), page_size=page_size
        )

    def document(self, scope_id: str) -> DocumentReading:
        """Every value read from the scope's document, with its page, box and confidence, and the warnings."""
        return self._ask(Call("GET", "/v1/scope/{}/document", (scope_id,), _reading))

    def confirm_document(
        self, scope_id: str, confirmed: ConfirmDocument, *, idempotency_key: str | None = None
    ) -> Scope:
        """Create the scope that follows a document's, with every line as a person confirmed it. BadRequest
        names each place that is wrong."""
        return self._ask(
            Call(
                "POST",
                "/v1/scope/{}/document/confirm",
                (scope_id,),
                _scope,
                json=confirmed.wire(),
                idempotency_key=idempotency_key,
            )
        )

    def document_page(self, scope_id: str, page: int) -> bytes:
        """A page of the scope's document as a PNG; pages count from 1."""
        return self._ask(
            Call(
                "GET",
                "/v1/scope/{}/document/pages/{}",
                (scope_id, page),
                lambda answer: answer.body,
                accept="image/png",
            )
        )
