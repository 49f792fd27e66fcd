"""Calls of a client that openapi-python-client has generated: a script for an environment of its own.

Arguments: the folder of the package, the service's address and a key. Prints a line for each call.
"""

import io
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any


class GeneratedClient:
    """The operations of a package, by their ids."""

    def __init__(self, package: Path, address: str, key: str) -> None:
        sys.path.insert(0, str(package.parent))
        self.models = import_module(f"{package.name}.models")
        self.file_class = import_module(f"{package.name}.types").File
        client_class = import_module(f"{package.name}.client").AuthenticatedClient
        self._client = client_class(base_url=address, token=key, raise_on_unexpected_status=True)
        modules = package.glob("api/*/*.py")
        self._modules = {path.stem: f"{package.name}.api.{path.parent.name}.{path.stem}" for path in modules}

    def call(self, status: int, operation: str, *ids: Any, **values: Any) -> Any:
        """The typed answer of the operation; AssertionError where it has another status, or no type."""
        answer = import_module(self._modules[operation]).sync_detailed(*ids, client=self._client, **values)
        assert answer.status_code == status, (operation, answer.content)
        assert answer.parsed is not None, (operation, answer.content)
        sys.stdout.write(f"{operation}\n")
        return answer.parsed

    def body_class(self, operation: str) -> Any:
        """The class of the operation's body."""
        return import_module(self._modules[operation]).sync_detailed.__annotations__["body"]


def call_operations(parley: GeneratedClient) -> None:
    """Twelve operations, an upload and a refusal among them."""
    models = parley.models
    company = parley.call(200, "companies_list", limit=1).data[0]
    products = parley.call(200, "products_list", company.id).data
    product = next(one for one in products if one.is_custom_estimate_available)
    assert parley.call(200, "products_read", product.id).company.id == company.id
    term = {"termLength": 12, "purchaseType": "new_purchase"}
    line = {"productId": str(product.id), "pricingDimensions": _state_values(product.to_dict())}
    body = models.NewScope.from_dict({"scopeTerms": [term], "productTerms": [line]})
    scope = parley.call(201, "scopes_create", body=body)
    estimate = parley.call(200, "advanced_estimates_read", scope.id).estimate
    assert estimate.percentile10 <= estimate.percentile50 <= estimate.percentile90

    file = parley.file_class(io.BytesIO(b"description,amount\nSeats,1000.00\n"), "quote.csv", "text/csv")
    uploaded = parley.call(201, "files_upload", body=parley.body_class("files_upload")(file=file))
    body = models.NewScopeFromDocument(file_url=f"/v1/files/{uploaded.id}")
    reading = parley.call(201, "scopes_create_from_document", body=body)
    while (state := parley.call(200, "scopes_read", reading.scope_id).document_processing).status in {
        "pending",
        "processing",
    }:
        time.sleep(0.2)
    assert state.status == "completed", state

    hook = models.NewWebhook.from_dict({"url": "https://example.com/hook", "events": ["scope.extracted"]})
    webhook = parley.call(201, "webhooks_create", body=hook)
    assert webhook.secret.startswith("whsec_")
    parley.call(201, "webhooks_test", webhook.id)
    assert len(parley.call(200, "events_list", webhook.id)) == 1
    assert parley.call(200, "webhooks_delete", webhook.id).id == webhook.id
    refusal = parley.call(404, "products_read", scope.id)
    assert refusal.detail
    assert refusal.trace.request_id


def _state_values(product: dict[str, Any]) -> list[dict[str, Any]]:
    """A value of each dimension of the product: how many are bought, for one, is never assumed."""
    values: list[dict[str, Any]] = []
    for dimension in product["pricingDimensions"]:
        field = dimension["formField"]
        options = [option["value"] for option in field.get("options", ())]
        usual = 1 if field["type"] == "checkbox" else field.get("min") or 10
        values.append({"id": dimension["id"], "value": (options or [usual])[0]})
    return values


if __name__ == "__main__":
    call_operations(GeneratedClient(Path(sys.argv[1]), *sys.argv[2:]))
