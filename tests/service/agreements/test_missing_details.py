"""What is not known of agreements, by what they cost each year."""

from typing import Any

from starlette.testclient import TestClient

from app.service.context import Context

WHOLE = {
    "termStart": "2026-01-01",
    "termEnd": "2026-12-31",
    "renewalType": "auto_renew",
    "autoRenewalTermMonths": 12,
    "noticePeriod": {"value": 3, "unit": "month"},
    "supplierName": "Acme",
    "owners": [{"name": "Ann"}],
    "currency": "USD",
    "totalValue": 100,
}


def put(api: TestClient, name: str, **others: Any) -> str:
    """The id of an agreement, whole but for the fields that are None."""
    body = {name: value for name, value in {**WHOLE, **others}.items() if value is not None}
    answer = api.post("/v1/agreements", json={"name": name, **body})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def ask(api: TestClient, query: str = "") -> tuple[list[str], dict[str, tuple[int, int]], int]:
    """The names, the counts of each field, and how many have no deadline."""
    answer = api.get(f"/v1/missing-details?asOf=2026-06-01{query}").json()
    assert answer["pagination"]["total"] == len(answer["data"])
    fields = {one["field"]: (one["total"], one["deadlines"]) for one in answer["fields"]}
    return [one["name"] for one in answer["data"]], fields, answer["withoutDeadline"]


def test_what_costs_most_each_year_comes_first(
    api: TestClient, stranger: TestClient, context: Context, tmp_path: Any
) -> None:
    put(api, "Whole")
    put(api, "Small", owners=None)
    put(api, "No value", totalValue=None)
    put(api, "Long", termEnd="2030-12-31", owners=None, totalValue=400)
    large = put(api, "Large", noticePeriod=None, totalValue=900)
    put(api, "No end", termEnd=None, renewalType=None, autoRenewalTermMonths=None)
    put(api, "Until notice", renewalType="evergreen", noticePeriod=None, termEnd=None)
    put(api, "Over", termEnd="2026-02-01", renewalType="none", owners=None, noticePeriod=None)
    put(api, "Renewed for nobody knows how long", termEnd="2026-04-30", autoRenewalTermMonths=None)
    names, fields, without = ask(api)
    assert names == [
        *("Large", "Renewed for nobody knows how long", "Small", "No end", "Until notice", "Long"),
        "No value",
    ]
    assert fields == {
        "autoRenewalTermMonths": (1, 1),
        "noticePeriod": (2, 1),
        "termEnd": (1, 1),
        "renewalType": (1, 1),
        "owners": (2, 0),
        "totalValue": (1, 0),
    }
    assert without == 3
    assert ask(api, "&field=owners")[0] == ["Small", "Long"]
    assert ask(stranger) == ([], {}, 0)
    api.patch(f"/v1/agreements/{large}", json={"noticePeriod": WHOLE["noticePeriod"]})
    assert "Large" not in ask(api)[0]
    assert api.get("/v1/missing-details?field=colour").status_code == 400


def test_values_of_other_currencies_are_compared(api: TestClient, context: Context, tmp_path: Any) -> None:
    from app.service.imports.operator_files import import_files

    file = tmp_path / "rates.csv"
    file.write_text("date,base,currency,rate\n2026-05-29,EUR,USD,1.25\n")
    import_files(context, "rates", [file])
    put(api, "Euros", currency="EUR", totalValue=100, owners=None)
    put(api, "Dollars", totalValue=110, owners=None)
    put(api, "Francs", currency="CHF", totalValue=900, owners=None)
    put(api, "Unknown", currency=None, totalValue=105)
    put(api, "Nothing", totalValue=None)
    assert ask(api)[0] == ["Euros", "Dollars", "Unknown", "Francs", "Nothing"]
