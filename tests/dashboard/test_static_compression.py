"""What is cached of a static file is the whole of it."""

from pathlib import Path

import httpx
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from streamlit import file_util

from app.dashboard.server.static_compression import CompressedStatic

BODY = b"export default 1;" * 100


def test_a_script_that_was_cut_off_is_not_kept_for_the_next_browser() -> None:
    bodies = [BODY[:500], BODY]

    async def serve(_: Scope, __: Receive, send: Send) -> None:
        length = str(len(BODY)).encode()
        headers = [(b"content-type", b"text/javascript"), (b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": bodies.pop(0)})

    folder = Path(file_util.get_static_dir())
    path = f"/{next(folder.rglob('*.js')).relative_to(folder).as_posix()}"
    api = TestClient(CompressedStatic(serve))
    answers: list[httpx.Response] = [api.get(path, headers={"Accept-Encoding": "gzip"}) for _ in range(2)]
    assert [answer.content for answer in answers] == [BODY[:500], BODY]
    assert answers[1].headers["content-encoding"] == "gzip"
    assert bodies == []
