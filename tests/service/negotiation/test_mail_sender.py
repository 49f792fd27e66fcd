"""In negotiations that the service leads, each message to the supplier is sent once and recorded."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from email.message import Message
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from app.contract.money import format_exact_quantity
from app.service.background.mail_queue import InvalidMailServer, parse_mail_server
from app.service.context import Context
from app.service.database.letters import SUPPLIER_LETTERS
from app.service.database.tables import letter, negotiation
from app.service.ids import new_id
from app.service.negotiation.mail import fill_template, send_due_mail
from app.service.pricing.next_step import round_as_people_do
from tests.service.background.mail_server import Inbox, MailServer
from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.negotiation.test_attachments import quote_document
from tests.service.webhooks.webhook_factory import an_organisation


@pytest.fixture
def inbox(context: Context) -> Iterator[Inbox]:
    """A mail server on loopback that the settings name."""
    inbox = Inbox()
    server = MailServer(inbox, hostname="127.0.0.1", port=0)
    server.start()
    try:
        context.settings.smtp_url = SecretStr(f"smtp://127.0.0.1:{server.port}")
        yield inbox
    finally:
        server.stop()


Decide = Callable[[NegotiationDriver, str], None]

SUPPLIER = {"name": "Seller 24", "contactName": "Sam\nSeller", "contactEmail": "sam@seller.example"}


def led(driver: NegotiationDriver, **body: Any) -> str:
    return driver.start_planned(engagementType="svc_led", **{"supplier": SUPPLIER, **body})


def text_of(message: Message) -> str:
    content: Any = message.get_payload(decode=True)
    return bytes(content).decode()


def test_the_first_message_goes_out_once_and_is_on_record(driver: NegotiationDriver, inbox: Inbox) -> None:
    negotiation_id = led(driver)
    opening = driver.timeline(negotiation_id)["strategy"]["opening"]["amount"]
    assert [letter["status"] for letter in driver.timeline(negotiation_id)["mails"]] == ["queued"]
    assert send_due_mail(driver.context) == 1
    assert send_due_mail(driver.context) == 0
    (message,) = inbox.messages
    assert message["To"] == "sam@seller.example"
    assert message["Reply-To"] == "buyer@acme.example"
    assert "Dear Sam Seller," in text_of(message)
    assert format_exact_quantity(round_as_people_do(Decimal(str(opening)))) in text_of(message)
    timeline = driver.timeline(negotiation_id)
    assert [letter["status"] for letter in timeline["mails"]] == ["sent"]
    (told,) = (entry["text"] for entry in timeline["entries"] if entry["kind"] == "mail")
    assert told.endswith("was sent.")
    assert driver.status(negotiation_id) == "pending"


@pytest.mark.campaign
def test_a_failed_message_is_retried_with_the_same_id_until_the_last_attempt(
    driver: NegotiationDriver, inbox: Inbox
) -> None:
    negotiation_id = led(driver)
    inbox.refusals = 2
    assert send_due_mail(driver.context) == 0
    assert send_due_mail(driver.context) == 0
    driver.clock.advance(seconds=30)
    assert send_due_mail(driver.context) == 0
    driver.clock.advance(minutes=5)
    assert send_due_mail(driver.context) == 1
    assert len(inbox.messages) == 1
    (mail,) = driver.timeline(negotiation_id)["mails"]
    assert (mail["status"], mail["attempts"]) == ("sent", 3)
    inbox.refusals = 99
    other = led(driver)
    for _ in range(10):
        send_due_mail(driver.context)
        driver.clock.advance(hours=7)
    (mail,) = driver.timeline(other)["mails"]
    assert (mail["status"], mail["attempts"]) == ("failed", 5)
    assert "451" in mail["error"]


def test_a_counter_and_a_reminder_are_sent(driver: NegotiationDriver, inbox: Inbox) -> None:
    negotiation_id = led(driver)
    send_due_mail(driver.context)
    driver.quote(negotiation_id, 5000)
    driver.update(negotiation_id, "decision", decision="counter", amount=1234.5)
    assert send_due_mail(driver.context) == 1
    assert "USD 1,234.50" in text_of(inbox.messages[-1])
    driver.clock.advance(days=5)
    driver.fire_timers()
    assert send_due_mail(driver.context) == 1
    assert "not heard" in text_of(inbox.messages[-1])
    [silent] = [one for one in driver.escalations(negotiation_id) if one["reason"] == "supplier_silent"]
    assert (silent["options"][0]["decision"], silent["options"][0]["label"]) == ("go_ahead", "Keep waiting")
    driver.update(negotiation_id, "decision", decision="go_ahead", escalationId=silent["id"])
    assert send_due_mail(driver.context) == 0, "the supplier was reminded a moment ago"
    driver.clock.advance(days=5)
    driver.fire_timers()
    assert send_due_mail(driver.context) == 1


@pytest.mark.campaign
def test_after_the_end_only_the_closing_message_is_sent(driver: NegotiationDriver, inbox: Inbox) -> None:
    silent, told = led(driver), led(driver)
    driver.update(told, "decision", decision="walk_away")
    for negotiation_id in (silent, told):
        driver.update(negotiation_id, "cancellation")
    assert send_due_mail(driver.context) == 1
    assert driver.timeline(silent)["mails"] == []
    assert [letter["status"] for letter in driver.timeline(told)["mails"]] == ["sent"]


def counter(driver: NegotiationDriver, negotiation_id: str, amount: float) -> None:
    driver.update(negotiation_id, "decision", decision="counter", amount=amount)


def walk_away(driver: NegotiationDriver, negotiation_id: str) -> None:
    driver.update(negotiation_id, "decision", decision="walk_away")


def cancel(driver: NegotiationDriver, negotiation_id: str) -> None:
    driver.update(negotiation_id, "cancellation")


def offered(driver: NegotiationDriver) -> str:
    """A negotiation whose first letter was sent and whose supplier has made an offer."""
    negotiation_id = led(driver)
    assert send_due_mail(driver.context) == 1
    driver.quote(negotiation_id, 5000)
    return negotiation_id


def send_until_none_is_due(driver: NegotiationDriver) -> None:
    for _ in range(6):
        driver.clock.advance(hours=7)
        send_due_mail(driver.context)


def offer_other_amount(driver: NegotiationDriver, negotiation_id: str) -> None:
    counter(driver, negotiation_id, 999)


after_each_decision = pytest.mark.parametrize(
    ("decide", "newer"), [(cancel, 0), (walk_away, 1), (offer_other_amount, 1)]
)
"""Decisions after which an earlier letter is out of date, and how many newer ones follow from each."""


@pytest.mark.campaign
@after_each_decision
def test_a_letter_that_was_refused_for_now_is_not_sent_once_it_is_out_of_date(
    driver: NegotiationDriver, inbox: Inbox, decide: Decide, newer: int
) -> None:
    negotiation_id = offered(driver)
    counter(driver, negotiation_id, 1234.5)
    inbox.refusals = 1
    assert send_due_mail(driver.context) == 0
    decide(driver, negotiation_id)
    send_until_none_is_due(driver)
    texts = [text_of(message) for message in inbox.messages[1:]]
    assert len(texts) == newer
    assert "1,234.50" not in "".join(texts)
    assert {letter["status"] for letter in driver.timeline(negotiation_id)["mails"]} == {"sent"}


@pytest.mark.campaign
@after_each_decision
def test_a_letter_that_goes_out_of_date_while_it_is_refused_is_not_tried_again(
    driver: NegotiationDriver, inbox: Inbox, decide: Decide, newer: int
) -> None:
    negotiation_id = offered(driver)
    counter(driver, negotiation_id, 1234.5)
    inbox.refusals = 1
    inbox.on_arrival = lambda: decide(driver, negotiation_id)
    assert send_due_mail(driver.context) == 0
    inbox.on_arrival = lambda: None
    send_until_none_is_due(driver)
    texts = [text_of(message) for message in inbox.messages[1:]]
    assert len(texts) == newer
    assert "1,234.50" not in "".join(texts)
    (outdated,) = (one for one in driver.timeline(negotiation_id)["mails"] if "1,234.50" in one["body"])
    assert (outdated["status"], outdated["attempts"]) == ("failed", 1)


@pytest.mark.campaign
def test_a_letter_that_goes_out_of_date_while_it_is_sent_is_on_record_as_sent(
    driver: NegotiationDriver, inbox: Inbox
) -> None:
    negotiation_id = offered(driver)
    counter(driver, negotiation_id, 1234.5)
    inbox.on_arrival = lambda: cancel(driver, negotiation_id)
    assert send_due_mail(driver.context) == 1
    inbox.on_arrival = lambda: None
    send_until_none_is_due(driver)
    assert len(inbox.messages) == 2
    timeline = driver.timeline(negotiation_id)
    assert timeline["status"] == "cancelled"
    assert {letter["status"] for letter in timeline["mails"]} == {"sent"}
    assert all("error" not in letter for letter in timeline["mails"])
    assert sum(entry["kind"] == "mail" for entry in timeline["entries"]) == 2


@pytest.mark.campaign
def test_a_message_of_a_killed_worker_is_sent_again_with_the_same_id(
    driver: NegotiationDriver, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    led(driver)

    class Killed(BaseException):
        pass

    async def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("app.service.background.mail_queue._send", die)
        with pytest.raises(Killed):
            send_due_mail(driver.context)
    assert send_due_mail(driver.context) == 0
    driver.clock.advance(minutes=5)
    assert send_due_mail(driver.context) == 1
    assert len(inbox.messages) == 1


def test_strategy_only_sends_no_mail(driver: NegotiationDriver, inbox: Inbox) -> None:
    negotiation_id = driver.start_planned(supplier=SUPPLIER)
    assert send_due_mail(driver.context) == 0
    assert driver.timeline(negotiation_id)["mails"] == []


@pytest.mark.campaign
@pytest.mark.parametrize("supplier", [SUPPLIER, {"name": "Seller 24"}])
def test_without_a_mail_server_the_draft_waits_in_the_summary(
    driver: NegotiationDriver, supplier: dict[str, str]
) -> None:
    negotiation_id = led(driver, supplier=supplier)
    assert send_due_mail(driver.context) == 0
    news = driver.summary(negotiation_id)["executiveSummaries"][0]
    assert "is ready to send" in news["title"]
    assert "It offers" in news["text"]
    assert "copy the draft" in news["text"]
    assert [letter["status"] for letter in driver.timeline(negotiation_id)["mails"]] == ["draft"]


def test_a_custom_template_replaces_the_default(driver: NegotiationDriver, inbox: Inbox) -> None:
    folder = driver.context.settings.data_dir / "mail-templates"
    folder.mkdir(parents=True)
    (folder / "opening.txt").write_text("Subject: Grüße an $supplier_contact\nHallo, $unknown\n", "utf-8")
    led(driver)
    assert send_due_mail(driver.context) == 1
    assert text_of(inbox.messages[0]).strip() == "Hallo, $unknown"


def test_a_subject_is_one_line_even_with_line_breaks_in_a_name() -> None:
    written = fill_template("opening", {"supplier_contact": "x\r\nBcc: all@example.com"})
    assert "\n" not in written.subject
    assert "\r" not in written.subject


def test_a_mail_server_s_address_is_read_and_shows_no_password() -> None:
    server = parse_mail_server("smtps://me%40x:se%3Acret@mail.example")
    assert (server.host, server.port, server.user, server.password) == (
        "mail.example",
        465,
        "me@x",
        "se:cret",
    )
    assert "cret" not in repr(server)
    for wrong in ("http://mail.example", "smtp://", "smtp://mail:port", "mail.example"):
        with pytest.raises(InvalidMailServer):
            parse_mail_server(wrong)


@pytest.mark.campaign
def test_a_start_with_a_quote_file_sends_no_opening_message(driver: NegotiationDriver, inbox: Inbox) -> None:
    upload = driver.api.post("/v1/files/upload", files={"file": ("q.docx", quote_document())})
    with_quote = led(driver, file={"fileId": upload.json()["id"]})
    assert driver.timeline(with_quote)["mails"] == []
    upload = driver.api.post("/v1/files/upload", files={"file": ("q.csv", b"a,b\n1,2\n")})
    without = led(driver, file={"fileId": upload.json()["id"]})
    assert [letter["status"] for letter in driver.timeline(without)["mails"]] == ["queued"]


@pytest.mark.campaign
def test_an_invalid_address_fails_and_does_not_delay_others(driver: NegotiationDriver, inbox: Inbox) -> None:
    odd = led(driver, supplier={**SUPPLIER, "contactEmail": "müller@seller.example"})
    led(driver)
    for _ in range(6):
        send_due_mail(driver.context)
        driver.clock.advance(hours=7)
    assert len(inbox.messages) >= 1
    assert driver.timeline(odd)["mails"][0]["status"] in {"sent", "failed"}


@pytest.mark.campaign
def test_an_organisation_that_writes_to_many_keeps_no_other_one_waiting(
    driver: NegotiationDriver, inbox: Inbox
) -> None:
    negotiation_id = led(driver)
    now = driver.context.clock()
    stranger = an_organisation(driver.context)
    with driver.context.database.writing() as connection:
        row = dict(connection.execute(sa.select(negotiation)).mappings().one())
        other = {**row, "id": new_id(), "organisation_id": stranger}
        connection.execute(negotiation.insert().values(other))
        first = dict(connection.execute(sa.select(letter)).mappings().one())
        letters = [
            {**first, "id": new_id(), "next_at": now - timedelta(hours=1)}
            for _ in range(SUPPLIER_LETTERS.batch_size)
        ]
        own = {"organisation_id": stranger, "object_id": other["id"], "next_at": now}
        letters.append({**first, "id": new_id(), **own})
        connection.execute(letter.insert(), letters)
    assert send_due_mail(driver.context) == SUPPLIER_LETTERS.batch_size
    with driver.context.database.reading() as connection:
        status = connection.scalar(sa.select(letter.c.status).where(letter.c.object_id != negotiation_id))
    assert status == "sent"
