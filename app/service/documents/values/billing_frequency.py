"""How often bills come: at once, or every month, quarter or year."""

import re
from collections.abc import Sequence

from app.service.documents.lexicon.vocabulary import any_of

_BILLING = (
    ("upfront", re.compile(
        r"up ?-?front(?! deposit)|in full (?:in advance|on|upon|at)|full term|(?:entire|whole"
        r"|full) (?:initial |renewal )?(?:term|period)|prepaid|(?:one|single) (?:invoice|payment)"
        r"|gesamte[nr]? laufzeit|vorauszahlung|einmalig im voraus|en una sola vez|pago unico"
        r"|pago anticipado|(?:integralement|totalite|comptant)|en une (?:seule )?fois|prepaye|ineens"
        r"|vooruitbetal|volledige? (?:looptijd|vooruit)|vooraf voor de|por adelantado (?:todo|el total"
        r"|integro)"
    )),
    ("quarterly", re.compile(
        r"quarter|vierteljahr|quartal|trimestr|kwartaal"
        r"|(?:every|alle|cada|tous les|elke) (?:three|drei|tres|trois|drie|3) m"
    )),
    ("monthly", re.compile(r"month|monat|mensu|maand|mois")),
    ("annual", re.compile(r"annual|yearly|(?:per|each|once a) year"
     r"|(?<!viertel)(?<!halb)jahr(?:lich|esr)|jaarf|annuel|par an|jaarlijks|per jaar|anual")),
)  # fmt: skip
_BILLING_LABEL = any_of(
    r"bill(?:ed|ing)?(?: frequency| terms| period| cycle| schedule| method)? | invoic(?:e|ed"
    r"|ing)(?: frequency| terms)? | payment (?:frequency|schedule) | payment | paid | payable | collected",
    r"abrechnung(?:szeitraum|sart)? | rechnungsstellung | zahlungsweise | zahlung | berechn(?:ung|et)"
    r" | abgerechnet | verrechn(?:en|et|ung) | fakturier(?:ung|t) | (?:monats|quartals|jahres)rechnung",
    r"facturation | facture[es]? | facturacion | facturering | facturatie | gefactureerd"
    r" | se factura | facturas?(?= (?:mensual|trimestral|anual)) | cobros? | (?:maand|kwartaal|jaar)factuur"
    r" | betaling | pago | modalidad de pago | modalites? de paiement | paiement",
)


_SPAN_OF_DAYS = re.compile(
    r"(?<!every )(?<!alle )(?<!cada )(?<!les )(?<!elke )(?<!\d)"
    r"\d+\s*(?:days|months?|monate|mois|tage|jours)"
)


def billing_said(said: Sequence[str]) -> str | None:
    """How often the sentences say that bills come; they are in lower case, without accents."""
    votes: list[tuple[float, str]] = []
    for order, sentence in enumerate(said):
        for label in _BILLING_LABEL.finditer(sentence):
            near = sentence[label.start() : label.end() + 60]
            before = sentence[max(0, label.start() - 40) : label.start()]
            for billing, pattern in _BILLING:
                found = pattern.search(near)
                if found and not _SPAN_OF_DAYS.search(near[: found.end()]):
                    strength = 2.0 if label.start() == 0 or label.group().startswith("bill") else 1.0
                    votes.append((strength - order / 1000 - found.start() / 100, billing))
                elif (found := pattern.search(before)) and not _SPAN_OF_DAYS.search(before):
                    votes.append((0.4 - order / 1000 - (len(before) - found.end()) / 100, billing))
    return max(votes)[1] if votes else None
