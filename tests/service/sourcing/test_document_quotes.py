"""Quotes from scopes and from uploaded files: read in the background, aligned, and honest about what they
lack."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.service.context import Context
from app.service.scopes.jobs import extract_document
from app.service.sourcing.document_quotes import finish_quote, give_up_reading, read_quote
from tests.reader_training.generator import generate
from tests.service.sourcing.test_routes import state

HEAD = "description,quantity,unit price USD,amount USD\n"
FILE = HEAD + "Analytics seats,10,90.00,900.00\nData storage,10,20.00,200.00\nNet total,,,1100.00\n"


def upload(api: TestClient, content: str, name: str = "offer.csv") -> str:
    answer = api.post("/v1/files/upload", files={"file": (name, content.encode())})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def add_file(api: TestClient, requirement: dict[str, Any], content: str, **others: Any) -> dict[str, Any]:
    body = {"fileId": upload(api, content), **others}
    answer = api.post(f"/v1/requirements/{requirement['id']}/quotes", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def list_quotes(api: TestClient, requirement: dict[str, Any]) -> list[dict[str, Any]]:
    return api.get(f"/v1/requirements/{requirement['id']}/quotes").json()["data"]


@pytest.mark.campaign
def test_a_file_is_read_in_the_background_and_becomes_a_quote(api: TestClient, context: Context) -> None:
    requirement = state(api)
    waiting = add_file(api, requirement, FILE, supplierName="Alpha", leadTimeDays=3)
    assert (waiting["status"], waiting["lines"], waiting["supplierName"]) == ("reading", [], "Alpha")
    table = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()
    assert table["quotes"][0]["notes"] == ["Its document is being read."]
    read_quote(context, waiting["scopeId"])
    finish_quote(context, waiting["scopeId"])
    [quote] = list_quotes(api, requirement)
    assert (quote["status"], quote["supplierName"], quote["leadTimeDays"]) == ("ready", "Alpha", 3)
    ids = {line["id"]: line["description"] for line in requirement["lines"]}
    assert [(ids[line["requirementLineId"]], line["documentLine"]) for line in quote["lines"]] == [
        ("Analytics seats", 0),
        ("Data storage", 1),
    ]
    document = api.get(f"/v1/scope/{quote['scopeId']}/document").json()
    shown = {one["name"]: one["value"] for one in document["lines"][1]["values"]}
    assert (shown["description"], shown["amount"]) == ("Data storage", 200)
    table = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()
    assert table["quotes"][0]["total"] == 1100


def test_a_file_of_several_quotes_becomes_a_quote_for_each(api: TestClient, context: Context) -> None:
    document = generate("several_quotes", 1_000_000)
    truth = document.truth["quotes"]
    requirement = state(api)
    files = {"file": (document.filename, document.content)}
    body = {"fileId": api.post("/v1/files/upload", files=files).json()["id"]}
    made = api.post(f"/v1/requirements/{requirement['id']}/quotes", json=body).json()
    for _ in range(2):
        read_quote(context, made["scopeId"])
    quotes = list_quotes(api, requirement)
    assert len(quotes) == len(truth) > 1
    assert (quotes[0]["id"], quotes[0]["scopeId"]) == (made["id"], made["scopeId"])
    assert len({quote["scopeId"] for quote in quotes}) == len(truth)
    assert all(quote["lines"] and quote["lines"][0]["page"] for quote in quotes)


def test_a_file_that_cannot_be_read_says_why(api: TestClient, context: Context) -> None:
    requirement = state(api)
    waiting = add_file(api, requirement, "nothing of a quote\n")
    give_up_reading(context, waiting["scopeId"], "It has no table.")
    [quote] = list_quotes(api, requirement)
    assert (quote["status"], quote["reason"]) == ("failed", "It has no table.")
    answer = api.post(
        f"/v1/requirements/{requirement['id']}/scenarios", json={"objective": "cheapest_split"}
    ).json()
    assert answer["excluded"] == [
        {"what": "offer.csv", "why": "Its document could not be read: It has no table."}
    ]


def test_what_a_file_lacks_is_said(api: TestClient, context: Context) -> None:
    requirement = state(api)
    content = (
        HEAD + "Analytics seats,10,0.00,0.00\nData storage,10,20.00,200.00\nLoyalty credit,1,-50.00,-50.00\n"
    )
    waiting = add_file(api, requirement, content)
    read_quote(context, waiting["scopeId"])
    [quote] = list_quotes(api, requirement)
    assert "“Loyalty credit” takes 50.00 off; a credit is not among the lines." in quote["warnings"]
    table = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()
    [cell] = table["lines"][0]["cells"]
    assert (cell["comparable"], cell["reason"]) == (False, "It asks nothing for it: confirm that it is free.")
    assert table["quotes"][0]["notes"] == quote["warnings"]


def test_a_quote_is_compared_once_its_currency_is_said(api: TestClient, context: Context) -> None:
    requirement = state(api)
    waiting = add_file(api, requirement, FILE.replace(" USD", ""), supplierName="Alpha")
    read_quote(context, waiting["scopeId"])
    unsaid = "The quote names no currency; say which it is."
    [quote] = list_quotes(api, requirement)
    assert (quote["status"], quote["reason"], quote["currencyStated"]) == ("needs_review", unsaid, False)
    table = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()
    assert (table["quotes"][0]["total"], table["quotes"][0]["notes"].count(unsaid)) == (0, 1)
    assert "rate" not in table["quotes"][0]
    cells = [cell for line in table["lines"] for cell in line["cells"]]
    assert {(cell["comparable"], cell["reason"]) for cell in cells} == {(False, unsaid)}

    path = f"/v1/requirements/{requirement['id']}/quotes/{quote['id']}"
    said = api.patch(path, json={"currency": "USD"}).json()
    assert (said["status"], said["currencyStated"]) == ("ready", True)
    table = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()
    assert (table["quotes"][0]["total"], unsaid in table["quotes"][0]["notes"]) == (1100, False)


@pytest.mark.campaign
def test_a_credit_is_taken_off_where_all_of_the_quote_is_ordered(api: TestClient, context: Context) -> None:
    requirement = state(api)
    add = "Loyalty credit,1,-33.33,-33.33\n"
    content = HEAD + "Analytics seats,10,90.00,900.00\nData storage,10,20.00,200.00\n" + add
    waiting = add_file(api, requirement, content)
    read_quote(context, waiting["scopeId"])
    path = f"/v1/requirements/{requirement['id']}/matrix"
    total = api.get(path).json()["quotes"][0]["wholeTerm"]
    assert (total["amount"], total["discount"], total["lines"]) == (1066.67, 33.33, 2)
    [quote] = list_quotes(api, requirement)
    moved = {"quoteLineId": quote["lines"][1]["id"], "requirementLineId": None}
    aligned = f"/v1/requirements/{requirement['id']}/alignment"
    assert api.put(aligned, json={"lines": [moved]}).status_code == 200
    total = api.get(path).json()["quotes"][0]["wholeTerm"]
    assert (total["amount"], total["discount"], total["lines"]) == (900, 0, 1)


def test_what_may_be_bought_besides_is_in_no_total_and_is_said(api: TestClient, context: Context) -> None:
    requirement = state(api)
    head = "Acme Ltd\nQuotation Q-1\nDate: 2026-03-14\n\nItem,Qty,Unit price USD,Amount\n"
    option = "Support desk seats (optional),10,5.00,50.00\n"
    waiting = add_file(api, requirement, f"{head}Data storage,10,20.00,200.00\n{option}Total,,,200.00\n")
    read_quote(context, waiting["scopeId"])
    [quoted] = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()["quotes"]
    assert (quoted["wholeTerm"]["amount"], quoted["wholeTerm"]["lines"]) == (200, 1)
    assert any("“Support desk seats (optional)”" in one for one in quoted["notes"])


@pytest.mark.campaign
def test_lines_that_answer_nothing_wait_for_a_person(api: TestClient, context: Context) -> None:
    requirement = state(api)
    waiting = add_file(api, requirement, HEAD + "Garden chairs,3,90.00,270.00\n")
    read_quote(context, waiting["scopeId"])
    [quote] = list_quotes(api, requirement)
    nothing = "None of its lines answers a line of the requirement."
    assert (quote["status"], quote["reason"]) == ("needs_review", nothing)
    decided = {"quoteLineId": quote["lines"][0]["id"], "requirementLineId": requirement["lines"][0]["id"]}
    path = f"/v1/requirements/{requirement['id']}/alignment"
    assert api.put(path, json={"lines": [decided]}).json()["quotes"][0]["status"] == "ready"


def read_scope(api: TestClient, context: Context, content: str) -> str:
    made = api.post("/v1/scope/from-document", files={"file": ("offer.csv", content.encode())}).json()
    extract_document(context, made["scopeId"])
    return made["scopeId"]


@pytest.mark.campaign
def test_a_scope_states_the_requirement_and_is_its_first_quote(api: TestClient, context: Context) -> None:
    scope_id = read_scope(api, context, FILE)
    answer = api.post("/v1/requirements", json={"scopeId": scope_id, "name": "Seats"})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert (made["name"], made["currency"], made["termMonths"], made["quoteCount"]) == ("Seats", "USD", 12, 1)
    assert [(line["description"], line["quantity"]) for line in made["lines"]] == [
        ("Analytics seats", 10),
        ("Data storage", 10),
    ]
    assert api.get(answer.headers["Location"]).json() == made
    [quote] = list_quotes(api, made)
    assert {line["alignment"] for line in quote["lines"]} == {"confirmed"}
    table = api.get(f"/v1/requirements/{made['id']}/matrix").json()
    assert (table["quotes"][0]["total"], table["quotes"][0]["mustHavesOpen"]) == (1100, [])


@pytest.mark.campaign
def test_what_is_stated_names_a_requirement_of_a_document_without_lines(
    api: TestClient, context: Context
) -> None:
    scope_id = read_scope(api, context, "Offer\nTotal,300.00\n")
    body = {"scopeId": scope_id, "termMonths": 12, "currency": "USD"}
    lines = [{"description": "Analytics seats", "quantity": 10}, {"description": "Training", "quantity": 1}]
    answer = api.post("/v1/requirements", json={**body, "lines": lines})
    assert answer.status_code == 201, answer.text
    assert answer.json()["name"] == "Analytics seats and 1 more"


@pytest.mark.parametrize(
    ("make", "pointer"),
    [
        (lambda unknown: {"scopeId": unknown}, "/scopeId"),
        (lambda _: {"currency": "USD", "termMonths": 12}, "/name"),
    ],
)
def test_a_requirement_of_an_unknown_scope_or_of_nothing_is_refused(
    api: TestClient, make: Callable[[str], dict[str, Any]], pointer: str
) -> None:
    answer = api.post("/v1/requirements", json=make("018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"))
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer)


def test_the_file_of_another_organisation_is_no_quote(api: TestClient, stranger: TestClient) -> None:
    requirement = state(stranger)
    body = {"fileId": upload(api, FILE)}
    answer = stranger.post(f"/v1/requirements/{requirement['id']}/quotes", json=body)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/fileId")


@pytest.mark.parametrize(
    ("asked", "amount", "discount"), [(1000, 1000, 100), (1100, 1100, 0), (1250, 1100, 0)]
)
def test_a_corrected_total_is_compared_or_said(
    api: TestClient, context: Context, asked: int, amount: int, discount: int
) -> None:
    """What was said of the whole quote after it was read is in the table as in its verdict."""
    scope_id = read_scope(api, context, FILE)
    seller = {"supplier": {"name": "Works"}, "product": {"name": "Analytics seats", "unit": "seat"}}
    product_id = api.post("/v1/catalog/entries", json=seller).json()["productId"]
    [users] = api.get(f"/v1/catalog/products/{product_id}").json()["pricingDimensions"]
    term = {
        "productId": product_id,
        "pricingDimensions": [{"id": users["id"], "value": 10}],
        "finalPrice": 900,
    }
    lines = [{"index": 0, "role": "product", "productTerm": term}, {"index": 1, "role": "left_aside"}]
    whole = {"termLength": 12, "purchaseType": "new_purchase", "finalPrice": asked}
    body = {"scopeTerm": whole, "lines": lines}
    made = api.post(f"/v1/scope/{scope_id}/document/confirm", json=body).json()
    requirement = api.post("/v1/requirements", json={"scopeId": made["id"], "name": "Seats"}).json()
    [column] = api.get(f"/v1/requirements/{requirement['id']}/matrix").json()["quotes"]
    total = column["wholeTerm"]
    assert (total["amount"], total["discount"], total["lines"]) == (amount, discount, 2)
    said = "It asks USD 1,250 for everything, USD 150 more than its lines come to"
    assert any(note.startswith(said) for note in column["notes"]) == (asked == 1250)
