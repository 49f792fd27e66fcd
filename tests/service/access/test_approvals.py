"""Two persons: what an organisation asks for is done when another person approves it, once, and by nobody who
may not."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.contract.access import Role
from app.contract.approvals import DAYS_TO_APPROVE
from app.service.access.caller import Caller
from app.service.access.keys import find_organisation
from app.service.access.sessions import start_session
from app.service.background.retention import delete_old
from app.service.comments.naming_mail import send_due_naming_mail
from app.service.context import Context
from app.service.database.tables import approval, letter, membership, user_account
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.service.negotiation.jobs import plan_negotiation
from app.service.resealing import seal_anew
from app.settings import Settings
from tests.service.conftest import key_for
from tests.service.migrated_database import provide_schema
from tests.service.negotiation.fake_clock import FakeClock
from tests.service.running_service import REQUIREMENT, SOURCING_QUOTE, add_member
from tests.service.store_faults import count_rows, fault_at

HOOK = {"url": "http://example.com/hook", "events": ["scope.extracted"]}
RULES = {"awards": True, "webhooks": True, "pricesAbove": 1000}
PEOPLE: dict[str, Role] = {
    **{"Bea": "buyer", "Ben": "buyer", "Ada": "admin", "Abe": "admin"},
    **{"Olga": "owner", "Otto": "owner", "Rea": "reader"},
}


@dataclass
class House:
    """An organisation whose people are signed in, and the time."""

    context: Context
    clients: dict[str, TestClient]
    people: dict[str, str]
    clock: FakeClock

    def __getitem__(self, name: str) -> TestClient:
        return self.clients[name]

    def ask(self, who: str, method: str, path: str, json: Any = None) -> str:
        """The id of the approval that a call waits for."""
        answer = self[who].request(method, path, json=json)
        assert answer.status_code == 409, answer.text
        return answer.json()["approvalId"]

    def read(self, approval_id: str, who: str = "Rea") -> dict[str, Any]:
        answer = self[who].get(f"/v1/approvals/{approval_id}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def approve(self, who: str, approval_id: str) -> Any:
        return self[who].post(f"/v1/approvals/{approval_id}/approve")

    def count(self, path: str) -> int:
        found = self["Rea"].get(path).json()
        return len(found) if isinstance(found, list) else found["pagination"]["total"]


@pytest.fixture
def house(settings: Settings) -> Iterator[House]:
    clock = FakeClock()
    app = create_service(settings, clock)
    context = CONTEXT.get(app)
    provide_schema(context.database)
    with TestClient(app, raise_server_exceptions=False) as key:
        key.headers["Authorization"] = f"Bearer {key_for(context)}"
        clients, people = {"key": key}, dict[str, str]()
        for name, role in PEOPLE.items():
            people[name] = add_member(context, "Acme", name, role)
            with context.database.writing() as connection:
                member = Caller(
                    people[name], find_organisation(connection, "Acme"), role, user_id=people[name]
                )
                token = start_session(connection, member, context.clock())
            clients[name] = TestClient(
                app, headers={"Authorization": f"Bearer {token}"}, raise_server_exceptions=False
            )
        yield House(context, clients, people, clock)
    context.close()


def switch_on(house: House, **rules: Any) -> None:
    assert house["Olga"].patch("/v1/approval-rules", json=rules or RULES).status_code == 200


def requirement(house: House) -> tuple[str, str]:
    """A requirement with a quote, and a scenario that can be awarded."""
    buyer = house["Bea"]
    made = buyer.post("/v1/requirements", json=REQUIREMENT).json()["id"]
    path = f"/v1/requirements/{made}"
    assert buyer.post(f"{path}/quotes", json=SOURCING_QUOTE).status_code == 201
    solved = buyer.post(f"{path}/scenarios", json={"objective": "cheapest_split"})
    assert solved.json()["status"] == "optimal", solved.text
    return path, solved.json()["id"]


def negotiation(house: House) -> str:
    """The path of updates of a negotiation that can be agreed."""
    start = {
        "supplier": {"name": "Works"},
        **{"contactEmail": "a@example.com", "contactName": "A", "engagementType": "strategy_only"},
    }
    made = house["Bea"].post("/v1/negotiation/start", json=start).json()["negotiationId"]
    plan_negotiation(house.context, made)
    path = f"/v1/negotiation/{made}"
    for kind, payload in (
        ("decision", {"decision": "go_ahead"}),
        ("quote", {"amount": 5000, "currency": "USD"}),
    ):
        assert house["Bea"].post(f"{path}/external-update", json=update(kind, payload)).status_code == 204
    return path


def update(kind: str, payload: Any, external_id: str = "") -> dict[str, Any]:
    return {
        **{"timestamp": "2026-11-20T09:30:00Z", "source": "erp", "externalId": external_id or kind},
        **{"schema": {"$id": f"urn:svc:{kind}:1"}, "payload": payload},
    }


def read_status(house: House, path: str) -> str:
    return house["Rea"].get(f"{path}/summary").json()["status"]


@pytest.mark.campaign
def test_who_asks_for_no_second_person_is_asked_for_none(house: House) -> None:
    assert house["Bea"].get("/v1/approval-rules").json() == {
        **{"awards": False, "webhooks": False, "currency": "USD"}
    }
    assert house["key"].post("/v1/webhooks", json=HOOK).status_code == 201
    path, scenario = requirement(house)
    award = {"scenarioId": scenario, "make": "agreements", "reason": "Cheapest."}
    assert house["Bea"].post(f"{path}/award", json=award).status_code == 201
    talks = negotiation(house)
    agreed = update("agreement", {"amount": 9e9, "currency": "USD"})
    assert house["Bea"].post(f"{talks}/external-update", json=agreed).status_code == 204
    assert house.count("/v1/approvals") == 0


@pytest.mark.campaign
def test_an_award_is_made_when_another_buyer_approves_it(house: House) -> None:
    switch_on(house)
    path, scenario = requirement(house)
    award = {"scenarioId": scenario, "make": "agreements", "reason": "Cheapest."}
    asked = house.ask("Bea", "POST", f"{path}/award", award)
    assert house.ask("Bea", "POST", f"{path}/award", award) == asked, "a repeat is the same"
    assert house["Rea"].get(path).json()["status"] == "open"
    assert house.count("/v1/agreements") == 0
    shown = house.read(asked, "Ben")
    assert (shown["kind"], shown["name"], shown["amount"], shown["currency"]) == (
        *("award", "Analytics for two years", 2160, "USD"),
    )
    assert shown["request"] == award
    assert (shown["askedBy"]["name"], shown["mayApprove"], shown["mayRefuse"]) == ("Bea", True, True)
    assert "Acme gets USD 2,160." in shown["details"]
    own = house.read(asked, "Bea")
    assert (own["mayApprove"], own["mayRefuse"]) == (False, True)
    done = house.approve("Ben", asked)
    assert done.status_code == 200, done.text
    assert done.json()["answer"]["total"] == 2160
    assert done.json()["approval"]["settledBy"]["name"] == "Ben"
    assert "request" not in done.json()["approval"]
    assert house["Rea"].get(path).json()["status"] == "awarded"
    assert house.count("/v1/agreements") == 1
    entries = house["Ada"].get("/v1/audit?limit=3").json()["data"]
    assert {(one["action"], one["actor"]["name"], one["object"]["kind"]) for one in entries} == {
        ("requirements.award", "Bea", "requirement"),
        ("approvals.approve", "Ben", "approval"),
        ("approvals.ask", "Bea", "approval"),
    }


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("amount", "currency", "asks"),
    [(1000, "USD", False), (1000.01, "USD", True), (1, "EUR", True)],
)
def test_a_price_above_the_amount_or_not_convertible_waits(
    house: House, amount: float, currency: str, asks: bool
) -> None:
    switch_on(house)
    start = {
        "supplier": {"name": "Works"},
        **{"contactEmail": "a@example.com", "contactName": "A", "engagementType": "strategy_only"},
    }
    made = house["Bea"].post("/v1/negotiation/start", json=start).json()["negotiationId"]
    plan_negotiation(house.context, made)
    path = f"/v1/negotiation/{made}"
    for kind, payload in (
        ("decision", {"decision": "go_ahead"}),
        ("message", {"from": "supplier", "text": "We agree."}),
    ):
        assert house["Bea"].post(f"{path}/external-update", json=update(kind, payload)).status_code == 204
    agreed = update("agreement", {"amount": amount, "currency": currency})
    if not asks:
        assert house["Bea"].post(f"{path}/external-update", json=agreed).status_code == 204
        return
    asked = house.ask("key", "POST", f"{path}/external-update", agreed)
    assert read_status(house, path) == "active"
    done = house.approve("Bea", asked)
    assert done.status_code == 200, done.text
    assert "answer" not in done.json()
    assert read_status(house, path) == "complete"


def test_an_offer_above_the_amount_is_accepted_by_two(house: House) -> None:
    switch_on(house)
    path = negotiation(house)
    accepted = update("decision", {"decision": "accept"}, "accepting")
    asked = house.ask("Bea", "POST", f"{path}/external-update", accepted)
    assert house.read(asked)["amount"] == 5000
    assert house.approve("Ben", asked).status_code == 200


def test_who_may_not_approve_is_refused_and_nothing_is_done(house: House) -> None:
    switch_on(house)
    asked = house.ask("Ada", "POST", "/v1/webhooks", HOOK)
    for who in ("Ada", "Rea", "Bea", "key"):
        answer = house.approve(who, asked)
        assert answer.status_code == 403, (who, answer.text)
        assert not house.read(asked, who)["mayApprove"], who
    stranger = TestClient(
        house["key"].app, headers={"Authorization": f"Bearer {key_for(house.context, 'Other')}"}
    )
    assert stranger.post(f"/v1/approvals/{asked}/approve").status_code == 404
    assert stranger.post(f"/v1/approvals/{asked}/refuse", json={"reason": "No."}).status_code == 404
    assert stranger.get("/v1/approvals").json()["data"] == []
    with house.context.database.writing() as connection:
        connection.execute(membership.delete().where(membership.c.user_id == house.people["Abe"]))
    assert house.approve("Abe", asked).status_code in {401, 403}
    assert house.count("/v1/webhooks") == 0
    done = house.approve("Olga", asked)
    assert done.json()["answer"]["secret"].startswith("whsec_")
    assert house.count("/v1/webhooks") == 1


def test_nobody_approves_what_a_key_of_theirs_asked_for(house: House) -> None:
    switch_on(house)

    def make_key(maker: TestClient) -> TestClient:
        key = maker.post("/v1/keys", json={"name": "mine", "role": "admin"}).json()["key"]
        return TestClient(house["key"].app, headers={"Authorization": f"Bearer {key}"})

    house.clients["of Ada"] = make_key(house["Ada"])
    house.clients["of a key of Ada"] = make_key(house["of Ada"])
    for who in ("of Ada", "of a key of Ada"):
        asked = house.ask(who, "POST", "/v1/webhooks", {**HOOK, "url": f"http://example.com/{len(who)}"})
        assert house.approve("Ada", asked).status_code == 403
        assert house.approve("Abe", asked).status_code == 200


@pytest.mark.campaign
def test_of_several_who_approve_at_once_one_does(house: House) -> None:
    switch_on(house)
    asked = house.ask("Ada", "POST", "/v1/webhooks", HOOK)
    with ThreadPoolExecutor(6) as pool:
        answers = list(
            pool.map(lambda who: house.approve(who, asked).status_code, ["Abe", "Olga", "Otto"] * 2)
        )
    assert sorted(answers) == [200] + [409] * 5
    assert house.count("/v1/webhooks") == 1
    assert house["Otto"].post(f"/v1/approvals/{asked}/refuse", json={"reason": "Late."}).status_code == 409


def test_a_repeated_approval_gives_the_same_answer(house: House) -> None:
    switch_on(house)
    asked = house.ask("Ada", "POST", "/v1/webhooks", HOOK)
    path, key = f"/v1/approvals/{asked}/approve", {"Idempotency-Key": "one"}
    first, again = (house["Abe"].post(path, headers=key).json() for _ in range(2))
    assert first["answer"]["secret"] == again["answer"]["secret"]
    assert house.count("/v1/webhooks") == 1


def test_what_was_refused_is_never_done(house: House) -> None:
    switch_on(house)
    asked = house.ask("Ada", "POST", "/v1/webhooks", HOOK)
    path = f"/v1/approvals/{asked}/refuse"
    assert house["Bea"].post(path, json={"reason": "No."}).status_code == 403
    assert house["Abe"].post(path, json={"reason": " "}).status_code == 400
    refused = house["Abe"].post(path, json={"reason": "Unknown host."}).json()
    assert (refused["status"], refused["reason"], refused["settledBy"]["name"]) == (
        *("refused", "Unknown host.", "Abe"),
    )
    assert house.approve("Olga", asked).status_code == 409
    again = house.ask("Ada", "POST", "/v1/webhooks", HOOK)
    assert again != asked
    assert house["Ada"].post(f"/v1/approvals/{again}/refuse", json={"reason": "Mistake."}).status_code == 200
    assert house.count("/v1/webhooks") == 0
    assert house.count("/v1/approvals?status=refused") == 2


def test_what_nobody_approves_expires_and_goes(house: House) -> None:
    switch_on(house)
    asked = house.ask("Ada", "POST", "/v1/webhooks", HOOK)
    house.clock.now += timedelta(days=7)
    for client in house.clients.values():
        client.headers["Authorization"] = f"Bearer {key_for(house.context, role='admin')}"
    assert house.read(asked)["status"] == "expired"
    assert house.count("/v1/approvals?status=expired") == 1
    assert house.count("/v1/approvals?status=waiting") == 0
    house.clock.now += timedelta(days=91)
    assert delete_old(house.context) >= 1
    assert house.count("/v1/approvals") == 0


@pytest.mark.both_stores
def test_a_call_that_cannot_be_done_any_more_is_a_conflict_and_waits_on(house: House) -> None:
    hook = house["Ada"].post("/v1/webhooks", json=HOOK).json()["id"]
    switch_on(house)
    deleted = house.ask("Ada", "DELETE", f"/v1/webhooks/{hook}")
    rotated = house.ask("Ada", "POST", f"/v1/webhooks/{hook}/secret")
    assert house.approve("Abe", deleted).status_code == 200
    answer = house.approve("Abe", rotated)
    assert answer.status_code == 409
    assert "There is no such webhook." in answer.json()["detail"]
    assert house.read(rotated)["status"] == "waiting"


def test_an_award_that_would_decide_something_else_is_not_made(house: House) -> None:
    switch_on(house)
    path, _ = requirement(house)
    [quote] = house["Bea"].get(f"{path}/quotes").json()["data"]
    line = quote["lines"][0]["id"]
    award = {"award": [line], "make": "agreements", "reason": "Known."}
    asked = house.ask("Bea", "POST", f"{path}/award", award)
    change = {"lines": [{"id": line, "unitPrice": 90}]}
    assert house["Bea"].patch(f"{path}/quotes/{quote['id']}", json=change).status_code == 200
    answer = house.approve("Ben", asked)
    assert answer.status_code == 409
    assert "amount 2160 is 21600" in answer.json()["detail"]
    assert house.count("/v1/agreements") == 0
    assert house.read(asked)["status"] == "waiting"


def test_who_left_has_nothing_done_in_their_name(house: House) -> None:
    switch_on(house)
    asked = house.ask("Ada", "POST", "/v1/webhooks", HOOK)
    with house.context.database.writing() as connection:
        connection.execute(membership.delete().where(membership.c.user_id == house.people["Ada"]))
    answer = house.approve("Abe", asked)
    assert answer.status_code == 409
    assert house.count("/v1/webhooks") == 0


def test_asking_for_less_takes_a_second_owner(house: House) -> None:
    assert house["Ada"].patch("/v1/approval-rules", json=RULES).status_code == 403
    switch_on(house)
    assert house["Olga"].patch("/v1/approval-rules", json={"pricesAbove": 10}).json()["pricesAbove"] == 10
    for change in ({"awards": False}, {"webhooks": False}, {"pricesAbove": 11}, {"pricesAbove": None}):
        asked = house.ask("Olga", "PATCH", "/v1/approval-rules", change)
        assert house.approve("Ada", asked).status_code == 403
    assert house["Rea"].get("/v1/approval-rules").json() == {**RULES, "pricesAbove": 10, "currency": "USD"}
    assert house.approve("Otto", asked).status_code == 200
    assert "pricesAbove" not in house["Rea"].get("/v1/approval-rules").json()
    with house.context.database.writing() as connection:
        connection.execute(membership.delete().where(membership.c.user_id == house.people["Otto"]))
    assert house["Olga"].patch("/v1/approval-rules", json={"awards": False}).json()["awards"] is False


def test_a_rule_that_nobody_could_keep_is_refused(house: House) -> None:
    with house.context.database.writing() as connection:
        left = [house.people[name] for name in ("Abe", "Olga", "Otto")]
        connection.execute(membership.delete().where(membership.c.user_id.in_(left)))
    refused = house["key"].patch("/v1/approval-rules", json={"webhooks": True})
    assert refused.status_code == 409
    assert house["key"].patch("/v1/approval-rules", json={"awards": True}).status_code == 200


def test_a_call_that_nobody_could_approve_says_so(house: House) -> None:
    switch_on(house)
    with house.context.database.writing() as connection:
        left = [house.people[name] for name in ("Abe", "Olga", "Otto")]
        connection.execute(membership.delete().where(membership.c.user_id.in_(left)))
    answer = house["Ada"].post("/v1/webhooks", json=HOOK)
    assert answer.status_code == 409
    assert "approvalId" not in answer.json()
    assert house.count("/v1/approvals") == 0


@pytest.mark.parametrize("is_decided", [True, False])
def test_those_who_may_approve_get_a_letter_while_it_waits(house: House, *, is_decided: bool) -> None:
    switch_on(house)
    house.context.settings.smtp_url = SecretStr("smtp://127.0.0.1:9")
    with house.context.database.writing() as connection:
        connection.execute(user_account.update().values(email=user_account.c.name + "@acme.example"))
    asked = house.ask("Ada", "POST", "/v1/webhooks", HOOK)
    letters = sa.select(letter.c.recipient).where(letter.c.object_id == asked)
    with house.context.database.reading() as connection:
        people = {one.partition("@")[0] for one in connection.scalars(letters)}
    assert people == {"Abe", "Olga", "Otto"}
    if is_decided:
        assert house.approve("Abe", asked).status_code == 200
    else:
        house.clock.advance(days=DAYS_TO_APPROVE)
    assert send_due_naming_mail(house.context) == 0
    with house.context.database.reading() as connection:
        assert set(connection.scalars(sa.select(letter.c.status))) == {"outdated"}


def test_what_waits_is_sealed_and_sealed_anew(house: House) -> None:
    switch_on(house)
    asked = house.ask("Ada", "POST", "/v1/webhooks", HOOK)
    stored = sa.select(approval.c.body).where(approval.c.id == asked)
    with house.context.database.reading() as connection:
        assert HOOK["url"].encode() not in connection.execute(stored).scalar_one()
    seal_anew(house.context)
    assert house.approve("Abe", asked).status_code == 200
    with house.context.database.reading() as connection:
        assert connection.execute(stored).scalar_one() is None


@pytest.mark.campaign
def test_a_fault_at_any_statement_leaves_it_waiting_and_then_it_is_done_once(house: House) -> None:
    switch_on(house)
    asked = house.ask("Ada", "POST", "/v1/webhooks", HOOK)

    def approve() -> httpx.Response:
        assert house.read(asked)["status"] == "waiting"
        return house["Abe"].post(f"/v1/approvals/{asked}/approve", headers={"Idempotency-Key": "one"})

    answer = make_after_faults(house, approve)
    assert answer.status_code == 200, answer.text
    assert house.count("/v1/webhooks") == 1
    again = house["Abe"].post(f"/v1/approvals/{asked}/approve", headers={"Idempotency-Key": "one"})
    assert again.json()["answer"] == answer.json()["answer"]


@pytest.mark.campaign
def test_a_fault_while_it_is_asked_for_leaves_nothing(house: House) -> None:
    switch_on(house)
    assert make_after_faults(house, lambda: house["Ada"].post("/v1/webhooks", json=HOOK)).status_code == 409
    assert house.count("/v1/approvals") == 1


def make_after_faults(house: House, make: Callable[[], httpx.Response]) -> httpx.Response:
    """Make the call with a fault at each of its statements, which leaves nothing, and return the answer of
    the one without."""
    before, number = count_rows(house.context), 1
    while True:
        with fault_at(house.context, number) as met:
            answer = make()
        if not met:
            return answer
        assert answer.status_code == 503, (met, answer.text)
        assert count_rows(house.context) == before, met
        # To end a connection takes PostgreSQL longer than to fill a disk.
        number += 1 if house.context.database.is_sqlite else 7
