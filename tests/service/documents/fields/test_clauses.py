"""Clauses in the words of ordinary paper."""

from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.fields.clauses import Clauses, describe_notice_end, read_clauses
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.typewriter import type_sentences


@pytest.mark.parametrize(
    ("said", "notice"),
    [
        ("The agreement then continues year to year; either side may end it with 60 days' notice.", 60),
        ("It continues on a yearly basis until either party gives 90 days' notice.", 90),
        ("The contract renews each year unless ended with 60 days' notice.", 60),
        ("Danach läuft der Vertrag auf unbestimmte Zeit weiter, kündbar mit 30 Tagen Frist.", 30),
        ("Automatische Verlängerung um 12 Monate, sofern nicht 60 Tage vorher gekündigt.", 60),
        ("Renouvellement automatique d'un an, sauf avis écrit de 45 jours.", 45),
        ("Reconduction automatique par périodes d'un an, sauf dénonciation 90 jours avant l'échéance.", 90),
        ("Automatische verlenging met telkens een jaar, opzegbaar tot 60 dagen voor het einde.", 60),
        ("Renovación automática por años, salvo aviso con 60 días de antelación.", 60),
        ("Se renovará por periodos anuales salvo preaviso de 30 días.", 30),
        ("Se renueva cada año automáticamente. Preaviso de cancelación: 30 días", 30),
        ("It extends automatically by one year unless cancelled with one month's notice.", 30),
        ("Reconduction automatique, résiliable moyennant un préavis d'un mois.", 30),
        ("Verlenging: automatisch met een jaar, opzegtermijn: één maand", 30),
    ],
)
def test_what_goes_on_by_itself_renews_until_notice_is_given(said: str, notice: int) -> None:
    assert read_clauses(type_sentences(said)) == Clauses(auto_renew=True, notice_days=notice)


def test_a_number_may_be_said_again_in_words_of_any_language() -> None:
    said = "O pagamento será efetuado em até 30 (trinta) dias após a apresentação da nota fiscal."
    assert read_clauses(type_sentences(said)).payment_terms_days == 30


def test_a_rate_is_no_limit() -> None:
    found = read_clauses(type_sentences("At each renewal the fees increase at a rate of 3%."))
    assert (found.renewal_uplift_percent, found.renewal_uplift_is_cap) == (3, None)


@pytest.mark.parametrize(
    "said",
    ["Kein automatischer Übergang; der Vertrag endet.", "Aucune reconduction automatique.",
     "Ne se renouvelle pas automatiquement.", "Geen automatische verlenging.", "Wordt niet verlengd.",
     "Sin renovación automática.", "Renewal: none", "Renews automatically: No", "Tacite reconduction : non",
     "Renovación: manual", "Le contrat prend fin sans renouvellement.", "Ohne automatische Verlängerung",
     "Verlängerung nur durch schriftliche Vereinbarung", "Verlenging alleen na akkoord"],
)  # fmt: skip
def test_what_is_said_not_to_renew_does_not(said: str) -> None:
    assert read_clauses(type_sentences(said)) == Clauses(auto_renew=False)


@pytest.mark.parametrize(
    ("said", "months"),
    [
        ("Agreement length 24 months, beginning 2025-03-01.", 24),
        ("Vertragslänge 36 Monate.", 36),
        ("Contractlengte 24 maanden.", 24),
        ("Subscription, 12 months from the date of activation.", 12),
        ("Lizenzen, 12 Monate ab Aktivierung.", 12),
        ("Licences, 12 mois à compter de l'activation.", 12),
        ("Licenties, 12 maanden vanaf activering.", 12),
        ("Licencias, 12 meses desde la activación.", 12),
        ("Contrat d'un an renouvelable", 12),
        ("Con una permanencia mínima de 24 meses.", 24),
        ("After the term prices are capped at 3% a year.", None),
        ("Confidential information is kept secret for five years after disclosure.", None),
        ("Garantie : 24 mois à compter de la mise en service.", None),
    ],
)
def test_a_term_is_told_from_a_rate_and_a_warranty(said: str, months: int | None) -> None:
    assert read_clauses(type_sentences(said)).term_months == months


@pytest.mark.parametrize(
    ("said", "doubted"),
    [
        ("Term: 0 months", True),
        ("Term: 1300 months", True),
        ("Laufzeit: 0 Monate", True),
        ("Term: 1200 months", False),
        ("Warranty: 1300 months", False),
    ],
)
def test_a_term_that_no_deal_has_is_doubted(said: str, doubted: bool) -> None:
    assert bool(read_clauses(type_sentences(said)).term_doubts) == doubted


