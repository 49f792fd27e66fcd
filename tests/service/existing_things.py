"""What a long sequence of calls can name: things that stay as they were made, and the newest of each kind."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

import httpx

from app.service.context import Context
from app.service.ids import new_id
from app.service.imports.jobs import check_import
from app.service.negotiation.jobs import plan_negotiation
from app.service.scopes.jobs import extract_document
from tests.service.documents import pdf_builder
from tests.service.running_service import (
    AGREEMENT,
    QUOTE,
    REQUIREMENT,
    SOURCING_QUOTE,
    leave_waiting,
    purchase_rows,
)
from tests.service.valid_bodies import COMMENTED, PERSON, RENEWAL, first_body

PAGE = pdf_builder.pdf([pdf_builder.Text(50, 60, "Quote of Works")])
"""A document with a page that can be drawn."""
PRICE_LIST = b"Price list 2026 from Works\nCurrency,USD\n\nDescription,Unit,Price per month\nPack,user,9.00\n"


class ExistingThings:
    """The ids that a call may name, by the names of parameters. `made` is as `create_one_of_everything` gives
    it; nothing in the sequence ends what it names. What a call needs beyond it is made here, and what a call
    changes for good is made for that call alone."""

    def __init__(self, context: Context, api: httpx.Client, made: Mapping[str, Any]) -> None:
        self._context, self._api = context, api
        self._lasting = dict(made)
        self._newest = dict(made)
        self._needed: dict[str, dict[str, Any]] = {
            "GET /v1/scope/{scopeId}/document/pages/{page}": {
                "documentScopeId": self._read_document("quote.pdf", PAGE),
                "page": 1,
            },
            "POST /v1/imports/{importId}/confirm": {"importId": self._check_purchases()},
            "POST /v1/negotiation/{negotiationId}/mails/{mailId}/sent": self._write_letter(),
            "GET /v1/webhooks/{webhookId}/inbox": {"webhookId": self._post("/v1/webhooks/inbox")["id"]},
            "GET /v1/agreements/{agreementId}/renewal": self._renew(),
            "POST /v1/scope/{scopeId}/document/list-prices": {
                "documentScopeId": self._read_document("prices.csv", PRICE_LIST)
            },
            "GET /v1/search": {"q": "Analytics"},
            "POST /v1/agreements/from-document": {"scopeId": self._confirm_quote()},
        }
        self._changed: dict[str, Callable[[], dict[str, Any]]] = {
            "POST /v1/approvals/{approvalId}/refuse": self._ask,
            "DELETE /v1/webhooks/{webhookId}": self._register,
            "PATCH /v1/webhooks/{webhookId}": self._register,
            "DELETE /v1/imports/{importId}": self._import,
            "DELETE /v1/agreements/{agreementId}": self._agree,
            "POST /v1/agreements/{agreementId}/renewal": self._agree_for_a_year,
            "DELETE /v1/calendar-feeds/{feedId}": lambda: {"feedId": self._post("/v1/calendar-feeds")["id"]},
            "DELETE /v1/requirements/{requirementId}/quotes/{quoteId}": self._compare,
            "POST /v1/requirements/{requirementId}/award": self._compare,
            **{f"DELETE {path}/comments/{{commentId}}": partial(self._comment, path) for path in COMMENTED},
            "POST /v1/negotiation/{negotiationId}/external-update": self._start,
            "POST /v1/negotiation/{negotiationId}/strategy": self._start,
        }

    def choose_lasting(self, label: str) -> dict[str, Any]:
        """Ids with which the operation succeeds."""
        changed = self._changed.get(label)
        return self._lasting | self._needed.get(label, {}) | (changed() if changed else {})

    def choose(self, label: str, random: Random) -> dict[str, Any]:
        """The same, or else the newest ids, which go together or not."""
        lasting = self.choose_lasting(label)
        return random.choice([lasting, self._newest])

    def add(self, made: Mapping[str, Any]) -> None:
        """Remembers what a call made, by the names of parameters."""
        self._newest.update(made)

    def _post(self, path: str, body: Any = None, **files: Any) -> Any:
        answer = self._api.post(path, json=body, **files)
        assert answer.status_code in {201, 204}, answer.text
        return answer.json() if answer.content else None

    def _register(self) -> dict[str, Any]:
        hook = {"url": "http://127.0.0.1:9/hook", "events": ["scope.extracted"]}
        return {"webhookId": self._post("/v1/webhooks", hook)["id"]}

    def _ask(self) -> dict[str, Any]:
        organisation = self._api.get("/v1/access").json()["organisation"]
        url = f"http://example.com/{new_id()}"
        return {"approvalId": leave_waiting(self._context, self._api, organisation, url)}

    def _agree(self) -> dict[str, Any]:
        return {"agreementId": self._post("/v1/agreements", {"name": "To delete"})["id"]}

    def _agree_for_a_year(self) -> dict[str, Any]:
        made = self._post("/v1/agreements", AGREEMENT | {"companyId": self._lasting["companyId"]})
        return {"agreementId": made["id"]}

    def _renew(self) -> dict[str, Any]:
        """An agreement whose renewal is negotiated."""
        made = self._agree_for_a_year()
        self._post(f"/v1/agreements/{made['agreementId']}/renewal", RENEWAL)
        return made

    def _compare(self) -> dict[str, Any]:
        """A requirement with a quote, and a scenario of it."""
        path = f"/v1/requirements/{self._post('/v1/requirements', REQUIREMENT)['id']}"
        quote = self._post(f"{path}/quotes", SOURCING_QUOTE)
        scenario = self._post(f"{path}/scenarios", {"objective": "cheapest_split"})
        return {
            "requirementId": path.rpartition("/")[2],
            "quoteId": quote["id"],
            "quoteLineId": quote["lines"][0]["id"],
            "scenarioId": scenario["id"],
        }

    def _comment(self, path: str) -> dict[str, Any]:
        return {
            "commentId": self._post(f"{path.format_map(self._lasting)}/comments", {"text": "To delete"})["id"]
        }

    def _import(self) -> dict[str, Any]:
        return {"importId": self._post("/v1/imports", {"fileId": self._lasting["fileId"]})["id"]}

    def _start(self, **over: Any) -> dict[str, Any]:
        """A negotiation that has its numbers."""
        start = PERSON | {
            "supplier": {"companyId": self._lasting["companyId"]},
            "scope": {"scopeId": self._lasting["scopeId"]},
            "engagementType": "strategy_only",
        }
        started = self._post("/v1/negotiation/start", start | over)["negotiationId"]
        plan_negotiation(self._context, started)
        return {"negotiationId": started}

    def _write_letter(self) -> dict[str, Any]:
        """A negotiation that is led here, with the draft of a letter."""
        supplier = {"companyId": self._lasting["companyId"], "contactEmail": "seller@example.com"}
        led = self._start(engagementType="svc_led", supplier=supplier)
        path = f"/v1/negotiation/{led['negotiationId']}"
        for kind, payload in (
            ("quote", {"amount": 1100, "currency": "USD"}),
            ("decision", {"decision": "counter", "amount": 900}),
        ):
            update = {"timestamp": "2026-11-20T09:30:00Z", "externalId": kind, "source": "erp"}
            schema = {"schema": {"$id": f"urn:svc:{kind}:1"}, "payload": payload}
            self._post(f"{path}/external-update", update | schema)
        return led | {"mailId": self._api.get(f"{path}/timeline").json()["mails"][0]["id"]}

    def _read_document(self, name: str, content: bytes) -> str:
        """A scope that was read from it."""
        scope = self._post("/v1/scope/from-document", files={"file": (name, content)})["scopeId"]
        extract_document(self._context, scope)
        return scope

    def _confirm_quote(self) -> str:
        """The scope that a confirmed document makes."""
        path = "/v1/scope/{scopeId}/document/confirm"
        body = first_body(f"POST {path}", self._lasting)
        return self._post(path.format(scopeId=self._read_document("confirmed.csv", QUOTE)), body)["id"]

    def _check_purchases(self) -> str:
        """An import that waits for its confirmation."""
        upload = {"file": ("purchases.csv", purchase_rows().encode())}
        file = self._post("/v1/files/upload", files=upload)["id"]
        begun = self._post("/v1/imports", {"fileId": file, "pricePer": "month"})["id"]
        check_import(self._context, begun)
        return begun
