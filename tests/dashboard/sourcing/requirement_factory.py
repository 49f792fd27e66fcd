"""Requirements and quotes on the running service, for the tests of their pages."""

from typing import Any

import sqlalchemy as sa

from app.dashboard.deployment import Deployment
from app.service.access.keys import find_organisation
from app.service.database.tables import exchange_rate
from tests.dashboard.conftest import RunningService
from tests.dashboard.page_helpers import call_service

AWKWARD = '=HYPERLINK("http://x.example") <img src=x onerror=alert(1)> **bold** $a$'
SUPPLIERS = (
    *("Northgate", "Acme Cloud", "Nimbus Works", "Blue Harbour Trading", "Ledgerworks", "Kestrel & Sons"),
    *("Fjord Software", "Société Générale d'Équipement de Bureau"),
)

Line = dict[str, Any]


def state_requirement(deployment: Deployment, *descriptions: str, **others: Any) -> dict[str, Any]:
    """A requirement of 10 of each, for two years, in US dollars."""
    lines = [
        {"description": text, "quantity": 10, "unit": "seats", "mustHave": True} for text in descriptions
    ]
    body = {"name": "Tools", "currency": "USD", "termMonths": 24, "lines": lines, **others}
    made: dict[str, Any] = call_service(deployment, "POST", "/v1/requirements", body)
    return made


def make_line(requirement: dict[str, Any], place: int, price: float, **others: Any) -> Line:
    """A line of a quote that answers one of the requirement for a yearly price."""
    needed = requirement["lines"][place]
    return {
        "requirementLineId": needed["id"],
        "description": needed["description"],
        "quantity": needed["quantity"],
        "unitPrice": price,
        "recurring": "year",
        **others,
    }


def add_quote(
    deployment: Deployment, requirement: dict[str, Any], supplier: str, *lines: Line, **others: Any
) -> dict[str, Any]:
    """A quote with these lines."""
    body = {"supplierName": supplier, "currency": "USD", "lines": list(lines), **others}
    path = f"/v1/requirements/{requirement['id']}/quotes"
    made: dict[str, Any] = call_service(deployment, "POST", path, body)
    return made


def add_rate(service: RunningService, owner: str, base: str, currency: str, rate: float) -> None:
    """Write what one unit of `base` is worth today, for that organisation, unless it was written before."""
    now = service.context.clock()
    with service.context.database.writing() as connection:
        named = {
            "organisation_id": find_organisation(connection, owner),
            "base": base,
            "currency": currency,
            "day": now.date(),
            "import_id": "",
        }
        known = sa.select(exchange_rate).filter_by(**named).exists()
        if not connection.scalar(sa.select(known)):
            connection.execute(exchange_rate.insert().values(**named, rate=rate, imported_at=now))


def fill_requirement(deployment: Deployment, suppliers: int = 8, lines: int = 60) -> dict[str, Any]:
    """A requirement with a cell of every kind, by default as large as they come."""
    words = ("Analytics seats", "Support desk, 24 hours a day", AWKWARD, "Data storage of the north region")
    texts = [f"{words[number % len(words)]} {number + 1}" for number in range(lines)]
    needed = [
        {"description": text, "quantity": 10 + place, "unit": "seats", "mustHave": place % 5 != 4}
        for place, text in enumerate(texts)
    ]
    requirement = state_requirement(
        deployment, name="Tools for the field teams", lines=needed, discountRate=8, termMonths=30
    )
    for number, supplier in enumerate(SUPPLIERS[:suppliers]):
        offered: list[Line] = []
        for place in range(lines):
            price = 95.5 + (place * 37 + number * 53) % 61
            if (place + number) % 11 == 0:
                continue
            line = make_line(requirement, place, price)
            if (place + number) % 13 == 1:
                line |= {"alternate": True, "description": f"Another make of {texts[place]}"}
            elif (place + number) % 17 == 2:
                line["quantity"] = 3
            elif (place + number) % 7 == 3:
                line |= {"recurring": "once", "unitPrice": 1_234_567.891}
            elif (place + number) % 9 == 4:
                steps = [
                    {"fromQuantity": 20, "unitPrice": price - 9},
                    {"fromQuantity": 50, "unitPrice": price - 20},
                ]
                line |= {"recurring": "month", "breaks": steps}
            offered.append(line)
        if number == 1:
            del offered[0]["requirementLineId"]
            offered[0]["description"] = "Seats for analytics"
        terms: dict[str, Any] = {"leadTimeDays": 14 + number, "paymentTermsDays": 30}
        if number == 2:
            terms["validUntil"] = "2020-01-31"
        if number == 3:
            terms["currency"] = "EUR"
        if number == 4:
            terms |= {"discounts": [{"fromAmount": 10_000, "percent": 7.5}], "minimumOrder": 5_000}
        add_quote(deployment, requirement, supplier, *offered, **terms)
    return requirement
