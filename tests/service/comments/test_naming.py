"""Who is named in a comment or made an owner gets one mail, and nobody else does."""

from collections.abc import Iterator
from email.message import Message
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.testclient import TestClient

from app.service.access.caller import Caller
from app.service.access.sessions import start_session
from app.service.comments.naming_mail import send_due_naming_mail
from app.service.comments.people import Person, RefusedName, find_named
from app.service.context import Context
from app.service.database.tables import letter, membership, user_account
from app.service.ids import new_id
from tests.service.background.mail_server import Inbox, MailServer

BEA = {"name": "Bea Buyer", "email": "bea@acme.example"}
OLE = {"name": "Ole", "email": "ole@acme.example"}
START = {"contactEmail": "lead@acme.example", "contactName": "Lea Lead", "engagementType": "strategy_only"}


@pytest.fixture
def inbox(context: Context) -> Iterator[Inbox]:
    inbox = Inbox()
    server = MailServer(inbox, hostname="127.0.0.1", port=0)
    server.start()
    context.settings.smtp_url = SecretStr(f"smtp://127.0.0.1:{server.port}")
    context.settings.mail_domains = ("acme.example",)
    try:
        yield inbox
    finally:
        server.stop()


def agree(api: TestClient, *owners: dict[str, str]) -> str:
    made = api.post("/v1/agreements", json={"name": "Pages", "owners": [*owners]})
    assert made.status_code == 201, made.text
    return f"/v1/agreements/{made.json()['id']}"


def send(context: Context) -> None:
    for _ in range(2):
        send_due_naming_mail(context)


def text_of(message: Message) -> str:
    content: Any = message.get_payload(decode=True)
    return bytes(content).decode()


def write(api: TestClient, path: str, text: str, **headers: str) -> Any:
    return api.post(f"{path}/comments", json={"text": text}, headers=headers)


def test_who_is_named_gets_one_mail_with_the_comment(
    app: FastAPI, api: TestClient, context: Context, inbox: Inbox
) -> None:
    path = agree(api, BEA, OLE)
    send(context)
    inbox.messages.clear()
    with context.database.writing() as connection:
        organisation = connection.scalars(sa.select(letter.c.organisation_id).limit(1)).one()
        user = {"id": new_id(), "name": "Mia Member", "email": "mia@acme.example"}
        now = context.clock()
        connection.execute(user_account.insert().values(**user, created_at=now))
        member = {"user_id": user["id"], "organisation_id": organisation, "role": "buyer"}
        connection.execute(membership.insert().values(**member, created_at=now))
        session = start_session(
            connection, Caller(user["id"], organisation, "buyer", user_id=user["id"]), now
        )
    text = "@bea buyer, @mia@acme.example: sign <b>today</b>.\n@Bea Buyer and @Olek, @nobody"
    # Only whom a call proves to be its author gets no letter; whom it claims to act for gets one.
    claimed = {"x-svc-end-user-email": "bea@acme.example", "Authorization": f"Bearer {session}"}
    made = write(api, path, text, **claimed)
    assert made.status_code == 201, made.text
    assert [one["name"] for one in made.json()["named"]] == ["Mia Member", "Bea Buyer"]
    assert api.get(f"{path}/comments").json()["mailAvailable"] is True
    send(context)
    [message] = inbox.messages
    assert (message["To"], message["Subject"]) == ("bea@acme.example", "You are named in a comment")
    author = api.get(f"{path}/comments").json()["data"][0]["author"]
    said = f"{author}, on behalf of bea@acme.example named you in a comment"
    for part in (said, "> @bea buyer, @mia@acme.example: sign <b>today</b>.", f"/agreement?id={path[-36:]}"):
        assert part in text_of(message)
    assert message.get_content_type() == "text/plain"


def test_one_click_ends_the_mail_of_an_organisation_and_another_brings_it_back(
    api: TestClient, stranger: TestClient, context: Context, inbox: Inbox
) -> None:
    def letters(client: TestClient) -> list[Message]:
        inbox.messages.clear()
        agree(client, BEA)
        send(context)
        return [*inbox.messages]

    [message] = letters(api)
    link = message["List-Unsubscribe"].strip("<>")
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert link in text_of(message)
    assert link.startswith(context.settings.public_url)
    no_key = {"Authorization": ""}
    assert BEA["email"] in api.get(link, headers=no_key).text
    assert len(letters(api)) == 1  # whoever opens the link has not asked for an end
    ended = api.post(link, data={"List-Unsubscribe": "One-Click"}, headers=no_key)
    assert (ended.status_code, "gets no mail" in ended.text) == (200, True)
    assert letters(api) == []
    assert len(letters(stranger)) == 1
    api.post(link.replace("unsubscribe", "subscribe"), headers=no_key).raise_for_status()
    assert len(letters(api)) == 1
    assert api.post(f"{link}x", headers=no_key).status_code == 404


