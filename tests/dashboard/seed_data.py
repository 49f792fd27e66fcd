"""A small catalog on a real database: what the pages are tested on."""

import hashlib
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, uuid5

from sqlalchemy import Connection

from app.service.catalog import rows
from app.service.catalog.denormalise import rebuild_categories, rebuild_records
from app.service.catalog.entries import category_row, company_row, family_row, product_row
from app.service.catalog.rows import CompanyDetails, CompanyRow, ProductRow
from app.service.database.tables import article, category, company, product, product_family, purchase
from app.service.ids import build_purchase_id

NOW = datetime.now(UTC).replace(microsecond=0)
SUPPLIERS = 60
PURCHASES = 12

SAMPLE_NOTE = "Sample data: a generated supplier."


def stable_id(name: str) -> str:
    """The same id for the same name, in every run."""
    return str(uuid5(NAMESPACE_URL, name))


SOFTWARE, OFFICE, SECURITY = (stable_id(name) for name in ("Software", "Office", "Security"))
ACME = stable_id("company 0")
NIMBUS = stable_id("company 1")
WITHOUT_DETAILS = stable_id("company bare")
DISCONTINUED = stable_id("company gone")
PLATFORM = stable_id("product platform")
COMPETITOR = stable_id("product rival")
PRODUCT_WITHOUT_DETAILS = stable_id("product bare")
SUITE = stable_id("family suite")


def insert_catalog(connection: Connection) -> None:
    """Write the catalog: `SUPPLIERS` companies, of which Acme has a family, two products and purchases."""
    connection.execute(
        category.insert(),
        [
            category_row(SOFTWARE, "Software", NOW, description="Programs."),
            category_row(OFFICE, "Office", NOW, parent_id=SOFTWARE, description="For desks."),
            category_row(SECURITY, "Security", NOW, parent_id=SOFTWARE, description="Against harm."),
        ],
    )
    companies = [_supplier(number) for number in range(SUPPLIERS)]
    companies.append(company_row(WITHOUT_DETAILS, "Bare Bones Ltd", NOW, details={}))
    companies.append(
        company_row(
            DISCONTINUED,
            "Gone <b>Systems</b> *AG*",
            NOW,
            domain="gone.example",
            discontinued=True,
            sample=True,
            details={"description": SAMPLE_NOTE},
        )
    )
    connection.execute(company.insert(), companies)
    acme, nimbus = companies[0], companies[1]
    connection.execute(product_family.insert(), [family_row(SUITE, ACME, "Work Suite", 0, NOW)])
    bare = next(row for row in companies if row["id"] == WITHOUT_DETAILS)
    connection.execute(
        product.insert(),
        [
            _platform(acme) | {"purchase_count": PURCHASES},
            _plain_product(COMPETITOR, nimbus, "Nimbus Desk", []),
            _plain_product(PRODUCT_WITHOUT_DETAILS, bare, "Bare Product", []),
            _plain_product(stable_id("product add-on"), acme, "Acme Add-on", []),
        ],
    )
    for number in range(PURCHASES):
        _buy(connection, number)
    rebuild_categories(connection, NOW)
    rebuild_records(connection, [str(row["id"]) for row in companies], NOW)


def _supplier(number: int) -> CompanyRow:
    name = ("Acme Cloud", "Nimbus Works")[number] if number < 2 else f"Supplier {number:02}"
    details: CompanyDetails = {"description": f"{SAMPLE_NOTE} Number {number}."}
    if number < 2:
        details["competitorIds"] = [NIMBUS if number == 0 else ACME]
    if number == 0:
        details["url"] = "https://acme.example/"
        details["fiscalYearEnd"] = "--06-30"
        details["stockSymbols"] = [{"symbol": "ACME", "exchange": "NASDAQ"}]
    kind = OFFICE if number % 2 == 0 else SECURITY
    return company_row(
        stable_id(f"company {number}"),
        name,
        NOW,
        legal_name=f"{name} Inc.",
        domain=f"supplier-{number}.example",
        category=category_row(kind, "Office" if kind == OFFICE else "Security", NOW, parent_id=SOFTWARE),
        sample=True,
        details=details,
    )


def _platform(seller: CompanyRow) -> ProductRow:
    users, storage, tier, support = (
        stable_id(f"dimension {n}") for n in ("users", "storage", "tier", "support")
    )
    return product_row(
        PLATFORM,
        seller,
        "Acme Platform",
        NOW,
        sort_order=0,
        family_id=SUITE,
        currency="USD",
        default_price=120,
        quantity_dimension_id=users,
        dimensions=[
            rows.set_impact_known(
                rows.number_dimension(
                    users, "Users", "named users", required=True, default=10, minimum=1, step=1
                ),
                True,
            ),
            rows.make_dependent(
                {
                    **rows.number_dimension(storage, "Storage", "GB"),
                    "description": "Shared by all users.",
                },
                users,
                "quantity",
            ),
            rows.set_impact_known(rows.select_dimension(tier, "Tier", "edition", ["Team", "Business"]), True),
            rows.make_dependent(
                rows.checkbox_dimension(support, "Premium support", "24 × 7"), tier, "inclusion"
            ),
        ],
        features=[{"id": stable_id("feature"), "name": "Audit log", "description": "Who did what."}],
        details={
            "description": "Does the work.",
            "url": "https://acme.example/p",
            "competitorIds": [COMPETITOR],
        },
    )


def _plain_product(product_id: str, seller: CompanyRow, name: str, competitors: list[str]) -> ProductRow:
    quantity = stable_id(f"quantity of {product_id}")
    return product_row(
        product_id,
        seller,
        name,
        NOW,
        sort_order=1,
        quantity_dimension_id=quantity,
        dimensions=[rows.quantity_dimension(quantity, None)],
        details={"competitorIds": competitors},
    )


def _buy(connection: Connection, number: int) -> None:
    if number == 0:
        digest = hashlib.md5(b"Acme Platform", usedforsecurity=False).hexdigest()
        connection.execute(
            article.insert().values(
                id=1, product_id=PLATFORM, text="Acme Platform", digest=digest, sample=True
            )
        )
    connection.execute(
        purchase.insert().values(
            id=build_purchase_id(number),
            article_id=1,
            purchase_date=(NOW - timedelta(days=40 * number + 3)).date(),
            currency="USD",
            quantity=10.0 * (number + 1),
            unit_price=100.0 - number,
            price_period="year",
            term_months=12 if number % 3 else 36,
            attributes={},
        )
    )
