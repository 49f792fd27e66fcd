"""The routes of sample quotes, for trying out how documents are read."""

from typing import Annotated
from urllib.parse import quote as escape

import sqlalchemy as sa
from fastapi import APIRouter, Path
from starlette.responses import Response

from app.contract.deployment import SAMPLE_QUOTE_PATTERN, SampleData, SampleRemoval
from app.contract.deployment import SampleQuote as SampleQuoteRecord
from app.contract.page import ListPage
from app.service.access.capacity import WorkKind, counts_as
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.context import Context
from app.service.database.tables import company
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import not_found
from app.service.http.query_parameters import PageDep, page_response
from app.service.http.responses import NO_STORE, describe_download, json_response
from app.service.sample.quote_pdf import draw_quote_pdf
from app.service.sample.quotes import TRIAL_QUOTES, SampleQuote, draw_quote
from app.service.sample.removal import load_sample_data, remove_sample
from app.service.sample.suppliers import sample_catalog

router = APIRouter(prefix="/v1/sample", tags=["Sample data"], route_class=GuardedRoute)


@router.get("", **extension("sampleData.read", "Read what sample data there is", SampleData))
@counts_as(WorkKind.READ)
def read_sample(context: ContextDep, caller: CallerDep) -> Response:
    """Return what sample data the organisation sees, and whether it counts in figures."""
    with context.database.reading() as connection:
        record = load_sample_data(connection, caller.organisation_id)
    return json_response(record, headers=NO_STORE)


@router.delete("", **extension("sampleData.remove", "Remove the sample data", SampleRemoval))
def remove(context: ContextDep, caller: CallerDep) -> Response:
    """Remove the organisation's sample scopes, requirements, negotiations, webhooks and files, and the sample
    suppliers with their products and purchases: all of it or nothing. A supplier that something real, or
    another organisation, refers to stays, and the answer says so. Nothing of it comes back at the next
    start."""
    return json_response(remove_sample(context, caller.organisation_id))


@router.get("/quotes", **extension("sampleQuotes.list", "List sample quotes", ListPage[SampleQuoteRecord]))
@counts_as(WorkKind.READ)
def list_quotes(context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List quotes of sample suppliers whose documents can be downloaded, and uploaded to try how they are
    read. Without the sample catalog there are none."""
    quotes = _load_quotes(context)
    records = [_quote_record(one) for one in quotes[page.offset : page.end]]
    return page_response(records, len(quotes), page)


@router.get(
    "/quotes/{quoteNumber}",
    **extension(
        "sampleQuotes.download",
        "Download a sample quote",
        None,
        404,
        **describe_download("application/pdf", "The quote as a PDF.", {}),
    ),
)
@counts_as(WorkKind.READ)
def download_quote(
    number: Annotated[str, Path(alias="quoteNumber", pattern=SAMPLE_QUOTE_PATTERN, max_length=6)],
    context: ContextDep,
    caller: CallerDep,
) -> Response:
    """Return the document of a sample quote, dated about today."""
    for one in _load_quotes(context):
        if one.number == number:
            disposition = f"attachment; filename*=UTF-8''{escape(one.filename)}"
            return Response(
                draw_quote_pdf(one),
                media_type="application/pdf",
                headers={"Content-Disposition": disposition, **NO_STORE},
            )
    raise not_found("sample quote")


def _load_quotes(context: Context) -> list[SampleQuote]:
    """Draw the quotes of those suppliers that are in the catalog."""
    suppliers = sample_catalog(context.settings.currency).suppliers
    today = context.clock().date()
    quotes = [
        draw_quote(number, plan, suppliers, today, context.settings.currency)
        for number, plan in TRIAL_QUOTES.items()
    ]
    with context.database.reading() as connection:
        company_ids = [one.supplier.row["id"] for one in quotes]
        query = sa.select(company.c.id).where(company.c.id.in_(company_ids), company.c.sample.is_(sa.true()))
        present = set(connection.scalars(query))
    return [one for one in quotes if one.supplier.row["id"] in present]


def _quote_record(one: SampleQuote) -> SampleQuoteRecord:
    return SampleQuoteRecord.build_from(
        one,
        supplier_name=one.supplier.row["name"],
        product_names=[line.description for line in one.lines],
        amount=one.net,
        quoted_on=one.dated,
    )
