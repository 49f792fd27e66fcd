"""What a field means in the records of renewals, as `Record.field`."""

RENEWAL_FIELDS = {
    "AgreementPurchase.alike": "Purchases that may be the same, but are not surely so.",
    "AgreementPurchase.description": "What is bought, in the words of the agreement.",
    "AgreementPurchase.line": "The number of the line, from 0.",
    "AgreementPurchase.purchase": "The purchase that the line is.",
    "AgreementPurchase.reason": "Why the line is no purchase, in a sentence.",
    "AgreementPurchase.state": "What became of the line.",
    "AgreementRenewal.agreementId": "The agreement that is renewed, by its id.",
    "AgreementRenewal.deadlineMissed": "Whether the day by which to decide had passed when it was started.",
    "AgreementRenewal.leftOut": "Each line of the agreement that the scope does not have, with the reason.",
    "AgreementRenewal.startedAt": "When it was started.",
    "AgreementRenewal.startedBy": "The person on whose behalf it was started.",
    "AgreementRenewal.statement": "What is renewed and by when it must be decided, in sentences.",
    "AgreementRenewal.status": "The state of the negotiation.",
    "ListedNegotiation.renewsAgreementId": "The agreement that it is to renew, by its id.",
    "RecordedPurchase.orderId": "The number of its order; of a purchase made of an agreement, that one's id.",
    "Timeline.renewsAgreementId": "The agreement that it is to renew, by its id.",
}
