"""What words say about tax."""

import pytest

from app.service.values.tax import Tax, excludes_tax, find_tax, includes_tax


@pytest.mark.parametrize(
    ("tax", "texts"),
    [
        (
            "before tax",
            "net|Nettopreis|excl. VAT|Prix HT|zzgl. 19 % MwSt.|zzgl. gesetzl. USt.|sin IVA|bez DPH|без НДС",
        ),
        (
            "before tax",
            "net_amount|Price (VAT not included)|exkl. moms|KDV hariç|税抜|Subtotal|plus VAT|before taxes",
        ),
        ("before tax", "á-hinta (alv 0)|Hinta, alv 0 %|Prices do not include VAT|not including tax"),
        (
            "with tax",
            "gross amount|brutto|incl. VAT|TTC|inkl. MwSt|IVA incluido|s DPH|KDV dahil|税込価格|Preço c/ IVA",
        ),
        ("with tax", "Prices include VAT"),
        (
            None,
            "alv 0,5 %|S GST|Total|VAT|Internet|Net weight|Network|net days|Gross weight|brutto / netto|",
        ),
    ],
)
def test_a_heading_says_whether_tax_is_in_it(tax: Tax | None, texts: str) -> None:
    assert {text: find_tax(text) for text in texts.split("|")} == dict.fromkeys(texts.split("|"), tax)


@pytest.mark.parametrize(
    ("tax", "texts"),
    [
        ("before tax", "before vat|sem iva|al netto di iva|iva no incluido|prix h.t.|cena bez dph|uden moms"),
        ("before tax", "vlera pa tvsh|単価(税抜)|vat (excluded)|exclusive of any sales tax"),
        ("with tax", "total incl. 19 % mwst|ttc|iva inclusa|cena s dph|suma z vat|総額(税込)|sisaltaa alv"),
        ("with tax", "vlera me tvsh"),
        (None, "zzgl. 19 % mwst|plus vat|s gst|sgst|tax|prices dph|without delay"),
    ],
)  # fmt: skip
def test_a_label_says_whether_tax_is_in_it(tax: Tax | None, texts: str) -> None:
    """Of a sum, words for adding a tax name the tax itself."""
    for text in texts.split("|"):
        assert (excludes_tax(text), includes_tax(text)) == (tax == "before tax", tax == "with tax"), text
