"""Clauses by sentence: what the model reads in words that no rule knows, and what two readers agree on."""

from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.extraction import Provenance
from app.service.documents.fields.clause_agreement import ClauseName, Decision, decide
from app.service.documents.fields.clause_readings import ClauseReading, ClauseReadings, read_clause_sentences
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.typewriter import type_document, type_sentences

_NOTICE = ClauseName("notice period", " days")
_PAYMENT = ClauseName("payment period", " days")
_PLACE = Provenance(1, None, 0.8)


def _likely(readings: ClauseReadings) -> dict[str, object]:
    return {name: found[0].value for name, found in readings.items() if found and found[0].probability > 0.5}


@pytest.mark.parametrize(
    ("sentence", "stated"),
    [
        ("You have three weeks to take us up on this offer.", {"validity_days": 21}),
        ("We are bound by this quotation for a month.", {"validity_days": 30}),
        ("We shall keep to the figures in this tender for 45 days.", {"validity_days": 45}),
        ("Unser Angebot halten wir 30 Tage lang aufrecht.", {"validity_days": 30}),
        ("The customer is committed to the service for a span of 36 months.", {"term_months": 36}),
        ("Der Vertrag bindet beide Seiten über 24 Monate.", {"term_months": 24}),
        (
            "Every invoice has to be settled no later than 45 days after we send it.",
            {"payment_terms_days": 45},
        ),
        ("Rechnungen begleicht der Kunde spätestens 21 Tage nach Zugang.", {"payment_terms_days": 21}),
        ("Should you wish to leave, write to us 60 days before the term is over.", {"notice_days": 60}),
        (
            "Prices will on no account be raised by more than 4% when the contract renews.",
            {"renewal_uplift_percent": Decimal(4)},
        ),
    ],
)
def test_a_clause_is_read_in_words_that_no_rule_knows(sentence: str, stated: dict[str, object]) -> None:
    assert _likely(read_clause_sentences(type_sentences(sentence))) == stated


@pytest.mark.parametrize(
    "sentence",
    [
        "The hardware carries a warranty of 24 months from delivery.",
        "Delivery takes 6 weeks from receipt of your order.",
        "Late payments bear interest at 1.5% per month.",
        "A valid ID must be shown at the gate within 3 days.",
        "Confidential information is kept secret for five years after the end of the agreement.",
        "The supplier reacts to critical incidents within 2 days.",
        "Support logs are kept for 90 days.",
        "A discount of 5% applies to orders above 10,000.",
        "Auf die Geräte geben wir 24 Monate Garantie.",
        "Die Lieferung erfolgt binnen 10 Tagen nach Auftragseingang.",
        "Bei Verzug berechnen wir Zinsen von 9 %.",
    ],
)
def test_a_sentence_that_looks_like_a_clause_states_none(sentence: str) -> None:
    assert _likely(read_clause_sentences(type_sentences(sentence))) == {}


@pytest.mark.parametrize(
    ("sentence", "renews"),
    [
        ("When the term is over the subscription simply renews itself for one year.", True),
        ("The subscription will not renew itself when the term is over.", False),
        ("Das Abonnement verlängert sich von selbst um jeweils ein Jahr.", True),
        ("Das Abonnement verlängert sich nicht von selbst.", False),
    ],
)
def test_a_negation_of_the_renewal_is_told_from_a_renewal(sentence: str, renews: bool) -> None:
    assert _likely(read_clause_sentences(type_sentences(sentence)))["auto_renew"] is renews


@pytest.mark.parametrize(
    ("sentence", "stated"),
    [
        ("Ofertę utrzymujemy przez 30 dni.", {"validity_days": 30}),
        ("Faktury należy zapłacić w terminie 21 dni od wystawienia.", {"payment_terms_days": 21}),
        ("Umowa trwa 24 miesiące.", {"term_months": 24}),
        ("Erbjudandet står kvar i 30 dagar.", {"validity_days": 30}),
        ("Avtalet kan sägas upp senast tre månader före avtalstidens slut.", {"notice_days": 90}),
        ("Priserna får höjas med högst 4 % vid förnyelse.", {"renewal_uplift_percent": Decimal(4)}),
        ("Fakturaen skal betales senest 14 dage efter fakturadatoen.", {"payment_terms_days": 14}),
        ("Aftalen løber i 36 måneder fra underskriften.", {"term_months": 36}),
        ("På udstyret gives 24 måneders garanti.", {}),
        ("Leveranstiden är 10 dagar.", {}),
        ("Gwarancja na sprzęt wynosi 24 miesiące.", {}),
    ],
)
def test_clauses_are_read_in_languages_without_rules(sentence: str, stated: dict[str, object]) -> None:
    assert _likely(read_clause_sentences(type_sentences(sentence))) == stated


def test_a_word_that_is_a_sentence_of_running_text_says_how_bills_come() -> None:
    text = "The subscription starts on 1 October 2026. Annual. Due 30 days from invoice."
    assert _likely(read_clause_sentences(type_document(text).sentences))["billing"] == "annual"
    assert "billing" not in _likely(read_clause_sentences(type_sentences("Annual")))


def test_a_discount_for_paying_early_is_no_second_payment_period() -> None:
    text = "Zahlbar innerhalb 30 Tagen netto bis 04.04.2026, 3% Skonto innerhalb 10 Tagen bis 15.03.2026."
    assert _likely(read_clause_sentences(type_sentences(text)))["payment_terms_days"] == 30


