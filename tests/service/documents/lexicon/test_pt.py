"""Portuguese quotes, proposals and invoices, from Portugal and from Brazil."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.fields.clauses import read_clauses
from app.service.documents.reading import read_document
from app.service.documents.values.dates import find_dates
from tests.service.documents import pdf_builder
from tests.service.documents.lexicon.quotes import Quote
from tests.service.documents.typewriter import type_sentences

QUOTE = Quote(
    head=(
        "Oficina Digital, Lda",
        "Rua das Flores 12, 1200-195 Lisboa - NIPC 501234567",
        "Orçamento n.º 2026/0145 de 12 de janeiro de 2026",
        "Cliente: Conservas do Tejo, S.A.",
        "Validade da proposta: 30 dias",
    ),
    header=("Descrição", "Quantidade", "Preço unitário", "Valor"),
    lines=(
        ("Licença de gestão documental", "25", "48,00", "1.200,00"),
        ("Assistência telefónica", "12", "95,50", "1.146,00"),
        ("Formação presencial", "2", "650,00", "1.300,00"),
    ),
    sums=(("Total líquido", "3.646,00 €"), ("IVA 23%", "838,58 €"), ("Total", "4.484,58 €")),
    text=(
        "Condições de pagamento: 60 dias após a data da fatura.",
        "O contrato tem uma duração de 24 meses. Faturação anual.",
        "Findo este prazo, o contrato renova-se automaticamente por períodos de 12 meses,",
        "salvo denúncia com uma antecedência mínima de 90 dias antes da renovação.",
        "Na renovação, o aumento dos preços não poderá exceder 3,5%.",
    ),
)


def assert_read(extraction: Extraction) -> None:
    assert (extraction.language, extraction.kind) == ("pt", "quote")
    assert extraction.document_number == "2026/0145"
    assert extraction.document_date == date(2026, 1, 12)
    assert extraction.valid_until == date(2026, 2, 11)
    assert (extraction.supplier, extraction.buyer) == ("Oficina Digital, Lda", "Conservas do Tejo, S.A.")
    assert extraction.currency == "EUR"
    lines = [(one.description, one.quantity, one.unit_price, one.amount) for one in extraction.line_items]
    assert lines == [
        ("Licença de gestão documental", 25, 48, 1200),
        ("Assistência telefónica", 12, Decimal("95.5"), 1146),
        ("Formação presencial", 2, 650, 1300),
    ]
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (
        3646,
        Decimal("838.58"),
        Decimal("4484.58"),
    )
    assert extraction.payment_terms_days == 60
    assert (extraction.term_months, extraction.billing) == (24, "annual")
    assert (extraction.auto_renew, extraction.notice_days) == (True, 90)
    assert extraction.renewal_uplift_percent == Decimal("3.5")
    assert extraction.renewal_uplift_is_cap is True


def test_a_quote_of_one_page_is_read() -> None:
    assert_read(QUOTE.read_pdf())


def test_a_text_document_is_read_alike() -> None:
    assert_read(QUOTE.read_text_document())


def test_a_brazilian_proposal_is_read() -> None:
    proposal = replace(
        QUOTE,
        head=(
            "Fornecedor: Vidraçaria Lagoa Ltda",
            "PROPOSTA COMERCIAL Nº 77-2026",
            "Data de emissão: 3 de março de 2026",
            "Cliente: Hotel Três Pinheiros S.A.",
            "Proposta válida até 30 de abril de 2026",
        ),
        sums=(("Subtotal", "R$ 3.646,00"), ("Valor total", "R$ 3.646,00")),
        text=(
            "Vigência: de 1 de maio de 2026 a 30 de abril de 2027.",
            "Prazo de pagamento: 30 dias da data da fatura.",
            "Não haverá renovação automática.",
        ),
    )
    extraction = proposal.read_pdf()
    assert (extraction.supplier, extraction.buyer) == (
        "Vidraçaria Lagoa Ltda",
        "Hotel Três Pinheiros S.A.",
    )
    assert (extraction.kind, extraction.document_number) == ("quote", "77-2026")
    assert (extraction.document_date, extraction.valid_until) == (date(2026, 3, 3), date(2026, 4, 30))
    assert (extraction.start_date, extraction.end_date) == (date(2026, 5, 1), date(2027, 4, 30))
    assert (extraction.currency, extraction.total) == ("BRL", 3646)
    assert (extraction.payment_terms_days, extraction.auto_renew) == (30, False)


def test_an_invoice_is_read() -> None:
    content = pdf_builder.quote(
        ["Descrição", "Qtd.", "Preço unit.", "Total"],
        [["Mensalidade", "3", "120,00", "360,00"], ["Deslocação", "1", "40,00", "40,00"]],
        [("Total ilíquido", "400,00"), ("IVA 23%", "92,00"), ("Total a pagar", "492,00")],
        above=("Oficina Digital, Lda", "Fatura FT 2026/311", "Data: 31/01/2026", "Valores em euros"),
    )
    extraction = read_document(content, "fatura.pdf")
    assert (extraction.kind, extraction.document_date) == ("invoice", date(2026, 1, 31))
    assert (extraction.net_total, extraction.tax_total, extraction.total) == (400, 92, 492)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Lisboa, 12 de janeiro de 2026", date(2026, 1, 12)),
        ("1º de fevereiro de 2026", date(2026, 2, 1)),
        ("30 set. 2025", date(2025, 9, 30)),
        ("de 1 a 31 de dezembro de 2026", date(2026, 12, 1)),
    ],
)
def test_dates_are_read(text: str, value: date) -> None:
    assert find_dates(text)[0].value == value


def test_the_word_out_before_a_date_is_no_month() -> None:
    assert find_dates("Check out 03/04/2025")[0].value == date(2025, 4, 3)


@pytest.mark.parametrize(
    ("sentence", "name", "value"),
    [
        ("Pagamento a 30 dias da data da fatura", "payment_terms_days", 30),
        ("Prazo de pagamento: 45 dias", "payment_terms_days", 45),
        ("Pagamento a pronto pagamento", "payment_terms_days", 0),
        ("A duração do contrato é de 36 meses.", "term_months", 36),
        ("Contrato por um período inicial de doze meses", "term_months", 12),
        ("Renovação automática: não", "auto_renew", False),
        ("O contrato não se renova automaticamente.", "auto_renew", False),
        ("O contrato será renovado automaticamente por igual período.", "auto_renew", True),
        ("A denúncia deve ser feita pelo menos 60 dias antes da renovação.", "notice_days", 60),
        ("Faturação trimestral antecipada", "billing", "quarterly"),
        ("Faturamento mensal", "billing", "monthly"),
        ("A presente proposta é válida por 45 dias.", "validity_days", 45),
        ("Na renovação os preços aumentam 4%.", "renewal_uplift_percent", 4),
    ],
)
def test_clauses_are_read(sentence: str, name: str, value: object) -> None:
    assert getattr(read_clauses(type_sentences(sentence)), name) == value
