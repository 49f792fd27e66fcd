"""What answers without a key: the probes of the service at its own port, for load balancers and Kubernetes,
and the page behind the link of every letter to colleagues, which ends such letters with one click.

Mail programs send the same POST by themselves (`List-Unsubscribe-Post`, RFC 8058). Opening the link changes
nothing, since programs that look for viruses open it too."""

from html import escape

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from app.service.access.capacity import WorkKind
from app.service.access.guard import ACCESS_CONTROL
from app.service.background.mail_recipients import SUBSCRIBING, UNSUBSCRIBING, find_recipient, save_wish
from app.service.context import Context
from app.service.http.dependencies import ContextDep
from app.service.http.problems import require
from app.service.http.responses import NO_STORE
from app.service.operation.readiness import check_readiness, is_ready

router = APIRouter(include_in_schema=False)
unsubscribe_router = APIRouter(include_in_schema=False)

POLICY = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
MAX_TOKEN = 64


@router.get("/livez")
async def live() -> Response:
    """Answer while the process does: one that does not is to be started again."""
    return JSONResponse({"status": "ok"}, headers=NO_STORE)


@router.get("/readyz")
async def ready(context: ContextDep) -> Response:
    """Return whether callers may be sent here, with status 503 where they may not."""
    parts = await check_readiness(context)
    return JSONResponse(parts, 200 if is_ready(parts) else 503, headers=NO_STORE)


@unsubscribe_router.get(UNSUBSCRIBING)
async def read_page(request: Request, context: ContextDep, token: str = "") -> Response:
    """Return the page of a link. 404 for a token that is not known."""
    return await _answer(request, context, token, None)


@unsubscribe_router.post(UNSUBSCRIBING)
async def unsubscribe(request: Request, context: ContextDep, token: str = "") -> Response:
    """End the letters of an organisation to an address."""
    return await _answer(request, context, token, True)


@unsubscribe_router.post(SUBSCRIBING)
async def subscribe(request: Request, context: ContextDep, token: str = "") -> Response:
    """Let the letters come again."""
    return await _answer(request, context, token, False)


async def _answer(request: Request, context: Context, token: str, refused: bool | None) -> Response:
    async with ACCESS_CONTROL.get(request.app).capacity.work(WorkKind.KEY, token[:MAX_TOKEN]):
        return await run_in_threadpool(_change, context, token, refused)


def _change(context: Context, token: str, refused: bool | None) -> Response:
    if refused is not None:
        with context.database.writing() as connection:
            save_wish(connection, token, context.clock() if refused else None)
    with context.database.reading() as connection:
        found = require(find_recipient(connection, token), "address of mail")
    address, organisation, is_refused = found
    state = "gets no mail" if is_refused else "gets mail about comments and deadlines"
    path, action = (SUBSCRIBING, "Get this mail again") if is_refused else (UNSUBSCRIBING, "Get no more mail")
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Mail of Parley</title>'
        f"<h1>Mail of Parley</h1><p>{escape(address)} {state} of {escape(organisation)}.</p>"
        f'<form method="post" action="{path}?token={escape(token)}"><button>{action}</button></form>'
    )
    headers = {**NO_STORE, "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}
    return HTMLResponse(page, headers=headers)
