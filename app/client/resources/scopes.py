"""Descriptions of purchases, made by hand or read from a document: `/v1/scope`."""

from collections.abc import Iterator
from typing import Unpack

from app.client.paging import each
from app.client.reply import record
from app.client.request import Call, Upload, list_query
from app.client.resources.files import Content, as_upload
from app.client.resources.resource import Resource
from app.contract.page import MAX_LIMIT, ListPage
from app.contract.scope import (
    ConfirmDocument,
    DocumentReading,
    NewScope,
    NewScopeFromDocument,
    PurchaseType,
    Scope,
    ScopeFromDocument,
    ScopeQuery,
)

_scope = record(Scope)
_scopes = record(ListPage[Scope])
_from_document = record(ScopeFromDocument)
_reading = record(DocumentReading)


class Scopes(Resource):
    """What is to be bought, for how long and at what price."""

    def get(self, scope_id: str) -> Scope:
        """A scope of the caller's organisation. NotFound for any other."""
        return self._ask(Call("GET", "/v1/scope/{}", (scope_id,), _scope))

    def create(self, scope: NewScope, *, idempotency_key: str | None = None) -> Scope:
        """Makes a scope. BadRequest names each place that is wrong."""
        return self._ask(
            Call("POST", "/v1/scope", (), _scope, json=scope.wire(), idempotency_key=idempotency_key)
        )

    def from_document(
        self, file_url: str, *, purchase_type: PurchaseType | None = None, idempotency_key: str | None = None
    ) -> ScopeFromDocument:
        """Has a document read into a scope: `file_url` is that of an uploaded file (`files.address`) or a
        foreign http(s) address. `get` tells how far the reading is, in `document_processing`."""
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
        """Has a document read that is sent along (an addition of ours: a multipart `file` part)."""
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

    # Additions of ours: a deployment may lack them, see `openapi.offered_operations`.

    def list(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[ScopeQuery]
    ) -> ListPage[Scope]:
        """A page of the organisation's own scopes, newest first; `status` is that of a document's reading."""
        return self._ask(Call("GET", "/v1/scope", (), _scopes, query=list_query(query, limit, offset)))

    def iter(self, *, page_size: int = MAX_LIMIT, **query: Unpack[ScopeQuery]) -> Iterator[Scope]:
        """Every scope of the organisation, page by page."""
        return each(lambda limit, offset: self.list(limit=limit, offset=offset, **query), page_size=page_size)

    def document(self, scope_id: str) -> DocumentReading:
        """Every value read from the scope's document, with page, box and confidence, and the warnings."""
        return self._ask(Call("GET", "/v1/scope/{}/document", (scope_id,), _reading))

    def confirm_document(
        self, scope_id: str, confirmed: ConfirmDocument, *, idempotency_key: str | None = None
    ) -> Scope:
        """Makes the scope that follows a document's, with every line as a person left it. BadRequest names
        each place that is wrong."""
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
