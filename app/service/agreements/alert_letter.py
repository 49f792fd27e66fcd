"""What a letter to the owner of an agreement says about its dates. Pure."""

from datetime import date

from app.contract.dates import format_day
from app.contract.events import (
    AgreementEnded,
    AgreementNoticeApproaching,
    AgreementNoticeMissed,
    AgreementRenewed,
)
from app.contract.money import format_exact_money
from app.service.agreements.dates.statement import describe_dates
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.due_alerts import DateEvent
from app.service.agreements.stored_agreement import StoredAgreement


def compose_letter(
    one: StoredAgreement, event: DateEvent, reader: str, today: date, days: WorkingDays, dashboard_url: str
) -> tuple[str, str]:
    """Return the subject and the text of a letter to the owner whose name is `reader`."""
    name, supplier = _on_one_line(one.agreed.name), _on_one_line(one.agreed.supplier_name or "")
    subject, news = _describe_event(
        event,
        f"“{name}” with {supplier}" if supplier else f"“{name}”",
    )
    statement = describe_dates(one.dates.terms, one.dates.find_position(today, days), today, days)
    facts = [statement]
    if one.agreed.total_value is not None and one.agreed.currency is not None:
        value = format_exact_money(one.agreed.total_value, one.agreed.currency)
        facts.append(f"Value of the first term, before tax: {value}.")
    return subject, "\n\n".join(
        (
            f"Dear {_on_one_line(reader)},",
            news,
            "\n".join(facts),
            f"The agreement, and the form for your decision:\n{dashboard_url}/agreement?id={one.id}",
            "You get this mail because you are named as an owner of this agreement. Owners are changed on its"
            " page. For the whole organisation, these mails are switched off here:"
            f"\n{dashboard_url}/working_days",
        )
    )


def _describe_event(event: DateEvent, agreement: str) -> tuple[str, str]:
    """Return the subject, which holds nothing that somebody wrote, and the sentence that the letter begins
    with."""
    match event:
        case AgreementNoticeApproaching():
            day = format_day(event.act_by)
            return (
                f"An agreement needs your decision by {day}",
                f"The agreement {agreement} needs a decision by {day}.",
            )
        case AgreementNoticeMissed():
            return "A deadline of an agreement was missed", (
                f"The last day to act on the agreement {agreement} was {format_day(event.notice_deadline)}."
                " Nobody decided to renew it, and no notice is on record."
            )
        case AgreementRenewed():
            begun, end = format_day(event.current_term_start), format_day(event.current_term_end)
            return "An agreement has renewed", (
                f"The agreement {agreement} renewed on {begun}. Its current term ends on {end}."
            )
        case AgreementEnded():
            return (
                "An agreement has ended",
                f"The agreement {agreement} ended on {format_day(event.term_end)}.",
            )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
