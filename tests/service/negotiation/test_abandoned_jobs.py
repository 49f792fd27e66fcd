"""Work that fails each time it is tried ends with a word to the buyer."""

from app.service.background.task_runner import run_task
from app.service.negotiation import jobs
from app.service.worker.handlers import HANDLERS
from tests.service.negotiation.negotiation_driver import Desk


def test_a_planning_that_is_given_up_has_no_numbers_and_asks(desk: Desk) -> None:
    negotiation_id = desk.start()
    jobs.give_up_planning(desk.context, negotiation_id, "ValueError: boom")
    assert desk.status(negotiation_id) == "pending"
    assert [one["reason"] for one in desk.escalations(negotiation_id)] == ["no_estimate"]
    jobs.give_up_planning(desk.context, negotiation_id, "again")
    assert len(desk.escalations(negotiation_id)) == 1


def test_a_reading_that_is_given_up_is_failed_on_the_timeline(desk: Desk) -> None:
    negotiation_id = desk.planned()
    path = f"/v1/negotiation/{negotiation_id}/attach"
    attached = desk.api.post(path, files={"file": ("q.csv", b"a,b\n1,2\n")}).json()["id"]
    jobs.give_up_reading(desk.context, attached, "MemoryError")
    timeline = desk.timeline(negotiation_id)
    assert [one["status"] for one in timeline["documents"]] == ["failed"]
    assert timeline["entries"][-1]["kind"] == "attachment"
    desk.work()
    assert [one["status"] for one in desk.timeline(negotiation_id)["documents"]] == ["failed"]


def test_the_worker_knows_how_to_plan_and_to_read(desk: Desk) -> None:
    negotiation_id = desk.start()
    run_task(desk.context, HANDLERS, jobs.PLAN, negotiation_id)
    assert desk.status(negotiation_id) == "pending"
    path = f"/v1/negotiation/{negotiation_id}/attach"
    attached = desk.api.post(path, files={"file": ("q.csv", b"a,b\n1,2\n")}).json()["id"]
    run_task(desk.context, HANDLERS, jobs.READ_ATTACHMENT, attached)
    assert [one["status"] for one in desk.timeline(negotiation_id)["documents"]] == ["completed"]
    assert all(HANDLERS[kind].give_up is not None for kind in (jobs.PLAN, jobs.READ_ATTACHMENT))
