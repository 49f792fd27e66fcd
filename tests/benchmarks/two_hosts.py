"""Two hosts behind the shipped proxy: what a second worker and a second service add, and how long a delivery
takes while one process of all is killed and started again every ten seconds.

Everything (PostgreSQL, proxy, receiver, whoever asks, and all processes) shares the cores of one machine.
With two cores they are the limit of every rate here, and each note says what the measured processes
took of them.
"""

import itertools
import os
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from app.client import ApiClient
from app.service.context import Context, open_context
from tests.benchmarks.delivery_worker import processor_seconds, wait_until_drained
from tests.benchmarks.figures import Figure
from tests.benchmarks.load import Target, requests_a_second
from tests.benchmarks.receiver import arrivals, receiving
from tests.deployment.two_hosts import HostProcess, TwoHosts, two_hosts
from tests.service.postgres import fresh_database, server_url
from tests.service.webhooks.webhook_factory import a_webhook, an_organisation, happen

SUBJECT = "two hosts"
ENDPOINTS = 16
WORKERS_AT_LEAST, SERVICES_AT_LEAST = 1.6, 1.7
KILL_EVERY_SECONDS = 10.0
EVENTS_A_SECOND = 20
ENOUGH_CORES = 8
"""With fewer, what is measured and what measures it take the cores from each other, and no rate tells how
many processes there are: the goal is for machines with this many."""
CORES = f"all on {os.cpu_count()} cores"


def run(full: bool) -> list[Figure]:
    """Nothing where there is no PostgreSQL."""
    server = server_url()
    if server is None:
        return []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-two-hosts-")))
        hosts = stack.enter_context(two_hosts(folder, stack.enter_context(fresh_database(server))))
        url = stack.enter_context(receiving())
        context = open_context(hosts.settings)
        stack.callback(context.close)
        owner = an_organisation(context)
        hooks = [a_webhook(context, f"{url}/hook", owner)[0] for _ in range(ENDPOINTS)]
        alone = a_webhook(context, f"{url}/hook")[0]
        return [
            *_deliveries(hosts, context, hooks, url, events=1_000 if full else 100),
            *_reads(hosts, rounds=5 if full else 1, seconds=4 if full else 1),
            *_under_kills(hosts, context, alone, url, seconds=120 if full else 25),
        ]


def _with_enough_cores(goal: float) -> float | None:
    return goal if (os.cpu_count() or 1) >= ENOUGH_CORES else None


def _deliveries(hosts: TwoHosts, context: Context, hooks: list[str], url: str, events: int) -> list[Figure]:
    first, second = hosts.of_kind("worker")
    rates: list[float] = []
    cores: list[float] = []
    for workers in ([first], [first, second]):
        if second not in workers:
            second.stop()
        elif second.process is None:
            second.start()
        _drain(context, hooks, 20)  # both have found what is theirs
        arrivals(url)
        before = sum(processor_seconds(one.pid) for one in workers)
        count = _drain(context, hooks, events)
        moments = sorted(at for _, at in arrivals(url))
        assert len(moments) >= count
        elapsed = moments[-1] - moments[0]
        rates.append((len(moments) - 1) / elapsed)
        cores.append((sum(processor_seconds(one.pid) for one in workers) - before) / elapsed)
    note = f"{ENDPOINTS} endpoints, {CORES}; the workers used {cores[0]:.2f} and {cores[1]:.2f} cores"
    return [
        Figure(SUBJECT, "deliveries, one worker", rates[0], "deliveries/s"),
        Figure(SUBJECT, "deliveries, two workers", rates[1], "deliveries/s"),
        Figure(
            SUBJECT,
            "two workers beside one",
            rates[1] / rates[0],
            "ratio",
            at_least=_with_enough_cores(WORKERS_AT_LEAST),
            note=note,
        ),
    ]


def _drain(context: Context, hooks: list[str], events: int) -> int:
    """Lets that many events happen, each of which goes to all endpoints; the number of deliveries."""
    happen(context, hooks[0], events)
    for hook in hooks:
        wait_until_drained(context, hook)
    return events * len(hooks)


def _reads(hosts: TwoHosts, rounds: int, seconds: float) -> list[Figure]:
    with ApiClient(hosts.address, api_key=hosts.key) as client:
        product = next(iter(client.catalog.iter_products(next(iter(client.catalog.iter_companies())).id)))
    target = Target(f"/v1/catalog/products/{product.id}?n={{n}}", {"Authorization": f"Bearer {hosts.key}"})
    where = urlsplit(hosts.address)
    first, second = hosts.of_kind("service")
    rates: list[float] = []
    cores: list[float] = []
    for services in ([first], [first, second]):
        if second not in services:
            second.stop()
        elif second.process is None:
            second.start()
        before, began = sum(processor_seconds(one.pid) for one in services), time.monotonic()
        [measured] = requests_a_second(
            where.hostname or "", where.port or 0, [target], rounds=rounds, seconds=seconds, connections=16
        )
        elapsed = time.monotonic() - began
        rates.append(max(measured))
        cores.append((sum(processor_seconds(one.pid) for one in services) - before) / elapsed)
    note = f"nothing kept, {CORES}; the services used {cores[0]:.2f} and {cores[1]:.2f} cores"
    return [
        Figure(SUBJECT, "product reads, one service", rates[0], "requests/s"),
        Figure(SUBJECT, "product reads, two services", rates[1], "requests/s"),
        Figure(
            SUBJECT,
            "two services beside one",
            rates[1] / rates[0],
            "ratio",
            at_least=_with_enough_cores(SERVICES_AT_LEAST),
            note=note,
        ),
    ]


def _under_kills(hosts: TwoHosts, context: Context, hook: str, url: str, seconds: float) -> list[Figure]:
    arrivals(url)
    committed: dict[str, float] = {}
    stop = threading.Event()

    def announce() -> None:
        while not stop.wait(1 / EVENTS_A_SECOND):
            [event] = happen(context, hook)
            committed[event] = time.time()

    announcer = threading.Thread(target=announce)
    announcer.start()
    killed = _kill_in_turn(list(hosts.processes.values()), seconds)
    stop.set()
    announcer.join()
    wait_until_drained(context, hook)
    first_at: dict[str, float] = {}
    doubles = -len(committed)
    for event, at in arrivals(url):
        if event in committed:
            doubles += 1
            first_at[event] = min(at, first_at.get(event, at))
    lost = committed.keys() - first_at.keys()
    waits = sorted(
        max(0.0, (first_at[event] - at) * 1000) for event, at in committed.items() if event in first_at
    )
    note = f"{len(waits)} events in {seconds:g} s, {killed} kills, {CORES}"
    return [
        Figure(SUBJECT, "delivery under kills, p50", waits[len(waits) // 2], "ms", note=note),
        Figure(SUBJECT, "delivery under kills, p99", waits[int(len(waits) * 0.99)], "ms", note=note),
        Figure(SUBJECT, "delivery under kills, longest", waits[-1], "ms", note=note),
        Figure(SUBJECT, "deliveries lost", len(lost), "events", at_most=0, note=note),
        Figure(SUBJECT, "deliveries sent again", doubles, "events", note=note),
    ]


def _kill_in_turn(processes: list[HostProcess], seconds: float) -> int:
    """Kills one after the other and starts it again at once; how many."""
    end = time.monotonic() + seconds
    for number, one in enumerate(itertools.cycle(processes)):
        time.sleep(max(0.0, min(KILL_EVERY_SECONDS, end - time.monotonic())))
        if time.monotonic() >= end:
            return number
        one.kill()
        one.begin()
    return 0
