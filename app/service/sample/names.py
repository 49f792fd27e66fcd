"""Invented names of categories, suppliers and products; any similarity to real ones is a coincidence."""

CATEGORIES: dict[str, dict[str, str]] = {
    "Collaboration": {
        "Messaging": "Chat",
        "Video meetings": "Meet",
        "Document editing": "Pages",
        "Whiteboards": "Board",
    },
    "Customer relations": {
        "Sales pipeline": "Pipeline",
        "Support desk": "Desk",
        "Marketing automation": "Campaigns",
        "Customer data": "Profiles",
    },
    "Security": {
        "Identity": "Access",
        "Endpoint protection": "Shield",
        "Network security": "Gateway",
        "Vulnerability management": "Scan",
    },
    "Data and analytics": {
        "Business intelligence": "Insight",
        "Data warehouse": "Warehouse",
        "Data integration": "Flow",
        "Machine learning": "Models",
    },
    "Development": {
        "Source control": "Repos",
        "Test automation": "Testbed",
        "Monitoring": "Observe",
        "API management": "Endpoints",
    },
    "Finance": {
        "Accounting": "Ledger",
        "Expenses": "Expense",
        "Procurement": "Sourcing",
        "Billing": "Invoicing",
    },
    "People": {
        "Payroll": "Pay",
        "Recruiting": "Hire",
        "Learning": "Academy",
        "Time tracking": "Hours",
    },
    "Infrastructure": {
        "Cloud hosting": "Compute",
        "Backup": "Vault",
        "Databases": "Store",
        "Content delivery": "Edge",
    },
}
"""Top level -> its children -> what a product of that kind is called."""

BEGINNINGS = (
    *("Al", "Bre", "Cor", "Dun", "Eri", "Fal", "Gan", "Hol", "Ist", "Jun"),
    *("Kel", "Lum", "Mar", "Nor", "Orb", "Pel", "Quil", "Ros", "Sel", "Tam"),
)
ENDINGS = ("vora", "mitre", "stane", "quen", "delta", "wick", "lantis", "bright", "forge", "nesse")
KINDS = ("Systems", "Software", "Labs", "Cloud", "Works", "Digital")
LEGAL_FORMS = ("Inc.", "Inc.", "GmbH", "B.V.", "Ltd.", "SAS")

FISCAL_YEAR_ENDS = ("--12-31", "--12-31", "--12-31", "--01-31", "--03-31", "--06-30", "--09-30")
EXCHANGES = ("NYSE", "NASDAQ", "XETR", "LSE")

FEATURES: dict[str, str] = {
    "Single sign-on": "Sign in with the company's own identity provider.",
    "Audit log": "Who did what, kept for a year.",
    "REST API": "Everything in the product, for programs.",
    "Roles": "Rights by role and group.",
    "Mobile apps": "For the two common systems.",
    "Data export": "All data in open formats, at any time.",
    "Encryption at rest": "With keys of the supplier.",
    "Community support": "A forum that the supplier reads.",
    "Web training": "Recorded courses for new users.",
    "Status page": "Availability as it is, and history.",
}

EDITIONS = ("Starter", "Professional", "Enterprise")
RETENTIONS = ("30 days", "1 year", "7 years")
RESPONSES = ("Next business day", "4 hours", "1 hour")
SENIORITIES = ("Consultant", "Senior consultant", "Architect")
