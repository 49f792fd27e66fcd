"""Which role may do what, and which kind of thing each operation changes: the one place for both."""

from dataclasses import dataclass

from app.contract.access import Role


@dataclass(frozen=True, slots=True)
class Rule:
    """The lowest role that may call an operation, and the kind of thing that it changes."""

    role: Role
    object_kind: str = ""
    is_recorded: bool = False
    """Whether the audit log has an entry of each call though it only reads."""
    times_limit: int = 1
    """How often over a key may reach its limit of requests before the operation is refused for it."""
    second_person: bool = False
    """Whether an organisation may ask that another person approves a call (`approvals`)."""


READING = Rule("reader")
"""For every operation that changes nothing and is not among the `RULES`."""

RULES = {
    "audit.list": Rule("admin"),
    "audit.exportCsv": Rule("admin", "deployment", is_recorded=True),
    "files.download": Rule("reader", "file", is_recorded=True),
    "agreements.exportCsv": Rule("reader", "agreement", is_recorded=True),
    "agreements.exportXlsx": Rule("reader", "agreement", is_recorded=True),
    "agreements.exportOcds": Rule("reader", "agreement", is_recorded=True),
    "requirements.evidenceXlsx": Rule("reader", "requirement", is_recorded=True),
    "requirements.evidenceHtml": Rule("reader", "requirement", is_recorded=True),
    "requirements.evidencePdf": Rule("reader", "requirement", is_recorded=True),
    "agentCalls.list": Rule("admin"),
    "agentCalls.record": Rule("reader", times_limit=2),
    "keys.list": Rule("admin"),
    "keys.create": Rule("admin", "key"),
    "keys.revoke": Rule("admin", "key"),
    "members.list": Rule("admin"),
    "members.export": Rule("admin", "member", is_recorded=True),
    "members.erase": Rule("admin", "member"),
    "members.signOut": Rule("admin", "member"),
    "session.start": Rule("reader", "session"),
    "session.end": Rule("reader", "session"),
    "approvals.approve": Rule("buyer", "approval"),
    "approvals.refuse": Rule("buyer", "approval"),
    "approvalRules.update": Rule("owner", "settings", second_person=True),
    "catalogEntries.create": Rule("buyer", "product"),
    "files.upload": Rule("buyer", "file"),
    "scopes.create": Rule("buyer", "scope"),
    "scopes.createFromDocument": Rule("buyer", "scope"),
    "scopes.update": Rule("buyer", "scope"),
    "scopeDocuments.confirm": Rule("buyer", "scope"),
    "listPrices.take": Rule("buyer", "scope"),
    "negotiations.start": Rule("buyer", "negotiation"),
    "negotiations.update": Rule("buyer", "negotiation"),
    "updates.create": Rule("buyer", "negotiation", second_person=True),
    "attachments.create": Rule("buyer", "negotiation"),
    "strategies.recalculate": Rule("buyer", "negotiation"),
    "mails.markSent": Rule("buyer", "negotiation"),
    "agreements.create": Rule("buyer", "agreement"),
    "agreements.createFromDocument": Rule("buyer", "agreement"),
    "agreements.update": Rule("buyer", "agreement"),
    "agreements.delete": Rule("buyer", "agreement"),
    "agreementDecisions.create": Rule("buyer", "agreement"),
    "agreementRenewals.create": Rule("buyer", "agreement"),
    "agreementPurchases.decide": Rule("buyer", "agreement"),
    "scopeComments.create": Rule("buyer", "scope"),
    "scopeComments.delete": Rule("buyer", "scope"),
    "negotiationComments.create": Rule("buyer", "negotiation"),
    "negotiationComments.delete": Rule("buyer", "negotiation"),
    "agreementComments.create": Rule("buyer", "agreement"),
    "agreementComments.delete": Rule("buyer", "agreement"),
    "calendarFeeds.create": Rule("buyer", "feed"),
    "calendarFeeds.revoke": Rule("buyer", "feed"),
    "imports.create": Rule("buyer", "import"),
    "imports.confirm": Rule("buyer", "import"),
    "imports.withdraw": Rule("buyer", "import"),
    "requirements.create": Rule("buyer", "requirement"),
    "requirements.update": Rule("buyer", "requirement"),
    "requirements.addQuote": Rule("buyer", "requirement"),
    "requirements.updateQuote": Rule("buyer", "requirement"),
    "requirements.removeQuote": Rule("buyer", "requirement"),
    "requirements.align": Rule("buyer", "requirement"),
    "requirements.createScenario": Rule("buyer", "requirement"),
    "requirements.award": Rule("buyer", "requirement", second_person=True),
    "webhooks.create": Rule("admin", "webhook", second_person=True),
    "webhooks.delete": Rule("admin", "webhook", second_person=True),
    "webhooks.update": Rule("admin", "webhook"),
    "webhooks.rotateSecret": Rule("admin", "webhook", second_person=True),
    "webhooks.test": Rule("admin", "webhook"),
    "events.redeliverSince": Rule("admin", "webhook"),
    "events.redeliver": Rule("admin", "webhook"),
    "inboxes.create": Rule("admin", "webhook", second_person=True),
    "secondOpinion.update": Rule("admin", "settings"),
    "workingDays.update": Rule("admin", "settings"),
    "deadlineMail.update": Rule("admin", "settings"),
    "sampleData.remove": Rule("admin", "sample data"),
}


def find_rule(operation_id: str | None, *, writes: bool) -> Rule:
    """The rule of an operation. Raises TypeError for one that changes something and has none."""
    rule = RULES.get(operation_id or "")
    if rule is None and writes:
        raise TypeError(f"{operation_id} changes something, so RULES must say which role may call it")
    return rule or READING
