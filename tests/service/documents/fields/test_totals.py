"""Labelled sums, and which of them are the net, the tax and the total."""

from decimal import Decimal

import pytest

from app.service.documents.fields.totals import choose_totals, find_sums, mark_paid_in_full
from tests.service.documents.typewriter import type_document


def test_sums_are_found_beside_and_inside_of_their_labels() -> None:
    document = type_document(
        """
        Subtotal      100.00
        VAT 20%        20.00
        Total: 120.00
        """
    )
    sums = find_sums(document.rows, document.sentences)
    assert [(one.kind, one.value) for one in sums] == [("net", 100), ("tax", 20), ("gross", 120)]


def test_net_tax_and_total_are_told_apart() -> None:
    document = type_document(
        """
        Subtotal      100.00
        VAT 20%        20.00
        Total         120.00
        """
    )
    totals = choose_totals(find_sums(document.rows, document.sentences), [], None)
    assert (totals.net, totals.tax, totals.total) == (100, 20, 120)
    assert {name: seen.box for name, seen in totals.provenance.items()} == {
        name: row.cells()[-1].box
        for name, row in zip(("net_total", "tax_total", "total"), document.rows, strict=True)
    }


def test_a_total_that_does_not_add_up_is_read_as_printed() -> None:
    document = type_document(
        """
        Subtotal      100.00
        VAT 20%        20.00
        Total         125.00
        """
    )
    totals = choose_totals(find_sums(document.rows, document.sentences), [], Decimal(90))
    assert totals.total == 125


@pytest.mark.parametrize("label", ["Round Off", "Rounding", "Rundung", "Öresavrundning", "Afrunding"])
@pytest.mark.parametrize("net", ["Subtotal      100.30", "              100.30"])
def test_what_makes_a_total_round_is_neither_net_nor_tax(label: str, net: str) -> None:
    document = type_document(f"{net}\nVAT 20%        20.06\n{label}    -0.36\nTotal         120.00")
    totals = choose_totals(find_sums(document.rows, document.sentences), [], Decimal("100.30"))
    assert (totals.net, totals.tax, totals.after_tax, totals.total) == (
        Decimal("100.30"), Decimal("20.06"), Decimal("-0.36"), 120,
    )  # fmt: skip
    assert totals.made == totals.total


@pytest.mark.parametrize("terms", ["Net 30", "Payment      Net 30 days", "Zahlbar netto 14 Tage"])
def test_days_of_payment_are_no_sum(terms: str) -> None:
    document = type_document(f"{terms}\nTotal         120.00")
    assert [one.kind for one in find_sums(document.rows, document.sentences)] == ["gross"]


def test_words_may_stand_between_a_total_and_its_currency() -> None:
    said = "Итого: 3 685 000 (три миллиона) тенге, в том числе НДС 12 % – 394 821,43 тенге."
    document = type_document(said)
    found = {one.kind: one.value for one in find_sums(document.rows, document.sentences)}
    assert found == {"gross": Decimal(3685000), "tax": Decimal("394821.43")}


@pytest.mark.parametrize(
    ("parts", "sums"),
    [
        (("Total fees", "Total disbursements"), ("1951.50", "390.30", "2341.80")),
        (("Summe Arbeit", "Summe Material"), ("1951.50", "390.30", "2341.80")),
    ],
)
def test_totals_of_parts_and_their_taxes_make_the_one_that_is_due(
    parts: tuple[str, str], sums: tuple[str, str, str]
) -> None:
    document = type_document(
        f"{parts[0]}      1,899.00\n{parts[1]}     52.50\nVAT on these at 20%    379.80\n"
        "VAT on those at 20%    10.50\nTotal due      2,341.80"
    )
    totals = choose_totals(find_sums(document.rows, document.sentences), [], Decimal("1899.00"))
    assert (totals.net, totals.tax, totals.total) == tuple(map(Decimal, sums))


@pytest.mark.parametrize(
    ("total", "tax"),
    [
        ("Total   EUR 93.38 (includes EUR 14.91 VAT)", Decimal("14.91")),
        ("Gesamt: 93,38 EUR (inkl. 14,91 EUR MwSt.)", Decimal("14.91")),
        ("Total   EUR 93.38 (via card ending 4417)", None),
    ],
)
def test_brackets_behind_a_total_say_which_tax_it_holds(total: str, tax: Decimal | None) -> None:
    document = type_document(f"Subtotal     89.43\n{total}")
    assert {one.kind: one.value for one in find_sums(document.rows, document.sentences)}.get("tax") == tax


@pytest.mark.parametrize(
    ("below", "total"),
    [
        ("Total Paid          25,488.00", 25488),
        ("Total Paid          20,000.00", None),  # a part of it
        ("Total               25,488.00\nTotal Paid          25,488.00", 25488),
    ],
)
def test_what_was_paid_is_the_total_where_it_is_the_lines_with_their_tax(
    below: str, total: int | None
) -> None:
    document = type_document(f"Net amount          21,600.00\nGST                  3,888.00\n{below}")
    sums = mark_paid_in_full(find_sums(document.rows, ()), Decimal(21600))
    assert next((one.value for one in sums if one.kind == "gross"), None) == total


def test_a_sum_above_a_billion_is_no_registration() -> None:
    rows = type_document("Total   1,375,290,000\nVAT   1234567890").rows
    assert [(one.kind, one.value) for one in find_sums(rows, ())] == [("gross", 1375290000)]


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        (
            "Total 10.660 EUR before VAT, or 12.898,60 EUR including VAT 21%.",
            [("net", 10660), ("gross", Decimal("12898.60"))],
        ),
        ("A lift costs 1.850,00 EUR + VAT and in all 7.400,00 EUR.", []),
    ],
)
def test_a_sentence_says_of_each_sum_what_it_is(text: str, sums: list[tuple[str, Decimal]]) -> None:
    document = type_document(text)
    assert [(one.kind, one.value) for one in find_sums(document.rows, document.sentences)] == sums


def test_a_net_and_a_total_may_stand_in_one_sentence() -> None:
    document = type_document("Total 10.660 EUR before VAT, or 12.898,60 EUR including VAT 21%.")
    totals = choose_totals(find_sums(document.rows, document.sentences), [], Decimal(10660))
    assert (totals.net, totals.total) == (10660, Decimal("12898.60"))


def test_the_value_of_a_contract_is_its_total() -> None:
    document = type_document("Общая сумма Договора составляет 208 080 (двести восемь тысяч) рублей")
    assert [(one.kind, one.value) for one in find_sums(document.rows, document.sentences)] == [
        ("contract", 208080)
    ]


@pytest.mark.parametrize(
    ("text", "tax"),
    [
        ("The fee is net 5,780.00 EUR plus 27 % VAT, in total 7,340.60 EUR.", "1560.60"),
        ("The fee is net 5,780.00 EUR plus some costs, in total 7,341.60 EUR.", None),
        ("Net fee   5,780.00 EUR\nTotal   7,340.60 EUR", None),  # what stands between may be no tax
        ("Total (includes GST of $106.60)    $1,172.60", "106.60"),
    ],
)
def test_a_tax_may_be_told_by_a_sentence_or_in_brackets(text: str, tax: str | None) -> None:
    document = type_document(text)
    totals = choose_totals(find_sums(document.rows, document.sentences), [], None)
    assert totals.tax == (None if tax is None else Decimal(tax))
