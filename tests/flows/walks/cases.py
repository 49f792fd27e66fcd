"""Forty quotes, each with what its lines truly are and what may be said of its price."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from app.contract.scope import LineRole
from tests.flows.walks.layouts import Line, Period, PrintedQuote
from tests.flows.walks.market import (
    ARCHIVE,
    BACKUP,
    DESK,
    INSIGHT,
    LABELS,
    PLANNER,
    SELDOM,
    TONER,
    Offered,
    volume,
)

End = Literal["judged", "withheld", "unknown"]
"""Whether a verdict may be given, must be withheld, or nothing is on record to judge by."""


@dataclass(frozen=True)
class QuotedLine:
    """A printed line and what it truly is. `offered` None: something that nobody on record sells. `fair` is
    the usual price of what is bought for the term. With `asked` the words leave open what it is: the product
    or the edition must be asked and not set."""

    line: Line
    offered: Offered | None = None
    edition: str = ""
    fair: float = 0.0
    role: LineRole = "product"
    asked: bool = False

    @property
    def is_bought(self) -> bool:
        """Whether it is on record and part of the total."""
        return self.fair > 0 and not self.line.optional


@dataclass(frozen=True)
class Walk:
    """One quote from upload to the first counter."""

    name: str
    layout: str
    supplier: str
    lines: Sequence[QuotedLine]
    end: End = "judged"
    months: int = 12
    currency: str = "USD"
    below: Sequence[str] = field(default_factory=tuple[str, ...])
    clauses: dict[str, bool] = field(default_factory=dict[str, bool])
    """Levers that must (True) or must not (False) be named, by their kind."""

    off: float = 0
    least: float = 0
    """The least that is paid for each year."""
    is_renewal: bool = False

    @property
    def paid(self) -> float:
        """What is paid for the whole term."""
        return max(self.printed.total, self.least * self.months / 12)

    @property
    def printed(self) -> PrintedQuote:
        """The quote without its day and number."""
        return PrintedQuote(
            self.supplier,
            "",
            date(2026, 11, 20),
            [one.line for one in self.lines],
            self.months,
            self.currency,
            self.below,
            self.off,
            "Renewal quotation" if self.is_renewal else "Quotation",
        )

    @property
    def covered(self) -> float:
        """The share of the money that is for products on record; a credit is no part of it."""
        whole = sum(max(self._amount(one), 0) for one in self.lines if not one.line.optional)
        return sum(self._amount(one) for one in self.lines if one.is_bought) / whole

    @property
    def ratio(self) -> float:
        """What is asked for products on record, over what they usually cost."""
        fair = sum(one.fair for one in self.lines if one.is_bought)
        asked = sum(self._amount(one) for one in self.lines if one.is_bought)
        charged = sum(max(self._amount(one), 0) for one in self.lines if not one.line.optional)
        left = self.paid / charged
        return asked * left / fair if fair else 1.0

    def _amount(self, one: QuotedLine) -> float:
        return one.line.amount(self.months)


def of(
    offered: Offered,
    words: str,
    quantity: float,
    ratio: float,
    *,
    edition: str = "",
    months: int = 12,
    period: Period | None = None,
    unit: str = "",
    item: str = "",
    asked: bool = False,
    first_month: int | None = None,
    discount: float = 0,
    optional: bool = False,
) -> QuotedLine:
    """A line for something that is on record, at `ratio` times its usual price; `period` is that of the
    printed price where it is another than usual. With a `first_month` it runs for these `months` only."""
    period = period or offered.period
    a_month = {"month": 1.0, "year": 1 / 12, "once": 1.0}
    price = offered.prices[edition] * volume(quantity) * ratio * a_month[offered.period] / a_month[period]
    price /= 1 - discount / 100
    own = None if first_month is None else months
    line = Line(
        words,
        quantity,
        unit or offered.unit,
        price,
        period,
        item or offered.key,
        first_month or 0,
        own,
        discount,
        optional,
    )
    return QuotedLine(line, offered, edition, offered.fair(edition, quantity, months), asked=asked)


def other(words: str, quantity: float, unit: str, price: float, period: Period = "once") -> QuotedLine:
    """A product that nobody on record sells."""
    return QuotedLine(Line(words, quantity, unit, price, period))


def no_product(words: str, price: float, quantity: float = 1, unit: str = "") -> QuotedLine:
    """Something that costs and is no product."""
    return QuotedLine(Line(words, quantity, unit, price, "once"), role="not_product")


def part(words: str, quantity: float) -> QuotedLine:
    """A part of the bundle above it."""
    return QuotedLine(Line(words, quantity, "", 0, "once", part=True))


HALDEN, BRUNEL, CASTOR = "Halden Analytics", "Brunel Systems", "Castor Cloud"
DORN, ELMRODE = "Dorn Office Supply", "Elmrode Software GmbH"
PRO, ENT, START = "Professional", "Enterprise", "Starter"
TEAM, BUSINESS, DESK_ENTERPRISE = DESK

WALKS: list[Walk] = [
    # --- supplier, product and edition known, in each layout, from cheap to expensive ---
    Walk(
        "known, usual price",
        "plain",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 120, 1.0, edition=PRO)],
    ),
    Walk(
        "known, a tenth less",
        "numbered",
        HALDEN,
        [of(INSIGHT, "Halden Insight Enterprise", 80, 0.9, edition=ENT)],
    ),
    Walk(
        "known, half as much again",
        "docx",
        HALDEN,
        [of(INSIGHT, "Halden Insight Starter", 200, 1.5, edition=START)],
    ),
    Walk("known, twice", "xlsx", HALDEN, [of(INSIGHT, "Halden Insight Professional", 50, 2.0, edition=PRO)]),
    Walk(
        "known, a third more",
        "german",
        HALDEN,
        [of(INSIGHT, "Halden Insight Enterprise", 350, 1.35, edition=ENT)],
    ),
    # --- the edition named in five ways ---
    Walk(
        "edition in brackets",
        "plain",
        HALDEN,
        [of(INSIGHT, "Halden Insight (Professional edition)", 80, 1.4, edition=PRO)],
    ),
    Walk(
        "edition behind a dash",
        "numbered",
        HALDEN,
        [of(INSIGHT, "Halden Insight - Enterprise", 120, 1.0, edition=ENT)],
    ),
    Walk(
        "edition with its label",
        "docx",
        HALDEN,
        [of(INSIGHT, "Halden Insight, edition: Starter", 25, 1.1, edition=START)],
    ),
    Walk(
        "edition before the name",
        "xlsx",
        HALDEN,
        [of(INSIGHT, "Professional plan for Halden Insight", 50, 1.6, edition=PRO)],
    ),
    Walk(
        "edition shortened",
        "german",
        HALDEN,
        [of(INSIGHT, "Halden Insight Ent.", 120, 1.0, edition=ENT, asked=True)],
    ),
    # --- the edition left open, or one that nobody knows ---
    Walk(
        "no edition named",
        "plain",
        HALDEN,
        [of(INSIGHT, "Halden Insight", 120, 1.5, edition=PRO, asked=True)],
    ),
    Walk(
        "no edition, annual",
        "docx",
        HALDEN,
        [of(INSIGHT, "Halden Insight user licence", 80, 0.95, edition=ENT, period="year", asked=True)],
    ),
    Walk(
        "an unknown edition",
        "numbered",
        HALDEN,
        [of(INSIGHT, "Halden Insight Ultimate", 50, 1.0, edition=ENT, asked=True)],
    ),
    # --- editions that are products of their own ---
    Walk("a product of its own", "xlsx", BRUNEL, [of(BUSINESS, "Brunel Desk Business", 80, 1.45)]),
    Walk("a sibling's edition", "plain", BRUNEL, [of(BUSINESS, "Brunel Desk Premium", 50, 1.0, asked=True)]),
    Walk("no sibling named", "german", BRUNEL, [of(TEAM, "Brunel Desk", 120, 1.0, asked=True)]),
    # --- a part of the quote on record ---
    Walk(
        "half of the lines matched",
        "plain",
        HALDEN,
        [
            of(INSIGHT, "Halden Insight Professional", 50, 1.0, edition=PRO),
            other("Halden Vision platform licence", 1, "site", 64_000, "year"),
        ],
    ),
    Walk(
        "a tenth of the money matched",
        "docx",
        BRUNEL,
        [
            of(TEAM, "Brunel Desk Team", 45, 1.6),
            other("Contact centre telephony bundle", 300, "seat", 27.5, "month"),
        ],
    ),
    # --- what is no product ---
    Walk(
        "services beside licences",
        "numbered",
        HALDEN,
        [
            of(INSIGHT, "Halden Insight Enterprise", 350, 1.5, edition=ENT),
            no_product("Onboarding workshop", 1_450, 2, "day"),
        ],
    ),
    Walk(
        "freight beside goods",
        "plain",
        DORN,
        [of(LABELS, "Thermal label roll 100 x 150 mm", 120, 1.4), no_product("Freight and handling", 95)],
    ),
    # --- goods by item number, once ---
    Walk("goods by number", "xlsx", DORN, [of(TONER, "Toner black", 25, 1.0, item="TN-12044")]),
    Walk(
        "goods, twice",
        "numbered",
        DORN,
        [of(LABELS, "Thermal label roll 100 x 150 mm", 80, 2.0, item="DL-100150")],
    ),
    Walk(
        "goods in another unit",
        "xlsx",
        DORN,
        [of(LABELS, "Thermal label roll 100 x 150 mm", 80, 0.08, unit="EA", item="DL-100150")],
        end="withheld",
    ),
    # --- currencies ---
    Walk(
        "a currency without purchases",
        "plain",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 80, 1.0, edition=PRO)],
        end="unknown",
        currency="GBP",
    ),
    Walk(
        "a currency with purchases",
        "german",
        ELMRODE,
        [of(PLANNER, "Elmrode Planner", 200, 1.4)],
        currency="EUR",
    ),
    # --- annual and monthly ---
    Walk(
        "annual price of a monthly product",
        "plain",
        HALDEN,
        [of(INSIGHT, "Halden Insight Starter", 120, 1.0, edition=START, period="year")],
    ),
    Walk(
        "monthly price of an annual product",
        "docx",
        CASTOR,
        [of(BACKUP, "Castor Backup", 25, 1.5, period="month")],
    ),
    Walk(
        "three years",
        "xlsx",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 200, 1.45, edition=PRO, months=36)],
        months=36,
    ),
    # --- through a reseller ---
    Walk(
        "a reseller",
        "numbered",
        "Meridian IT Supply Ltd",
        [of(INSIGHT, "Halden Analytics Halden Insight Professional", 120, 1.5, edition=PRO)],
    ),
    Walk(
        "a reseller of two",
        "plain",
        "Kornfeld Systemhaus GmbH",
        [
            of(INSIGHT, "Halden Insight Enterprise (Halden Analytics)", 50, 1.0, edition=ENT),
            of(TEAM, "Brunel Systems - Brunel Desk Team", 50, 1.0),
        ],
    ),
    # --- renewals ---
    Walk(
        "a renewal with a cap",
        "plain",
        HALDEN,
        [of(INSIGHT, "Halden Insight Enterprise", 120, 1.4, edition=ENT)],
        below=("This renewal is limited to a maximum of 6 % price increase per year.",),
        clauses={"uplift": False},
    ),
    Walk(
        "a renewal with a rise",
        "docx",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 120, 1.4, edition=PRO)],
        below=(
            "The price increases by 7 % at each renewal.",
            "It renews automatically unless notice is given 60 days before the end of the term.",
        ),
        clauses={"uplift": True, "auto_renewal": True},
    ),
    # --- thin evidence: a list price and little else ---
    Walk(
        "bought twice", "plain", "Fairleigh Tools", [of(SELDOM, "Fairleigh Studio", 25, 1.15)], end="withheld"
    ),
    Walk(
        "bought twice, far above list",
        "xlsx",
        "Fairleigh Tools",
        [of(SELDOM, "Fairleigh Studio", 40, 2.5)],
        end="withheld",
    ),
    # --- nobody on record ---
    Walk(
        "an unknown supplier",
        "plain",
        "Acme Harbour Software",
        [other("Acme Analytics Pro", 40, "user", 31.0, "month")],
        end="unknown",
    ),
    Walk(
        "an unknown supplier, two lines",
        "german",
        "Quillon Werke GmbH",
        [
            other("Quillon Leitstand Professional", 20, "Platz", 84.0, "month"),
            no_product("Schulung vor Ort", 1_200, 2, "Tag"),
        ],
        end="unknown",
    ),
    Walk(
        "an unknown product",
        "numbered",
        CASTOR,
        [other("Castor Traffic Mirror", 10, "node", 65.0, "month")],
        end="unknown",
    ),
    # --- far off: perhaps not the same thing ---
    Walk(
        "ten times",
        "plain",
        HALDEN,
        [of(INSIGHT, "Halden Insight Starter", 80, 10.0, edition=START)],
        end="withheld",
    ),
    Walk("a fifth", "xlsx", BRUNEL, [of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 80, 0.2)], end="withheld"),
    Walk("bought long ago", "docx", "Gorse Records", [of(ARCHIVE, "Gorse Archive", 50, 1.3)], end="withheld"),
]
