"""Companies, product families, products and categories: `/v1/catalog`."""

from typing import Unpack

from ...contract.catalog import (
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
from ...contract.page import MAX_LIMIT, ListPage
from ..paging import Listing, PagedList
from ..request import Call
from .resource import DispatcherT, Resource, get, iteration, operation, post

_COMPANIES = "/v1/catalog/companies"
_categories = PagedList("/v1/catalog/categories", ListPage[Category], caches_body=True)
_companies = PagedList(_COMPANIES, ListPage[CompanyInList], caches_body=True)
_families = PagedList(_COMPANIES + "/{}/product-families", ListPage[ProductFamily], caches_body=True)
_products = PagedList(_COMPANIES + "/{}/products", ListPage[ProductInList], caches_body=True)


class Catalog(Resource[DispatcherT]):
    """The catalog. `limit` is 1 to 100, by default 10; `ids` has at most 30. Answers are cached by their
    ETags, so that reading an unchanged record again is cheap."""

    @operation
    def company(self, company_id: str) -> Call[Company]:
        """A company with its families, products, past purchases and competitors. NotFound if there is
        none."""
        return get(_COMPANIES + "/{}", Company, company_id, caches_body=True)

    @operation
    def product_family(self, product_family_id: str) -> Call[ProductFamily]:
        """A family with its products. NotFound if there is none."""
        return get("/v1/catalog/product-families/{}", ProductFamily, product_family_id, caches_body=True)

    @operation
    def product(self, product_id: str) -> Call[Product]:
        """A product with its pricing dimensions and features. NotFound if there is none."""
        return get("/v1/catalog/products/{}", Product, product_id, caches_body=True)

    @operation
    def categories(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[CategoryQuery]
    ) -> Call[ListPage[Category]]:
        """A page of the top-level categories, or of the children of `parent_category_id`."""
        return _categories.page(query, limit, offset)

    @operation
    def companies(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[CompanyQuery]
    ) -> Call[ListPage[CompanyInList]]:
        """A page of companies. `name` matches any part of a name, `domain` the whole domain."""
        return _companies.page(query, limit, offset)

    @operation
    def product_families(
        self,
        company_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **query: Unpack[ProductFamilyQuery],
    ) -> Call[ListPage[ProductFamily]]:
        """A page of a company's product families."""
        return _families.page(query, limit, offset, values=(company_id,))

    @operation
    def products(
        self,
        company_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **query: Unpack[ProductQuery],
    ) -> Call[ListPage[ProductInList]]:
        """A page of a company's products, optionally of one family."""
        return _products.page(query, limit, offset, values=(company_id,))

    @iteration
    def iter_categories(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[CategoryQuery]
    ) -> Listing[Category]:
        """Every category on that level, page by page."""
        return _categories.all(query, page_size)

    @iteration
    def iter_companies(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[CompanyQuery]
    ) -> Listing[CompanyInList]:
        """Every company that matches, page by page."""
        return _companies.all(query, page_size)

    @iteration
    def iter_product_families(
        self, company_id: str, *, page_size: int = MAX_LIMIT, **query: Unpack[ProductFamilyQuery]
    ) -> Listing[ProductFamily]:
        """Every product family of a company, page by page."""
        return _families.all(query, page_size, values=(company_id,))

    @iteration
    def iter_products(
        self, company_id: str, *, page_size: int = MAX_LIMIT, **query: Unpack[ProductQuery]
    ) -> Listing[ProductInList]:
        """Every product of a company, or of one of its families, page by page."""
        return _products.all(query, page_size, values=(company_id,))

    # An extension: a deployment may lack it, see `openapi.offered_operations`.

    @operation
    def create_entry(
        self, entry: NewCatalogEntry, *, idempotency_key: str | None = None
    ) -> Call[CatalogEntry]:
        """Add a product that only the caller's organisation sees. BadRequest names each place that is wrong;
        Conflict has `candidates` where something much alike is there and `confirm_new` is not true, and
        always where the organisation has this very entry."""
        return post("/v1/catalog/entries", CatalogEntry, body=entry, key=idempotency_key)