@pytest.mark.parametrize(
    ("said", "billing"),
    [
        ("Quartalsrechnung Q3/2025", "quarterly"), ("Monatsrechnung August", "monthly"),
        ("Jahresrechnung 2025", "annual"), ("Kwartaalfactuur", "quarterly"), ("Jaarfactuur", "annual"),
        ("Facture trimestrielle", "quarterly"), ("Factura mensual", "monthly"),
        ("Vierteljährliche Fakturierung", "quarterly"), ("Jährliche Fakturierung im Voraus", "annual"),
        ("Billed every three months in advance.", "quarterly"), ("Abrechnung alle 3 Monate", "quarterly"),
        ("Facturación cada tres meses", "quarterly"), ("Cobro anual", "annual"),
        ("Se factura al inicio de cada trimestre", "quarterly"), ("Paid once a year", "annual"),
        ("Paid in full upon signing", "upfront"),
    ],
)  # fmt: skip
def test_titles_and_sentences_say_how_often_bills_come(said: str, billing: str) -> None:
    assert read_clauses(type_sentences(said)).billing == billing


def test_a_month_and_a_half_are_not_eleven_months() -> None:
    said = type_sentences("Initial term: 1½ months", "Notice period: 1½ months", "Payment: net 1½ months")
    assert read_clauses(said) == Clauses()


def test_a_label_holds_for_every_sentence_of_its_field() -> None:
    said = [
        "Automatic for 12 months unless cancelled in writing 90 days before",
        "expiry of the year; increases are limited to",
    ]
    texts = [pdf_builder.Text(60, 60, "Next renewal")]
    texts += [pdf_builder.Text(180, 60 + 12 * line, text) for line, text in enumerate([*said, "4.5%"])]
    extraction = read_document(pdf_builder.pdf(texts), "offer.pdf")
    assert (extraction.auto_renew, extraction.notice_days) == (True, 90)
    assert (extraction.renewal_uplift_percent, extraction.term_months) == (Decimal("4.5"), None)


def test_days_of_payment_behind_those_of_an_offer_are_read() -> None:
    said = "Zahlbar innerhalb 14 Tagen abzüglich 2 % Skonto, 30 Tage netto."
    assert read_clauses(type_sentences(said)).payment_terms_days == 30
    said = "Das Angebot ist bis zum 30.06.2025 gültig, Zahlung 14 Tage netto."
    assert read_clauses(type_sentences(said)).payment_terms_days == 14


@pytest.mark.parametrize(
    "said",
    [
        "Maksuehto 14 pv netto.",
        "Splatnost faktur: 14 dnů",
        "Pembayaran dalam 14 hari setelah barang diterima.",
        "Ödeme: 14 gün vadeli çek.",
        "Оплата в течение 14 дней",
        "Εξόφληση εντός 14 ημερών.",
        "Betaling per 14 dager.",
        "Greiðslufrestur 14 dagar.",
        "เครดิต : 14 วัน",
    ],
)
def test_days_of_payment_are_read_in_further_languages(said: str) -> None:
    assert read_clauses(type_sentences(said)).payment_terms_days == 14


@pytest.mark.parametrize("said", ["Zahlbar sofort ohne Abzug", "Pago al contado", "Direct betaalbaar"])
def test_what_is_payable_at_once_has_no_days(said: str) -> None:
    assert read_clauses(type_sentences(said)).payment_terms_days == 0


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("This quote is valid for 30 days from the date above.", 30),
        ("Valid 60 days", 60),
        ("Validity: six weeks", 42),
        ("This proposal remains open for acceptance for thirty (30) days.", 30),
        ("An dieses Angebot halten wir uns 30 Tage gebunden.", 30),
        ("Devis valable 30 jours.", 30),
        ("Deze offerte is geldig gedurende 14 dagen.", 14),
        ("Presupuesto válido durante 15 días.", 15),
        ("Oferta ważna 30 dni.", 30),
        ("Pakkumus kehtib 30 päeva.", 30),
        ("صالح لمدة: 30 يوماً", 30),
        ("Prepaid messages, valid 12 months", None),
        ("3. 报价有效期30天。", 30),
        ("Ισχύς προσφοράς: 30 ημέρες", 30),
        ("ההצעה בתוקף ל-30 יום", 30),
        ("Поставка в течение 30 дней", None),
    ],
)
def test_an_offer_holds_for_so_many_days(said: str, days: int | None) -> None:
    found = read_clauses(type_sentences(said))
    assert found.validity_days == days
    assert found.payment_terms_days is None


def test_a_quote_that_holds_for_days_says_until_when() -> None:
    quote = pdf_builder.quote(
        ["Description", "Qty", "Unit price", "Amount"],
        [["Example Platform", "20", "95.00", "1,900.00"]],
        [("Total", "$1,900.00")],
        above=("Example Cloud Inc.", "QUOTE Q-7", "Date: 4 March 2026"),
        below=("This quote is valid for 30 days from the date above.", "Annual increase capped at 5%."),
    )
    read = read_document(quote, "quote.pdf")
    assert (read.valid_until, read.renewal_uplift_percent) == (date(2026, 4, 3), 5)
    assert not read.provenance["valid_until"].verified


