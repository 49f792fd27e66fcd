"""How fast the pages are drawn, beside an app of one button with the same options in the same run.

The catalog is the page with a table, the estimates of a scope the page with a chart and a table, and so is
that of a webhook with 10,000 deliveries. A real Chromium loads them turn and turn about, so that what holds
on any machine is the ratio. "Its elements alone" sends again what the page sent before, without a script: no
page with these elements can be faster.
"""

import statistics
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from app.dashboard.signing_in.sessions import COOKIE
from app.settings import MEBIBYTE
from tests.benchmarks.dashboard_deployment import DashboardDeployment, MeasuredPage, run_dashboard
from tests.benchmarks.dashboard_servers import REPLAY, Run, read_runs
from tests.benchmarks.figures import Figure
from tests.benchmarks.viewers import View, rerun_p95
from tests.browser import chromium

SUBJECT = "dashboard"
# Times a bare app by page; the bytes are those of the table "Figures to reach" of the dashboard's design.
DRAWN_AT_MOST = {"catalog": 1.7, "estimates": 2.6, "webhook": 1.8}
RERUN_AT_MOST = {"catalog": 2.4, "estimates": 3.2, "webhook": 2.6}
MEBIBYTES_AT_MOST = {"catalog": 1.45, "estimates": 2.85, "webhook": 2.85}
RERUN_MS_AT_MOST, FRAGMENT_MS_AT_MOST, SCRIPT_MS_AT_MOST = 60.0, 60.0, 19.0
SESSIONS_AT_LEAST, P95_MS_AT_MOST = 80, 500.0
CROWDS = (30, 60, 80, 100)
AFTERWARDS_MS = 150
"""What a page still paints and clears away after a run must not count for the next page."""

# Written down in the page: what the test's own process does between two calls is nobody's wait.
WATCH = """
const Socket = window.WebSocket;
window.WebSocket = class extends Socket {
  constructor(...rest) {
    super(...rest);
    this.addEventListener('message', () => { window.heard = performance.now() });
  }
};
addEventListener('keydown', () => { window.began = performance.now() }, true);
new MutationObserver(changes => {
  for (const {target} of changes) {
    if (target.getAttribute('data-test-script-state') !== 'notRunning') continue;
    window.ran ??= performance.now();
    if (window.began !== undefined) window.took ??= performance.now() - window.began;
  }
}).observe(document, {subtree: true, attributes: true, attributeFilter: ['data-test-script-state']});
"""
DRAWN = """selectors => window.ran && !document.querySelector('[data-testid=stSkeleton]')
  && selectors.every(one => document.querySelector(one)) && performance.now()"""


@dataclass(frozen=True)
class Load:
    """Milliseconds since the navigation until the script had run and until all was drawn; bytes of the files
    as transferred, and those that the socket said, unpacked."""

    ran: float
    drawn: float
    files: float
    told: float


def run(full: bool) -> list[Figure]:
    """Cold loads, bytes, reruns, script time, and with `full` how many sessions one process carries."""
    with run_dashboard() as deployment:
        figures = _pages(deployment, full)
        # Outside of Playwright, whose event loop would be in the way.
        return figures + (_sessions(deployment) if figures and full else [])


def _pages(deployment: DashboardDeployment, full: bool) -> list[Figure]:
    """What Chromium shows; nothing where there is none."""
    with sync_playwright() as playwright:
        try:
            binary = chromium.find(playwright)
        except pytest.skip.Exception as reason:
            print(f"drawing is left out: {reason}", file=sys.stderr)
            return []
        browser = playwright.chromium.launch(executable_path=binary, args=list(chromium.FLAGS))
        figures = _loads(browser, deployment, rounds=9 if full else 3)
        figures += _reruns(browser, deployment, rounds=60 if full else 20)
        browser.close()
        return figures


