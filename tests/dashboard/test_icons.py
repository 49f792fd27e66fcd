"""Icons come from permitted addresses only, and nothing of them but pixels goes on."""

import base64
import io
import socket
import threading
import time
from collections.abc import Iterator
from ipaddress import ip_network

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.dashboard.icons import ICON_PIXELS, MAX_BYTES, IconCache, redraw_as_png
from tests.dashboard.http_server import serve_in_thread

THIS_HOST = (ip_network("127.0.0.1/32"),)
ANSWERED = threading.Event()


def drawing(kind: str = "PNG", side: int = 200) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (side, side // 2), "red").save(out, kind)
    return out.getvalue()


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    async def icon(_: Request) -> Response:
        return Response(drawing(), media_type="image/png")

    async def page(_: Request) -> Response:
        return Response("<html>no image</html>", media_type="image/png")

    async def huge(_: Request) -> Response:
        return Response(b"x" * (MAX_BYTES + 1))

    async def moved(request: Request) -> Response:
        return RedirectResponse(request.query_params["to"])

    async def missing(_: Request) -> Response:
        return Response(drawing(), 404)

    async def slow(_: Request) -> Response:
        await run_in_threadpool(ANSWERED.wait, 3)
        return Response(drawing(), media_type="image/png")

    paths = {"/slow": slow, "/icon": icon, "/page": page, "/huge": huge, "/moved": moved, "/missing": missing}
    with serve_in_thread(
        Starlette(routes=[Route(path, answer) for path, answer in paths.items()])
    ) as address:
        yield address


def fetch(url: str, *, allowed: bool = True) -> str | None:
    return IconCache(THIS_HOST if allowed else (), patience=10).get(url)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"])
def test_a_service_on_this_machine_is_never_asked(site: str, host: str) -> None:
    assert fetch(f"{site.replace('127.0.0.1', host)}/icon", allowed=False) is None


@pytest.mark.parametrize(
    "url",
    ["", "icon.png", "file:///etc/passwd", "ftp://x.example/i", "http://", "http://a:b@x/", "http://[/"],
)
def test_what_is_no_web_address_is_not_asked(url: str) -> None:
    assert fetch(url) is None


def test_an_icon_is_fetched_also_through_redirects(site: str) -> None:
    assert fetch(f"{site}/icon")
    assert fetch(f"{site}/moved?to=/icon") == fetch(f"{site}/icon")


def test_a_redirect_to_an_address_that_is_not_permitted_is_not_followed(site: str) -> None:
    with socket.create_server(("127.0.0.2", 0)) as private:
        private.setblocking(False)
        assert fetch(f"{site}/moved?to=http://127.0.0.2:{private.getsockname()[1]}/icon") is None
        with pytest.raises(BlockingIOError):
            private.accept()


def test_redirects_end(site: str) -> None:
    assert fetch(f"{site}/moved?to=/moved%3Fto%3D/moved") is None


@pytest.mark.parametrize("path", ["/huge", "/missing"])
def test_what_is_too_large_or_missing_is_no_icon(site: str, path: str) -> None:
    assert fetch(site + path) is None


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "ICO"])
def test_an_image_is_drawn_anew_and_small(kind: str) -> None:
    drawn = redraw_as_png(drawing(kind))
    assert drawn is not None
    with Image.open(io.BytesIO(drawn)) as image:
        assert image.format == "PNG"
        assert max(image.size) <= ICON_PIXELS


@pytest.mark.parametrize(
    "content",
    [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a", drawing()[:60], drawing("PNG", 5000)],
)
def test_what_is_no_small_image_is_left_out(content: bytes) -> None:
    assert redraw_as_png(content) is None


def test_a_page_gets_the_icon_as_data_or_nothing(site: str) -> None:
    icons = IconCache(THIS_HOST, patience=10)
    uri = icons.get(f"{site}/icon")
    assert uri is not None
    assert base64.b64decode(uri.removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    assert icons.get(f"{site}/page") is None
    assert icons.get(None) is None
    assert icons.get("") is None


def test_a_page_does_not_wait_for_a_slow_icon(site: str) -> None:
    icons = IconCache(THIS_HOST, patience=0)
    assert icons.get(f"{site}/slow") is None
    ANSWERED.set()
    end = time.monotonic() + 10
    while icons.get(f"{site}/slow") is None and time.monotonic() < end:
        time.sleep(0.02)
    assert icons.get(f"{site}/slow") is not None
