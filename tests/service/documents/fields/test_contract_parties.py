"""Sentences that name both parties."""

import pytest

from app.service.documents.fields.contract_parties import find_agreed_parties
from tests.service.documents.typewriter import type_document


@pytest.mark.parametrize(
    "sentence",
    [
        "between Tessellate Inc. and Bayberry Holdings, Inc.",
        "Proposal for Bayberry Holdings, Inc. by Tessellate Inc.",
        'Tessellate Inc. (the "Supplier") and Bayberry Holdings, Inc. (the "Customer")',
    ],
)
def test_a_sentence_names_supplier_and_buyer(sentence: str) -> None:
    document = type_document(sentence)
    supplier, buyer, cell, _ = next(find_agreed_parties(document.rows, document.paragraphs))
    assert (supplier, buyer.split(",")[0].removesuffix(".")) == ("Tessellate Inc.", "Bayberry Holdings")
    assert cell.page == 1


@pytest.mark.parametrize(
    "clauses",
    [
        "De una parte, Norte Limpio, S.L., con CIF B1, en adelante «el Prestador».\n\n"
        "De otra, la Junta del Puerto, con CIF H2, en adelante «el Cliente».",
        "amely létrejött egyrészről a Norte Limpio (1 Pest) mint Vállalkozó,\n\n"
        "másrészről a Junta del Puerto (2 Pest) mint Megrendelő között",
        "Norte Limpio, Bahnhofstr. 1, im Folgenden Auftragnehmer\n\n"
        "und Junta del Puerto, Hafen 2, nachfolgend Auftraggeber",
        "Vertrag\n\nzwischen der\n\nJunta del Puerto\nHafen 2\n– nachfolgend „Auftraggeber“ –\n\n"
        "und\n\nNorte Limpio\nBahnhofstr. 1\n– nachfolgend „Auftragnehmer“ –",
        "CONTRATO QUE CELEBRAN POR UNA PARTE NORTE LIMPIO, REPRESENTADA POR LA LIC. RUIZ, EN ADELANTE"
        " “LA ARRENDADORA”, Y POR LA OTRA JUNTA DEL PUERTO, EN ADELANTE “LA ARRENDATARIA”",
        "Norte Limpio, CUI 1, în calitate de vânzător, și Junta del Puerto, CUI 2, în calitate de cumpărător",
        "Norte Limpio, S.L. (Поставщик) и Junta del Puerto (Покупатель) согласовали поставку",
        "tra Norte Limpio, via Po 1, di seguito “Manutentore”\n\ne Junta del Puerto, via Po 2, di seguito"
        " “Committente”",
        "Norte Limpio, Savska 8 (u daljnjem tekstu: Dobavljač) i Junta del Puerto, Ilica 2 (u daljnjem"
        " tekstu: Kupac)",
        "Днес, в гр. Пловдив, между Norte Limpio, ЕИК 1, наричан ИЗПЪЛНИТЕЛ, и Junta del Puerto, ЕИК 2,"
        " наричан ВЪЗЛОЖИТЕЛ",
        "1. TARAFLAR: İşbu sözleşme; bir tarafta Norte Limpio (YÜKLENİCİ) ile diğer tarafta Junta del Puerto"
        " (İŞVEREN) arasında",
        "Mellan Junta del Puerto (”Beställaren”), org.nr 232100-0990, och Norte Limpio (”Leverantören”)",
        "Norte Limpio, zwany dalej Wynajmującym\n\na Junta del Puerto, zwaną dalej „Najemcą”",
        "pomiędzy Junta del Puerto, zwaną dalej Zamawiającym\n\na Norte Limpio, zwaną dalej Wykonawcą",
        "Aos 14 dias do mês de março de 2025, a Junta del Puerto, doravante denominada CONTRATANTE, "
        "e a empresa Norte Limpio, com sede em Lima, doravante denominada FORNECEDORA",
    ],
)
def test_a_contract_names_its_sides_in_the_words_of_its_language(clauses: str) -> None:
    document = type_document(clauses)
    supplier, buyer, *_ = next(find_agreed_parties(document.rows, document.paragraphs))
    names = (supplier.removesuffix(", S.L.").lower(), buyer.lower())
    assert names == ("norte limpio", "junta del puerto")


def test_a_name_may_begin_with_a_quotation_mark() -> None:
    document = type_document(
        "между „СЕВЕР ЧИСТ“ ЕООД, ЕИК 1, наричан ИЗПЪЛНИТЕЛ, и „Порт Юг“ АД, ЕИК 2, наричан ВЪЗЛОЖИТЕЛ"
    )
    supplier, buyer, *_ = next(find_agreed_parties(document.rows, document.paragraphs))
    assert (supplier, buyer) == ("„СЕВЕР ЧИСТ“ ЕООД", "„Порт Юг“ АД")


def test_other_sentences_name_nobody() -> None:
    document = type_document("between Monday and Friday we are open")
    assert list(find_agreed_parties(document.rows, document.paragraphs)) == []


def test_a_name_that_is_to_be_filled_in_is_not_that_of_another_line() -> None:
    page = (
        "Norte Limpio S.L., via Po 1 (il committente)\ne\n…………………………\ndi seguito denominato (il prestatore)"
    )
    document = type_document(page)
    assert list(find_agreed_parties(document.rows, document.paragraphs)) == []