def test_a_mail_goes_to_nobody_who_is_not_on_record(
    app: FastAPI, api: TestClient, stranger: TestClient, context: Context, inbox: Inbox
) -> None:
    agree(stranger, OLE)
    theirs = {"contactEmail": "max@other.example", "contactName": "Max Lead", "supplier": {"name": "W"}}
    assert stranger.post("/v1/negotiation/start", json={**START, **theirs}).status_code == 201
    path = agree(api, BEA)
    send(context)
    inbox.messages.clear()
    for address in ("ole@acme.example", "max@other.example", "press@world.example"):
        refused = write(api, path, f"Look, @{address}!")
        assert refused.status_code == 400
        assert f"{address}, which is not on record here" in refused.json()["detail"]
    assert api.patch(
        path, json={"owners": [BEA, {"name": "Press", "email": "press@world.example"}]}
    ).is_success
    send(context)
    assert inbox.messages == [], "of no member, and of no domain that the operator allows"
    assert write(api, path, "@press@world.example: look.").status_code == 409
    assert write(api, path, "@Press: look.").status_code == 409
    assert api.get(f"{path}/comments").json()["data"] == []
    made = api.post("/v1/negotiation/start", json={**START, "supplier": {"name": "W"}}).json()
    negotiation = f"/v1/negotiation/{made['negotiationId']}"
    assert write(api, negotiation, "@Lea Lead, @Max Lead and @Ole, look.").json()["named"] == [
        {"name": "Lea Lead", "email": "lead@acme.example"}
    ]
    send(context)
    assert [one["To"] for one in inbox.messages] == ["lead@acme.example"]


def test_new_owners_get_a_mail_once_and_those_who_were_none_before(
    app: FastAPI, api: TestClient, stranger: TestClient, context: Context, inbox: Inbox
) -> None:
    made = api.post("/v1/negotiation/start", json={**START, "supplier": {"name": "Works"}}).json()
    scope = api.post("/v1/scope/from-document", files={"file": ("q.csv", b"description,amount\nSeat,10\n")})
    paths = {
        "negotiation": f"/v1/negotiation/{made['negotiationId']}",
        "scope": f"/v1/scope/{scope.json()['scopeId']}",
        "agreement": agree(api),
    }
    for kind, path in paths.items():
        for owners in ([BEA], [BEA, OLE], [OLE]):
            answer = api.patch(path, json={"owners": owners})
            assert answer.status_code == 200, answer.text
            assert answer.json()["owners"] == owners
        assert stranger.patch(path, json={"owners": [BEA]}).status_code == 404
        send(context)
        assert [one["To"] for one in inbox.messages] == ["ole@acme.example"], "she is none any more"
        assert f"as an owner of the {kind}" in text_of(inbox.messages[0])
        inbox.messages.clear()
        assert "owners" not in api.patch(path, json={"owners": None}).json()
    assert "the owners" in api.get(f"{paths['scope']}/history").json()["data"][0]["text"]


def test_what_is_taken_back_or_has_no_mail_server_is_not_sent(
    app: FastAPI, api: TestClient, context: Context, inbox: Inbox
) -> None:
    path = agree(api, BEA)
    send(context)
    inbox.messages.clear()
    gone = write(api, path, "@Bea Buyer: wrong place.").json()["id"]
    assert api.delete(f"{path}/comments/{gone}").status_code == 200
    send(context)
    assert inbox.messages == []
    inbox.refusals = 1
    assert write(api, path, "@Bea Buyer, look.").status_code == 201
    send(context)
    with context.database.reading() as connection:
        statuses = list(connection.scalars(sa.select(letter.c.status).order_by(letter.c.id)))
    assert statuses == ["sent", "outdated", "queued"]
    context.settings.max_mails = 3
    assert write(api, path, "@Bea Buyer, look again.").status_code == 409
    assert api.patch(path, json={"owners": [BEA, OLE]}).status_code == 200, "only the mail is left out"
    context.settings.smtp_url = None
    assert write(api, path, "@Bea Buyer, look again.").status_code == 201
    assert api.get(f"{path}/comments").json()["mailAvailable"] is False
    assert api.delete(path).status_code == 200
    with context.database.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(letter)) == 0


def test_names_are_found_where_they_stand_alone() -> None:
    people = [Person("Ole", "o@x.example"), Person("Ole Olsen", "oo@x.example"), Person("Zoë", "z@x.example")]

    def named(text: str) -> list[str]:
        return [one.email for one in find_named(text, people)]

    assert named("@Ole Olsen, then @ole. And @ZOË\nand @ole") == [
        "oo@x.example",
        "o@x.example",
        "z@x.example",
    ]
    assert named("a@Ole, @Olema, @ Ole, @Ole_, ole@x.example @") == []
    assert named("(@z@x.example).") == ["z@x.example"]
    with pytest.raises(RefusedName, match="several people"):
        find_named("@Ole", [*people, Person("ole", "other@x.example")])
    with pytest.raises(RefusedName, match="not on record"):
        named("@unknown@x.example!")
