"""Every effect of background work happens once and is told once, though it is done twice at once or killed
before any of its writes."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from ipaddress import ip_network
from itertools import count
from typing import TypeAlias

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from app.contract.sourcing import Scenario
from app.service.access.keys import find_organisation
from app.service.agreements.alerts import send_due_alerts
from app.service.agreements.market.jobs import price_some
from app.service.background.mail_queue import CLAIM_TIME
from app.service.catalog.estimate_check import request_estimate_check
from app.service.context import Context
from app.service.database.tables import calibration, delivery, event, purchase_recount
from app.service.database.tables import requirement as requirements
from app.service.database.tables import task as task_rows
from app.service.pricing.estimate_availability import update_estimate_availability
from app.service.pricing.relearning import learn_and_store
from app.service.sourcing.jobs import request_solving
from app.service.sourcing.store import update_scenario
from app.service.worker.handlers import HANDLERS
from app.service.worker.periodic_jobs import PeriodicJob, list_periodic_jobs
from tests.service.background.mail_server import Inbox, MailServer
from tests.service.imports.import_driver import ImportDriver
from tests.service.interleaving import kill_at, run_in_between
from tests.service.negotiation.negotiation_driver import NegotiationDriver
from tests.service.running_service import AGREEMENT, REQUIREMENT, SOURCING_QUOTE
from tests.service.store_faults import count_rows
from tests.service.webhooks.receivers import Endpoint, endpoint, serving, status
from tests.service.webhooks.webhook_factory import a_webhook, happen, states
from tests.service.webhooks.worker_harness import delivering, impatient, run, until

QUOTE = b"description,quantity,unit price,amount\nSuite 365,10,100.00,1000.00\nNet total,,,1000.00\n"
SUPPLIER = {"name": "Seller 24", "contactName": "Sam", "contactEmail": "sam@seller.example"}
MOST_WRITES = 20
NUMBERS = count(1)
NOT_COUNTED = {
    # What follows from purchases, as often as it is computed.
    *("category", "company", "product", "product_family", "organisation_view", "article", "calibration"),
    "company_gram",  # as many as the digits of a name's number differ
    "entry_count",  # changes of counts, until they are summed up
    "mail_recipient",  # one for each address, from the first letter on
    "worker",
}


@dataclass(frozen=True)
class Effect:
    """`prepare` makes something that it happens to, and returns its id; it may use the address of a document.
    `work` does it, as a worker does."""

    prepare: Callable[[NegotiationDriver, str], str]
    work: Callable[[Context, str], object]


def upload(driver: NegotiationDriver, _: str) -> str:
    answer = driver.api.post("/v1/scope/from-document", files={"file": ("quote.csv", QUOTE)})
    return answer.json()["scopeId"]


def start(driver: NegotiationDriver, _: str) -> str:
    return driver.start()


def start_without_scope(driver: NegotiationDriver, _: str) -> str:
    """Planning begins with reading the attached file into a scope."""
    uploaded = driver.api.post("/v1/files/upload", files={"file": ("quote.csv", QUOTE)}).json()["id"]
    return driver.start(scope=None, file={"fileId": uploaded})


def attach(driver: NegotiationDriver, _: str) -> str:
    negotiation_id = driver.start_planned()
    path = f"/v1/negotiation/{negotiation_id}/attach"
    return driver.api.post(path, files={"file": ("quote.csv", QUOTE)}).json()["id"]


def agree(driver: NegotiationDriver, _: str) -> str:
    negotiation_id = driver.start_planned()
    driver.message(negotiation_id)
    driver.update(negotiation_id, "agreement", amount=900, currency="USD", signedAt="2026-11-20")
    # The tasks of the organisation wait from the time before, and are asked for again.
    with driver.context.database.writing() as connection:
        connection.execute(sa.delete(task_rows).where(task_rows.c.subject_id != negotiation_id))
    return negotiation_id


def correct(driver: NegotiationDriver, _: str) -> str:
    """Correct the offer that the numbers of the strategy rest on."""
    negotiation_id = driver.start_planned(scope=driver.market.scope(finalPrice=90))
    [entry] = (one for one in driver.timeline(negotiation_id)["entries"] if one["kind"] == "quote")
    driver.update(negotiation_id, "correction", externalId=entry["id"], amount=9000)
    return negotiation_id


def store_file(driver: NegotiationDriver, _: str) -> str:
    return driver.api.post("/v1/files/upload", files={"file": ("quote.csv", QUOTE)}).json()["id"]


def wait_for_supplier(driver: NegotiationDriver, _: str) -> str:
    negotiation_id = driver.start_planned()
    driver.clock.advance(days=5)
    return negotiation_id


def write_letter(driver: NegotiationDriver, _: str) -> str:
    return driver.start_planned(engagementType="svc_led", supplier=SUPPLIER)


def change_something(driver: NegotiationDriver, address: str) -> str:
    """Entries of the audit log without a number; those before have theirs."""
    job("audit log")(driver.context, "")
    return write_letter(driver, address)


def let_deliveries_grow_old(driver: NegotiationDriver, _: str) -> str:
    webhook_id, _ = a_webhook(driver.context, "https://example.com/")
    happen(driver.context, webhook_id, 3)
    with driver.context.database.writing() as connection:
        connection.execute(sa.update(delivery).values(next_at=None, status="succeeded"))
    driver.clock.advance(days=40)
    return webhook_id


def file_to_import(driver: NegotiationDriver) -> ImportDriver:
    return ImportDriver(driver.api, driver.context)


Content = Callable[[NegotiationDriver], bytes]


def orders(driver: NegotiationDriver) -> bytes:
    """Purchases that no other file has."""
    row = f"2026-05-01,Foundry {next(NUMBERS)},Ingot,2,3.50"
    return f"date,supplier,product,quantity,price\n{row}\n{row}1\nsoon,Nobody,Widget,1,1\n".encode()


def check(driver: NegotiationDriver, _: str) -> str:
    return file_to_import(driver).begin(orders(driver))


def confirm(driver: NegotiationDriver, _: str, content: Content = orders) -> str:
    imports = file_to_import(driver)
    import_id = imports.check(content(driver))["id"]
    imports.confirm(import_id)
    with driver.context.database.writing() as connection:  # it may wait already, and is then not one more
        organisation_id = find_organisation(connection, "Acme")
        request_estimate_check(connection, organisation_id, driver.context.clock())
    return import_id


def undo(driver: NegotiationDriver, _: str, content: Content = orders) -> str:
    imports = file_to_import(driver)
    import_id = imports.bring(content(driver))["id"]
    imports.delete(import_id)
    return import_id


def suppliers(_: NegotiationDriver) -> bytes:
    """A supplier that no other file has."""
    number = next(NUMBERS)
    return f"name,domain,category,products\nMaker {number},m{number}.example,Kind {number},Ingot\n".encode()


def rates(_: NegotiationDriver) -> bytes:
    """Rates that no other file has."""
    return f"date,base,currency,rate\n2026-05-01,EUR,USD,{next(NUMBERS)}\n".encode()


def forget_calibrations(driver: NegotiationDriver, _: str) -> str:
    """Nothing was learnt yet: learnt from the same purchases, nothing is told again."""
    with driver.context.database.writing() as connection:
        connection.execute(calibration.delete())
    return ""


def nothing(driver: NegotiationDriver, _: str) -> str:
    return driver.market.company_id


def agreement_to_decide_on(driver: NegotiationDriver, _: str) -> str:
    """An agreement whose deadline is near, as far ahead each time."""
    ends_on = driver.clock().date() + timedelta(days=50)
    body = {**AGREEMENT, "termStart": "2025-01-01", "termEnd": f"{ends_on}"}
    body["noticePeriod"] = {"value": 30, "unit": "day"}
    body["owners"] = [{"name": "Bea Buyer", "email": "bea@acme.example"}]
    return driver.api.post("/v1/agreements", json=body).json()["id"]


def portfolio_to_price(driver: NegotiationDriver, _: str) -> str:
    agreement_to_decide_on(driver, _)
    with driver.context.database.reading() as connection:
        return find_organisation(connection, "Acme")


def owner_to_write_to(driver: NegotiationDriver, _: str) -> str:
    agreement_id = agreement_to_decide_on(driver, _)
    send_due_alerts(driver.context)
    return agreement_id


def owner_to_name(driver: NegotiationDriver, _: str) -> str:
    agreement_id = agreement_to_decide_on(driver, _)
    body = {"text": "@bea@acme.example has to decide"}
    assert driver.api.post(f"/v1/agreements/{agreement_id}/comments", json=body).status_code == 201
    return agreement_id


def forget_counts(driver: NegotiationDriver, _: str) -> str:
    """Nothing was counted yet: counted on the same day, nothing is counted again."""
    with driver.context.database.writing() as connection:
        connection.execute(purchase_recount.delete())
    return ""


def forget_tasks(driver: NegotiationDriver, _: str) -> str:
    with driver.context.database.writing() as connection:
        connection.execute(sa.delete(task_rows))
    return driver.market.company_id


def scenario_to_solve(driver: NegotiationDriver, _: str) -> str:
    """A scenario that a caller did not wait for."""
    requirement = driver.api.post("/v1/requirements", json=REQUIREMENT).json()["id"]
    path = f"/v1/requirements/{requirement}"
    driver.api.post(f"{path}/quotes", json=SOURCING_QUOTE)
    made = driver.api.post(f"{path}/scenarios", json={"objective": "cheapest_split"}).json()
    solving = Scenario.model_validate({**made, "status": "solving"})
    with driver.context.database.writing() as connection:
        update_scenario(connection, solving)
        [organisation_id] = connection.scalars(sa.select(requirements.c.organisation_id).distinct())
        request_solving(connection, organisation_id, made["id"], driver.context.clock())
    return made["id"]


def quote_to_read(driver: NegotiationDriver, _: str) -> str:
    """A quote whose file is to be read."""
    requirement = driver.api.post("/v1/requirements", json=REQUIREMENT).json()["id"]
    body = {"fileId": store_file(driver, "")}
    return driver.api.post(f"/v1/requirements/{requirement}/quotes", json=body).json()["scopeId"]


def fetch(driver: NegotiationDriver, url: str) -> str:
    return driver.api.post("/v1/scope/from-document", json={"fileUrl": url}).json()["scopeId"]


def task(kind: str) -> Callable[[Context, str], object]:
    return HANDLERS[kind].run


def failure(kind: str) -> Callable[[Context, str], object]:
    def fail(context: Context, subject_id: str) -> None:
        on_failed = HANDLERS[kind].on_failed
        assert on_failed is not None
        on_failed(context, subject_id, "ValueError: it never works")

    return fail


def job(name: str) -> Callable[[Context, str], object]:
    def work(context: Context, _: str) -> None:
        [found] = (each for each in list_periodic_jobs(context) if each.name == name)
        found.work()

    return work


EFFECTS = {
    "fetch_document": Effect(fetch, task("fetch_document")),
    "fetch_document failed": Effect(fetch, failure("fetch_document")),
    "extract": Effect(upload, task("extract")),
    "extract failed": Effect(upload, failure("extract")),
    "plan": Effect(start, task("plan")),
    "plan without a scope": Effect(start_without_scope, task("plan")),
    "plan failed": Effect(start, failure("plan")),
    "recalculate": Effect(correct, task("recalculate")),
    "read_attachment": Effect(attach, task("read_attachment")),
    "read_attachment failed": Effect(attach, failure("read_attachment")),
    "agreed_purchase": Effect(agree, task("agreed_purchase")),
    "agreed_purchase failed": Effect(agree, failure("agreed_purchase")),
    "check_import": Effect(check, task("check_import")),
    "check_import failed": Effect(check, failure("check_import")),
    "import": Effect(confirm, task("import")),
    "import failed": Effect(confirm, failure("import")),
    "undo_import": Effect(undo, task("undo_import")),
    "import of suppliers": Effect(partial(confirm, content=suppliers), task("import")),
    "import of rates": Effect(partial(confirm, content=rates), task("import")),
    "undo of suppliers": Effect(partial(undo, content=suppliers), task("undo_import")),
    "undo of rates": Effect(partial(undo, content=rates), task("undo_import")),
    "solve_scenario": Effect(scenario_to_solve, task("solve_scenario")),
    "solve_scenario failed": Effect(scenario_to_solve, failure("solve_scenario")),
    "read_quote": Effect(quote_to_read, task("read_quote")),
    "read_quote failed": Effect(quote_to_read, failure("read_quote")),
    "delete_file": Effect(store_file, task("delete_file")),
    # The tasks do these three in a process of their own.
    "price_agreements": Effect(portfolio_to_price, price_some),
    "learn": Effect(forget_calibrations, lambda context, _: learn_and_store(context)),
    "check_estimates": Effect(nothing, lambda context, _: update_estimate_availability(context)),
    "agreement_purchases": Effect(agreement_to_decide_on, task("agreement_purchases")),
    "clock": Effect(nothing, job("clock")),
    "audit log": Effect(change_something, job("audit log")),
    "kinds": Effect(nothing, job("kinds")),
    "timers": Effect(wait_for_supplier, job("timers")),
    "mail": Effect(write_letter, job("mail")),
    "retention": Effect(let_deliveries_grow_old, job("retention")),
    "catalog": Effect(forget_counts, job("catalog")),
    "agreements": Effect(agreement_to_decide_on, job("agreements")),
    "alert mail": Effect(owner_to_write_to, job("alert mail")),
    "naming mail": Effect(owner_to_name, job("naming mail")),
    "estimates": Effect(forget_tasks, job("estimates")),
}
SHOWN_ELSEWHERE = {"delivery"}
"""`test_two_workers_at_one_endpoint_send_each_event_once`, and the tests that kill and stall workers."""
OTHER_IMPORTS = {"import of suppliers", "import of rates", "undo of suppliers", "undo of rates"}
VARIANTS = {"plan without a scope", *OTHER_IMPORTS}
LONG = {"learn", "import", "undo_import", *OTHER_IMPORTS}
"""What takes seconds of the processor to show: the campaign does."""


@pytest.mark.usefixtures("inbox")  # letters are sent where there is a mail server
def test_every_effect_of_background_work_has_its_case(context: Context) -> None:
    jobs: list[PeriodicJob] = list_periodic_jobs(context)
    failures = {f"{kind} failed" for kind, handler in HANDLERS.items() if handler.on_failed}
    known = {*HANDLERS, *failures, *(each.name for each in jobs), "delivery"}
    assert known == (EFFECTS.keys() - VARIANTS) | SHOWN_ELSEWHERE


@pytest.fixture
def inbox(context: Context) -> Iterator[Inbox]:
    inbox = Inbox()
    server = MailServer(inbox, hostname="127.0.0.1", port=0)
    server.start()
    context.settings.smtp_url = SecretStr(f"smtp://127.0.0.1:{server.port}")
    context.settings.mail_domains = ("*",)
    yield inbox
    server.stop()


@pytest.fixture
def site(context: Context) -> Iterator[Endpoint]:
    """Where the documents that are fetched are."""
    with serving(status(200, "content-type: text/csv\r\n", QUOTE.decode()), path="/quote.csv") as site:
        context.settings.fetch_allow = (ip_network("127.0.0.0/8"),)
        yield site


@dataclass
class Told:
    """What there is, by table, and what was told, by its name and status."""

    rows: Counter[str]
    events: Counter[tuple[str, str]]

    def since(self, before: "Told") -> "tuple[dict[str, int], dict[tuple[str, str], int]]":
        rows = {name: count - before.rows[name] for name, count in self.rows.items()}
        events = {name: count - before.events[name] for name, count in self.events.items()}
        return {k: v for k, v in rows.items() if v}, {k: v for k, v in events.items() if v}


def told(context: Context) -> Told:
    rows = {name: count for name, count in count_rows(context).items() if name not in NOT_COUNTED}
    with context.database.reading() as connection:
        bodies = [json.loads(body) for body in connection.scalars(sa.select(event.c.body))]
    return Told(
        Counter(rows), Counter((body["eventType"], body["data"].get("status", "")) for body in bodies)
    )


def _run_in_between(driver: NegotiationDriver, number: int, work: Callable[[], object]) -> bool:
    return run_in_between(driver.context, number, work)


def _kill_and_wait(driver: NegotiationDriver, number: int, work: Callable[[], object]) -> bool:
    met = kill_at(driver.context, number, work)
    driver.clock.advance(seconds=CLAIM_TIME / timedelta(seconds=1) + 1)
    return met


Interfering: TypeAlias = Callable[[NegotiationDriver, int, Callable[[], object]], bool]
INTERFERING: tuple[Interfering, ...] = (_run_in_between, _kill_and_wait)


@pytest.mark.parametrize("name", [name for name in EFFECTS if name not in LONG][::6])
def test_what_is_done_twice_or_killed_happens_once(
    name: str, driver: NegotiationDriver, inbox: Inbox, site: Endpoint
) -> None:
    """Killed before every second write, and done twice at once before the others; in the campaign all are,
    in every way."""
    _check(name, driver, site, lambda number: INTERFERING[number % 2 :][:1])


@pytest.mark.campaign
@pytest.mark.parametrize("name", EFFECTS)
def test_whatever_interferes_before_any_write_it_happens_once(
    name: str, driver: NegotiationDriver, inbox: Inbox, site: Endpoint
) -> None:
    _check(name, driver, site, lambda _: INTERFERING)


def _check(
    name: str, driver: NegotiationDriver, site: Endpoint, interfering: Callable[[int], Sequence[Interfering]]
) -> None:
    context, effect = driver.context, EFFECTS[name]

    def once(do: Callable[[Callable[[], object]], bool]) -> tuple[bool, object]:
        """Whether `do` came to where it interferes, and what came of the work."""
        subject_id = effect.prepare(driver, site.url)
        before = told(context)
        met = do(lambda: effect.work(context, subject_id))
        effect.work(context, subject_id)  # as the next worker does, after a kill
        return met, told(context).since(before)

    _, expected = once(lambda work: bool(work()))
    for number in range(1, MOST_WRITES):
        for interfere in interfering(number):
            met, came = once(lambda work, do=interfere, at=number: do(driver, at, work))
            assert came == expected, f"{interfere.__name__} at write {number}"
            if not met:
                return
    pytest.fail("it never ends")


@pytest.mark.campaign
def test_two_workers_at_one_endpoint_send_each_event_once(context: Context) -> None:
    context = impatient(context)

    async def work() -> None:
        async with endpoint(status(200)) as receiver:
            webhook_id, _ = a_webhook(context, receiver.url)
            events = happen(context, webhook_id, 200)
            async with delivering(context), delivering(context, slot="another"):
                await until(lambda: states(context, webhook_id) == {"succeeded": 200})
            assert sorted(each.headers["webhook-id"] for each in receiver.received) == sorted(events)

    run(work())
