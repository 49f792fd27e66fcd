from app.contract.catalog import Company
from components.catalog import draw_company_facts


def example() -> None:
    draw_company_facts(
        Company.model_validate(
            {
                "id": "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f",
                "name": "Acme Cloud",
                "legalName": "Acme Cloud Inc.",
                "domain": "acme.example",
                "description": "Sample data.",
                "discontinued": False,
                "productFamilies": [],
                "products": [],
                "learningDataSamples": [],
                "lastUpdatedAt": "",
                "competitors": [],
                "fiscalYearEnd": "--06-30",
                "stockSymbols": [{"symbol": "ACME", "exchange": "NASDAQ"}],
                "defaultPriceRange": {"min": 20, "max": 1400, "currency": "USD"},
            }
        )
    )
