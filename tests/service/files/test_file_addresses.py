"""Our own files are recognised by their path under every name of the service, and never fetched."""

import pytest
from starlette.testclient import TestClient

from app.service.files.file_addresses import read_file_address
from app.service.http.problems import ApiProblem
from app.settings import Settings

FILE = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"
OWN = ("https://parley.example", "http://parley.internal:8000/api", "http://testserver")


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"public_aliases": OWN})


@pytest.mark.parametrize(
    "address",
    [
        f"/v1/files/{FILE}",
        f"/v1/files/{FILE.upper()}/",
        f"/api/v1/files/{FILE}",
        f"https://parley.example/v1/files/{FILE}",
        f"HTTP://Parley.Example.:80/v1/files/{FILE}?download=1#page",
        f"https://parley.example:443/v1/%66iles/{FILE}",
        f"http://parley.internal:8000/api/v1/files/{FILE}",
        f"http://parley.internal:8000/v1/files/{FILE}",
        f"http://testserver/v1/files/{FILE}",
    ],
)
def test_a_file_of_ours_is_recognised(address: str) -> None:
    assert read_file_address(address, OWN, "/fileUrl") == FILE


@pytest.mark.parametrize(
    "address",
    [
        f"https://elsewhere.example/v1/files/{FILE}",
        f"https://parley.example:8443/v1/files/{FILE}",
        "http://parley.internal:8000/quotes/q.pdf",
        f"https://parley.example.evil.example/v1/files/{FILE}",
    ],
)
def test_a_foreign_address_is_not(address: str) -> None:
    assert read_file_address(address, OWN, "/fileUrl") is None


LOOPBACK_NAMES = ("localhost", "LocalHost.", "127.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]")


@pytest.mark.parametrize("served", LOOPBACK_NAMES)
@pytest.mark.parametrize("named", LOOPBACK_NAMES)
def test_the_loopback_is_one_host_under_all_its_names(served: str, named: str) -> None:
    own = (f"http://{served}:8000",)
    assert read_file_address(f"http://{named}:8000/v1/files/{FILE}", own, "/fileUrl") == FILE
    assert read_file_address(f"http://{named}:8001/v1/files/{FILE}", own, "/fileUrl") is None
    assert read_file_address(f"http://{named}/v1/files/{FILE}", own, "/fileUrl") is None
    assert read_file_address(f"http://{named}:8000/v1/files/{FILE}", OWN, "/fileUrl") is None
    with pytest.raises(ApiProblem):
        read_file_address(f"http://{named}:8000/v1/webhooks", own, "/fileUrl")


@pytest.mark.parametrize(
    "host",
    ["127.0.0.2", "127.1", "0.0.0.0", "[::]", "[::2]", "2130706433", "localhost.evil.example", "10.0.0.1"],
)
def test_other_hosts_are_not_the_loopback(host: str) -> None:
    own = ("http://127.0.0.1:8000", "http://localhost:8000")
    assert read_file_address(f"http://{host}:8000/v1/files/{FILE}", own, "/fileUrl") is None


@pytest.mark.parametrize(
    ("address", "word"),
    [
        ("https://parley.example/v1/health", "none of a file"),
        ("https://parley.example/v1/scope/../files/x", "none of a file"),
        ("/v1/files/none", "none of a file"),
        ("/etc/passwd", "none of a file"),
        (f"//elsewhere.example/v1/files/{FILE}", "http or https"),
        (f"v1/files/{FILE}", "http or https"),
        ("ftp://parley.example/x", "http or https"),
        ("http://[::1", "must be an address"),
        (f"https://a:b@parley.example/v1/files/{FILE}", "password"),
    ],
)
def test_anything_else_is_refused_and_never_fetched(address: str, word: str) -> None:
    with pytest.raises(ApiProblem) as caught:
        read_file_address(address, OWN, "/fileUrl")
    assert caught.value.errors[0].pointer == "/fileUrl"
    assert word in caught.value.errors[0].detail


def test_a_scope_is_read_from_a_file_under_every_name(api: TestClient, stranger: TestClient) -> None:
    file_id = api.post("/v1/files/upload", files={"file": ("q.csv", b"item,quantity,price\nx,2,3\n")}).json()[
        "id"
    ]
    for base in ("", *OWN):
        sent = {"fileUrl": f"{base}/v1/files/{file_id}"}
        made = api.post("/v1/scope/from-document", json=sent)
        assert made.status_code == 201, made.text
        scope = api.get(made.headers["location"]).json()
        assert scope["documentProcessing"]["filename"] == "q.csv", "it was not recognised as a file of ours"
        assert stranger.post("/v1/scope/from-document", json=sent).status_code == 400


def test_the_host_that_a_call_came_by_is_ours(api: TestClient) -> None:
    file_id = api.post("/v1/files/upload", files={"file": ("q.csv", b"item,quantity,price\nx,2,3\n")}).json()[
        "id"
    ]
    for host, named, is_ours in (
        ("quotes.example:9000", "quotes.example:9000", True),
        ("127.0.0.1:9000", "localhost:9000", True),
        ("[::1]:9000", "127.0.0.1:9000", True),
        ("127.0.0.1:9000", "127.0.0.1:9001", False),
        ("quotes.example:9000", "localhost:9000", False),
        ("quotes.example:99999", "quotes.example:9000", False),
        ("[::1", "localhost:9000", False),
    ):
        sent = {"fileUrl": f"http://{named}/v1/files/{file_id}"}
        made = api.post("/v1/scope/from-document", json=sent, headers={"host": host})
        assert made.status_code == 201, made.text
        processing = api.get(made.headers["location"]).json()["documentProcessing"]
        assert (processing.get("filename") == "q.csv") is is_ours, (host, named)
