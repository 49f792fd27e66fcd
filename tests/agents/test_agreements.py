"""The tools for agreements and for decisions on them."""

from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from app.service.database.tables import agreement as agreements
from tests.agents.conftest import HOSTILE_LINE, SOON, Deployed, answered, call, in_memory, said


def test_what_is_due_is_listed_with_its_day(deployed: Deployed, agreement: dict[str, Any]) -> None:
    due = answered(call(in_memory(deployed.url, deployed.key), "list_renewals", within_days=80))
    (one,) = [each for each in due["agreements"] if each["agreementId"] == agreement["id"]]
    assert one["actBy"] == agreement["actBy"]
    assert one["currentTermEnd"] == SOON.isoformat()
    none = answered(call(in_memory(deployed.url, deployed.key_of("Empty")), "list_renewals"))
    assert none["summary"] == "Nothing is to be decided within 90 days."


def test_the_end_of_a_term_is_no_day_to_act_by_where_the_notice_period_is_not_known(
    deployed: Deployed,
) -> None:
    body = {
        "name": "Rolling desks",
        "supplierName": "Desk Ltd",
        "termStart": f"{SOON - timedelta(days=300)}",
        "termEnd": f"{SOON}",
        "renewalType": "auto_renew",
        "autoRenewalTermMonths": 12,
    }
    made = deployed.post("/v1/agreements", body)
    assert (made["status"], made["actBy"]) == ("unknown", SOON.isoformat())
    due = answered(call(in_memory(deployed.url, deployed.key), "list_renewals", within_days=80))
    [one] = [each for each in due["agreements"] if each["agreementId"] == made["id"]]
    assert "actBy" not in one
    assert (one["status"], one["currentTermEnd"]) == ("unknown", SOON.isoformat())


def test_an_agreement_is_found_by_its_name_and_says_how_its_dates_were_computed(
    deployed: Deployed, agreement: dict[str, Any]
) -> None:
    record = answered(call(in_memory(deployed.url, deployed.key), "get_agreement", agreement="zenith seats"))
    assert record["agreementId"] == agreement["id"]
    assert record["summary"] == agreement["statement"]
    assert record["missing"] == agreement["missing"]
    (line,) = record["lines"]
    assert line["words"] == {"quotedText": f"Seats. {HOSTILE_LINE}", "source": "agreement Seats of Zenith"}


def test_no_organisation_reads_the_agreements_of_another(
    deployed: Deployed, agreement: dict[str, Any]
) -> None:
    for named in (agreement["id"], "Seats of Zenith"):
        refused = call(in_memory(deployed.url, deployed.key_of("Other")), "get_agreement", agreement=named)
        assert refused.is_error
        assert "Zenith" not in said(refused).replace("'Seats of Zenith'", "")


def test_a_proposal_is_put_on_the_timeline_once_and_decides_nothing(deployed: Deployed) -> None:
    negotiation = deployed.things["negotiationId"]
    before = deployed.get(f"/v1/negotiation/{negotiation}/timeline")

    def propose() -> dict[str, Any]:
        return answered(
            call(
                in_memory(deployed.url, deployed.key),
                "propose_decision",
                negotiation=negotiation,
                decision="counter",
                amount=900,
                reason="Half of comparable purchases cost less than 900.",
            )
        )

    assert propose() == propose()
    after = deployed.get(f"/v1/negotiation/{negotiation}/timeline")
    (entry,) = [one for one in after["entries"] if one not in before["entries"]]
    assert entry["kind"] == "note"
    assert entry["source"] == "agent with the key test"
    assert entry["payload"]["reason"].startswith("Proposed by an agent, not decided: counter at 900. Half of")
    for name in ("status", "strategy", "mails"):
        assert after[name] == before[name]
    assert deployed.get(f"/v1/negotiation/{negotiation}/escalations")["data"][0]["status"] == "open"


def test_a_proposal_that_cannot_be_says_what_to_do(deployed: Deployed) -> None:
    def refusal(**given: object) -> str:
        result = call(
            in_memory(deployed.url, deployed.key), "propose_decision", reason="For this test.", **given
        )
        assert result.is_error
        return said(result)

    assert "Give an amount" in refusal(negotiation=deployed.things["negotiationId"], decision="counter")
    assert "Name a negotiation or an agreement" in refusal(decision="accept")
    stranger = deployed.key_of("Other")
    refused = call(
        in_memory(deployed.url, stranger),
        "propose_decision",
        negotiation=deployed.things["negotiationId"],
        decision="accept",
        reason="For this test.",
    )
    assert refused.is_error
    assert "There is no such negotiation" in said(refused)


def test_a_change_by_an_agent_is_in_the_audit_log(deployed: Deployed) -> None:
    answered(
        call(
            in_memory(deployed.url, deployed.key),
            "propose_decision",
            negotiation=deployed.things["negotiationId"],
            decision="wait",
            reason="The supplier answers on Monday.",
        )
    )
    assert deployed.audited() == "updates.create"


def test_a_proposal_on_an_agreement_is_a_comment(deployed: Deployed, agreement: dict[str, Any]) -> None:
    for negotiation_id in (None, deployed.things["negotiationId"]):
        # It names the negotiation that ended with it, which is no place for what is to become of it.
        with deployed.context.database.writing() as connection:
            connection.execute(
                sa.update(agreements)
                .where(agreements.c.id == agreement["id"])
                .values(negotiation_id=negotiation_id)
            )
        made = answered(
            call(
                in_memory(deployed.url, deployed.key),
                "propose_decision",
                agreement="Seats of Zenith",
                decision="end",
                reason="Nobody has used the seats since May.",
            )
        )
        assert made["agreementId"] == agreement["id"]
    (comment,) = deployed.get(f"/v1/agreements/{agreement['id']}/comments")["data"]
    assert comment["text"] == "Proposed by an agent, not decided: end. Nobody has used the seats since May."
    assert deployed.get(f"/v1/agreements/{agreement['id']}")["stage"] == "not_started"
