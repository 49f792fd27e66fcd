"""Every number in an executive summary's text is one of its figures."""

import re
from typing import Any

import pytest

from tests.service.negotiation.negotiation_driver import NegotiationDriver

NUMBER = re.compile(r"(?:−[A-Z]{3} |-)?\d[\d,]*(?:\.\d+)?")
"""Money has its sign before its currency: −USD 1,000."""


def check(summary: dict[str, Any]) -> None:
    for news in summary["executiveSummaries"]:
        figures = list(news["figures"].values())
        for number in NUMBER.findall(news["text"]):
            assert float(re.sub(r"−[A-Z]{3} ", "-", number).rstrip(",").replace(",", "")) in figures, news
        assert not re.search(r"\d", news["title"])


@pytest.mark.campaign
def test_every_number_of_every_text_is_in_its_figures(driver: NegotiationDriver) -> None:
    """Through all that can be said, with a supplier and contacts whose names hold numbers."""
    contact = {"contactName": "R2 D2", "companyId": driver.market.company_id}
    one = driver.start_planned(engagementType="svc_led", supplier=contact, contactName="Agent 007")
    driver.quote(one, 123456.789, validUntil="2026-11-22")
    driver.fire_timers()
    driver.quote(one, 1070.5)
    driver.quote(one, 5000, at="2026-11-01T00:00:00Z")
    driver.quote(one, 900, termLength=3)
    driver.update(one, "decision", decision="counter", amount=899.99, note="by 5 pm")
    driver.update(one, "decision", decision="walk_away")
    driver.update(one, "decision", decision="accept")
    driver.clock.advance(days=6)
    driver.fire_timers()
    driver.update(one, "agreement", amount=6000, currency="USD")
    other = driver.start_planned()
    driver.message(other, "42")
    driver.update(other, "agreement", amount=0.1, currency="USD")
    cancelled = driver.start_planned(scope=None)
    driver.update(cancelled, "cancellation", reason="7 reasons")
    for negotiation_id in (one, other, cancelled):
        check(driver.summary(negotiation_id))
    titles = {news["title"] for news in driver.summary(one)["executiveSummaries"]}
    assert len(titles) >= 9
    newest = driver.summary(one)["executiveSummaries"][0]
    assert newest["figures"]["savings"] == -1000
    assert "−USD 1,000" in newest["text"]
    dates = [news["createdAt"] for news in driver.summary(one)["executiveSummaries"]]
    assert dates == sorted(dates, reverse=True)
