"""The lines of agreements are purchases of the organisation, each once, whatever else brings them."""

from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa

from app.service.agreements.learning.reconciling import learn_from_agreements
from app.service.context import Context
from app.service.database.tables import (
    agreement,
    agreement_decision,
    article,
    company,
    product,
    purchase,
    task,
)
from app.service.ids import build_purchase_id, new_id
from app.service.imports.jobs import check_import, run_import, undo_import
from app.service.purchases.agreement_lines import recheck_agreements
from tests.service.conftest import key_for
from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.negotiation.test_renewals import agree, line, record, renew

KINDS = {
    "agreement_purchases": learn_from_agreements,
    "check_import": check_import,
    "import": run_import,
    "undo_import": undo_import,
}
HEAD = "order_id,purchase_date,supplier,product,quantity,unit_price,currency,term_months,price_period\n"


def work(driver: NegotiationDriver) -> None:
    """Run the tasks of agreements and imports, as a worker does."""
    while True:
        with driver.context.database.writing() as connection:
            rows = connection.execute(task.select().where(task.c.kind.in_(KINDS))).all()
            connection.execute(task.delete().where(task.c.kind.in_(KINDS)))
        if not rows:
            return
        for row in rows:
            KINDS[row.kind](driver.context, row.subject_id)


def load_own(context: Context) -> list[Any]:
    with context.database.reading() as connection:
        own = purchase.c.organisation_id.is_not(None)
        rows = connection.execute(sa.select(purchase, article.c.product_id).join(article).where(own))
        return sorted(rows, key=lambda row: row.unit_price)


def read_lines(driver: NegotiationDriver, agreement_id: str) -> list[dict[str, Any]]:
    return driver.get(f"/v1/agreements/{agreement_id}/purchases")["data"]


def bring(driver: NegotiationDriver, *orders: str) -> str:
    """Import a file of orders of the market's product, and return the id of the import."""
    with driver.context.database.writing() as connection:
        # The market is written by hand, without the names that imports find entries by.
        connection.execute(
            sa.update(company).where(company.c.name == "Seller 24").values(name_key="seller 24")
        )
        connection.execute(
            sa.update(product).where(product.c.name == "Suite 365").values(name_key="suite 365")
        )
    content = (HEAD + "\n".join(orders) + "\n").encode()
    file_id = driver.api.post("/v1/files/upload", files={"file": ("orders.csv", content)}).json()["id"]
    import_id = driver.api.post("/v1/imports", json={"fileId": file_id}).json()["id"]
    work(driver)
    assert driver.api.post(f"/v1/imports/{import_id}/confirm").status_code == 200
    work(driver)
    assert driver.get(f"/v1/imports/{import_id}")["status"] == "completed"
    return import_id


def test_an_agreement_is_learned_and_the_next_estimate_names_it(driver: NegotiationDriver) -> None:
    made = record(driver)
    assert [one["state"] for one in read_lines(driver, made["id"])] == ["pending", "pending"]
    work(driver)
    [bought] = load_own(driver.context)
    assert (bought.quantity, bought.unit_price, bought.price_period) == (10, 120, "term")
    assert (bought.term_months, str(bought.purchase_date), bought.order_id) == (12, "2026-04-01", made["id"])
    learned, training = read_lines(driver, made["id"])
    assert (learned["state"], learned["purchase"]["id"]) == ("learned", bought.id)
    assert (training["state"], training["reason"]) == (
        "not_learned",
        "It is not matched to a product of the catalog.",
    )
    priced = driver.api.post("/v1/pricing/preview", json=driver.market.scope()).json()
    [mine] = [one for one in priced["products"][0]["comparables"] if one["own"]]
    assert (mine["id"], mine["paid"]) == (bought.id, 120)
    stranger = {"Authorization": f"Bearer {key_for(driver.context, 'Elsewhere')}"}
    others = driver.api.post("/v1/pricing/preview", json=driver.market.scope(), headers=stranger).json()
    assert bought.id not in {one["id"] for one in others["realSimilarPurchases"]}
    assert driver.api.get(f"/v1/agreements/{made['id']}/purchases", headers=stranger).status_code == 404


def test_a_changed_agreement_changes_its_purchase_and_a_deleted_one_takes_it_back(
    driver: NegotiationDriver,
) -> None:
    made = record(driver)
    work(driver)
    [before] = load_own(driver.context)
    path = f"/v1/agreements/{made['id']}"
    driver.api.patch(path, json={"costCenter": "IT"})
    work(driver)
    assert load_own(driver.context)[0].id == before.id, "the same purchase stays"
    changed = {"totalValue": 2000, "lines": [line(driver, "Suite 365", 20, 2000)]}
    assert driver.api.patch(path, json=changed).status_code == 200
    work(driver)
    assert [(one.quantity, one.unit_price) for one in load_own(driver.context)] == [(20, 100)]
    with driver.context.database.writing() as connection:
        connection.execute(agreement_decision.delete())
        connection.execute(agreement.delete().where(agreement.c.id == made["id"]))
    record(driver, name="Another", lines=None)
    work(driver)
    assert load_own(driver.context) == []


