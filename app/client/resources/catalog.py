"""Companies, product families, products and categories: `/v1/catalog`."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from app.client.errors import Answer
from app.client.paging import each
from app.client.reply import record
from app.client.request import Call, Query
from app.client.resources.resource import Resource
from app.contract.catalog import (
    CatalogEntry,
    Category,
    CategorySort,
    Company,
    CompanyInList,
    CompanyPartSort,
    CompanySort,
    NewCatalogEntry,
    Product,
    ProductFamily,
    ProductInList,
    SortOrder,
)
from app.contract.page import MAX_LIMIT, ListPage

Result = TypeVar("Result")

_company = record(Company)
_family = record(ProductFamily)
_product = record(Product)
_entry = record(CatalogEntry)
_categories = record(ListPage[Category])
_companies = record(ListPage[CompanyInList])
_families = record(ListPage[ProductFamily])
_products = record(ListPage[ProductInList])


class Catalog(Resource):
    """`limit` is 1 to 100, 10 by default; `ids` at most 30. Reads are remembered with their
    ETags, so asking again for what has not changed is cheap."""

    def company(self, company_id: str) -> Company:
        """A company with its families, products, past purchases and competitors. NotFound without one."""
        return self._ask(_read("/v1/catalog/companies/{}", (company_id,), _company))

    def product_family(self, product_family_id: str) -> ProductFamily:
        """A family with its products. NotFound if there is none."""
        return self._ask(_read("/v1/catalog/product-families/{}", (product_family_id,), _family))

    def product(self, product_id: str) -> Product:
        """A product with its pricing dimensions and features. NotFound if there is none."""
        return self._ask(_read("/v1/catalog/products/{}", (product_id,), _product))

    def categories(
        self,
        *,
        parent_category_id: str | None = None,
        sort_by: CategorySort | None = None,
        sort_order: SortOrder | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ListPage[Category]:
        """A page of the top-level categories, or of the children of `parent_category_id`."""
        query: Query = {"parentCategoryId": parent_category_id, **_page(limit, offset, sort_by, sort_order)}
        return self._ask(_read("/v1/catalog/categories", (), _categories, query))

    def companies(
        self,
        *,
        name: str | None = None,
        domain: str | None = None,
        category_id: str | None = None,
        ids: Sequence[str] | None = None,
        sort_by: CompanySort | None = None,
        sort_order: SortOrder | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ListPage[CompanyInList]:
        """A page of companies. `name` matches any part of a name, `domain` the whole domain."""
        query: Query = {
            "name": name,
            "domain": domain,
            "categoryId": category_id,
            "ids": _joined(ids),
            **_page(limit, offset, sort_by, sort_order),
        }
        return self._ask(_read("/v1/catalog/companies", (), _companies, query))

    def product_families(
        self,
        company_id: str,
        *,
        ids: Sequence[str] | None = None,
        sort_by: CompanyPartSort | None = None,
        sort_order: SortOrder | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ListPage[ProductFamily]:
        """A page of a company's product families."""
        query: Query = {"ids": _joined(ids), **_page(limit, offset, sort_by, sort_order)}
        return self._ask(_read("/v1/catalog/companies/{}/product-families", (company_id,), _families, query))

    def products(
        self,
        company_id: str,
        *,
        ids: Sequence[str] | None = None,
        product_family_id: str | None = None,
        sort_by: CompanyPartSort | None = None,
        sort_order: SortOrder | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ListPage[ProductInList]:
        """A page of a company's products, those of one family if asked."""
        query: Query = {
            "ids": _joined(ids),
            "productFamilyId": product_family_id,
            **_page(limit, offset, sort_by, sort_order),
        }
        return self._ask(_read("/v1/catalog/companies/{}/products", (company_id,), _products, query))

    # An addition of ours: a deployment may lack it, see `openapi.offered_operations`.

    def create_entry(self, entry: NewCatalogEntry, *, idempotency_key: str | None = None) -> CatalogEntry:
        """Adds a product that only the caller's organisation sees. BadRequest names each place that is wrong;
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
        self, *, parent_category_id: str | None = None, page_size: int = MAX_LIMIT
    ) -> Iterator[Category]:
        """Every category on that level, page by page."""
        return each(
            lambda limit, offset: self.categories(
                parent_category_id=parent_category_id, limit=limit, offset=offset
            ),
            page_size=page_size,
        )

    def iter_companies(
        self,
        *,
        name: str | None = None,
        domain: str | None = None,
        category_id: str | None = None,
        sort_order: SortOrder | None = None,
        page_size: int = MAX_LIMIT,
    ) -> Iterator[CompanyInList]:
        """Every company that matches, page by page."""
        return each(
            lambda limit, offset: self.companies(
                name=name,
                domain=domain,
                category_id=category_id,
                sort_order=sort_order,
                limit=limit,
                offset=offset,
            ),
            page_size=page_size,
        )

    def iter_product_families(
        self,
        company_id: str,
        *,
        sort_by: CompanyPartSort | None = None,
        sort_order: SortOrder | None = None,
        page_size: int = MAX_LIMIT,
    ) -> Iterator[ProductFamily]:
        """Every product family of a company, page by page."""
        return each(
            lambda limit, offset: self.product_families(
                company_id, sort_by=sort_by, sort_order=sort_order, limit=limit, offset=offset
            ),
            page_size=page_size,
        )

    def iter_products(
        self,
        company_id: str,
        *,
        product_family_id: str | None = None,
        sort_by: CompanyPartSort | None = None,
        sort_order: SortOrder | None = None,
        page_size: int = MAX_LIMIT,
    ) -> Iterator[ProductInList]:
        """Every product of a company, or of one of its families, page by page."""
        return each(
            lambda limit, offset: self.products(
                company_id,
                product_family_id=product_family_id,
                sort_by=sort_by,
                sort_order=sort_order,
                limit=limit,
                offset=offset,
            ),
            page_size=page_size,
        )


def _read(
    template: str, values: tuple[str, ...], read: Callable[[Answer], Result], query: Query | None = None
) -> Call[Result]:
    return Call("GET", template, values, read, query=query or {}, remembers=True)


def _joined(ids: Sequence[str] | None) -> str | None:
    """Form style, not exploded: one value with commas between."""
    return ",".join(ids) if ids else None


def _page(limit: int | None, offset: int | None, sort_by: str | None, sort_order: str | None) -> Query:
    return {"limit": limit, "offset": offset, "sortBy": sort_by, "sortOrder": sort_order}
