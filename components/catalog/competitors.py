"""Tables of competing companies and competing products."""

from collections.abc import Sequence

from app.contract.catalog import CompanyCompetitor, ProductCompetitor
from app.contract.money import format_money
from components.elements.record_table import LEFT, RIGHT, RecordRow, draw_record_table
from components.formatting.counts import format_count


def draw_company_competitors(competitors: Sequence[CompanyCompetitor]) -> None:
    """Draw the companies."""
    draw_record_table(
        [
            RecordRow("company", {"id": one.id}, {"Company": one.name, "Domain": one.domain})
            for one in competitors
        ],
        alt=format_count(len(competitors), "competing company", "competing companies"),
        columns={"Company": LEFT, "Domain": LEFT},
    )


def draw_product_competitors(competitors: Sequence[ProductCompetitor], currency: str) -> None:
    """Draw the products. Default prices are in `currency`: a competitor states none of its own."""
    rows = [
        RecordRow(
            "product",
            {"id": one.product_id},
            {
                "Product": one.product_name,
                "Company": one.company_name,
                "List price": None
                if one.default_price is None
                else format_money(one.default_price, currency),
                "Priced by": ", ".join(dimension.name for dimension in one.pricing_dimensions) or None,
                "Included features": len(one.included_features),
            },
        )
        for one in competitors
    ]
    draw_record_table(
        rows,
        alt=format_count(len(rows), "competing product"),
        columns={
            "Product": LEFT,
            "Company": LEFT,
            "List price": RIGHT,
            "Priced by": LEFT,
            "Included features": RIGHT,
        },
        optional=("List price",),
    )