def test_each_figure_of_a_sentence_states_its_own_clause() -> None:
    [sentence] = type_sentences(
        "After the initial term of 36 months it renews for 12 months unless 60 days' notice is given"
    )
    stated = _likely(read_clause_sentences([sentence]))
    assert stated == {"term_months": 36, "renewal_months": 12, "notice_days": 60, "auto_renew": True}


def _reading(value: int, probability: float) -> ClauseReading:
    [sentence] = type_sentences("One sentence.")
    return ClauseReading(value, probability, sentence)


def test_what_both_read_without_doubt_is_verified() -> None:
    decision = decide(_NOTICE, 60, _PLACE, [_reading(60, 0.97), _reading(12, 0.01)])
    assert decision.value == 60
    assert decision.provenance is not None
    assert decision.provenance.verified
    assert decision.warning is None


def test_what_only_the_model_reads_counts_where_it_is_probable() -> None:
    assert decide(_NOTICE, None, None, [_reading(60, 0.8)]).value == 60
    assert decide(_NOTICE, None, None, [_reading(60, 0.5)]) == Decision()


def test_a_day_that_no_label_names_is_never_certain() -> None:
    [sentence] = type_sentences("Orders placed before 15 December 2025 will be honored at current prices.")
    reading = ClauseReading(date(2025, 12, 15), 0.99, sentence)
    for name, certain in ((ClauseName("last day of validity", tabular=True), False), (_NOTICE, True)):
        place = decide(name, None, None, [reading]).provenance
        assert place is not None
        assert place.verified is certain


@pytest.mark.parametrize(
    ("own", "other", "value"), [(0.4, 0.95, 30), (0.01, 0.95, 90), (0.3, 0.8, 30)], ids=str
)
def test_where_the_readers_differ_the_value_is_doubtful_and_a_warning_names_both(
    own: float, other: float, value: int
) -> None:
    decision = decide(_NOTICE, 30, _PLACE, [_reading(90, other), _reading(30, own)])
    assert decision.value == value
    assert decision.warning == "The notice period was read as 30 days and as 90 days."
    assert decision.provenance is not None
    assert not decision.provenance.verified
    assert decision.provenance.confidence == 0.5


def test_what_stands_in_a_sentence_about_something_else_is_left_out() -> None:
    assert decide(_PAYMENT, 30, _PLACE, [_reading(30, 0.02)]) == Decision()


def test_what_few_letters_say_of_billing_is_left_out_without_a_warning_where_no_sentence_says_so() -> None:
    billing = ClauseName("billing", in_words=True)
    [sentence] = type_sentences("Contoso Billing, 123 Bill St, Redmond WA")
    noise, other = ClauseReading("quarterly", 0.06, sentence), ClauseReading("annual", 0.9, sentence)
    assert decide(billing, "quarterly", _PLACE, [noise]) == Decision()
    decision = decide(billing, "quarterly", _PLACE, [other, noise])
    assert (decision.value, decision.warning) == ("annual", None)
    possible = decide(billing, "quarterly", _PLACE, [ClauseReading("quarterly", 0.3, sentence)])
    assert (possible.value, possible.warning) == ("quarterly", None)
    assert possible.provenance is not None
    assert possible.provenance.confidence == 0.5
    near = ClauseReading("quarterly", 0.5, sentence)
    assert decide(billing, "quarterly", _PLACE, [other, near]).warning is not None


def test_what_cannot_be_made_out_is_never_verified() -> None:
    blurred = Provenance(1, None, 0.4)
    decision = decide(_NOTICE, 60, blurred, [_reading(60, 0.97)])
    assert (decision.value, decision.provenance) == (60, blurred)


def test_a_value_in_words_that_only_the_model_reads_is_never_verified() -> None:
    [sentence] = type_sentences("One sentence.")
    decision = decide(ClauseName("billing"), None, None, [ClauseReading("annual", 0.99, sentence)])
    assert decision.value == "annual"
    assert decision.provenance is not None
    assert not decision.provenance.verified


def test_what_no_sentence_shows_stays_as_the_rules_read_it() -> None:
    assert decide(_PAYMENT, 30, _PLACE, []) == Decision(30, _PLACE)


def test_two_sentences_that_contradict_each_other_make_the_clause_doubtful() -> None:
    quote = pdf_builder.quote(
        ["Description", "Qty", "Unit price", "Amount"],
        [["Example Platform", "20", "95.00", "1,900.00"]],
        [("Total", "$1,900.00")],
        above=("Example Cloud Inc.", "QUOTE Q-7", "Payment terms: Net 30 days"),
        below=("Invoices are payable within 60 days of the invoice date.",),
    )
    read = read_document(quote, "quote.pdf")
    place = read.provenance["payment_terms_days"]
    assert (read.payment_terms_days, place.verified, place.second) == (30, False, "60 days")


def test_a_plain_sentence_goes_before_a_word_that_is_a_label_in_another_language() -> None:
    quote = pdf_builder.quote(
        ["Nazwa", "Qty", "Unit price", "Amount"],
        [["Licencja", "20", "95.00", "1,900.00"]],
        [("Total", "1,900.00 EUR")],
        above=("Example Sp. z o.o.", "QUOTE Q-7"),
        below=("Oferta jest wazna do 20 stycznia 2027.",),
    )
    assert read_document(quote, "quote.pdf").valid_until == date(2027, 1, 20)
