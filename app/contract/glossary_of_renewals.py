"""What a field means in the records of renewals, as `Record.field`."""

RENEWAL_FIELDS = {
    "AgreementRenewal.agreementId": "The agreement that is renewed, by its id.",
    "AgreementRenewal.deadlineMissed": "Whether the day by which to decide had passed when it was started.",
    "AgreementRenewal.leftOut": "Each line of the agreement that the scope does not have, with the reason.",
    "AgreementRenewal.startedAt": "When it was started.",
    "AgreementRenewal.startedBy": "The person on whose behalf it was started.",
    "AgreementRenewal.statement": "What is renewed and by when it must be decided, in sentences.",
    "AgreementRenewal.status": "The state of the negotiation.",
    "ListedNegotiation.renewsAgreementId": "The agreement that it is to renew, by its id.",
    "Timeline.renewsAgreementId": "The agreement that it is to renew, by its id.",
}
