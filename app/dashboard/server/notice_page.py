"""A page of its own that says why one is not signed in, where no page of the dashboard can be drawn."""

from html import escape

from starlette.responses import HTMLResponse, Response

NO_STORE = {"Cache-Control": "no-store"}


def notice_page(
    title: str,
    detail: str,
    home: str,
    status: int,
    *,
    request_id: str | None = None,
    again: str | None = None,
) -> Response:
    """Return the page. `home` is the address of the sign-in page, where a key is entered; `again` that of
    another try with the identity provider."""
    links = [f'<a href="{escape(again)}">Try again</a>'] if again else []
    links.append(f'<a href="{escape(home)}">Sign in with an access key</a>')
    request = f"<p><small>Request <code>{escape(request_id)}</code></small></p>" if request_id else ""
    parts = {"TITLE": escape(title), "DETAIL": escape(detail), "LINKS": " · ".join(links), "REQUEST": request}
    page = _PAGE
    for name, content in parts.items():
        page = page.replace(f"{{{name}}}", content, 2 if name == "TITLE" else 1)
    return HTMLResponse(page, status, NO_STORE)


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{TITLE} · Parley</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
 :root { color-scheme: light dark; }
 body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh;
   display: grid; place-items: center;
   background: light-dark(#fff, #12181f); color: light-dark(#0c131a, #e6ebf0); }
 main { max-width: 34rem; padding: 2rem; overflow-wrap: anywhere; }
 a { color: light-dark(#0b5c75, #7cc4dc); }
 h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
</style></head><body><main>
<h1>{TITLE}</h1>
<p>{DETAIL}</p>
<p>{LINKS}</p>
{REQUEST}
</main></body></html>
"""
