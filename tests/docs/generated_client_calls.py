"""Calls of a client that openapi-python-client has generated: a script for an environment of its own.

Arguments: the folder of the package, its name, the service's address and a key. Prints each operation that
was called, a line each.
"""

import io
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any


class GeneratedClient:
    """Operations by method and path, since names are the generator's own."""

    def __init__(self, package: Path, address: str, key: str) -> None:
        self._name = package.name
        self.models = import_module(f"{package.name}.models")
        self.types = import_module(f"{package.name}.types")
        client_class = import_module(f"{package.name}.client").AuthenticatedClient
        self._client = client_class(base_url=address, token=key, raise_on_unexpected_status=True)
        self._modules: dict[tuple[str, str], str] = {}
        for path in sorted((package / "api").glob("*/*.py")):
            lines = path.read_text().replace(" ", "").splitlines()
            address_line = next((line for line in lines if line.startswith('"url":')), None)
            if address_line is not None:
                method = next(line for line in lines if line.startswith('"method":')).split('"')[3]
                self._modules[method, address_line.split('"')[3]] = f"{path.parent.name}.{path.stem}"

    def call(self, status: int, method: str, path: str, *ids: str, **values: Any) -> Any:
        """The typed answer of the operation; AssertionError where it has another status, or no type."""
        answer = self._module(method, path).sync_detailed(*ids, client=self._client, **values)
        assert answer.status_code == status, (method, path, answer.content)
        assert answer.parsed is not None, (method, path, answer.content)
        sys.stdout.write(f"{method} {path}\n")
        return answer.parsed

    def body_class(self, method: str, path: str) -> Any:
        """The class of the operation's body."""
        return self._module(method, path).sync_detailed.__annotations__["body"]

    def _module(self, method: str, path: str) -> Any:
        return import_module(f"{self._name}.api.{self._modules[method, path]}")


def call_operations(parley: GeneratedClient) -> None:
    """Twelve operations, an upload and a refusal among them."""
    models = parley.models
    company = parley.call(200, "get", "/v1/catalog/companies", limit=1).data[0]
    products = parley.call(200, "get", "/v1/catalog/companies/{company_id}/products", company.id).data
    product = next(one for one in products if one.is_custom_estimate_available)
    assert parley.call(200, "get", "/v1/catalog/products/{product_id}", product.id).company.id == company.id
    new_scope = {
        "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
        "productTerms": [
            {"productId": str(product.id), "pricingDimensions": _required_values(product.to_dict())}
        ],
    }
    scope = parley.call(201, "post", "/v1/scope", body=models.NewScope.from_dict(new_scope))
    estimate = parley.call(200, "get", "/v1/pricing/advanced/{scope_id}", scope.id).estimate
    assert estimate.percentile10 <= estimate.percentile50 <= estimate.percentile90

    operation = "/v1/files/upload"
    form_class = parley.body_class("post", operation)
    file = parley.types.File(io.BytesIO(b"description,amount\nSeats,1000.00\n"), "quote.csv", "text/csv")
    uploaded = parley.call(201, "post", operation, body=form_class(file=file))
    body = models.NewScopeFromDocument(file_url=f"/v1/files/{uploaded.id}")
    reading = parley.call(201, "post", "/v1/scope/from-document", body=body)
    while (
        state := parley.call(200, "get", "/v1/scope/{scope_id}", reading.scope_id).document_processing
    ).status in {"pending", "processing"}:
        time.sleep(0.2)
    assert state.status == "completed", state

    hook = models.NewWebhook.from_dict({"url": "https://example.com/hook", "events": ["scope.extracted"]})
    webhook = parley.call(201, "post", "/v1/webhooks", body=hook)
    assert webhook.secret.startswith("whsec_")
    parley.call(201, "post", "/v1/webhooks/{webhook_id}/test", webhook.id)
    assert len(parley.call(200, "get", "/v1/webhooks/{webhook_id}/events", webhook.id)) == 1
    assert parley.call(200, "delete", "/v1/webhooks/{webhook_id}", webhook.id).id == webhook.id
    refusal = parley.call(404, "get", "/v1/catalog/products/{product_id}", scope.id)
    assert refusal.detail
    assert refusal.trace.request_id


def _required_values(product: dict[str, Any]) -> list[dict[str, Any]]:
    """A value of each required dimension of the product."""
    values: list[dict[str, Any]] = []
    for dimension in product["pricingDimensions"]:
        field = dimension["formField"]
        options = [option["value"] for option in field.get("options", ())]
        if field["required"]:
            values.append({"id": dimension["id"], "value": (options or [field.get("min", 10)])[0]})
    return values


if __name__ == "__main__":
    package = Path(sys.argv[1])
    sys.path.insert(0, str(package.parent))
    call_operations(GeneratedClient(package, *sys.argv[2:]))
