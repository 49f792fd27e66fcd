"""Draw fictional suppliers and their products, as catalog rows and with what purchases are drawn from: the
same ones with the same ids at every start."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from random import Random
from typing import Literal

from app.service.catalog.entries import category_row, company_row, family_row, product_row
from app.service.catalog.rows import (
    CategoryRow,
    CompanyDetails,
    CompanyRow,
    DimensionRecord,
    FamilyRow,
    ProductRow,
    checkbox_dimension,
    make_dependent,
    number_dimension,
    quantity_dimension,
    select_dimension,
)
from app.service.sample import names
from app.service.sample.prices import DiscountPolicy

SUPPLIERS = 80
PRODUCTS = 250
SAMPLE_MARK = "(sample data)"
"""The end of every description, so that nobody takes an invented supplier for a real one."""

ProductKind = Literal["seats", "usage", "addon", "services"]
IdSource = Callable[[], str]

UNITS: dict[ProductKind, tuple[str, ...]] = {
    "seats": ("user",),
    "usage": ("server", "terabyte", "million events"),
    "addon": ("user",),
    "services": ("day",),
}


@dataclass(frozen=True)
class SampleProduct:
    """A product that purchases are drawn from. `list_price` is that of a unit and month, of a unit
    where it is paid once. `factors` say by column and label what a choice costs."""

    row: ProductRow
    kind: ProductKind
    unit: str
    list_price: float
    family: str
    factors: dict[str, dict[str, float]]


@dataclass(frozen=True)
class SampleSupplier:
    row: CompanyRow
    category: str
    discounts: DiscountPolicy
    weight: float
    products: list[SampleProduct] = field(default_factory=list[SampleProduct])


@dataclass
class SampleCatalog:
    """Everything that is written before the purchases."""

    categories: list[CategoryRow] = field(default_factory=list[CategoryRow])
    suppliers: list[SampleSupplier] = field(default_factory=list[SampleSupplier])
    families: list[FamilyRow] = field(default_factory=list[FamilyRow])


def draw_catalog(random: Random, ids: IdSource, now: datetime, currency: str) -> SampleCatalog:
    """Draw 80 suppliers with 250 products in two levels of categories; the same for the same `random`."""
    catalog = SampleCatalog()
    kinds: list[tuple[CategoryRow, str]] = []
    for top, children in names.CATEGORIES.items():
        parent = category_row(ids(), top, now, description=f"Software for {top.lower()} {SAMPLE_MARK}")
        catalog.categories.append(parent)
        for name, noun in children.items():
            child = category_row(
                ids(),
                name,
                now,
                parent_id=parent["id"],
                description=f"{name}, part of {top.lower()} {SAMPLE_MARK}",
            )
            catalog.categories.append(child)
            kinds.append((child, noun))
    stems = [beginning + ending for beginning in names.BEGINNINGS for ending in names.ENDINGS]
    for number, stem in enumerate(random.sample(stems, SUPPLIERS)):
        category, noun = kinds[number % len(kinds)]
        supplier = _draw_supplier(random, ids, now, stem, category, discontinued=number in {37, 61})
        catalog.suppliers.append(supplier)
        wanted = PRODUCTS // SUPPLIERS + (number < PRODUCTS % SUPPLIERS)
        _add_products(random, ids, now, supplier, noun, wanted, currency, catalog.families)
    _link_competitors(catalog.suppliers)
    return catalog


def _draw_supplier(
    random: Random, ids: IdSource, now: datetime, stem: str, category: CategoryRow, *, discontinued: bool
) -> SampleSupplier:
    name = f"{stem} {random.choice(names.KINDS)}"
    domain = f"{stem.lower()}.example"
    fiscal_year_end = random.choice(names.FISCAL_YEAR_ENDS)
    details: CompanyDetails = {
        "description": f"{name} makes software for {category['name'].lower()} {SAMPLE_MARK}",
        "url": f"https://{domain}",
        "fiscalYearEnd": fiscal_year_end,
    }
    if random.random() < 0.25:
        details["stockSymbols"] = [{"symbol": stem[:4].upper(), "exchange": random.choice(names.EXCHANGES)}]
    row = company_row(
        ids(),
        name,
        now,
        legal_name=f"{name} {random.choice(names.LEGAL_FORMS)}",
        domain=domain,
        category=category,
        discontinued=discontinued,
        sample=True,
        details=details,
    )
    # A few suppliers sell most of what is bought.
    weight = min(random.paretovariate(1.2), 8.0)
    return SampleSupplier(row, category["name"], DiscountPolicy.draw(random, fiscal_year_end), weight)


def _add_products(
    random: Random,
    ids: IdSource,
    now: datetime,
    supplier: SampleSupplier,
    noun: str,
    wanted: int,
    currency: str,
    families: list[FamilyRow],
) -> None:
    company = supplier.row
    stem = company["name"].split()[0]
    platform = family_row(ids(), company["id"], f"{stem} Platform", 0, now)
    around = family_row(ids(), company["id"], "Add-ons and services", 1, now)
    families += [platform, around]
    base = random.lognormvariate(3.1, 0.6)
    plan: list[tuple[ProductKind, str, FamilyRow, float]] = [
        ("seats", f"{stem} {noun}", platform, base),
        ("usage", f"{stem} {noun} Server", platform, base * random.uniform(3, 9)),
        ("services", f"{stem} Onboarding", around, random.uniform(900, 1800)),
        ("addon", f"{stem} {noun} Analytics", around, base * random.uniform(0.2, 0.5)),
    ]
    if wanted < len(plan):
        plan.pop(random.choice((2, 3)))
    for order, (kind, name, family, price) in enumerate(plan[:wanted]):
        unit = random.choice(UNITS[kind])
        dimensions, sources, factors = _draw_dimensions(random, ids, kind, unit)
        item_id = f"{stem[:3].upper()}-{noun[:4].upper()}-{order + 1:02d}"
        row = product_row(
            ids(),
            company,
            name,
            now,
            sort_order=order,
            dimensions=dimensions,
            quantity_dimension_id=dimensions[0]["id"],
            family_id=family["id"],
            item_id=item_id,
            currency=currency,
            default_price=round(price, 2),
            features=[
                {"id": ids(), "name": feature, "description": names.FEATURES[feature]}
                for feature in random.sample(sorted(names.FEATURES), random.randint(2, 4))
            ]
            if kind != "services"
            else [],
            sources=sources,
            stale=True,
            estimate_available=True,  # purchases of every one are drawn
            details={
                "description": f"{_describe_product(kind, name, unit)} {SAMPLE_MARK}",
                "url": f"https://{company['domain']}/{name.lower().replace(' ', '-')}",
            },
        )
        supplier.products.append(SampleProduct(row, kind, unit, round(price, 2), family["name"], factors))


def _describe_product(kind: ProductKind, name: str, unit: str) -> str:
    if kind == "services":
        return f"{name}: help with the start, priced by the {unit}."
    return f"{name}, priced for each {unit} and month."


def _draw_dimensions(
    random: Random, ids: IdSource, kind: ProductKind, unit: str
) -> tuple[list[DimensionRecord], dict[str, str], dict[str, dict[str, float]]]:
    """Draw the dimensions, quantity first, with their columns of purchases and the price factors of
    choices."""
    quantity = quantity_dimension(ids(), unit)
    dimensions, sources, factors = [quantity], dict[str, str](), dict[str, dict[str, float]]()

    def add(dimension: DimensionRecord, column: str) -> DimensionRecord:
        dimensions.append(dimension)
        sources[dimension["id"]] = column
        return dimension

    def choice(column: str, name: str, options: tuple[str, ...], steps: tuple[float, ...]) -> DimensionRecord:
        factors[column] = dict(zip(options, steps, strict=True))
        return select_dimension(ids(), name, name.lower(), options, required=True, default=options[0])

    if kind == "seats":
        add(choice("edition", "Edition", names.EDITIONS, (1.0, random.uniform(1.4, 1.8), 2.5)), "edition")
        guests = number_dimension(ids(), "Guest users", "guest user", minimum=0, step=1)
        add(make_dependent(guests, quantity["id"], "quantity"), "guest_users")
        support = add(checkbox_dimension(ids(), "Premium support", "premium support"), "premium_support")
        response = select_dimension(ids(), "Response time", "response time", names.RESPONSES)
        add(make_dependent(response, support["id"], "inclusion"), "response_time")
    elif kind == "usage":
        steps = (1.0, 1.25, 1.6)
        add(choice("retention", "Retention", names.RETENTIONS, steps), "retention")
        standby = number_dimension(ids(), f"Standby {unit}", f"standby {unit}", minimum=0, step=1)
        add(make_dependent(standby, quantity["id"], "quantity"), "standby")
        add(checkbox_dimension(ids(), "Premium support", "premium support"), "premium_support")
    elif kind == "addon":
        box = add(checkbox_dimension(ids(), "Sandbox", "sandbox"), "sandbox")
        copies = number_dimension(ids(), "Sandbox copies", "copy", minimum=0, maximum=20, step=1)
        add(make_dependent(copies, box["id"], "inclusion"), "sandbox_copies")
    else:
        add(choice("seniority", "Seniority", names.SENIORITIES, (1.0, 1.3, 1.65)), "seniority")
        add(checkbox_dimension(ids(), "On site", "on site"), "on_site")
    return dimensions, sources, factors


def _link_competitors(suppliers: list[SampleSupplier]) -> None:
    """Link suppliers of one category, and their products of one kind, as competitors."""
    for supplier in suppliers:
        competitors = [
            other for other in suppliers if other.category == supplier.category and other is not supplier
        ]
        supplier.row["details"]["competitorIds"] = [competitor.row["id"] for competitor in competitors]
        for product in supplier.products:
            if product.kind in {"seats", "usage"}:
                product.row["details"]["competitorIds"] = [
                    other.row["id"]
                    for competitor in competitors
                    for other in competitor.products
                    if other.kind == product.kind
                ]


SEED = 20_240_229
FIRST_INSTANT = datetime(2024, 2, 29, tzinfo=UTC)


class SampleIds:
    """Version 7 UUIDs that are the same at each start, because their time and random bits are generated."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._millisecond = int(FIRST_INSTANT.timestamp() * 1000)

    def __call__(self) -> str:
        self._millisecond += 1
        number = self._millisecond << 80 | self._random.getrandbits(80)
        number = number & ~(0xF << 76) | 0x7 << 76
        number = number & ~(0x3 << 62) | 0x2 << 62
        return str(uuid.UUID(int=number))


@lru_cache(maxsize=4)
def sample_catalog(currency: str) -> SampleCatalog:
    """Return the suppliers and products of the sample, to read only; the times of their rows say nothing."""
    random = Random(SEED)
    return draw_catalog(random, SampleIds(random), FIRST_INSTANT, currency)
