"""Quotes more: ramps, terms of years, discounts and credits, resellers, renewals, mails with prices in
sentences, options, tax in the prices, bundles."""

from collections.abc import Sequence

from tests.flows.walks.cases import (
    BRUNEL,
    BUSINESS,
    CASTOR,
    DESK_ENTERPRISE,
    DORN,
    ELMRODE,
    ENT,
    HALDEN,
    PRO,
    START,
    TEAM,
    QuotedLine,
    Walk,
    no_product,
    of,
    other,
    part,
)
from tests.flows.walks.market import BACKUP, INSIGHT, LABELS, PLANNER, TONER, Offered

RESELLER, SYSTEMHAUS = "Meridian IT Supply Ltd", "Kornfeld Systemhaus GmbH"


def years(
    offered: Offered,
    words: str,
    quantities: Sequence[float],
    ratios: Sequence[float],
    *,
    edition: str = "",
    lengths: Sequence[int] = (12, 12, 12, 12, 12),
) -> list[QuotedLine]:
    """A line for each year, or for each part of the term that is as long as `lengths` says."""
    starts = [sum(lengths[:at]) for at in range(len(quantities))]
    return [
        of(offered, words, quantity, ratio, edition=edition, months=months, first_month=start)
        for quantity, ratio, months, start in zip(quantities, ratios, lengths, starts, strict=False)
    ]


