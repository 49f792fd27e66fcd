"""A task that fails on every attempt ends with a message to the buyer."""

import pytest

from app.service.negotiation import jobs
from app.service.worker.handlers import HANDLERS
from tests.service.background.task_claims import run_all_tasks
from tests.service.negotiation.negotiation_driver import NegotiationDriver

pytestmark = pytest.mark.both_stores


def test_a_failed_planning_has_no_numbers_and_escalates(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start()
    jobs.abandon_planning(driver.context, negotiation_id, "ValueError: boom")
    assert driver.status(negotiation_id) == "pending"
    assert [one["reason"] for one in driver.escalations(negotiation_id)] == ["no_estimate"]
    jobs.abandon_planning(driver.context, negotiation_id, "again")
    assert len(driver.escalations(negotiation_id)) == 1


@pytest.mark.campaign
def test_a_failed_reading_is_on_the_timeline(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    path = f"/v1/negotiation/{negotiation_id}/attach"
    attached = driver.api.post(path, files={"file": ("q.csv", b"a,b\n1,2\n")}).json()["id"]
    jobs.abandon_reading(driver.context, attached, "MemoryError")
    timeline = driver.timeline(negotiation_id)
    assert [one["status"] for one in timeline["documents"]] == ["failed"]
    assert timeline["entries"][-1]["kind"] == "attachment"
    driver.run_tasks()
    assert [one["status"] for one in driver.timeline(negotiation_id)["documents"]] == ["failed"]


@pytest.mark.campaign
def test_the_worker_knows_how_to_plan_and_to_read(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start()
    run_all_tasks(driver.context, HANDLERS)
    assert driver.status(negotiation_id) == "pending"
    path = f"/v1/negotiation/{negotiation_id}/attach"
    driver.api.post(path, files={"file": ("q.csv", b"a,b\n1,2\n")}).raise_for_status()
    run_all_tasks(driver.context, HANDLERS)
    assert [one["status"] for one in driver.timeline(negotiation_id)["documents"]] == ["completed"]
    assert all(HANDLERS[kind].on_failed is not None for kind in (jobs.PLAN, jobs.READ_ATTACHMENT))