def test_the_last_line_of_a_sentence_may_look_like_a_figure() -> None:
    page = pdf_builder.pdf([
        pdf_builder.Text(60, 60, "Next renewal"),
        pdf_builder.Text(200, 60, "At the next renewal the price will not increase by more than"),
        pdf_builder.Text(60, 72, "(12 months)"),
        pdf_builder.Text(200, 72, "4.5% per year."),
    ])  # fmt: skip
    assert read_document(page, "renewal.pdf").renewal_uplift_percent == Decimal("4.5")


@pytest.mark.parametrize(
    ("said", "percent"),
    [
        ("Any price increase at renewal is limited to a maximum of 6%.", 6),
        ("The renewal price shall not increase by more than 7% over the prices of the expiring term.", 7),
        ("Renewal increases shall not exceed 5%.", 5),
        ("Renewal price increases are capped at 4 percent.", 4),
        ("Per-unit pricing during any renewal term will increase by up to 6%.", 6),
        ("At renewal, prices rise by the lower of the index and 3%.", 3),
        ("Bei Verlängerung steigen die Preise um höchstens 5 %.", 5),
        ("Die Preise dürfen bei Verlängerung um nicht mehr als 4 % erhöht werden.", 4),
        ("Au renouvellement, l'augmentation des prix est plafonnée à 3 %.", 3),
        ("Bij verlenging stijgen de prijzen met maximaal 7%.", 7),
        ("En la renovación, el precio no podrá incrementarse más de un 3%.", 3),
        ("Price increase at renewal: 5% maximum", 5),
    ],
)
def test_what_limits_the_rise_is_a_cap(said: str, percent: int) -> None:
    clauses = read_clauses(type_sentences(said))
    assert (clauses.renewal_uplift_percent, clauses.renewal_uplift_is_cap) == (percent, True)


@pytest.mark.parametrize(
    ("said", "percent"),
    [
        ("Prices increase by 8% on each renewal.", 8),
        ("Renewal uplift: 5%", 5),
        ("Bei Verlängerung steigen die Preise um 5 %.", 5),
        ("Au renouvellement, les prix augmentent de 4 %.", 4),
        ("Bij verlenging stijgen de prijzen met 7%.", 7),
        ("En cada renovación el precio aumenta un 3%.", 3),
        ("At renewal, prices rise by the greater of the index and 3%.", 3),
    ],
)
def test_what_states_the_rise_is_none(said: str, percent: int) -> None:
    clauses = read_clauses(type_sentences(said))
    assert (clauses.renewal_uplift_percent, clauses.renewal_uplift_is_cap) == (percent, None)


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("Kündbar mit einer Frist von 6 Wochen zum Quartalsende.", True),
        ("Either party may terminate with 6 weeks' notice to the end of a calendar quarter.", True),
        ("Die Kündigungsfrist beträgt 6 Wochen zum Monatsende.", True),
        ("Opzegtermijn: 6 weken tegen het einde van een kalendermaand.", True),
        ("Opzegtermijn: 6 weken tegen het einde van de looptijd.", False),
        ("Kündbar mit einer Frist von 6 Wochen zum Ende der Laufzeit.", False),
        ("Kündbar mit einer Frist von 3 Monaten zum Quartalsende.", False),
        ("Zahlbar binnen 6 Wochen zum Monatsende.", False),
    ],
)
def test_a_notice_to_the_end_of_another_span_than_the_term_is_told(said: str, is_told: bool) -> None:
    sentences = type_sentences(said)
    told = describe_notice_end(sentences, 42)
    assert (len(told) == 1 and said in told[0]) == is_told
    assert describe_notice_end(sentences, None) == []


@pytest.mark.parametrize(
    "said",
    [
        *(
            *("契約期間: 24ヶ月", "ご契約期間　2年間", "契約期間は24ヶ月とします。"),
            *("合同期限：24个月", "계약기간: 24개월"),
            "ご契約期間　2年間",
            "契約期間は24ヶ月とします。",
            "合同期限：24个月",
            "계약기간: 24개월",
        ),
        *("Срок договора: 24 месяца", "Sözleşme süresi: 24 ay", "Doba trvání smlouvy: 24 měsíců"),
        *("Futamidő: 24 hónap", "Thời hạn hợp đồng: 24 tháng", "ระยะเวลาสัญญา: 24 เดือน", "مدة العقد: 24 شهر"),
    ],
)
def test_a_term_behind_its_label_is_read_in_further_languages(said: str) -> None:
    assert read_clauses(type_sentences(said)).term_months == 24


@pytest.mark.parametrize("said", ["保証期間: 24ヶ月", "納期: 2ヶ月", "Гарантия: 24 месяца"])
def test_another_span_is_no_term_in_further_languages(said: str) -> None:
    assert read_clauses(type_sentences(said)).term_months is None
