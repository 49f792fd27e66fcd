"""The routes of the catalog. They answer with stored wire records, joined as text."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from starlette.requests import Request
from starlette.responses import Response

from app.contract.catalog import (
    CatalogEntry,
    Category,
    CategoryQuery,
    Company,
    CompanyInList,
    CompanyQuery,
    NewCatalogEntry,
    Product,
    ProductFamily,
    ProductFamilyQuery,
    ProductInList,
    ProductQuery,
)
from app.contract.page import ListPage, PageRequest
from app.contract.values import Id
from app.service.access.guard import CallerDep, GuardedRoute
from app.service.catalog import store
from app.service.catalog.own_entries import add_entry
from app.service.catalog.response_cache import CachedRoute, ViewerDep
from app.service.catalog.store import StoredPage
from app.service.http.conditional_get import cacheable_response
from app.service.http.dependencies import ContextDep
from app.service.http.operations import NOT_MODIFIED, extension, operation
from app.service.http.problems import not_found
from app.service.http.query_parameters import WITH_IDS, PageDep, query_parameters, read_ids
from app.service.http.responses import created_response

router = APIRouter(prefix="/v1/catalog", tags=["Catalog"], route_class=CachedRoute)
uncached_router = APIRouter(prefix="/v1/catalog", tags=["Catalog"], route_class=GuardedRoute)

CompanyId = Annotated[Id, Path(alias="companyId")]


@router.get(
    "/companies/{companyId}",
    **operation("companies.read", "Read a company", Company, 404, responses=NOT_MODIFIED),
)
def read_company(request: Request, context: ContextDep, viewer: ViewerDep, company_id: CompanyId) -> Response:
    """Return a supplier with its product families and products, and past purchases without their buyers."""
    with context.database.reading() as connection:
        return _record_response(request, store.read_company(connection, viewer, company_id), "company")


@router.get(
    "/product-families/{productFamilyId}",
    **operation("productFamilies.read", "Read a product family", ProductFamily, 404, responses=NOT_MODIFIED),
)
def read_product_family(
    request: Request,
    context: ContextDep,
    viewer: ViewerDep,
    family_id: Annotated[Id, Path(alias="productFamilyId")],
) -> Response:
    """Return a product family with its products."""
    with context.database.reading() as connection:
        return _record_response(request, store.read_family(connection, viewer, family_id), "product family")


@router.get(
    "/products/{productId}",
    **operation("products.read", "Read a product", Product, 404, responses=NOT_MODIFIED),
)
def read_product(
    request: Request,
    context: ContextDep,
    viewer: ViewerDep,
    product_id: Annotated[Id, Path(alias="productId")],
) -> Response:
    """Return a product with the dimensions that its price depends on, and similar products of others."""
    with context.database.reading() as connection:
        return _record_response(request, store.read_product(connection, viewer, product_id), "product")


@router.get(
    "/categories",
    **operation(
        "categories.list",
        "List the top-level categories, or the children of one",
        ListPage[Category],
        responses=NOT_MODIFIED,
    ),
)
def list_categories(
    request: Request,
    context: ContextDep,
    viewer: ViewerDep,
    query: Annotated[CategoryQuery, Depends(query_parameters(CategoryQuery))],
    page: PageDep,
) -> Response:
    """List the categories that suppliers belong to. Each top-level category names its children."""
    with context.database.reading() as connection:
        return _page_response(request, store.list_categories(connection, viewer, query, page), page)


@router.get(
    "/companies",
    **operation(
        "companies.list",
        "List companies",
        ListPage[CompanyInList],
        responses=NOT_MODIFIED,
        openapi_extra=WITH_IDS,
    ),
)
def list_companies(
    request: Request,
    context: ContextDep,
    viewer: ViewerDep,
    query: Annotated[CompanyQuery, Depends(query_parameters(CompanyQuery, ids=read_ids))],
    page: PageDep,
) -> Response:
    """List suppliers, whose names, domains, categories and ids can be asked for."""
    with context.database.reading() as connection:
        return _page_response(request, store.list_companies(connection, viewer, query, page), page)


@router.get(
    "/companies/{companyId}/product-families",
    **operation(
        "productFamilies.list",
        "List the product families of a company",
        ListPage[ProductFamily],
        404,
        responses=NOT_MODIFIED,
        openapi_extra=WITH_IDS,
    ),
)
def list_product_families(
    request: Request,
    context: ContextDep,
    viewer: ViewerDep,
    company_id: CompanyId,
    query: Annotated[ProductFamilyQuery, Depends(query_parameters(ProductFamilyQuery, ids=read_ids))],
    page: PageDep,
) -> Response:
    """List the product families of a supplier with their products."""
    with context.database.reading() as connection:
        stored = store.list_families(connection, viewer, company_id, query, page)
        if stored.total == 0 and not store.company_exists(connection, viewer, company_id):
            raise not_found("company")
        return _page_response(request, stored, page)


@router.get(
    "/companies/{companyId}/products",
    **operation(
        "products.list",
        "List the products of a company",
        ListPage[ProductInList],
        404,
        responses=NOT_MODIFIED,
        openapi_extra=WITH_IDS,
    ),
)
def list_products(
    request: Request,
    context: ContextDep,
    viewer: ViewerDep,
    company_id: CompanyId,
    query: Annotated[ProductQuery, Depends(query_parameters(ProductQuery, ids=read_ids))],
    page: PageDep,
) -> Response:
    """List the products of a supplier with the dimensions that their prices depend on."""
    with context.database.reading() as connection:
        stored = store.list_products(connection, viewer, company_id, query, page)
        if stored.total == 0 and not store.company_exists(connection, viewer, company_id):
            raise not_found("company")
        return _page_response(request, stored, page)


@uncached_router.post(
    "/entries",
    **extension("catalogEntries.create", "Add a product to the catalog", CatalogEntry, status_code=201),
)
def create_entry(body: NewCatalogEntry, context: ContextDep, caller: CallerDep) -> Response:
    """Add a product, and its supplier where that is new, which only the caller's organisation sees. The
    answer is 409 with `candidates` where something similar is on record, unless `confirmNew` is true, and
    always where the organisation has exactly this entry."""
    with context.database.writing() as connection:
        entry = add_entry(connection, caller.organisation_id, body, context.clock())
    return created_response(entry, f"/v1/catalog/products/{entry.product_id}")


def _record_response(request: Request, record: str | None, what: str) -> Response:
    if record is None:
        raise not_found(what)
    return cacheable_response(request, record.encode())


def _page_response(request: Request, stored: StoredPage, page: PageRequest) -> Response:
    body = (
        f'{{"data":[{",".join(stored.records)}],"pagination":'
        f'{{"total":{stored.total},"limit":{page.limit},"offset":{page.offset}}}}}'
    )
    return cacheable_response(request, body.encode())
