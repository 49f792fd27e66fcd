from app.contract.catalog import CompanyInList
from components.catalog import draw_company_table


def example() -> None:
    draw_company_table(
        [
            CompanyInList(
                id="018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f",
                name="Acme Cloud",
                legal_name="Acme Cloud Inc.",
                domain="acme.example",
                description="Sample data.",
                discontinued=True,
                last_updated_at=None,
                real_purchase_count=1240,
            )
        ]
    )
