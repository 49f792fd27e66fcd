"""What a language file fills: the words and phrases that rules look for, by what they say.

A `str` holds alternatives parted by ` | `; each is a regular expression of words. They are matched
against folded text (lower case, no accents), except `NameWords`, which are matched against the text as
printed, and `common_words` (lower case with accents). A phrase names a kind of label or statement, never
an issuer or a layout. A field with a default is grammar that some languages lack; all others are filled.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.service.documents.lexicon.scope_words import EntryWords, LineRoleWords, UnitWords


@dataclass(frozen=True, kw_only=True)
class DateWords:
    """Words in dates, and the words before a date that say what it is about."""

    date: str
    """`date` itself as a label."""
    until: str
    """Between the first and the last day of a range."""
    since: tuple[str, ...]
    """Words before the first day of a range."""
    of: str
    """`of` before the date of a document: `Invoice 7 of 3 May`."""
    your: str
    """`your` before a document that the reader of this one wrote."""
    valid_until: str
    due: str
    other: str
    """Dates that are reported nowhere: of delivery, of printing."""
    ends: str
    starts: str
    document_date: str
    order_date: str
    weak_document_words: tuple[str, ...]
    """Words of `document_date` that alone say little."""
    after_noun: str = ""
    """Words that say of the noun before them only that a date follows: `Version 2 of`."""


@dataclass(frozen=True, kw_only=True)
class DurationWords:
    """Lengths of time."""

    numbers: Mapping[int, str]
    """Number words by their value, parted by spaces."""
    month: str
    """The singular alone, as in a price for one month."""
    year: str
    per: str
    """`per` in `per month`."""
    every: tuple[str, ...]
    monthly: str
    yearly: str
    and_: str
    qualifiers: str = ""
    """Adjectives between number and unit: `30 calendar days`."""
    half: str = ""
    """Before a span of which it is the half: `half a year`."""


@dataclass(frozen=True, kw_only=True)
class DocumentWords:
    """Kinds of document and the labels of their numbers."""

    price_list: str
    order_form: str
    quote: str
    invoice: str
    contract: str
    order: str
    titles: str
    """Titles of documents that carry a number of their own."""
    number_noun: str
    number: str
    """All words for `number` and `reference`."""
    abbreviated_order: str
    """Short for an order, with its number behind: `P.O. 2087`."""
    own_number: str
    """Compound labels of the document's own number."""
    of_the: str
    """Between `number` and the document."""
    document_noun: str
    our: str
    your: str
    customer: str
    """What a number of the customer is called by."""
    purchase_order: str
    """What the number of the customer's order is called by."""
    order_noun: str
    """What the number of an order is called by, whoever gave it."""
    transaction: str
    of_another: str
    """Words before the number of another document: `relates to invoice 7`."""
    contact: str
    """Words beside numbers that say how somebody is called or registered; a beginning is enough."""
    purchase_order_title: str
    """The title of an order, which the buyer writes."""
    order_answer_title: str
    """The title of the seller's answer to it."""
    credit_note: str = ""
    credit_alone: str = ""
    self_billing: str = ""
    """Titles of what gives money back, those that mean other things in a sentence, of what buyers write."""


@dataclass(frozen=True, kw_only=True)
class PartyWords:
    """Labels and sentences that name the supplier and the buyer."""

    buyer: str
    buyer_weak: str
    """Labels that others than the buyer may stand behind."""
    supplier: str
    sold_by: tuple[str, ...]
    """Labels that the supplier follows without a colon."""
    author: str
    """Who made the offer: a person, perhaps with the company."""
    supplier_weak: str
    label_ends: str
    """The last word of a label that a name follows without a colon."""
    name: str
    """The label `name` below the label of a party."""
    attention: str
    salutation: str
    department: str
    clerk: str
    """The label of a person who buys for the buyer."""
    registration: str
    """Words of the line with a company's registration."""
    bank_account: str
    delivery: str
    """Beginnings of words over the address that goods are sent to."""
    contract_buyer: str
    """What a contract calls the buyer: `(the "Customer")`."""
    contract_supplier: str
    articles: str
    between: str
    and_: str
    about: str = ""
    """What a label of parties may begin with."""


@dataclass(frozen=True, kw_only=True)
class NameWords:
    """Words in and beside names of companies and people, as printed: with capitals and accents."""

    legal_forms: tuple[str, ...]
    links: str
    """Small words inside of names."""
    prepositions: str
    """Words before a name that are no part of it, at the beginning of a line."""
    labels: str
    """Labels before a name that are no part of it."""
    titles: str
    """Titles of persons, without a full stop."""
    couple: str
    """`and Mrs` after a title; the words without `and`."""
    street: str
    """Words of a street address."""
    for_: str
    by: str
    from_: str
    """Between the title of what a supplier writes and the supplier's name: `Quote 7 from Example`."""
    on: str
    """`on` before a day."""
    quotes_to: tuple[str, ...] = ()
    """Sentences in which `one` offers `two` something."""
    company_titles: tuple[str, ...] = ()
    """What politely stands before the name of a company."""
    of_place: str = ""
    """Between the name of a party and its seat, in `between X of Y and Z`."""


