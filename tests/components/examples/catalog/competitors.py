from app.contract.catalog import CompanyCompetitor
from components.catalog import draw_company_competitors


def example() -> None:
    competitor = CompanyCompetitor(
        id="018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", name="Nimbus", domain="nimbus.example"
    )
    draw_company_competitors([competitor])
