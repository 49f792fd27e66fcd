"""Clauses in running text: term, renewal, uplift, notice, payment terms, billing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.service.documents.lexicon.vocabulary import any_of
from app.service.documents.values.billing_frequency import billing_said
from app.service.documents.values.dates import plain
from app.service.documents.values.durations import SPAN, days_in, months_in

_PERCENT = re.compile(
    r"(?P<percent>\d+(?:[.,]\d+)?)\s?(?:%|percent|per cent|prozent|pour cent|procent|por ciento)"
)


@dataclass(frozen=True)
class Clauses:
    """What the text agrees on. Percentages are plain numbers, 5 for 5 %."""

    term_months: int | None = None
    payment_terms_days: int | None = None
    auto_renew: bool | None = None
    renewal_uplift_percent: Decimal | None = None
    notice_days: int | None = None
    billing: str | None = None
    validity_days: int | None = None
    renewal_uplift_is_cap: bool | None = None
    """True where the percentage limits the rise, which protects the buyer; None where it is the rise."""


def read_clauses(sentences: Iterable[str]) -> Clauses:
    """All clauses of a document, given its sentences and label pairs."""
    said = [_spoken(sentence) for sentence in sentences]
    return Clauses(
        _term(said),
        _payment(said),
        _renews(said),
        _uplift(said),
        _notice(said),
        billing_said(said),
        _validity(said),
        _caps_uplift(said),
    )


def where_said(clauses: Clauses, sentences: Sequence[str]) -> dict[str, int]:
    """For each clause the index of the first sentence that says so by itself."""
    readers = {
        "term_months": _term, "payment_terms_days": _payment, "auto_renew": _renews,
        "renewal_uplift_percent": _uplift, "notice_days": _notice, "billing": billing_said,
        "validity_days": _validity,
    }  # fmt: skip
    said = [_spoken(sentence) for sentence in sentences]
    found: dict[str, int] = {}
    for name, reader in readers.items():
        value = getattr(clauses, name)
        saying = (index for index, one in enumerate(said) if reader([one]) == value)
        if value is not None and (index := next(saying, None)) is not None:
            found[name] = index
    return found


def _spoken(sentence: str) -> str:
    return re.sub(r"\s+", " ", plain(sentence)).replace("ß", "ss").replace("’", "'")


_EXTENDS = r"extend(?:s|ed) (?:automatically|for (?:another|a further))"
_GOES_ON = (
    r"continues? (?:(?:from )?(?:year|month) to|on an? |for (?:\w+ )?(?:another|a further|successive"
    r"|consecutive))"
)
_RENEWAL = re.compile(
    r"renew|verlanger|reconduc|reconduit|renouvel|verleng|renova|renuev|prorrog|prorog|erneuer"
    r"|successive|non-?renewal|roll(?:s|ed)? over|automatically (?:be )?extend"
    rf"|{_EXTENDS}|{_GOES_ON}"
    r"|automatic (?:continuation|for)|lauft\b.*\bweiter"
)
_TERM_LABEL = any_of(
    r"(?:initial |subscription |order |contract |licen[cs]e |service |minimum |committed |renewal "
    r"|next |this )*term(?: length| of service)? | (?:contract|agreement) (?:length|period|duration)"
    r" | duration"
    r" | commitment(?: period| term)? | runs for | period of | subscription period"
    r" | coverage(?: period)? | length of (?:the )?(?:term|agreement|contract) | services? period",
    r"(?:vertrags|mindest(?:vertrags)?|erst)?laufzeit | (?:mindest)?vertrags(?:dauer|lange) | dauer",
    r"duree(?: initiale| du contrat| de l'abonnement| d'engagement)? | engagement | periode initiale",
    r"looptijd | contract(?:duur|lengte) | duur | contractperiode | duracion | plazo(?: inicial)? | vigencia"
    r" | periodo (?:inicial|de contratacion) | permanencia(?: minima)?",
)
_TERM_AFTER = any_of(
    r"(?:initial |subscription |contract |fixed |licen[cs]e |minimum |committed |renewal )*(?:term"
    r"|subscription|agreement|contract|commitment|licen[cs]e)",
    r"laufzeit | vertragslaufzeit | d'engagement | looptijd | de duracion | vertrag",
    # `12 months from the date of activation`
    r"from (?:the )?(?:date of |day of )?(?:activation|commencement|go-?live|signature|signing"
    r"|(?:start|effective|service) date)",
    r"ab (?:\w+ )?(?:aktivierung|freischaltung|bereitstellung|vertragsbeginn|unterzeichnung)"
    r" | vanaf (?:de )?(?:\w+ van )?(?:activering|ingangsdatum|ondertekening|startdatum)",
    r"a (?:compter|partir) (?:de |du )(?:la )?(?:date d[e'] ?)?(?:l')?"
    r"(?:activation|signature|mise en service)"
    r" | (?:desde|a (?:partir|contar) de(?:sde)?) la (?:fecha de )?(?:activacion|firma|puesta en)",
)
_TERM_BEFORE = re.compile(
    r"(?:for|over|fur|pour|pendant|voor|por|durante|gedurende|of|abonnement|contrat|suscripcion)"
    r"(?: (?:a|an|the|une|un|eine|einen|een|period|periode|term|initial|further|next|another|of|de|von|van"
    r"|duree|eerste|annuel|anual))*[ :(]*(?:d')?$|\b(?:runs|covers) $"
)
# `The subscription ends after twelve months`, `Nach 36 Monaten verlängert sich der Vertrag`
_TERM_PASSES = re.compile(
    r"(?P<ends>(?:ends|endet|eindigt) )?(?:after|na|nach|apres|tras|al cabo de)(?: the first)? $"
)
# `After the initial term this agreement renews for 12 months`
_AFTER_TERM = re.compile(
    r"\b(?:after|following|at the end of|on expiry of|na afloop van|nach (?:ablauf|ende)|a l'issue d|apres)\b"
)
_OTHER_SPANS = re.compile(
    r"liabil|haftung|expire[sd]? after|retention|preceding|interest|warrant|after termination"
    r"|confidential|disclos|secret|geheim|vertraulich"
    r"|uptime|availab|support hours|payable|due within|history|garant|gewahrleist"
)


_RATE_BEFORE = re.compile(r"(?:[%€$£]|per ?cent|prozent) ?$")  # `3% a year`


# `Term (months): 12`: the unit stands with the label.
_TERM_IN_UNIT = re.compile(
    r"[^:]{0,30}(?:term|laufzeit|dauer|duree|looptijd|duracion|plazo)[^:\w]{0,4}(?:in |en )?"
    r"(?P<unit>months?|monate?n?|mois|maanden|meses|years?|jahre?n?|annees|ans|jaren|anos)[^:\w]{0,4}:"
    r" ?(?P<count>\d{1,3})(?P<digits>)$"
)


def _term(said: Sequence[str]) -> int | None:
    votes: list[tuple[float, int]] = []
    for order, sentence in enumerate(said):
        if in_unit := _TERM_IN_UNIT.match(sentence):
            votes.append((3.0 - order / 1000, months_in(in_unit) or 0))
        for found in SPAN.finditer(sentence):
            months = months_in(found)
            if not months or not 1 <= months <= 120:
                continue
            if _OTHER_SPANS.search(sentence[max(0, found.start() - 80) : found.end() + 20]):
                continue
            before, after = (
                sentence[max(0, found.start() - 45) : found.start()],
                sentence[found.end() : found.end() + 45],
            )
            if _RATE_BEFORE.search(before):
                continue
            score = 0.0
            if _TERM_LABEL.search(before):
                score = 3.0
            elif _TERM_AFTER.match(after.lstrip(" -'")):
                score = 2.0
            elif _TERM_BEFORE.search(before):
                score = 1.0
            if (
                score
                and _RENEWAL.search(before)
                and not re.search(r"next term|renewal (?:term|covers|runs)|renouveler pour|initial", before)
            ):
                score -= 2.5
            if _AFTER_TERM.search(sentence[max(0, found.start() - 100) : found.start()]) and _RENEWAL.search(
                sentence
            ):
                score = 0.0
            passes = _TERM_PASSES.search(before)
            if passes and (passes["ends"] or _RENEWAL.search(after)):
                score = 1.0
            if score > 0:
                votes.append((score - order / 1000, months))
    return max(votes)[1] if votes else None


_PAYMENT_FORMS = tuple(
    re.compile(form)
    for form in (
        r"\bnet(?:to)?[ -]{0,2}(?:[a-z-]+ \()?(?P<days>\d{1,3})\b(?! ?%|[.,]\d)",
        r"\b(?P<days>\d{1,3})\)? (?:calendar )?(?:days?|tagen?|jours?|dagen|dias) (?:net(?:to)?|from"
        r"|after|of|following|nach|ab|date|fin de mois|na|a partir|a compter|desde|ohne abzug)",
        r"\b(?P<days>\d{1,3})[ -]day (?:payment )?terms",
        r"\b(?:due|payable|payment|pay|terms|settle(?:ment)?|invoiced)\b"
        r"[^.%]{0,50}?\b(?P<days>\d{1,3})\)? (?:calendar )?days",
        r"(?:zahlbar|zahlungsziel|zahlung|zahlungsbedingung\w*|fallig|uberweisen|begleichen)"
        r"[^.%]{0,50}?(?P<days>\d{1,3}) tage",
        r"(?:paiement|payable|reglement|solde|echeance)[^.%]{0,40}?(?P<days>\d{1,3}) ?j(?:ours?)?\b",
        r"(?:betaling|betaal|betaald|betalen|betalingstermijn|betaalbaar)[^.%]{0,40}?(?P<days>\d{1,3}) dagen",
        r"(?:pago|pagadero|vencimiento|pagar)[^.%]{0,40}?(?P<days>\d{1,3}) dias",
    )
)


_OTHER_DEADLINES = re.compile(
    r"(?:cancel|terminat|kundig|renewal|valid|valable|gultig|geldig)(?!.*\b(?:due|payable|invoiced|net)\b)"
)


def _payment(said: Sequence[str]) -> int | None:
    for form in _PAYMENT_FORMS:
        for sentence in said:
            found = form.search(sentence)
            if (
                found
                and 0 < int(found["days"]) <= 180
                and not _OTHER_DEADLINES.search(sentence[max(0, found.start() - 40) : found.end()])
            ):
                return int(found["days"])
    receipt = re.compile(
        r"\b(?:due|payable) (?:up)?on receipt\b|sofort (?:fallig|zahlbar)|zahlbar sofort"
        r"|a reception|direct betaalbaar|\bcontado\b"
    )
    return 0 if any(receipt.search(sentence) for sentence in said) else None


_TO_RENEW = r"(?:renew\w*|verlangerung|verlenging|renouvellement|reconduction|renovacion)"
_NO_RENEWAL = re.compile(
    r"not (?:be )?(?:auto\w*[- ])?renew|not (?:\w+ ){0,3}auto\w*[- ]renew|\bno auto"
    r"|auto\w*[- ]?renew\w*(?: is| are|:)? (?:switched |turned )?(?:no|none|off|disabled)\b"
    r"|without auto|non[- ]renewing|does not auto"
    r"|unless (?:the parties|both parties|you renew|renewed)|ends? (?:automatically )?on (?:the"
    r"|its) end date|expires? at the end of the (?:\w+ )?term|\bends automatically"
    r"|no automatic continuation|without (?:automatic )?renewal|verlangerung (?:ist )?ausgeschlossen"
    r"|nicht automatisch|keine automatische|verlangerung (?:erfolgt|findet) nicht"
    r"|verlangerung:? nein|endet (?:automatisch|mit ablauf|zum ende|ohne)"
    r"|pas (?:renouvele|reconduit|de (?:tacite )?reconduction|tacite)"
    r"|sans (?:tacite )?reconduction|non renouvelable|(?:n'est|ne sera|n'y a) pas"
    r"|niet (?:automatisch|stilzwijgend)|verlenging:? nee|eindigt (?:van rechtswege|automatisch"
    r"|op)|zonder (?:automatische|stilzwijgende)"
    r"|no se (?:renueva|renovara|prorroga)|no (?:hay|existe) renovacion|sin renovacion"
    r"|renovacion automatica:? no|kein automatischer|aucune? (?:renouvellement|(?:tacite )?reconduction)"
    r"|geen (?:automatische |stilzwijgende )?verlenging|ne se (?:renouvelle|reconduit)\w* pas"
    r"|(?:niet|nicht) verl[ae]ng|prend fin sans"
    rf"|(?:sans|ohne|zonder|sin) (?:automati\w+ |tacite )?{_TO_RENEW}"
    rf"|{_TO_RENEW}(?: auto\w*| tacite)? ?: ?(?:no|none|off|non|nein|nee|keine|manu[ae]l\w*)(?! ?\w)"
    rf"|{_TO_RENEW} (?:only|nur|alleen|solo|seulement|uniquement|sur accord)\b"
)
_YES_RENEWAL = re.compile(
    r"auto\w*[- ](?:\w+ )?renew|renew\w* (?:each|every) |renew\w* (?:\w+ )?auto"
    r"|renew\w*:? (?:yes|automatic)|(?:shall|will) renew|renews for|evergreen|rolls? over"
    rf"|automatically (?:be )?extend|{_EXTENDS}|{_GOES_ON}"
    r"|renew for|lauft\b.*\bweiter|sonst verlanger"
    r"|automatisch\w* (?:um|verl[ae]ng|voortgezet|met|voor|telkens)|verlangert sich|verlangerung:? ja"
    r"|stillschweigend|tacite|automatiquement|reconduit|automatisch verlengd|stilzwijgend|verlenging:? ja"
    r"|wordt (?:\w+ ){0,7}verlengd|renueva (?:\w+ ){0,3}(?:auto|tacit)"
    r"|renovara (?:auto|tacit)|se prorroga(?:ra)?|prorroga\w* (?:auto|tacit)|tacita reconduccion"
    r"|(?:renovacion|prorroga|renouvellement|reconduction|prolongation) ?:? (?:es |est |sera )?automati[qc]"
    r"|renovara por"
)


def _renews(said: Sequence[str]) -> bool | None:
    about = [
        sentence
        for sentence in said
        if _RENEWAL.search(sentence) or re.search(r"\bends?\b|endet|eindigt|expire", sentence)
    ]
    if any(_NO_RENEWAL.search(sentence) for sentence in about):
        return False
    return True if any(_YES_RENEWAL.search(sentence) for sentence in about) else None


_RISE = re.compile(
    r"increas|uplift|\brise|raise|escalat|exceed|\bcap(?:ped)?\b|adjust|price change|indexation"
    r"|(?:no|not) (?:be )?more than|(?:nicht|niet) (?:mehr als|meer dan)"
    r"|depass|superar|erhoh|steig|anheb|anzuheb|preisanpassung|augment|hausse|plafon"
    r"|major|revis|index|verhoo?g|stijg|increment|subir|subida|aument|no podra"
)
_PRICES = re.compile(
    r"price|pricing|index|(?:annual|yearly) (?:increase|uplift|rise)|fee|rate|charge|renew|preis|entgelt"
    r"|gebuhr|verlanger|prix|tarif|renouvel|prijs"
    r"|tarie|verleng|precio|cuota|renov"
)
_NO_RISE = re.compile(
    r"liabil|interest|verzug|late |uptime|availab|service credit|discount of|skonto|vat\b|sales tax"
)


# A rise from one year of the term to the next is none at renewal.
_WITHIN_TERM = re.compile(r" (?:in|im|en|in het) (?:contract )?(?:year|jahr|annee|ano|jaar)? ?\d")


# What makes a percentage the most that a price may rise by: before it, or after it.
_CAP_BEFORE = re.compile(
    r"\blimit|maxim|\bmax\b|\bcap(?:ped)?\b|(?:not|never) (?:\w+ ){0,3}exceed|at most|up to"
    r"|(?:no|not)\b.{0,40}\bmore than|lesser of|lower of"
    r"|hochsten|bis zu|begrenz|nicht (?:\w+ ){0,4}(?:mehr als|uber)|gedeckelt|obergrenze"
    r"|plafon|depass|au plus|jusqu'a|pas (?:\w+ ){0,4}plus de"
    r"|niet (?:\w+ ){0,4}meer dan|hoogste|hoogstens|overschrijd|tot \w+ met"
    r"|no podra|no superar|no (?:\w+ ){0,5}mas de|hasta|\btope\b|limite"
)
_CAP_AFTER = re.compile(
    r"[ ,(]*(?:maximum|max\b|at most|or less|cap\b|hochstens|au maximum|als maximum|maximaal|como maximo)"
)
_CAP_REACH = 90
"""Letters before a percentage in which the words of a cap are looked for."""


def _caps_uplift(said: Sequence[str]) -> bool | None:
    """True where the percentage at renewal is stated as a limit."""
    found = _uplift_in(said)
    if found is None:
        return None
    sentence, percent = found
    before = sentence[max(0, percent.start() - _CAP_REACH) : percent.start()]
    # `the greater of 3 % and the index` is no limit, whatever else is.
    if re.search(r"(?:greater|higher|larger) of|mindestens|at least|au moins|minstens|al menos", before):
        return None
    capped = _CAP_BEFORE.search(before) or _CAP_AFTER.match(sentence[percent.end() :])
    return True if capped else None


def _uplift(said: Sequence[str]) -> Decimal | None:
    found = _uplift_in(said)
    return Decimal(found[1]["percent"].replace(",", ".")) if found else None


def _uplift_in(said: Sequence[str]) -> tuple[str, re.Match[str]] | None:
    """The sentence that says by how much prices rise at renewal, and the percentage in it."""
    for needs_renewal in (True, False):
        for sentence in said:
            if not _RISE.search(sentence) or not _PRICES.search(sentence) or _NO_RISE.search(sentence):
                continue
            if needs_renewal and not _RENEWAL.search(sentence):
                continue
            for found in _PERCENT.finditer(sentence):
                if _WITHIN_TERM.match(sentence[found.end() :]):
                    continue
                return sentence, found
    return None


_NOTICE = re.compile(
    r"notice|notif|cancel|terminat|non-?renewal|in writing|says? otherwise"
    r"|turn(?:ed)? off|switch off|disabled?"
    r"|opts? out|tells? us|lets? us know|aviso|\bavis\b|kundbar|opzegbaar"
    r"|kundig|gekundigt|frist|preavis|denonc|resili|opzeg|opgezegd|opzegtermijn|preaviso|antelacion|denuncia"
    r"|rescind"
)
_NOTICE_BEFORE = re.compile(
    r"notice(?: period)?[ :of]*$|least[ a-z]*$|up to$|than$|frist von$|mindestens$|spatestens$"
    r"|avis(?: ecrit| prealable)?(?: de| d'| ?:)?$|aviso(?: escrito| previo| de \w+)?(?: de| ?:)?$"
    r"|moins$|uiterlijk$|minimaal$|termijn(?: van)?:?$|ten minste$|menos$|minima de$"
    r"|notice of non-renewal:?$|frist:?$"
)
_NOTICE_AFTER = re.compile(
    r"(?:'s|[')])*\s?(?:written )?(?:notice|prior|before|ahead|in advance|advance"
    r"|vor |vorher|zum |(?:kundigungs)?frist|avant|de preavis|voor |opzegtermijn|vooraf|antes"
    r"|de antelacion|de preaviso)"
)


_OTHER_NOTICE = re.compile(
    r"zahlungsfrist|betal\w*termijn|delai de paiement"
    r"|prices?\b.{0,60}\bchange|price change|breach|verstoss|cure|remedy"
)


def _notice(said: Sequence[str]) -> int | None:
    votes: list[tuple[float, int]] = []
    for order, sentence in enumerate(said):
        if not _NOTICE.search(sentence) or _OTHER_NOTICE.search(sentence):
            continue
        for found in SPAN.finditer(sentence):
            before, after = (
                sentence[max(0, found.start() - 30) : found.start()].rstrip(),
                sentence[found.end() : found.end() + 30].lstrip(),
            )
            score = 2.0 * bool(_NOTICE_BEFORE.search(before)) + 2.0 * bool(_NOTICE_AFTER.match(after))
            score += 1.0 if _RENEWAL.search(sentence) else 0.0
            if score >= 2.0 and 1 <= days_in(found) <= 365:
                votes.append((score - order / 1000, days_in(found)))
    return max(votes)[1] if votes else None


_OFFER = (
    r"(?:quot(?:e|ation)|offer|proposal|estimate|prices|angebot|offerte|preise|devis|offre|proposition|prix"
    r"|presupuesto|oferta|propuesta|precios|prijzen|voorstel)"
)
_HOLDS = re.compile(
    rf"(?:^|\b{_OFFER}\b.{{0,40}}?\b)(?:valid(?:ity)?|gultig\w*|bindefrist|valab\w+|validite|geldig\w*"
    r"|valid[oae]z?|vigencia|gebunden|open)(?: period)?(?: for acceptance)?"
    r"(?: for| fur| pendant| durante| de| du| gedurende)?(?: a period of)?[ :]*$"
)
_OFFERED = re.compile(rf"\b{_OFFER}\b")
_HOLDS_AFTER = re.compile(r" (?:gebunden|gultig|geldig|valable)")


def _validity(said: Sequence[str]) -> int | None:
    """For how many days an offer holds: `This quote is valid for 30 days`."""
    for sentence in said:
        for found in SPAN.finditer(sentence):
            before, after = sentence[: found.start()], sentence[found.end() :]
            bound = _OFFERED.search(before) and _HOLDS_AFTER.match(after)
            if (bound or _HOLDS.search(before)) and 1 <= days_in(found) <= 366:
                return days_in(found)
    return None