@pytest.mark.campaign
def test_the_same_order_counts_once_whichever_comes_first(driver: NegotiationDriver) -> None:
    made = record(driver)
    work(driver)
    same = "PO-1,2026-04-01,Seller 24,Suite 365,10,10,USD,12,month"
    brought = bring(driver, same)
    [bought] = load_own(driver.context)
    assert bought.order_id == "PO-1", "the imported order stays"
    assert read_lines(driver, made["id"])[0]["state"] == "same"
    assert driver.api.delete(f"/v1/imports/{brought}").status_code == 200
    work(driver)
    [again] = load_own(driver.context)
    assert again.order_id == made["id"], "what was given up is made again"
    bring(driver, same)
    second = record(driver, name="Entered a second time")
    work(driver)
    assert [one.order_id for one in load_own(driver.context)] == ["PO-1"]
    assert read_lines(driver, second["id"])[0]["state"] == "same"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_may_be_the_same_is_listed_and_both_stay(driver: NegotiationDriver) -> None:
    made = record(driver, name="Suite, order PO-4711")
    work(driver)
    [own] = load_own(driver.context)
    put_order(driver, own, "PO-9", "2026-05-20", 10, 10)  # seven weeks later
    put_order(driver, own, "PO-10", "2026-04-01", 10, 10.5)  # at another price
    put_order(driver, own, "PO-11", "2026-04-01", 40, 10)  # four times as many
    put_order(driver, own, "PO-4711", "2026-04-09", 11, 10)  # named, with another quantity
    [learned, _] = read_lines(driver, made["id"])
    assert learned["state"] == "learned"
    assert sorted(one["orderId"] for one in learned["alike"]) == ["PO-10", "PO-4711", "PO-9"]
    [of_suite] = driver.get(f"/v1/price-history?agreementId={made['id']}")["lines"]
    assert len([doubt for doubt in of_suite["doubts"] if "may be one and the same" in doubt]) == 3
    assert len(load_own(driver.context)) == 5
    decide_on_purchases(driver, made["id"], learned["alike"])
    put_order(driver, own, "PO-4711", "2026-04-12", 10, 10)
    assert read_lines(driver, made["id"])[0]["state"] == "same", "its number and its price say so"
    assert len(load_own(driver.context)) == 5


def decide_on_purchases(driver: NegotiationDriver, agreement_id: str, alike: list[Any]) -> None:
    """Decides of one purchase that it is the line's, and of another that it is not; then takes it back."""
    path = f"/v1/agreements/{agreement_id}/purchases/decision"
    ids = {one["orderId"]: one["id"] for one in alike}
    unknown = {"line": 0, "purchaseId": "01890000-0000-7000-8000-000000000000", "same": True}
    assert driver.api.post(path, json=unknown).json()["errors"][0]["pointer"] == "/purchaseId"
    assert driver.api.post(path, json=unknown | {"line": 2}).json()["errors"][0]["pointer"] == "/line"
    other = {"line": 0, "purchaseId": ids["PO-10"], "same": False}
    answer = driver.api.post(path, json=other, headers={"x-svc-end-user-email": "bea@acme.example"}).json()
    assert sorted(one["orderId"] for one in answer["alike"]) == ["PO-4711", "PO-9"]
    [decided] = answer["decided"]
    assert (decided["purchase"]["orderId"], decided["same"]) == ("PO-10", False)
    assert decided["decidedBy"] == "test, on behalf of bea@acme.example"
    work(driver)
    assert sorted(one["orderId"] for one in read_lines(driver, agreement_id)[0]["alike"]) == [
        "PO-4711",
        "PO-9",
    ]
    same = {"line": 0, "purchaseId": ids["PO-9"], "same": True}
    assert driver.api.post(path, json=same).status_code == 200
    work(driver)
    [line, _] = read_lines(driver, agreement_id)
    assert (line["state"], line["purchase"]["orderId"]) == ("same", "PO-9")
    assert len(load_own(driver.context)) == 4, "it counts once"
    assert driver.api.post(path, json=same | {"same": False}).status_code == 200
    work(driver)
    [line, _] = read_lines(driver, agreement_id)
    assert (line["state"], len(line["decided"]), len(line["alike"])) == ("learned", 2, 1)
    assert len(load_own(driver.context)) == 5


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_was_decided_of_a_line_stays_with_that_line(driver: NegotiationDriver) -> None:
    first, second = line(driver, "Suite 365", 10, 1200), line(driver, "Suite 365", 40, 4000)
    made = record(driver, name="Suite, order PO-4711", totalValue=5200, lines=[first, second])
    work(driver)
    put_order(driver, load_own(driver.context)[0], "PO-4711", "2026-05-20", 11, 10)
    path = f"/v1/agreements/{made['id']}"
    [doubt] = read_lines(driver, made["id"])[0]["alike"]
    same = {"line": 0, "purchaseId": doubt["id"], "same": True}
    assert driver.api.post(f"{path}/purchases/decision", json=same).status_code == 200
    work(driver)
    assert [one["state"] for one in read_lines(driver, made["id"])] == ["same", "learned"]
    for lines, states in (
        ([second, first], ["learned", "same"]),
        ([first | {"amount": 1201}, second], ["learned", "learned"]),
    ):
        driver.api.patch(path, json={"lines": lines})
        work(driver)
        assert [one["state"] for one in read_lines(driver, made["id"])] == states
    driver.api.patch(path, json={"lines": [second]})
    work(driver)
    [left] = read_lines(driver, made["id"])
    assert (left["state"], left.get("decided")) == ("learned", None), "nobody has said it of this line"


