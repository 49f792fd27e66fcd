"""What lines of a catalog file would add to the catalog and change in it. It stores nothing.

A company is identified by its domain, without one by its name. An organisation's file leaves the entries that
everybody sees unchanged, and adds its own products to them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.catalog.company_rows import CompanyLine
from app.service.catalog.entries import category_row, company_row, product_row
from app.service.catalog.names import company_key, name_key, sort_name
from app.service.catalog.rows import CategoryRow, CompanyRow, ProductRow, quantity_dimension, select_rows
from app.service.database.rows import batched
from app.service.database.tables import category, company, product
from app.service.database.visibility import shared, visible_to
from app.service.ids import new_id

BATCH_ROWS = 1_000
DETAIL = "details."
"""Begins the name of a value that stands in the details of a company."""

Values = dict[str, Any]
"""Values of a company by their names: columns, and `details.url` for one in the details."""


@dataclass
class CatalogPlan:
    """New rows, the companies of the owner that change, as they will be, and the known rows that the lines
    name. `stated` has by company what the lines say about it, `before` what was there."""

    categories: list[CategoryRow] = field(default_factory=list[CategoryRow])
    companies: dict[str, CompanyRow] = field(default_factory=dict[str, CompanyRow])
    products: list[ProductRow] = field(default_factory=list[ProductRow])
    changed: dict[str, CompanyRow] = field(default_factory=dict[str, CompanyRow])
    before: dict[str, Values] = field(default_factory=dict[str, Values])
    stated: dict[str, Values] = field(default_factory=dict[str, Values])
    known_categories: set[str] = field(default_factory=set[str])
    known_companies: set[str] = field(default_factory=set[str])
    known_products: set[str] = field(default_factory=set[str])

    @property
    def with_products(self) -> set[str]:
        """The companies that get products."""
        return {row["company_id"] for row in self.products}


def company_values(row: CompanyRow) -> Values:
    """Return the values of a company that a file can state."""
    columns = ("name", "legal_name", "domain", "category_id", "discontinued")
    return {
        **{name: row[name] for name in columns},
        **{DETAIL + name: value for name, value in row["details"].items()},
    }


def columns_of(row: CompanyRow, values: Values) -> Values:
    """Return the columns that hold the values, which replace those of the row; None takes a detail away."""
    merged = {**company_values(row), **values}
    details = {
        name.removeprefix(DETAIL): value
        for name, value in merged.items()
        if name.startswith(DETAIL) and value is not None
    }
    name: str = merged["name"]
    return {
        **{column: value for column, value in merged.items() if not column.startswith(DETAIL)},
        "sort_name": sort_name(name),
        "name_key": company_key(name),
        "details": details,
    }


class CatalogPlanner:
    """Plans lines, in batches. What was planned before counts as being there, so that a file can be counted
    without storing it; to store it, each batch has a planner of its own."""

    def __init__(self, owner: str | None, now: datetime) -> None:
        self._owner = owner
        self._now = now
        self._plan = CatalogPlan()
        self._by_domain: dict[str, CompanyRow] = {}
        self._by_name: dict[str, CompanyRow] = {}
        self._planned: dict[str, CompanyRow] = {}
        self._planned_products: dict[tuple[str, str], str] = {}
        self._products: dict[tuple[str, str], str] = {}
        self._categories: dict[tuple[str, str], CategoryRow] | None = None

    def plan(self, connection: Connection, lines: Sequence[CompanyLine]) -> CatalogPlan:
        """Return what these lines add and change."""
        self._plan = CatalogPlan()
        if self._categories is None:
            self._categories = self._load_categories(connection)
        self._load_companies(connection, lines)
        sellers = [(self._take_company(line), line) for line in lines]
        self._load_products(connection, {row["id"] for row, line in sellers if line.products})
        for row, line in sellers:
            self._take_products(row, line)
        for row in self._plan.companies.values():
            # Their records may be long, and nobody reads them of a row that is only planned.
            self._planned[row["id"]] = cast(CompanyRow, {**row, "wire_read": "", "wire_list": ""})
        return self._plan

    def _load_categories(self, connection: Connection) -> dict[tuple[str, str], CategoryRow]:
        seen = sa.select(category).where(visible_to(category.c, self._owner))
        # Its own come last and so replace shared ones of the same name.
        return {
            (row["parent_id"] or "", row["sort_name"]): row
            for row in select_rows(connection, CategoryRow, seen.order_by(~shared(category.c)))
        }

    def _load_companies(self, connection: Connection, lines: Iterable[CompanyLine]) -> None:
        """Load those with a domain or name of the lines, the owner's own first."""
        self._by_domain.clear()
        self._by_name.clear()
        for row in self._planned.values():
            self._remember(row)
        domains = sorted({line.domain for line in lines if line.domain})
        names = sorted({company_key(line.name) for line in lines})
        for column, values in ((company.c.domain, domains), (company.c.name_key, names)):
            for some in batched(values, BATCH_ROWS):
                query = (
                    sa.select(company)
                    .where(
                        column.in_(some),
                        visible_to(company.c, self._owner),
                        company.c.sample.is_(sa.false()),  # real data never changes a sample company
                    )
                    .order_by(shared(company.c), company.c.id)
                )
                for row in select_rows(connection, CompanyRow, query):
                    self._remember(row)

    def _remember(self, row: CompanyRow) -> None:
        if row["domain"]:
            self._by_domain.setdefault(row["domain"], row)
        known = self._by_name.setdefault(row["name_key"], row)
        if known["domain"] and not row["domain"]:
            self._by_name[row["name_key"]] = row

    def _find_company(self, line: CompanyLine) -> CompanyRow | None:
        of_name = self._by_name.get(company_key(line.name))
        if not line.domain:
            return of_name
        # A supplier that an import of purchases created from its name alone gets its domain here.
        nameless = of_name if of_name is not None and not of_name["domain"] else None
        return self._by_domain.get(line.domain, nameless)

    def _take_company(self, line: CompanyLine) -> CompanyRow:
        row, kind = self._find_company(line), self._take_category(line)
        if row is None:
            row = self._build_company(new_id(), line, kind)
            self._plan.companies[row["id"]] = row
            self._remember(row)
            return row
        is_new = row["id"] in self._plan.companies
        if not is_new and row["id"] not in self._planned:
            self._plan.known_companies.add(row["id"])
        if row["organisation_id"] != self._owner:
            return row
        stated = _stated_values(line, kind)
        before = company_values(row)
        changed = cast(CompanyRow, {**row, **columns_of(row, stated)})
        if is_new:
            self._plan.companies[row["id"]] = changed = self._renew(changed)
        elif row["id"] in self._planned:
            self._planned[row["id"]] = changed
        else:
            known = self._plan.before.setdefault(row["id"], {})
            for name in stated:
                known.setdefault(name, before.get(name))
            self._plan.stated[row["id"]] = {**self._plan.stated.get(row["id"], {}), **stated}
            if any(before.get(name) != value for name, value in stated.items()):
                self._plan.changed[row["id"]] = changed
        self._replace(row, changed)
        return changed

    def _replace(self, row: CompanyRow, changed: CompanyRow) -> None:
        for index in (self._by_domain, self._by_name):
            for key in [key for key in (row["domain"], row["name_key"]) if index.get(key) is row]:
                index[key] = changed
        self._remember(changed)

    def _renew(self, row: CompanyRow) -> CompanyRow:
        """Return a new row with the records of its values."""
        kinds = {each["id"]: each for each in (self._categories or {}).values()}
        return company_row(
            row["id"],
            row["name"],
            self._now,
            legal_name=row["legal_name"],
            domain=row["domain"],
            category=kinds.get(row["category_id"] or ""),
            discontinued=row["discontinued"],
            organisation_id=self._owner,
            details=row["details"],
        )

    def _build_company(self, company_id: str, line: CompanyLine, kind: CategoryRow | None) -> CompanyRow:
        return company_row(
            company_id,
            line.name,
            self._now,
            legal_name=line.legal_name or None,
            domain=line.domain,
            category=kind,
            discontinued=bool(line.discontinued),
            organisation_id=self._owner,
            details=line.details,
        )

    def _take_category(self, line: CompanyLine) -> CategoryRow | None:
        parent = self._take_category_under(None, line.parent_category)
        if not line.category or sort_name(line.category) == sort_name(line.parent_category):
            return parent
        return self._take_category_under(parent, line.category)

    def _take_category_under(self, parent: CategoryRow | None, name: str) -> CategoryRow | None:
        if not name or self._categories is None:
            return None
        parent_id = parent["id"] if parent else None
        key = (parent_id or "", sort_name(name))
        row = self._categories.get(key)
        if row is None:
            row = category_row(new_id(), name, self._now, parent_id=parent_id, organisation_id=self._owner)
            self._categories[key] = row
            self._plan.categories.append(row)
        else:
            self._plan.known_categories.add(row["id"])
        return row

    def _load_products(self, connection: Connection, company_ids: set[str]) -> None:
        columns = (product.c.company_id, product.c.name_key, product.c.id)
        self._products = dict(self._planned_products)
        for some in batched(sorted(company_ids - self._planned.keys()), BATCH_ROWS):
            query = sa.select(*columns).where(
                product.c.company_id.in_(some), visible_to(product.c, self._owner)
            )
            for company_id, key, product_id in connection.execute(query):
                self._products[company_id, key] = product_id

    def _take_products(self, seller: CompanyRow, line: CompanyLine) -> None:
        """Add the products that the company does not have yet."""
        for order, name in enumerate(line.products):
            key = (seller["id"], name_key(name))
            if key in self._products:
                self._plan.known_products.add(self._products[key])
                continue
            quantity_id = new_id()
            row = product_row(
                new_id(),
                seller,
                name,
                self._now,
                sort_order=order,
                dimensions=[quantity_dimension(quantity_id, None)],
                quantity_dimension_id=quantity_id,
                details={},
                organisation_id=self._owner,
            )
            self._plan.products.append(row)
            self._products[key] = self._planned_products[key] = row["id"]


def _stated_values(line: CompanyLine, kind: CategoryRow | None) -> Values:
    values: Values = {"name": line.name}
    if line.legal_name:
        values["legal_name"] = line.legal_name
    if line.domain:
        values["domain"] = line.domain
    if kind is not None:
        values["category_id"] = kind["id"]
    if line.discontinued is not None:
        values["discontinued"] = line.discontinued
    return {**values, **{DETAIL + name: value for name, value in line.details.items()}}
