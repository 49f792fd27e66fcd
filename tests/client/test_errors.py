"""What went wrong comes as one of a few classes, with all that a person needs to ask about it."""

import inspect
import pickle

import httpx
import pytest

from app.client import ApiClient, ApiError, errors, send
from app.client.errors import BY_STATUS, class_for
from app.client.exchange import ERRORS_BY_KIND
from tests.client import records
from tests.client.conftest import API_KEY
from tests.client.flavours import Connect, of_their_core
from tests.client.records import ID
from tests.client.scripted import Says, ScriptedService


@of_their_core
@pytest.mark.parametrize(
    ("status", "kind"),
    [*BY_STATUS.items(), (500, errors.ServiceFailed), (503, errors.ServiceFailed), (418, errors.Refused)],
)
def test_a_status_has_its_class(
    service: ScriptedService, parley: ApiClient, status: int, kind: type[ApiError]
) -> None:
    service.script(Says(status, records.problem(status, "It cannot be."), {"x-request-id": "r-1"}))
    with pytest.raises(ApiError) as raised:
        parley.scopes.get(ID)
    error = raised.value
    assert type(error) is kind
    assert error.status == status
    assert error.request_id == "r-1"
    assert error.problem
    assert error.problem.detail == "It cannot be."
    assert error.response
    assert error.response.headers["x-request-id"] == "r-1"
    assert (error.method, error.path) == ("GET", f"/v1/scope/{ID}")
    assert "It cannot be." in str(error)
    assert "r-1" in str(error)


def test_what_is_wrong_and_where_is_at_hand(service: ScriptedService, parley: ApiClient) -> None:
    places = [{"pointer": "/scopeTerms/0/termLength", "detail": "must be a whole number"}]
    service.script(Says(400, records.problem(400, errors=places)))
    with pytest.raises(errors.BadRequest) as raised:
        parley.scopes.get(ID)
    (place,) = raised.value.places
    assert place.pointer == "/scopeTerms/0/termLength"


def test_the_request_id_of_the_problem_stands_in_for_the_header(
    service: ScriptedService, parley: ApiClient
) -> None:
    service.script(Says(404, records.problem(404)))
    with pytest.raises(errors.NotFound) as raised:
        parley.scopes.get(ID)
    assert raised.value.request_id == "traced-1"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "Bad Gateway"),
        (b"<html>nginx</html>", "Bad Gateway"),
        (b'["a list"]', "Bad Gateway"),
        (b'{"detail": "upstream is gone"}', "upstream is gone"),
        (b'{"message": "no luck"}', "no luck"),
        (b'{"error": {"code": 1}}', "Bad Gateway"),
        (b"\xff\xfe", "Bad Gateway"),
        (b"[" * 100_000, "Bad Gateway"),
    ],
)
def test_an_error_that_is_no_problem_document_is_told_as_well_as_it_can_be(
    service: ScriptedService, parley: ApiClient, body: bytes, words: str
) -> None:
    service.script(Says(502, body))
    with pytest.raises(errors.ServiceFailed, match=words) as raised:
        parley.scopes.get(ID)
    assert raised.value.problem is None
    assert raised.value.request_id == service.received[0].headers["x-request-id"]


def test_a_status_without_a_name_is_told(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(599))
    with pytest.raises(errors.ServiceFailed, match="599"):
        parley.scopes.get(ID)


def test_a_call_that_got_no_answer_still_has_a_request_id(connect: Connect) -> None:
    closed = ScriptedService()
    closed.close()
    with (
        connect(closed.address, api_key=API_KEY, sleep=lambda _: None) as parley,
        pytest.raises(errors.Unreachable) as raised,
    ):
        parley.scopes.get(ID)
    assert raised.value.request_id
    assert raised.value.status is None
    assert raised.value.response is None
    assert "refused" in str(raised.value).lower()


def test_a_host_that_does_not_exist_is_unreachable(connect: Connect) -> None:
    with (
        connect("http://no-such-host.invalid", sleep=lambda _: None) as parley,
        pytest.raises(errors.Unreachable),
    ):
        parley.health.report()


def test_every_exception_that_sending_can_raise_is_mapped() -> None:
    kinds = [
        kind
        for _, kind in inspect.getmembers(httpx, inspect.isclass)
        if issubclass(kind, httpx.RequestError | httpx.InvalidURL)
    ]
    assert len(kinds) > 15
    assert not [kind.__name__ for kind in kinds if kind not in send.FAILURES]


def test_every_kind_of_loss_has_an_error() -> None:
    assert {lost.kind for lost in send.FAILURES.values()} | {"too large"} == set(ERRORS_BY_KIND)


def test_an_exception_of_a_foreign_transport_is_taken_for_what_it_derives_from() -> None:
    class Strange(httpx.ReadTimeout):
        pass

    assert send.describe_failure(Strange("?")) is send.FAILURES[httpx.ReadTimeout]


def test_what_cannot_have_reached_the_service_is_told_apart() -> None:
    unseen = {kind for kind, lost in send.FAILURES.items() if not lost.sent}
    assert unseen == {
        httpx.ConnectTimeout,
        httpx.PoolTimeout,
        httpx.ConnectError,
        httpx.ProxyError,
        httpx.LocalProtocolError,
        httpx.UnsupportedProtocol,
        httpx.InvalidURL,
    }


def test_the_tree_in_the_docstring_is_the_tree_of_the_code() -> None:
    classes = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, ApiError)]
    drawn = errors.__doc__ or ""
    for kind in classes:
        (line,) = [line for line in drawn.splitlines() if kind.__name__ in line.split()]
        depth = (len(line) - len(line.lstrip(" │├└─"))) // 4
        assert depth == len([base for base in kind.__mro__ if base in classes]), kind
    for status, kind in BY_STATUS.items():
        assert class_for(status) is kind
        (line,) = [line for line in drawn.splitlines() if kind.__name__ in line.split()]
        assert str(status) in line


def test_only_one_file_imports_httpx() -> None:
    package = __import__("pathlib").Path(inspect.getfile(send)).parent
    importing = [path.name for path in package.rglob("*.py") if "import httpx" in path.read_text()]
    assert importing == ["send.py"]


def test_an_error_can_be_told_over_a_process_boundary(service: ScriptedService, parley: ApiClient) -> None:
    service.script(Says(404, records.problem(404)))
    with pytest.raises(errors.NotFound) as raised:
        parley.scopes.get(ID)
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value)
    assert again.status == 404