def put_order(
    driver: NegotiationDriver, like: Any, order_id: str, day: str, quantity: float, monthly: float
) -> None:
    """Put another purchase of the same product on record, paid by the month."""
    changed = {
        "id": build_purchase_id(new_id()),
        "order_id": order_id,
        "purchase_date": date.fromisoformat(day),
        "quantity": quantity,
        "unit_price": monthly,
        "price_period": "month",
    }
    with driver.context.database.writing() as connection:
        connection.execute(
            purchase.insert().values(
                **{key: value for key, value in {**like._mapping, **changed}.items() if key in purchase.c}
            )
        )
        recheck_agreements(connection, like.organisation_id, [like.product_id], driver.clock())
    work(driver)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_discounts_one_off_lines_and_what_is_not_known(driver: NegotiationDriver) -> None:
    lines = [
        line(driver, "Suite 365", 10, 1200),
        line(driver, "Suite 365, set up", 1, 300) | {"recurring": False},
    ]
    discounted = record(driver, totalValue=1350, lines=lines)
    work(driver)
    assert [(one.unit_price, one.price_period, one.term_months) for one in load_own(driver.context)] == [
        (108, "term", 12),
        (270, "once", None),
    ]
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"totalValue": 100}, "cost more than the total"),
        ({"currency": None}, "currency"),
        ({"termEnd": None, "noticePeriod": None}, "length of the term"),
        ({"lines": [line(driver, "Suite 365", None, 1200)]}, "quantity"),
        ({"lines": [{**lines[0], "amount": None, "unitPrice": 10}]}, "(amount) is not known"),
    )
    for changes, reason in cases:
        path = f"/v1/agreements/{discounted['id']}"
        body: dict[str, Any] = {
            "totalValue": 1350,
            "currency": "USD",
            "termEnd": "2027-03-31",
            "lines": lines,
        } | changes
        body["lines"] = [{k: v for k, v in one.items() if v is not None} for one in body["lines"]]
        assert driver.api.patch(path, json=body).status_code == 200
        work(driver)
        first = read_lines(driver, discounted["id"])[0]
        assert (first["state"], reason in first["reason"]) == ("not_learned", True), first
    whole = {"totalValue": 1200, "lines": [{**lines[0], "unitPrice": 120}]}
    del whole["lines"][0]["amount"]
    driver.api.patch(f"/v1/agreements/{discounted['id']}", json=whole)
    work(driver)
    assert [one.unit_price for one in load_own(driver.context)] == [120], "the lines make the total"


def test_a_negotiated_agreement_is_learned_once(driver: NegotiationDriver) -> None:
    before = record(driver)
    begun = renew(driver, before["id"])
    agree(driver, begun["negotiationId"], 1080, signedAt="2026-11-19")
    work(driver)
    assert [one.unit_price for one in load_own(driver.context)] == [108, 120]
    [after] = [one for one in driver.get("/v1/agreements")["data"] if one["id"] != before["id"]]
    [learned] = read_lines(driver, after["id"])
    assert (learned["state"], learned["purchase"]["purchaseDate"]) == ("learned", "2026-11-19")
    driver.clock.advance(days=1)
    bring(driver, "PO-5,2026-11-19,Seller 24,Suite 365,10,108,USD,12,term")
    assert [one.order_id for one in load_own(driver.context)] == ["PO-5", before["id"]]
    history = driver.get(f"/v1/price-history?agreementId={before['id']}")
    [of_suite] = history["lines"]
    assert [(one["unitPrice"], one["agreementName"]) for one in of_suite["points"]] == [
        (10, "Suite for sales"),
        (9, "Suite for sales"),
    ]
    assert (of_suite["currency"], of_suite["recurring"], of_suite["doubts"]) == ("USD", True, [])
    assert driver.get(f"/v1/price-history?companyId={driver.market.company_id}") == history
    assert driver.api.get("/v1/price-history").status_code == 400
    unknown = "01890000-0000-7000-8000-000000000000"
    for parameter in ("companyId", "agreementId"):
        assert driver.api.get(f"/v1/price-history?{parameter}={unknown}").status_code == 404
    with driver.context.database.writing() as connection:
        connection.execute(agreement.update().values(learned=False))
    learn_from_agreements(driver.context, load_own(driver.context)[0].organisation_id)
    assert len(load_own(driver.context)) == 2, "doing it again changes nothing"
