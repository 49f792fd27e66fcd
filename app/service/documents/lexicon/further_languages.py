"""What is known of languages whose labels no rule reads: their commonest words and their numbers.

Their dates, which `app.service.values` knows, and spans of time are read, the model of sentences reads their
clauses, and sums and lines are found by geometry and arithmetic. Written as in `Lexicon`.
"""

from collections.abc import Mapping

COMMON_WORDS: Mapping[str, str] = {
    "pl": "i w z na do nie się od oraz jest za dla po lub cena ilość kwota faktura oferta data termin"
    " płatności dni miesięcy rok umowa netto brutto razem wartość klient nazwa vat suma zapłaty"
    " sprzedawca nabywca",
    "sv": "och att det som en är för med den av till på inte från om vi pris antal summa belopp faktura"
    " offert datum betalning moms dagar månader år kund avtalet ska exkl enligt gäller totalt benämning",
    "da": "og at det er en af for med til den på ikke fra vi pris antal beløb faktura tilbud dato betaling"
    " moms dage måneder år kunde aftalen skal ekskl efter gælder alt uden beskrivelse momsnr",
    "nb": "og å det er en av for med til den på ikke fra vi pris antall beløp faktura tilbud dato betaling"
    " mva dager måneder år kunde avtalen skal eks etter gjelder sum uten beskrivelse",
    "ja": "合計 小計 数量 単価 金額 品名 消費税 御見積書 見積書 請求書 注文書"
    " 発行日 有効期限 見積番号 請求番号 御中 税込 税抜 納期 備考 株式会社",
}
"""By the code of a language those that it is told by."""

NUMBERS: Mapping[int, str] = {
    1: "jednego | jednym | ett", 2: "dwa | dwoch | tva", 3: "trzy | trzech | tre",
    4: "cztery | fyra | fire", 5: "piec | pieciu | fem", 6: "szesc | szesciu | sex | seks",
    7: "siedem | siedmiu | sju | syv", 8: "atta | otte | atte", 9: "nio | ni",
    10: "dziesiec | dziesieciu | tio | ti", 12: "dwanascie | dwunastu | tolv",
    14: "czternascie | czternastu | fjorton | fjorten", 20: "dwadziescia | tjugo | tyve | tjue",
    24: "dwadziescia cztery | tjugofyra | fireogtyve | tjuefire",
    30: "trzydziesci | trzydziestu | trettio | tredive | tretti",
    36: "trzydziesci szesc | trettiosex | seksogtredive | trettiseks",
    60: "szescdziesiat | szescdziesieciu | sextio | seksti",
    90: "dziewiecdziesiat | dziewiecdziesieciu | nittio | halvfems | nitti",
}  # fmt: skip
"""Number words by their value, but those that mean something else in another language: `en`, `to`, `tres` are
words of many sentences."""
