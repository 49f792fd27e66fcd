"""Quotes whose prices are for a part of the term, of a list, less a discount or in sentences, as suppliers
send them."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from email.message import EmailMessage

from app.service.charges.months import add_months
from tests.flows.walks.layouts import PERIODS_OF, Line, PrintedQuote
from tests.service.documents import pdf_builder
from tests.service.documents.pdf_builder import Text

TAX_PERCENT = 20


def years_csv(quote: PrintedQuote) -> bytes:
    """A row for each year of the term, numbered in a column."""
    return _csv(
        quote,
        ["Description", "Period", "Quantity", "Unit price", "Amount"],
        [
            [one.words, f"Year {one.first_month // 12 + 1}", f"{one.quantity:g}", *_paid(one, quote)]
            for one in quote.lines
        ],
    )


def unnumbered_csv(quote: PrintedQuote) -> bytes:
    """A row for each year of the term, which only the sum below tells; unit prices are for a year."""
    return _csv(
        quote,
        ["Description", "Quantity", "Unit price", "Amount"],
        [[one.words, f"{one.quantity:g}", *_paid(one, quote)] for one in quote.lines],
    )


def dates_pdf(quote: PrintedQuote) -> bytes:
    """Each line with the days on which it begins and ends."""
    begins = date(quote.day.year + 1, 1, 1)
    rows = [["Product", "From", "To", "Qty", "Price", "Amount"]]
    for one in quote.lines:
        first, end = _days(begins, one, quote)
        rows.append(
            [one.words, f"{first:%d %b %Y}", f"{end:%d %b %Y}", f"{one.quantity:g}", *_paid(one, quote)]
        )
    columns = [(40.0, False), (235.0, False), (315.0, False), (420.0, True), (485.0, True), (560.0, True)]
    bottom = 210 + 18 * len(rows)
    return pdf_builder.pdf(
        [
            Text(40, 60, quote.supplier, 14, bold=True),
            Text(40, 84, f"{quote.title} {quote.number}"),
            Text(40, 100, f"Date: {quote.day:%d %B %Y}"),
            Text(40, 130, "Prepared for: Larkfield Holdings plc"),
            *pdf_builder.table(200, columns, rows),
            *(
                Text(x, bottom + 16 * at, text, right=x > 400)
                for at, (label, amount) in enumerate(_sums(quote))
                for x, text in ((380, label), (560, f"{quote.currency} {amount}"))
            ),
            *(Text(40, bottom + 70 + 14 * at, note) for at, note in enumerate(_notes(quote))),
        ]
    )


def bands_docx(quote: PrintedQuote) -> bytes:
    """The lines of each year below its heading."""
    rows = [["Product", "Quantity", "Price per unit", "Total"]]
    year = None
    for one in quote.lines:
        if one.first_month != year:
            year = one.first_month
            rows.append([f"Contract year {year // 12 + 1}", "", "", ""])
        rows.append([one.words, f"{one.quantity:g} {one.unit}s", *_paid(one, quote)])
    rows += [[label, "", "", f"{quote.currency} {amount}"] for label, amount in _sums(quote)]
    head = (quote.supplier, f"{quote.title} {quote.number}", f"Date: {quote.day:%d %B %Y}")
    return pdf_builder.docx(head, rows, _notes(quote))


def year_columns_xlsx(quote: PrintedQuote) -> bytes:
    """A column for each year, with what each thing costs in it; the quantity stays."""
    years = quote.months // 12
    rows: list[list[str | int | float | None]] = [
        *([text, None] for text in (quote.supplier, f"{quote.title} {quote.number}")),
        ["Date", quote.day.isoformat()],
        ["Currency", quote.currency],
        [],
        ["Product", "Users", *(f"Year {year + 1}" for year in range(years))],
    ]
    for words in dict.fromkeys(one.words for one in quote.lines):
        own = [one for one in quote.lines if one.words == words]
        rows.append([words, own[0].quantity, *(one.amount(quote.months) for one in own)])
    rows += [
        ["Net total", None, *([None] * (years - 1)), quote.total],
        [],
        *([note] for note in _notes(quote)),
    ]
    return pdf_builder.xlsx(rows)


def discount_pdf(quote: PrintedQuote) -> bytes:
    """The list price, the discount of each line and the price that is left; the sum before and after what is
    taken off the whole."""
    return pdf_builder.quote(
        ["Description", "Qty", "List price", "Discount", "Net price", "Billing", "Amount"],
        [
            [
                *(one.words, f"{one.quantity:g}", _money(one.price), f"{one.discount:g}%"),
                *(_money(one.net_price), PERIODS_OF[one.period], _money(one.amount(quote.months))),
            ]
            for one in quote.lines
        ],
        _sums(quote),
        above=(
            quote.supplier,
            f"{quote.title} {quote.number}",
            f"Date: {quote.day:%d %B %Y}",
            f"Currency: {quote.currency}",
        ),
        below=_notes(quote),
    )


def reseller_xlsx(quote: PrintedQuote) -> bytes:
    """The workbook of a reseller: part numbers, makers, list prices, discounts; tax and the gross sum."""
    rows: list[list[str | int | float | None]] = [
        [quote.supplier],
        [f"{quote.title} #", quote.number],
        ["Quote date", quote.day.isoformat()],
        ["Currency", quote.currency],
        ["Customer", "Larkfield Holdings plc"],
        [],
        [
            *("Line", "Mfr part no.", "Description", "Term (months)", "Qty", "MSRP", "Disc. %"),
            *("Unit price", "Ext. price"),
        ],
    ]
    for at, one in enumerate(quote.lines, 1):
        months = _own_months(one, quote)
        unit_price = one.amount(quote.months) / one.quantity
        listed = unit_price / (1 - one.discount / 100)
        rows.append(
            [
                *(at, one.item or None, one.words, None if one.period == "once" else months, one.quantity),
                *(round(listed, 2), one.discount, round(unit_price, 2), one.amount(quote.months)),
            ]
        )
    tax = round(quote.total * TAX_PERCENT / 100, 2)
    rows += [
        [*[None] * 7, "Subtotal", quote.total],
        [*[None] * 7, f"VAT {TAX_PERCENT}%", tax],
        [*[None] * 7, "Grand total", round(quote.total + tax, 2)],
        [],
        *([note] for note in _notes(quote)),
    ]
    return pdf_builder.xlsx(rows)


def sentences_mail(quote: PrintedQuote) -> bytes:
    """Prices in the sentences of a mail."""
    texts = [
        f"{one.quantity:g} {one.words} {one.unit}s at {quote.currency} {_money(one.price)} per {one.unit}"
        f" {PERIODS_OF[one.period]}, {quote.currency} {_money(one.amount(quote.months))} for"
        f" {_own_months(one, quote)} months."
        for one in quote.lines
    ]
    return _mail(
        quote, ["thank you for your enquiry. We are pleased to offer:", "", *texts, "", _total(quote)]
    )


def prose_mail(quote: PrintedQuote) -> bytes:
    """One sentence that holds all prices."""
    parts = [
        f"{one.quantity:g} {one.words} licences for {quote.currency} {_money(one.amount(quote.months))}"
        for one in quote.lines
    ]
    offer = f"For a term of {quote.months} months we can offer you {' and '.join(parts)}. {_total(quote)}"
    return _mail(quote, [offer])


def list_mail(quote: PrintedQuote) -> bytes:
    """Lines with a bullet each, where a price is of a unit and period and the sum of each is stated."""
    texts = [
        f"- {one.quantity:g} x {one.words} @ {quote.currency} {_money(one.price)} {PERIODS_OF[one.period]}"
        f" = {quote.currency} {_money(one.amount(quote.months))}"
        for one in quote.lines
    ]
    return _mail(quote, ["as discussed, our offer:", "", *texts, "", _total(quote)])


def optional_pdf(quote: PrintedQuote) -> bytes:
    """Firm lines with their sum, and below it those that may be bought besides."""
    firm = [one for one in quote.lines if not one.optional]
    rows = [[one.words, f"{one.quantity:g}", *_paid(one, quote)] for one in firm]
    others = [
        [f"Option: {one.words}", f"{one.quantity:g}", *_paid(one, quote)]
        for one in quote.lines
        if one.optional
    ]
    return pdf_builder.quote(
        ["Description", "Qty", "Unit price", "Amount"],
        [*rows, *others],
        [("Total excluding options", f"{quote.currency} {_money(quote.total)}")],
        above=(quote.supplier, f"{quote.title} {quote.number}", f"Date: {quote.day:%d %B %Y}"),
        below=_notes(quote),
    )


def gross_pdf(quote: PrintedQuote) -> bytes:
    """Net lines; tax and the gross sum below."""
    tax = round(quote.total * TAX_PERCENT / 100, 2)
    return pdf_builder.quote(
        ["Description", "Qty", "Unit price", "Billing", "Amount"],
        [
            [
                *(one.words, f"{one.quantity:g}", _money(one.price), PERIODS_OF[one.period]),
                _money(one.amount(quote.months)),
            ]
            for one in quote.lines
        ],
        [
            ("Subtotal", f"{quote.currency} {_money(quote.total)}"),
            (f"VAT {TAX_PERCENT}%", f"{quote.currency} {_money(tax)}"),
            ("Total incl. VAT", f"{quote.currency} {_money(quote.total + tax)}"),
        ],
        above=(quote.supplier, f"{quote.title} {quote.number}", f"Date: {quote.day:%d %B %Y}"),
        below=_notes(quote),
    )


def included_tax_pdf(quote: PrintedQuote) -> bytes:
    """Prices, amounts and the sum of the lines with tax; the tax that they hold and what is left without."""
    factor = 1 + TAX_PERCENT / 100
    gross = [round(one.amount(quote.months) * factor, 2) for one in quote.lines]
    total = round(sum(gross), 2)
    return pdf_builder.quote(
        ["Description", "Qty", "Unit price incl. VAT", "Billing", "Amount incl. VAT"],
        [
            [
                *(one.words, f"{one.quantity:g}", _money(round(one.price * factor, 2))),
                *(PERIODS_OF[one.period], _money(amount)),
            ]
            for one, amount in zip(quote.lines, gross, strict=True)
        ],
        [
            ("Total incl. VAT", f"{quote.currency} {_money(total)}"),
            (f"of which VAT {TAX_PERCENT}%", f"{quote.currency} {_money(total - quote.total)}"),
            ("Total excl. VAT", f"{quote.currency} {_money(quote.total)}"),
        ],
        above=(quote.supplier, f"{quote.title} {quote.number}", f"Date: {quote.day:%d %B %Y}"),
        below=_notes(quote),
    )


def bundles_pdf(quote: PrintedQuote) -> bytes:
    """Lines below which stands what they consist of, without a price."""
    return pdf_builder.quote(
        ["Description", "Qty", "Unit price", "Amount"],
        [
            [one.words, f"{one.quantity:g}", *(("", "") if one.part else _paid(one, quote))]
            for one in quote.lines
        ],
        [("Net total", f"{quote.currency} {_money(quote.total)}")],
        above=(quote.supplier, f"{quote.title} {quote.number}", f"Date: {quote.day:%d %B %Y}"),
        below=_notes(quote),
    )


def free_parts_csv(quote: PrintedQuote) -> bytes:
    """Bundles whose parts are priced at 0."""
    rows = [
        [one.words, f"{one.quantity:g}", *(("0.00", "0.00") if one.part else _paid(one, quote))]
        for one in quote.lines
    ]
    return _csv(quote, ["Description", "Quantity", "Unit price", "Amount"], rows)


def prorated_pdf(quote: PrintedQuote) -> bytes:
    """Prices for a year; of each line the days on which it begins and ends, and what is paid for them."""
    begins = date(quote.day.year + 1, 1, 1)
    rows = [["Product", "From", "To", "Qty", "Annual price", "Prorated amount"]]
    for one in quote.lines:
        first, end = _days(begins, one, quote)
        annual = one.net_price * 12 if one.period == "month" else one.net_price
        rows.append(
            [
                *(one.words, f"{first:%Y-%m-%d}", f"{end:%Y-%m-%d}", f"{one.quantity:g}"),
                *(_money(annual), _money(one.amount(quote.months))),
            ]
        )
    return pdf_builder.quote(
        rows[0],
        rows[1:],
        _sums(quote),
        above=(
            quote.supplier,
            f"{quote.title} {quote.number}",
            f"Date: {quote.day:%d %B %Y}",
            f"Currency: {quote.currency}",
        ),
        below=_notes(quote),
    )


def volume_prices_docx(quote: PrintedQuote) -> bytes:
    """What is offered, and in the same table below it what a unit costs at other quantities."""
    rows = [["Product", "Quantity", "Price per unit", "Billing", "Total"]]
    rows += [
        [
            *(one.words, f"{one.quantity:g} {one.unit}s", _money(one.price), PERIODS_OF[one.period]),
            _money(one.amount(quote.months)),
        ]
        for one in quote.lines
    ]
    rows += [[label, "", "", "", f"{quote.currency} {amount}"] for label, amount in _sums(quote)]
    steps = [
        f"{bounds} {one.unit}s: {quote.currency} {_money(one.price * factor)} {PERIODS_OF[one.period]}"
        for one in quote.lines
        for bounds, factor in (("1 to 49", 1.1), ("50 to 249", 1.0), ("From 250", 0.92))
    ]
    head = (quote.supplier, f"{quote.title} {quote.number}", f"Date: {quote.day:%d %B %Y}")
    return pdf_builder.docx(head, rows, [*_notes(quote), "Volume prices for later orders:", *steps])


def renewal_xlsx(quote: PrintedQuote) -> bytes:
    """The workbook of a renewal: the price until now, the new one, and by how much it rises."""
    rise = 7
    rows: list[list[str | int | float | None]] = [
        *([text, None] for text in (quote.supplier, f"{quote.title} {quote.number}")),
        ["Date", quote.day.isoformat()],
        ["Currency", quote.currency],
        [],
        [
            *("Product", "Users", "Current price per user per month", "Uplift %"),
            *("Renewal price per user per month", "Renewal total"),
        ],
    ]
    rows += [
        [
            *(one.words, one.quantity, round(one.net_price / (1 + rise / 100), 2), rise),
            *(one.net_price, one.amount(quote.months)),
        ]
        for one in quote.lines
    ]
    rows += [["Net total", *[None] * 4, quote.total], [], *([note] for note in _notes(quote))]
    return pdf_builder.xlsx(rows)


def gross_csv(quote: PrintedQuote) -> bytes:
    """Prices with tax, which a sentence alone says; no sum without it."""
    factor = 1 + TAX_PERCENT / 100
    rows = [
        [
            *(one.words, f"{one.quantity:g}", _money(one.price * factor), PERIODS_OF[one.period]),
            _money(one.amount(quote.months) * factor),
        ]
        for one in quote.lines
    ]
    gross = [["Total", "", "", "", f"{quote.total * factor:.2f}"]]
    return _csv(
        quote,
        ["Description", "Quantity", "Unit price", "Billing", "Amount"],
        rows,
        sums=gross,
        notes=[f"All prices include {TAX_PERCENT} % VAT."],
    )


def french_pdf(quote: PrintedQuote) -> bytes:
    """Labels, dates and numbers as a French supplier prints them, the term in years."""
    periods = {"month": "par mois", "year": "par an", "once": "unique"}
    years = quote.months // 12
    return pdf_builder.quote(
        ["Désignation", "Quantité", "Prix unitaire", "Facturation", "Montant HT"],
        [
            [
                *(one.words, f"{one.quantity:g}", _french(one.price), periods[one.period]),
                _french(one.amount(quote.months)),
            ]
            for one in quote.lines
        ],
        [("Total HT", f"{_french(quote.total)} {quote.currency}")],
        above=(quote.supplier, f"DEVIS N° {quote.number}", f"Date : {quote.day:%d/%m/%Y}"),
        below=(f"Durée : {years} an{'s' if years > 1 else ''}", *quote.below),
    )


def _csv(
    quote: PrintedQuote,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    sums: Sequence[Sequence[str]] = (),
    notes: Sequence[str] = (),
) -> bytes:
    head = [[f"{quote.title} {quote.number} from {quote.supplier}"], [f"Date: {quote.day.isoformat()}"], []]
    empty = [""] * (len(header) - 2)
    sums = sums or [[label, *empty, amount.replace(",", "")] for label, amount in _sums(quote)]
    ending = [[note] for note in (*_notes(quote), *notes, f"Currency: {quote.currency}")]
    plain = [[cell.replace(",", "") if at > 1 else cell for at, cell in enumerate(row)] for row in rows]
    return pdf_builder.comma_separated([*head, header, *plain, *sums, [], *ending])


def _mail(quote: PrintedQuote, texts: Sequence[str]) -> bytes:
    message = EmailMessage()
    message["From"] = f"Sales <sales@{quote.supplier.split()[0].lower()}.example>"
    message["To"] = "buyer@larkfield.example"
    message["Subject"] = f"Quote {quote.number}"
    message["Date"] = f"{quote.day:%a, %d %b %Y} 10:00:00 +0000"
    message.set_content(
        "\n".join(["Dear Ms Lee,", "", *texts, *_notes(quote), "", "Kind regards", quote.supplier, ""])
    )
    return message.as_bytes()


def _total(quote: PrintedQuote) -> str:
    return f"The total is {quote.currency} {_money(quote.total)} before tax."


def _own_months(line: Line, quote: PrintedQuote) -> int:
    return line.months or quote.months


def _days(begins: date, line: Line, quote: PrintedQuote) -> tuple[date, date]:
    first = add_months(begins, line.first_month)
    return first, add_months(first, _own_months(line, quote)) - timedelta(days=1)


def _paid(line: Line, quote: PrintedQuote) -> tuple[str, str]:
    """The price of a unit for as long as the line runs, and the amount."""
    amount = line.amount(quote.months)
    return _money(amount / line.quantity), _money(amount)


def _sums(quote: PrintedQuote) -> list[tuple[str, str]]:
    if not quote.off:
        return [("Net total", _money(quote.total))]
    return [
        ("Subtotal", _money(quote.total + quote.off)),
        ("Discount", f"-{_money(quote.off)}"),
        ("Net total", _money(quote.total)),
    ]


def _notes(quote: PrintedQuote) -> list[str]:
    years, rest = divmod(quote.months, 12)
    length = f"{years} years" if years > 1 and not rest else f"{quote.months} months"
    return [f"Term: {length}", *quote.below]


def _money(amount: float) -> str:
    return f"{amount:,.2f}"


def _french(amount: float) -> str:
    return f"{amount:,.2f}".translate(str.maketrans(",.", " ,"))


DEAL_LAYOUTS: dict[str, tuple[str, Callable[[PrintedQuote], bytes]]] = {
    "years": ("ramp.csv", years_csv),
    "unnumbered": ("ramp.csv", unnumbered_csv),
    "dates": ("quote.pdf", dates_pdf),
    "bands": ("quote.docx", bands_docx),
    "year columns": ("quote.xlsx", year_columns_xlsx),
    "discounts": ("quote.pdf", discount_pdf),
    "reseller": ("quote.xlsx", reseller_xlsx),
    "sentences": ("quote.eml", sentences_mail),
    "prose": ("quote.eml", prose_mail),
    "list": ("quote.eml", list_mail),
    "options": ("quote.pdf", optional_pdf),
    "gross": ("quote.pdf", gross_pdf),
    "french": ("devis.pdf", french_pdf),
    "tax included": ("quote.pdf", included_tax_pdf),
    "bundles": ("quote.pdf", bundles_pdf),
    "free parts": ("quote.csv", free_parts_csv),
    "prorated": ("quote.pdf", prorated_pdf),
    "volume prices": ("quote.docx", volume_prices_docx),
    "renewal": ("renewal.xlsx", renewal_xlsx),
    "gross csv": ("quote.csv", gross_csv),
}
