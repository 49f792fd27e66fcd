"""Quotes more: free months, prorated years, minimum commitments, steps of prices, credits, tax that a
sentence states, renewals with the price until now."""

from tests.flows.walks.cases import (
    BRUNEL,
    BUSINESS,
    CASTOR,
    DESK_ENTERPRISE,
    ELMRODE,
    ENT,
    HALDEN,
    PRO,
    START,
    TEAM,
    Walk,
    no_product,
    of,
)
from tests.flows.walks.deals import RESELLER, SYSTEMHAUS, years
from tests.flows.walks.market import BACKUP, INSIGHT, PLANNER

TERM_DEALS: list[Walk] = [
    # --- free months ---
    Walk(
        "three months free in a sentence",
        "plain",
        BRUNEL,
        [of(TEAM, "Brunel Desk Team", 120, 1.05, months=33, first_month=3)],
        months=36,
        below=("The first 3 months are free of charge.",),
    ),
    Walk(
        "three months free, and expensive all the same",
        "docx",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 120, 1.6, edition=PRO, months=33, first_month=3)],
        months=36,
        below=("Months 1 to 3 are free of charge.",),
    ),
    Walk(
        "the last two months free",
        "plain",
        HALDEN,
        [of(INSIGHT, "Halden Insight Enterprise", 80, 1.05, edition=ENT, months=22, first_month=0)],
        months=24,
        below=("The last two months of the term are free.",),
    ),
    Walk(
        "a free month of its own line",
        "dates",
        BRUNEL,
        years(BUSINESS, "Brunel Desk Business", (80, 80), (0, 1.1), lengths=(3, 33)),
        months=36,
    ),
    # --- prorated years ---
    Walk(
        "a prorated first year",
        "prorated",
        HALDEN,
        years(INSIGHT, "Halden Insight Professional", (120, 120), (1.0, 1.0), edition=PRO, lengths=(8, 12)),
        months=20,
    ),
    Walk(
        "more users until the end of the contract",
        "prorated",
        BRUNEL,
        [of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 50, 1.5, months=7, first_month=0)],
        months=7,
    ),
    Walk(
        "servers of the year that is left",
        "prorated",
        CASTOR,
        [of(BACKUP, "Castor Backup", 25, 1.0, months=9, first_month=0)],
        months=9,
    ),
    # --- the least that is paid ---
    Walk(
        "a minimum beyond what is bought",
        "plain",
        BRUNEL,
        [of(TEAM, "Brunel Desk Team", 50, 1.0)],
        below=("Minimum annual commitment: USD 18,000.00",),
        least=18_000,
    ),
    Walk(
        "a minimum that is reached",
        "docx",
        HALDEN,
        [of(INSIGHT, "Halden Insight Enterprise", 120, 1.0, edition=ENT)],
        below=("The customer commits to a minimum of USD 40,000.00 per year.",),
        least=40_000,
    ),
    Walk(
        "a minimum of each of three years",
        "xlsx",
        BRUNEL,
        [of(DESK_ENTERPRISE, "Brunel Desk Enterprise", 50, 1.0, months=36)],
        months=36,
        below=("Minimum annual commitment: USD 60,000.00",),
        least=60_000,
    ),
    # --- prices in steps ---
    Walk(
        "the next hundred cost less",
        "gross",
        HALDEN,
        [
            of(INSIGHT, "Halden Insight Professional, first 100 users", 100, 1.0, edition=PRO),
            of(INSIGHT, "Halden Insight Professional, next 100 users", 100, 0.9, edition=PRO),
        ],
    ),
    Walk(
        "the next hundred of two years",
        "docx",
        BRUNEL,
        [
            of(TEAM, "Brunel Desk Team, agents 1 to 100", 100, 1.5, months=24),
            of(TEAM, "Brunel Desk Team, agents 101 to 200", 100, 1.4, months=24),
        ],
        months=24,
    ),
    Walk(
        "prices of later orders below the offer",
        "volume prices",
        HALDEN,
        [of(INSIGHT, "Halden Insight Starter", 120, 1.0, edition=START)],
    ),
    Walk(
        "prices of later orders, half as much again",
        "volume prices",
        BRUNEL,
        [of(BUSINESS, "Brunel Desk Business", 80, 1.5, months=36)],
        months=36,
    ),
    # --- credits ---
    Walk(
        "a credit in the first year",
        "years",
        BRUNEL,
        [
            *years(DESK_ENTERPRISE, "Brunel Desk Enterprise", (50, 80), (1.1, 1.1)),
            no_product("Switching credit", -6_000),
        ],
        months=24,
    ),
    Walk(
        "a credit in a mail",
        "list",
        HALDEN,
        [
            of(INSIGHT, "Halden Insight Enterprise", 80, 1.6, edition=ENT),
            no_product("Goodwill credit", -2_000),
        ],
    ),
    # --- tax in the prices, which a sentence states ---
    Walk(
        "tax in the prices by a sentence",
        "gross csv",
        BRUNEL,
        [of(TEAM, "Brunel Desk Team", 80, 1.0)],
    ),
    Walk(
        "tax in the prices by a sentence, expensive",
        "gross csv",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 120, 1.5, edition=PRO, months=24)],
        months=24,
    ),
    # --- renewals ---
    Walk(
        "a renewal beside the price until now",
        "renewal",
        HALDEN,
        [of(INSIGHT, "Halden Insight Professional", 120, 1.0, edition=PRO)],
        is_renewal=True,
    ),
    Walk(
        "a renewal of three years beside the price until now",
        "renewal",
        BRUNEL,
        [
            of(TEAM, "Brunel Desk Team", 120, 1.45, months=36),
            of(BUSINESS, "Brunel Desk Business", 50, 1.45, months=36),
        ],
        months=36,
        is_renewal=True,
    ),
    Walk(
        "a renewal by a reseller",
        "reseller",
        RESELLER,
        [of(INSIGHT, "Halden Analytics Halden Insight Enterprise", 120, 1.0, edition=ENT, discount=10)],
        is_renewal=True,
    ),
    # --- resellers ---
    Walk(
        "a reseller that names the maker",
        "docx",
        SYSTEMHAUS,
        [
            of(INSIGHT, "Halden Insight Enterprise (manufacturer: Halden Analytics)", 80, 1.5, edition=ENT),
            of(TEAM, "Brunel Desk Team (manufacturer: Brunel Systems)", 50, 1.5),
        ],
    ),
    Walk(
        "a reseller's prorated year",
        "prorated",
        SYSTEMHAUS,
        [of(PLANNER, "Elmrode Planner", 200, 1.0, months=10, first_month=0)],
        months=10,
        currency="EUR",
    ),
    Walk(
        "three free months in French",
        "french",
        ELMRODE,
        [of(PLANNER, "Elmrode Planner", 120, 1.05, months=33, first_month=3)],
        months=36,
        currency="EUR",
        below=("Les 3 premiers mois sont offerts.",),
    ),
]