DEALS: list[Walk] = [
    # --- ramps: quantities or prices of the years differ ---
    Walk(
        "a ramp of three years",
        "years",
        BRUNEL,
        years(DESK_ENTERPRISE, "Brunel Desk Enterprise", (150, 200, 250), (1, 1, 1)),
        months=36,
    ),
    Walk(
        "a ramp, half as much again",
        "years",
        HALDEN,
        years(INSIGHT, "Halden Insight Professional", (100, 150, 200), (1.45,) * 3, edition=PRO),
        months=36,
    ),
    Walk(
        "a ramp that the sum proves",
        "unnumbered",
        BRUNEL,
        years(BUSINESS, "Brunel Desk Business", (60, 80, 100), (1, 1, 1)),
        months=36,
    ),
    Walk(
        "a ramp of two years that the sum proves",
        "unnumbered",
        HALDEN,
        years(INSIGHT, "Halden Insight Enterprise", (80, 120), (1.5, 1.5), edition=ENT),
        months=24,
    ),
    Walk(
        "a rise of 7 % each year",
        "dates",
        BRUNEL,
        years(TEAM, "Brunel Desk Team", (120, 120, 120), (1.0, 1.07, 1.145)),
        months=36,
    ),
    Walk(
        "a first year of eight months",
        "dates",
        HALDEN,
        years(
            INSIGHT,
            "Halden Insight Starter",
            (200, 200, 200),
            (1.4,) * 3,
            edition=START,
            lengths=(8, 12, 12),
        ),
        months=32,
    ),
    Walk(
        "more users after six months",
        "dates",
        HALDEN,
        years(INSIGHT, "Halden Insight Professional", (50, 120), (1, 1), edition=PRO, lengths=(6, 18)),
        months=24,
    ),
    Walk(
        "two things in each year",
        "bands",
        BRUNEL,
        [
            of(TEAM, "Brunel Desk Team", 50, 1.35, months=12, first_month=0),
            of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 25, 1.35, months=12, first_month=0),
            of(TEAM, "Brunel Desk Team", 80, 1.35, months=12, first_month=12),
            of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 50, 1.35, months=12, first_month=12),
        ],
        months=24,
    ),
    Walk(
        "equal years in columns",
        "year columns",
        HALDEN,
        years(INSIGHT, "Halden Insight Enterprise", (120,) * 3, (1.4,) * 3, edition=ENT),
        months=36,
    ),
    Walk(
        "rising years in columns",
        "year columns",
        BRUNEL,
        years(BUSINESS, "Brunel Desk Business", (80,) * 3, (0.95, 1.0, 1.05)),
        months=36,
    ),
    Walk(
        "a ramp below headings",
        "bands",
        HALDEN,
        years(INSIGHT, "Halden Insight Starter", (50, 120, 350), (1,) * 3, edition=START),
        months=36,
    ),
    # --- terms ---
    Walk(
        "two years in French",
        "french",
        ELMRODE,
        [of(PLANNER, "Elmrode Planner", 120, 1.0, months=24)],
        months=24,
        currency="EUR",
    ),
    Walk(
        "three years in French",
        "french",
        ELMRODE,
        [of(PLANNER, "Elmrode Planner", 350, 1.5, months=36)],
        months=36,
        currency="EUR",
    ),
    Walk(
        "five years",
        "discounts",
        BRUNEL,
        [of(TEAM, "Brunel Desk Team", 200, 1.0, months=60, discount=10)],
        months=60,
    ),
    Walk(
        "half a year",
        "gross",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 80, 1.4, edition=PRO, months=6)],
        months=6,
    ),
    Walk(
        "a year and a half",
        "docx",
        BRUNEL,
        [of(BUSINESS, "Brunel Desk Business", 120, 1.0, months=18)],
        months=18,
    ),
    # --- discounts, credits, taxes ---
    Walk(
        "a discount that makes it usual",
        "discounts",
        HALDEN,
        [of(INSIGHT, "Halden Insight Enterprise", 80, 1.0, edition=ENT, discount=25)],
    ),
    Walk(
        "a discount that does not",
        "discounts",
        HALDEN,
        [of(INSIGHT, "Halden Insight Enterprise", 80, 1.5, edition=ENT, discount=25)],
    ),
    Walk(
        "two lines with discounts of their own",
        "discounts",
        BRUNEL,
        [
            of(TEAM, "Brunel Desk Team", 50, 1.4, months=36, discount=15),
            of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 25, 1.4, months=36, discount=30),
        ],
        months=36,
    ),
    Walk(
        "a discount on the whole",
        "discounts",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 200, 1.25, edition=PRO)],
        off=11_700,
    ),
    Walk(
        "a discount on a ramp",
        "years",
        BRUNEL,
        years(DESK_ENTERPRISE, "Brunel Desk Enterprise", (50, 80, 120), (1.6,) * 3),
        months=36,
        off=30_000,
    ),
    Walk(
        "a credit among the lines",
        "gross",
        HALDEN,
        [
            of(INSIGHT, "Halden Insight Professional", 120, 1.2, edition=PRO),
            no_product("Migration credit", -7_000),
        ],
    ),
    Walk(
        "tax on top, a third more",
        "gross",
        BRUNEL,
        [of(TEAM, "Brunel Desk Team", 80, 1.35, months=24)],
        months=24,
    ),
    Walk(
        "tax on top, usual price",
        "gross",
        CASTOR,
        [of(BACKUP, "Castor Backup", 25, 1.0)],
    ),
    # --- resellers ---
    Walk(
        "a reseller's workbook",
        "reseller",
        RESELLER,
        [
            of(INSIGHT, "Halden Analytics Halden Insight Enterprise", 120, 1.0, edition=ENT, discount=12),
            of(TEAM, "Brunel Systems Brunel Desk Team", 50, 1.0, discount=5),
        ],
    ),
    Walk(
        "a reseller's workbook of three years",
        "reseller",
        RESELLER,
        [
            of(
                INSIGHT,
                "Halden Analytics Halden Insight Professional",
                120,
                1.45,
                edition=PRO,
                months=36,
                discount=8,
            )
        ],
        months=36,
    ),
    Walk(
        "a reseller's goods",
        "reseller",
        DORN,
        [
            of(TONER, "Toner cartridge black 12K", 25, 1.0, discount=10),
            of(LABELS, "Thermal label roll 100 x 150 mm", 80, 1.0, discount=10),
            no_product("Freight", 120),
        ],
    ),
    Walk(
        "a reseller of something unknown",
        "reseller",
        SYSTEMHAUS,
        [
            of(DESK_ENTERPRISE, "Brunel Systems Brunel Desk Enterprise", 50, 1.5),
            other("Vantor Sentinel gateway appliance", 2, "piece", 21_000),
        ],
    ),
    Walk(
        "a reseller in another currency",
        "reseller",
        SYSTEMHAUS,
        [of(PLANNER, "Elmrode Planner", 200, 1.4, discount=10)],
        currency="EUR",
    ),
    # --- renewals ---
    Walk(
        "a renewal of a ramp",
        "years",
        HALDEN,
        years(INSIGHT, "Halden Insight Professional", (120, 120), (1.4, 1.5), edition=PRO),
        months=24,
        is_renewal=True,
        below=("The price increases by 7 % at each renewal.",),
        clauses={"uplift": True},
    ),
    Walk(
        "a renewal with a discount",
        "discounts",
        BRUNEL,
        [of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 80, 1.0, discount=20)],
        is_renewal=True,
    ),
    Walk(
        "a renewal between dates",
        "dates",
        BRUNEL,
        years(TEAM, "Brunel Desk Team", (350, 350), (1.35, 1.35 * 1.07)),
        months=24,
        is_renewal=True,
        below=("It renews automatically unless notice is given 60 days before the end of the term.",),
        clauses={"auto_renewal": True},
    ),
    # --- mails ---
    Walk(
        "a price in a sentence",
        "sentences",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 120, 1.0, edition=PRO)],
    ),
    Walk(
        "prices in two sentences",
        "sentences",
        BRUNEL,
        [
            of(TEAM, "Brunel Desk Team", 80, 1.4, months=24),
            of(BUSINESS, "Brunel Desk Business", 25, 1.4, months=24),
        ],
        months=24,
    ),
    Walk(
        "all prices in one sentence",
        "prose",
        HALDEN,
        [of(INSIGHT, "Halden Insight Enterprise", 80, 1.0, edition=ENT)],
    ),
    Walk(
        "a sentence for two things",
        "prose",
        BRUNEL,
        [of(TEAM, "Brunel Desk Team", 120, 1.5), of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 25, 1.5)],
    ),
    Walk(
        "a list in a mail",
        "list",
        HALDEN,
        [of(INSIGHT, "Halden Insight Starter", 200, 1.5, edition=START)],
    ),
    Walk(
        "a list of yearly prices in a mail",
        "list",
        CASTOR,
        [of(BACKUP, "Castor Backup", 50, 1.0, months=36)],
        months=36,
    ),
    # --- options ---
    Walk(
        "something that may be bought besides",
        "options",
        BRUNEL,
        [
            of(TEAM, "Brunel Desk Team", 120, 1.0),
            of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 25, 1.0, optional=True),
        ],
    ),
    Walk(
        "expensive, and something besides",
        "options",
        HALDEN,
        [
            of(INSIGHT, "Halden Insight Professional", 80, 1.45, edition=PRO),
            of(TEAM, "Brunel Desk Team", 50, 1.0, optional=True),
        ],
    ),
    # --- prices with tax in them ---
    Walk(
        "tax in the prices, usual price",
        "tax included",
        BRUNEL,
        [of(TEAM, "Brunel Desk Team", 80, 1.0)],
    ),
    Walk(
        "tax in the prices, half as much again",
        "tax included",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 120, 1.5, edition=PRO, months=24)],
        months=24,
    ),
    Walk(
        "tax in the prices of two things",
        "tax included",
        BRUNEL,
        [of(TEAM, "Brunel Desk Team", 50, 1.35), of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 25, 1.35)],
    ),
    # --- bundles: what they consist of is on record too, and has no price of its own here ---
    Walk(
        "a package with its parts",
        "bundles",
        BRUNEL,
        [
            of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 50, 1.5),
            part("Brunel Desk Team", 50),
            part("Telephone integration", 50),
        ],
    ),
    Walk(
        "a package and another line",
        "bundles",
        HALDEN,
        [
            of(INSIGHT, "Halden Insight Enterprise", 80, 1.0, edition=ENT),
            part("Dashboards", 80),
            no_product("Onboarding workshop", 1_450, 2, "day"),
        ],
    ),
    Walk(
        "a package whose parts cost nothing",
        "free parts",
        BRUNEL,
        [
            of(DESK_ENTERPRISE, "Brunel Desk Enterprise package", 80, 1.0, asked=True),
            part("Brunel Desk Team", 80),
            part("Brunel Desk Business", 80),
        ],
    ),
    # --- credits ---
    Walk(
        "a credit that makes it usual",
        "gross",
        HALDEN,
        [
            of(INSIGHT, "Halden Insight Enterprise", 80, 1.25, edition=ENT),
            no_product("Loyalty credit", -10_300),
        ],
    ),
    Walk(
        "a small credit on a high price",
        "gross",
        BRUNEL,
        [of(TEAM, "Brunel Desk Team", 120, 1.6), no_product("Credit for an unused month", -1_500)],
    ),
]
