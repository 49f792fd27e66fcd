"""Requests of all kinds, as bytes: ordinary ones of several callers, and hostile ones, no two alike."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, cycle

CODINGS = ("gzip", "gzip, deflate, br, zstd", "identity", "*;q=0.5, gzip;q=0")
UNKNOWN_ID = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"
NESTING = 5_000


@dataclass(frozen=True)
class Deployment:
    """What there is to call."""

    keys: Sequence[str]
    company_id: str
    product_ids: Sequence[str]
    scope_id: str
    scope_body: bytes


def write_head(method: str, path: str, key: str = "", **headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "host: parley", *([f"authorization: Bearer {key}"] if key else [])]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def ordinary_requests(deployment: Deployment, seed: int) -> Iterator[bytes]:
    """Reads of the catalog, the same ones and ones that nobody asked for before, estimates, lists, new scopes
    and mistakes, without an end."""
    chance, numbers = random.Random(seed), count(seed * 10**9)
    catalog = "/v1/catalog"
    page = f"{catalog}/companies/{deployment.company_id}/products?limit=100"
    posted = {
        "content_type": "application/json",
        "content_length": str(len(deployment.scope_body)),
    }
    kinds: list[tuple[int, Callable[[str, int], bytes]]] = [
        (250, lambda key, _: read(chance.choice((page, f"{catalog}/companies", "/v1/openapi")), key)),
        (200, lambda key, _: read(f"{catalog}/products/{chance.choice(deployment.product_ids)}", key)),
        (150, lambda key, n: read(f"{page}&n={n}", key)),
        (150, lambda key, n: read(f"{catalog}/companies?name={n % 97}&n={n}", key)),
        (60, lambda key, _: read(page, key, if_none_match='W/"other"')),
        (40, lambda key, n: write_head("HEAD", f"{page}&n={n}", key, accept_encoding="gzip")),
        (40, lambda key, _: read("/v1/scope", key)),
        (30, lambda key, _: read("/v1/webhooks", key)),
        (20, lambda *_: read("/v1/health", "")),
        (20, lambda _, n: read(f"{catalog}/companies", f"parley_{n}")),
        (15, lambda key, n: read(f"{catalog}/companies/{UNKNOWN_ID}?n={n}", key)),
        (10, lambda key, n: read(f"{catalog}/companies?limit=x{n}", key)),
        (
            8,
            lambda key, n: (
                write_head("POST", "/v1/scope", key, idempotency_key=str(n), **posted) + deployment.scope_body
            ),
        ),
        (5, lambda key, _: read(f"/v1/pricing/basic/{deployment.scope_id}", deployment.keys[0])),
        (2, lambda key, _: read(f"/v1/pricing/advanced/{deployment.scope_id}", deployment.keys[0])),
    ]

    def read(path: str, key: str, **headers: str) -> bytes:
        return write_head("GET", path, key, accept_encoding=chance.choice(CODINGS), **headers)

    makers, weights = [make for _, make in kinds], [weight for weight, _ in kinds]
    while True:
        yield chance.choices(makers, weights)[0](chance.choice(deployment.keys), next(numbers))


def hostile_requests(deployment: Deployment) -> Iterator[bytes]:
    """What costs memory where it is read before it is refused, or kept after it was answered. Many are not
    whole."""
    key, numbers = deployment.keys[-1], count()
    huge = {"content_type": "application/json", "content_length": "900000"}
    form = {"content_type": "multipart/form-data; boundary=x", "content_length": "40000000"}
    part = b'--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n'
    chunk, trailers = b'5\r\n{"a":\r\n', b"t: x\r\n" * 50_000
    kinds: list[Callable[[int], bytes]] = [
        lambda n: b"GET /v1/health HTTP/1.1\r\nx: " + b"y" * 1_000_000,
        lambda n: b"GET /%d HTTP/1.1\r\n" % n + b"x: y\r\n" * 20_000,
        lambda n: b"\x16\x03\x01%d" % n + random.Random(n).randbytes(50_000),
        lambda n: write_head("GET", f"/v1/{n}{'x' * 50_000}"),
        lambda n: write_head("GET", f"/v1/catalog/companies?name={n}{'x' * 50_000}", key),
        lambda n: write_head("GET", "/v1/catalog/companies", key, accept_encoding=f"x{n}" + ", gzip" * 5_000),
        lambda n: write_head("GET", "/v1/catalog/companies", key, accept_encoding=f"gzip, x{n}"),
        lambda n: write_head("GET", "/v1/catalog/companies", f"{n}{'k' * 50_000}"),
        lambda n: write_head("GET", "/v1/catalog/companies", key, if_none_match=f'"{n}", ' * 9_000),
        lambda n: write_head("GET", "/v1/scope", key, x_svc_end_user_identifier=f"{n}" * 9_000),
        lambda n: write_head("GET", "/v1/health", x_request_id=f"{n}" * 9_000),
        lambda n: write_head("POST", "/v1/scope", key, **huge) + b"[" * 900_000,
        lambda n: write_head("POST", "/v1/scope", key, **huge) + b'{"a":' * NESTING,
        lambda n: write_head("POST", "/v1/scope", key, **huge) + json_of(n),
        lambda n: write_head("POST", "/v1/scope", key, idempotency_key=f"{n}", **huge) + json_of(n),
        lambda n: write_head("POST", "/v1/files/upload", key, **form) + part + b"x" * 3_000_000,
        lambda n: write_head("POST", "/v1/scope/from-document", key, **form) + part * 5_000,
        lambda _: write_head("POST", "/v1/scope", key, transfer_encoding="chunked") + chunk * 9_000,
        lambda _: write_head("POST", "/v1/scope", key, transfer_encoding="chunked") + b"0\r\n" + trailers,
        lambda n: write_head("OPTIONS", f"/v1/{n}", origin=f"https://{n}.example"),
        lambda n: write_head("GET", f"/v1/catalog/companies?n=h{n}", key) * 200,
    ]
    for kind in cycle(kinds):
        yield kind(next(numbers))


def json_of(number: int) -> bytes:
    """A body of 900,000 bytes, all of whose values are wrong."""
    terms = [{"termLength": f"{number}-{at}", "purchaseType": "x" * 40} for at in range(8_000)]
    return json.dumps({"scopeTerms": terms, "productTerms": []}).encode().ljust(900_000)[:900_000]