@dataclass(frozen=True, kw_only=True)
class LabelWords:
    """Texts that are labels or titles, and so no names or values."""

    title_words: str
    """Words that stand in titles, never in the name of a company."""
    document_titles: str
    """Titles that are no name when they stand alone."""
    premises: str
    """Words before the number of a flat or floor."""
    labels: str
    """Labels that stand alone in a cell."""


@dataclass(frozen=True, kw_only=True)
class ColumnWords:
    """Headers of columns. A `..._alone` phrase must be all of the header."""

    position_alone: str
    description: str
    product_alone: str
    goods_alone: str
    product: str
    item_id: str
    item_alone: str
    quantity: str
    count_alone: str
    unit: str
    unit_alone: str
    unit_price: str
    price: str
    fee: str
    list_price: str
    discount: str
    amount: str
    cost: str
    amount_for_term: str
    amount_to_date: str
    quantity_to_date: str
    months: str
    years: str
    pace_alone: str
    """How often a price is paid: `monthly`."""
    beside_year: str
    """What the years of a ramp show: `Year 1 fees`."""
    tier_from: str
    tier_and_up: str
    tier_over: str = ""
    tier_up_to: str = ""
    tier_steps: str = ""
    price_for: str = ""
    """`from 100`, `100 and more`, `over 99`, `up to 99`, the header of such quantities, `Price for 100`."""
    basis: str
    tax: str
    date: str
    date_alone: str
    ignored: str
    year_of: str = ""
    """What a year is one of: `contract year 1`."""


@dataclass(frozen=True, kw_only=True)
class TotalWords:
    """Labels of sums, and what words say about tax."""

    paid: str
    adjustment: str
    """Labels of what is added to or taken off the sum of the lines."""
    tax_base: str
    tax: str
    withheld: str
    """Taxes that the buyer keeps back."""
    contract_value: str
    net: str
    net_to_pay: str
    """What is due, under a label that names the net."""
    due: str
    gross: str
    grand: str
    """Parts of labels that say that nothing is added any more."""
    part: str
    """Words that say that a sum is that of a part: a page, a year."""
    sum_nouns: str
    offer_parts: str
    """What an offer falls into, where each part has a sum."""
    holding: str
    """Words of sentences that say that prices hold the tax; a beginning is enough."""
    holding_not: str
    """Words with which they say that prices do not."""


@dataclass(frozen=True, kw_only=True)
class LineWords:
    """Words in and around the lines of a quote."""

    included: str
    optional: str
    carried: str
    """The sum of a page, handed on to the next."""
    discount: str
    times: str
    """Between a quantity and its price."""
    once: str
    """A charge that comes once."""
    fee: str
    """What a contract calls a price that it states in a sentence."""
    in_case: str
    """Before what is charged only if something happens: `if`, `late`."""
    part_of_above: str
    """What the price above holds: `incl. levy`."""
    bundle: str
    """What one price for several things is called."""
    cents: str
    """Hundredths of a currency."""


@dataclass(frozen=True, kw_only=True)
class ClauseWords:
    """Clauses in running text. Most are stems: a beginning is enough."""

    percent: str
    least_paid: str
    """What is paid however little is used."""
    free: str
    """What is said of months that cost nothing."""
    first: str
    last: str
    renewal: str
    """Words of sentences about what comes after the term."""
    renewal_noun: str
    automatic: str
    renews: str
    renews_not: str
    without: str
    no: str
    """What `Renewal:` is followed by where there is none."""
    only: str
    ends: str
    term: str
    """Labels of the term."""
    term_noun: str
    term_after: str
    """What follows a term: `12 months subscription`."""
    term_prepositions: str
    """What comes before a term in a sentence, with the words of the second field between."""
    term_fillers: str
    ends_verb: str
    after: str
    after_term: str
    """What comes before the term that is followed by another."""
    renewal_term: str
    """Words that say that a span in a sentence about renewal is a term."""
    other_spans: str
    """Spans of time that are no term."""
    payment_forms: tuple[str, ...]
    """Sentences with the `days` of payment."""
    payable: str
    other_deadlines: str
    payable_at_once: str
    rise: str
    price: str
    no_rise: str
    within_year: str
    """After a percentage that holds from one year of the term to the next: `3 % in year 2`."""
    cap_before: str
    cap_after: str
    floor: str
    """Before a percentage that is the least of a rise."""
    notice: str
    notice_before: str
    notice_after: str
    other_notice: str
    offer: str
    holds: str
    """Before the days for which an offer is valid."""
    holds_after: str


@dataclass(frozen=True, kw_only=True)
class BillingWords:
    """How often bills come."""

    upfront: str
    quarterly: str
    monthly: str
    annual: str
    label: str
    """Words about bills near which a frequency stands."""
    strong_label: str
    """The beginning of those words that are about nothing but bills."""


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """The words of one language, or of all of them together."""

    code: str
    """ISO 639-1."""
    common_words: str
    """Words by which a text in this language is known, in lower case with accents, parted by spaces."""
    dates: DateWords
    durations: DurationWords
    documents: DocumentWords
    parties: PartyWords
    names: NameWords
    labels: LabelWords
    columns: ColumnWords
    totals: TotalWords
    lines: LineWords
    clauses: ClauseWords
    billing: BillingWords
    units: UnitWords
    line_roles: LineRoleWords
    entries: EntryWords = field(default_factory=EntryWords)
    currencies: Mapping[str, str]
    """Names of currencies by ISO code; `$` for dollars of any country."""
