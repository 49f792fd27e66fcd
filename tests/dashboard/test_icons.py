"""Icons come from public addresses only, and nothing of them but pixels goes on."""

import base64
import io
import ipaddress
import threading
import time
from collections.abc import Iterator

import pytest
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.dashboard.catalog.icons import (
    ICON_PIXELS,
    MAX_BYTES,
    IconCache,
    Ip,
    fetch_image,
    is_public,
    redraw_as_png,
)
from tests.dashboard.http_server import serve_in_thread


def everything(_: Ip) -> bool:
    return True


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

    paths = {"/icon": icon, "/page": page, "/huge": huge, "/moved": moved, "/missing": missing}
    with serve_in_thread(
        Starlette(routes=[Route(path, answer) for path, answer in paths.items()])
    ) as address:
        yield address


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "192.168.0.1",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fe80::1",
        "fc00::1",
        "::ffff:127.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
    ],
)
def test_no_private_address_is_public_however_it_is_written(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize(
    "text", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"]
)
def test_an_address_of_the_internet_is_public(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


def test_a_service_on_this_machine_is_never_asked(site: str) -> None:
    assert fetch_image(f"{site}/icon") is None
    assert fetch_image(f"{site.replace('127.0.0.1', 'localhost')}/icon") is None


@pytest.mark.parametrize(
    "url",
    ["", "icon.png", "file:///etc/passwd", "ftp://x.example/i", "http://", "http://a:b@x/", "http://[/"],
)
def test_what_is_no_web_address_is_not_asked(url: str) -> None:
    assert fetch_image(url, everything) is None


def test_an_icon_is_fetched_also_through_redirects(site: str) -> None:
    assert fetch_image(f"{site}/icon", everything) == drawing()
    assert fetch_image(f"{site}/moved?to=/icon", everything) == drawing()


def test_each_redirect_is_judged(site: str) -> None:
    judged: list[Ip] = []

    def first_only(ip: Ip) -> bool:
        judged.append(ip)
        return len(judged) == 1

    assert fetch_image(f"{site}/moved?to=/icon", first_only) is None
    assert len(judged) == 2


def test_redirects_end(site: str) -> None:
    assert fetch_image(f"{site}/moved?to=/moved%3Fto%3D/moved", everything) is None


@pytest.mark.parametrize("path", ["/huge", "/missing"])
def test_what_is_too_large_or_missing_is_no_icon(site: str, path: str) -> None:
    assert fetch_image(site + path, everything) is None


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
    icons = IconCache(everything, patience=10)
    uri = icons.get(f"{site}/icon")
    assert uri is not None
    assert base64.b64decode(uri.removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    assert icons.get(f"{site}/page") is None
    assert icons.get(None) is None
    assert icons.get("") is None


def test_a_page_does_not_wait_for_a_slow_icon(site: str) -> None:
    answered = threading.Event()

    def once_answered(_: Ip) -> bool:
        return answered.wait(10)

    icons = IconCache(once_answered, patience=0)
    assert icons.get(f"{site}/icon") is None
    answered.set()
    end = time.monotonic() + 10
    while icons.get(f"{site}/icon") is None and time.monotonic() < end:
        time.sleep(0.02)
    assert icons.get(f"{site}/icon") is not None
