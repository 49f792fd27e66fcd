"""Every number in an executive summary's text is one of its figures."""

import re
from typing import Any

from tests.service.negotiation.negotiation_driver import Desk

NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def check(summary: dict[str, Any]) -> None:
    for news in summary["executiveSummaries"]:
        figures = list(news["figures"].values())
        for number in NUMBER.findall(news["text"]):
            assert float(number.rstrip(",").replace(",", "")) in figures, news
        assert not re.search(r"\d", news["title"])


def test_every_number_of_every_text_stands_in_its_figures(desk: Desk) -> None:
    """Through all that can be said, with a supplier and contacts whose names hold numbers."""
    contact = {"contactName": "R2 D2", "companyId": desk.market.company_id}
    one = desk.planned(engagementType="svc_led", supplier=contact, contactName="Agent 007")
    desk.quote(one, 123456.789, validUntil="2026-11-22")
    desk.fire()
    desk.quote(one, 1070.5)
    desk.quote(one, 5000, at="2026-11-01T00:00:00Z")
    desk.quote(one, 900, termLength=3)
    desk.update(one, "decision", decision="counter", amount=899.99, note="by 5 pm")
    desk.update(one, "decision", decision="walk_away")
    desk.update(one, "decision", decision="accept")
    desk.clock.step(days=6)
    desk.fire()
    desk.update(one, "agreement", amount=6000, currency="USD")
    other = desk.planned()
    desk.message(other, "42")
    desk.update(other, "agreement", amount=0.1, currency="USD")
    cancelled = desk.planned(scope=None)
    desk.update(cancelled, "cancellation", reason="7 reasons")
    for negotiation_id in (one, other, cancelled):
        check(desk.summary(negotiation_id))
    titles = {news["title"] for news in desk.summary(one)["executiveSummaries"]}
    assert len(titles) >= 9
    newest = desk.summary(one)["executiveSummaries"][0]
    assert newest["figures"]["savings"] == -1000
    assert "-1,000 USD" in newest["text"]
    dates = [news["createdAt"] for news in desk.summary(one)["executiveSummaries"]]
    assert dates == sorted(dates, reverse=True)
