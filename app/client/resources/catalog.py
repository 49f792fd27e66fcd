"""Companies, product families, products and categories: `/v1/catalog`."""

from collections.abc import Callable, Iterator
from typing import TypeVar, Unpack

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
from ..errors import Answer
from ..paging import iter_records
from ..reply import read_as
from ..request import Call, Query, list_query
from .resource import Resource

Result = TypeVar("Result")

_company = read_as(Company)
_family = read_as(ProductFamily)
_product = read_as(Product)
_entry = read_as(CatalogEntry)
_categories = read_as(ListPage[Category])
_companies = read_as(ListPage[CompanyInList])
_families = read_as(ListPage[ProductFamily])
_products = read_as(ListPage[ProductInList])


class Catalog(Resource):
    """The catalog. `limit` is 1 to 100, by default 10; `ids` has at most 30. Answers are cached by their
    ETags, so that reading an unchanged record again is cheap."""

    def company(self, company_id: str) -> Company:
        """A company with its families, products, past purchases and competitors. NotFound if there is
        none."""
        return self._ask(_read("/v1/catalog/companies/{}", (company_id,), _company))

    def product_family(self, product_family_id: str) -> ProductFamily:
        """A family with its products. NotFound if there is none."""
        return self._ask(_read("/v1/catalog/product-families/{}", (product_family_id,), _family))

    def product(self, product_id: str) -> Product:
        """A product with its pricing dimensions and features. NotFound if there is none."""
        return self._ask(_read("/v1/catalog/products/{}", (product_id,), _product))

    def categories(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[CategoryQuery]
    ) -> ListPage[Category]:
        """A page of the top-level categories, or of the children of `parent_category_id`."""
        return self._ask(_read("/v1/catalog/categories", (), _categories, list_query(query, limit, offset)))

    def companies(
        self, *, limit: int | None = None, offset: int | None = None, **query: Unpack[CompanyQuery]
    ) -> ListPage[CompanyInList]:
        """A page of companies. `name` matches any part of a name, `domain` the whole domain."""
        return self._ask(_read("/v1/catalog/companies", (), _companies, list_query(query, limit, offset)))

    def product_families(
        self,
        company_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **query: Unpack[ProductFamilyQuery],
    ) -> ListPage[ProductFamily]:
        """A page of a company's product families."""
        template = "/v1/catalog/companies/{}/product-families"
        return self._ask(_read(template, (company_id,), _families, list_query(query, limit, offset)))

    def products(
        self,
        company_id: str,
        *,
        limit: int | None = None,
        offset: int | None = None,
        **query: Unpack[ProductQuery],
    ) -> ListPage[ProductInList]:
        """A page of a company's products, optionally of one family."""
        template = "/v1/catalog/companies/{}/products"
        return self._ask(_read(template, (company_id,), _products, list_query(query, limit, offset)))

    # An addition of ours: a deployment may lack it, see `openapi.offered_operations`.

    def create_entry(self, entry: NewCatalogEntry, *, idempotency_key: str | None = None) -> CatalogEntry:
        """Add a product that only the caller's organisation sees. BadRequest names each place that is wrong;
        Conflict has `candidates` where something much alike is there and `confirm_new` is not true, and
        always where the organisation has this very entry."""
        return self._ask(
            Call(
                "POST",
                "/v1/catalog/entries",
                (),
                _entry,
                json=entry.wire(),
                idempotency_key=idempotency_key,
            )
        )

    def iter_categories(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[CategoryQuery]
    ) -> Iterator[Category]:
        """Every category on that level, page by page."""
        return iter_records(
            lambda limit, offset: self.categories(limit=limit, offset=offset, **query), page_size=page_size
        )

    def iter_companies(
        self, *, page_size: int = MAX_LIMIT, **query: Unpack[CompanyQuery]
    ) -> Iterator[CompanyInList]:
        """Every company that matches, page by page."""
        return iter_records(
            lambda limit, offset: self.companies(limit=limit, offset=offset, **query), page_size=page_size
        )

    def iter_product_families(
        self, company_id: str, *, page_size: int = MAX_LIMIT, **query: Unpack[ProductFamilyQuery]
    ) -> Iterator[ProductFamily]:
        """Every product family of a company, page by page."""
        return iter_records(
            lambda limit, offset: self.product_families(company_id, limit=limit, offset=offset, **query),
            page_size=page_size,
        )

    def iter_products(
        self, company_id: str, *, page_size: int = MAX_LIMIT, **query: Unpack[ProductQuery]
    ) -> Iterator[ProductInList]:
        """Every product of a company, or of one of its families, page by page."""
        return iter_records(
            lambda limit, offset: self.products(company_id, limit=limit, offset=offset, **query),
            page_size=page_size,
        )


def _read(
    template: str, values: tuple[str, ...], read: Callable[[Answer], Result], query: Query | None = None
) -> Call[Result]:
    return Call("GET", template, values, read, query=query or {}, caches_body=True)