@contextmanager
def _profile(browser: Browser, deployment: DashboardDeployment) -> Generator[BrowserContext]:
    """A browser that has seen nothing, signed in."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(30_000)
    context.add_init_script(WATCH)
    context.add_cookies([{"name": COOKIE, "value": deployment.cookie, "url": deployment.dashboard}])
    yield context
    context.close()


def _open(context: BrowserContext, drawn: MeasuredPage) -> tuple[Page, Load]:
    page = context.new_page()
    files: list[float] = []
    told: list[float] = []
    session = context.new_cdp_session(page)
    session.on("Network.loadingFinished", lambda event: files.append(event["encodedDataLength"]))
    session.on("Network.webSocketFrameReceived", lambda event: told.append(_frame_size(event["response"])))
    session.send("Network.enable")
    page.goto(drawn.address, wait_until="commit")
    at = page.wait_for_function(DRAWN, arg=list(drawn.selectors)).json_value()
    page.wait_for_load_state("networkidle")
    return page, Load(page.evaluate("window.ran"), at, sum(files), sum(told))


def _frame_size(frame: Mapping[str, Any]) -> float:
    text = frame["payloadData"]
    return len(text) * 3 / 4 if frame["opcode"] == 2 else len(text)


def _loads(browser: Browser, deployment: DashboardDeployment, rounds: int) -> list[Figure]:
    loads: dict[str, list[Load]] = {page.name: [] for page in deployment.pages}
    for turn in range(rounds + 1):
        for page in deployment.pages:
            with _profile(browser, deployment) as context:
                load = _open(context, page)[1]
            # The first time the servers compress their files and ask the service: not the browser's cold.
            if turn:
                loads[page.name].append(load)
    bare = loads["bare"]
    figures: list[Figure] = []
    for name in DRAWN_AT_MOST:
        of = loads[name]
        ran = [(one.ran, other.ran) for one, other in zip(of, bare, strict=True)]
        drawn = [(one.drawn, other.drawn) for one, other in zip(of, bare, strict=True)]
        figures += [
            _ratio(f"{name}: cold load, of bare", ran, None),
            _ratio(f"{name}: cold load until drawn, of bare", drawn, DRAWN_AT_MOST[name]),
            _bytes(name, of, MEBIBYTES_AT_MOST[name]),
        ]
    return [*figures, _bytes("bare", bare, None)]


def _bytes(name: str, loads: list[Load], goal: float | None) -> Figure:
    size = statistics.median(one.files + one.told for one in loads) / MEBIBYTE
    note = f"{statistics.median(one.told for one in loads) / 1024:,.0f} KiB of it by the socket"
    return Figure(SUBJECT, f"{name}: bytes", size, "MiB", at_most=goal, note=note)


def _ratio(name: str, pairs: list[tuple[float, float]], goal: float | None) -> Figure:
    own, other = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(one / bare for one, bare in pairs)
    return Figure(SUBJECT, name, ratio, "ratio", at_most=goal, note=f"{own:,.0f} ms; bare {other:,.0f} ms")


def _reruns(browser: Browser, deployment: DashboardDeployment, rounds: int) -> list[Figure]:
    times: dict[str, list[float]] = {page.name: [] for page in deployment.pages}
    fragment: list[float] = []
    with ExitStack() as stack:
        pages = {
            drawn.name: _open(stack.enter_context(_profile(browser, deployment)), drawn)[0]
            for drawn in deployment.pages
        }
        for page in pages.values():
            _timed(page, "r")
        before = len(read_runs(deployment.folder))
        for _ in range(rounds):
            for name, page in pages.items():
                times[name].append(_timed(page, "r"))
                page.wait_for_timeout(AFTERWARDS_MS)
        after = len(read_runs(deployment.folder))
        (deployment.folder / REPLAY).touch()
        floors: dict[str, list[tuple[float, float]]] = {name: [] for name in DRAWN_AT_MOST}
        for _ in range(rounds):
            for name, floor in floors.items():
                floor.append((_timed(pages[name], "r"), _timed(pages["bare"], "r")))
                pages[name].wait_for_timeout(AFTERWARDS_MS)
        (deployment.folder / REPLAY).unlink()
        _timed(pages["estimates"], "r")
        quote = pages["estimates"].locator("[class*=st-key-quote-] input")
        for number in range(rounds):
            quote.fill(str(100_000 + number))
            fragment.append(_heard(pages["estimates"], "Enter"))
    figures: list[Figure] = []
    for name in DRAWN_AT_MOST:
        p50 = statistics.median(times[name])
        pairs = list(zip(times[name], times["bare"], strict=True))
        figures += [
            _ratio(f"{name}: rerun, of bare", pairs, RERUN_AT_MOST[name]),
            _ratio(f"{name}: its elements alone, of bare", floors[name], None),
            Figure(SUBJECT, f"{name}: rerun p50", p50, "ms", at_most=RERUN_MS_AT_MOST),
        ]
    p50 = statistics.median(fragment)
    figures.append(Figure(SUBJECT, "estimates: quote typed, p50", p50, "ms", at_most=FRAGMENT_MS_AT_MOST))
    runs = [one for one in read_runs(deployment.folder)[before:after] if not one.is_fragment]
    for name in DRAWN_AT_MOST:
        of = [one for one in runs if _page_of(one) == name]
        own = statistics.median(one.took - one.waited for one in of)
        note = f"{statistics.median(one.busy for one in of):.1f} ms of processor; {len(of)} runs"
        figures.append(
            Figure(
                SUBJECT, f"{name}: script without service", own, "ms", at_most=SCRIPT_MS_AT_MOST, note=note
            )
        )
    return figures


def _page_of(run: Run) -> str:
    if "ids=" in run.query:
        return "estimates"
    return "webhook" if "id=" in run.query else "catalog"


def _timed(page: Page, key: str) -> float:
    """Milliseconds from the key to the end of the run that it asks for; `r` is Streamlit's own for all."""
    page.evaluate("window.took = window.began = undefined")
    page.keyboard.press(key)
    return float(page.wait_for_function("() => window.took").json_value())


def _heard(page: Page, key: str) -> float:
    """Milliseconds from the key to the last word of the run that it asks for: a fragment is over so soon that
    the page need not even show that it runs."""
    page.evaluate("window.heard = undefined")
    page.keyboard.press(key)
    page.wait_for_function("() => window.heard && performance.now() - window.heard > 200")
    return float(page.evaluate("window.heard - window.began"))


def _sessions(deployment: DashboardDeployment) -> list[Figure]:
    view = View(deployment.dashboard, "catalog", f"{COOKIE}={deployment.cookie}")
    carried, told = 0, ""
    for crowd in CROWDS:
        p95 = rerun_p95(view, crowd, seconds=15)
        told = f"{told}{crowd}: {p95:,.0f} ms  "
        if p95 > P95_MS_AT_MOST:
            break
        carried = crowd
    return [Figure(SUBJECT, "catalog: sessions", carried, "sessions", at_least=SESSIONS_AT_LEAST, note=told)]
