"""German."""

from app.service.documents.lexicon import lexicon as words
from app.service.documents.lexicon.scope_words import EntryWords, LineRoleWords, UnitWords

DE = words.Lexicon(
    code="de",
    common_words=(
        "der die das und ist wird bis für mit von nicht preis menge betrag rechnung angebot datum zahlbar"
        " laufzeit gesamtbetrag einzelpreis netto kunde tage monate jahr zum einer"
    ),
    dates=words.DateWords(
        after_noun=r"vom | den",
        date=r"datum",
        until=r"bis(?: zum)?",
        since=("vom", "von"),
        of=r"vom | von",
        your=r"ihre?",
        valid_until=r"\w*gultig\w*(?: bis(?: zum)?)? | bindefrist(?: bis)? | \w*angebotsfrist(?: bis)?"
        r" | befristet bis | bindend bis(?: zum)? | (?:ruckmeldung|antwort|zusage)\w* bis(?: zum)?"
        r" | annahme(?:frist)?(?: bis)?(?: zum)? | angebot (?:[a-z]+ ){1,4}bis(?: zum)?",
        due=r"(?:abgebucht|eingezogen|abbuchung|lastschrift\w*)(?: am)? | fallig\w*(?: am| bis)?"
        r" | zahlbar bis(?: zum)? | zahlung bis | skonto(?: bis)?",
        other=r"liefer\w* | leistungsdatum | leistung\w*datum | bestell\w* | bestellung\w*(?: vom)?"
        r" | auftrag\w*(?: vom)? | liefer- und leistungsdatum | ubergabe\w* | druckdatum",
        ends=r"\w*ende(?: der \w+| des \w+)? | enddatum | bis(?: zum)?",
        starts=r"\w*beginn\w*(?: am)? | startdatum | ab(?: dem)? | von | laufzeit | leistungszeitraum"
        r" | abrechnungszeitraum | zeitraum",
        document_date=r"(?:rechnungs|angebots|offert|beleg|ausstellungs|vertrags|dokument|erstellungs)datum"
        r" | ausgestellt(?: am)? | erstellt(?: am)? | stand | den | vom | angebot\w* | datum",
        order_date=r"bestelldatum",
        weak_document_words=("den", "vom"),
    ),
    durations=words.DurationWords(
        numbers={
            1: "ein | eine | einem | einer | einen", 2: "zwei", 3: "drei", 4: "vier", 5: "funf", 6: "sechs",
            7: "sieben", 8: "acht", 9: "neun", 10: "zehn", 12: "zwolf", 14: "vierzehn", 20: "zwanzig",
            24: "vierundzwanzig", 30: "dreissig", 36: "sechsunddreissig", 45: "funfundvierzig",
            60: "sechzig", 90: "neunzig",
        },
        month=r"monat",
        year=r"jahr",
        per=r"pro | je",
        every=("alle",),
        monthly=r"monatl(?:ich|\b) | mtl\b"
        r" | monats(?:preis|betrag|gebuhr|miete|pauschale|entgelt|kosten|beitrag)",
        yearly=r"jahrl(?:ich|\b) | jahres(?:preis|betrag|gebuhr|miete|pauschale|entgelt|kosten|beitrag)",
        and_=r"und",
    ),
    documents=words.DocumentWords(
        price_list=r"preisliste",
        order_form=r"bestellformular",
        quote=r"\w*angebot\w* | kostenvoranschlag | \w*offerte",
        invoice=r"(?!abrechnung)\w*rechnung(?:skorrektur)? | gutschrift | selbstabrechnung | kassenbon"
        r" | honorarnote | quittung",
        contract=r"\w*vertrag | (?<!nach )\w*vereinbarung",
        order=r"bestellung | auftrags?(?:bestatigung)?",
        titles=r"preisliste | beleg | auftragsbestatigung | \w*angebot | \w*abrechnung | bestellung",
        number_noun=r"nummer",
        number=r"nr | nummer | referenz",
        abbreviated_order=r"po",
        own_number=r"(?:angebots|rechnungs|beleg|bescheid|dokument|vertrags|ab)[- ]?(?:nr|nummer|no)",
        of_the=r"der | des",
        document_noun=r"dokument",
        our=r"unsere?",
        your=r"ihre?",
        customer=r"kunden",
        purchase_order=r"bestell?",
        order_noun=r"auftrags",
        transaction=r"vorgangs",
        of_another=r"(?:zu|zur|ihre?)(?: (?:die|der))*",
        contact=r"telefon | handelsregister",
        purchase_order_title=r"bestellung",
        order_answer_title=r"auftragsbestatigung",
        credit_note=r"rechnungskorrektur | korrekturrechnung | storno(?:rechnung|beleg) | rechnungsstorno"
        r" | gutschriftsanzeige | (?!abrechnungs)[a-z]+gutschrift",
        credit_alone=r"gutschrift | storno | retoure",
        self_billing=r"gutschriftsverfahren | gutschriftverfahren | selbstabrechnung | selbstfakturierung"
        r" | abrechnungsgutschrift",
    ),
    parties=words.PartyWords(
        about=r"informationen zum",
        buyer=r"rechnungsempfanger | rechnung an | angebot (?:fur|an) | kunde"
        r" | kaufer(?:/leistungsempfanger)? | auftraggeber | besteller | leistungsempfanger"
        r" | rechnungs(?:adresse|anschrift) | erstellt fur",
        buyer_weak=r"z\. ?hd\.? | an(?=\s*:) | fur | empfanger | lieferung an"
        r" | (?:liefer|versand)(?:adresse|anschrift)",
        supplier=r"lieferant | verkaufer | rechnungs(?:er)?steller | anbieter | auftragnehmer"
        r" | leistungserbringer",
        sold_by=("verkauft von",),
        author=r"(?:angebot )?erstellt von",
        supplier_weak=r"absender | von",
        label_ends=r"fur | an",
        name=r"(?:firmen)?name",
        attention=r"z\.? ?hd | zu handen",
        salutation=r"an | an (?:den|die) \w+ | firma | familie | herrn? | frau | herrn und frau",
        department=r"einkauf | buchhaltung | projektleitung | kundenservice | kundendienst | vertrieb"
        r" | verkauf",
        clerk=r"einkaufer",
        registration=r"amtsgericht | st\.?-?nr",
        bank_account=r"konto",
        delivery=r"liefer",
        contract_buyer=r"kunde | kundin | auftraggeber(?:in)? | lizenznehmer(?:in)?",
        contract_supplier=r"anbieter(?:in)? | auftragnehmer(?:in)? | lizenzgeber(?:in)?",
        articles=r"der | die | dem | des | zum | zur",
        between=r"zwischen",
        and_=r"und",
    ),
    names=words.NameWords(
        legal_forms=(
            r"GmbH(?: ?& ?Co\.? ?KGa?A?)?", r"gGmbH",
            r"[A-ZÄÖÜ][a-zäöüß]+-(?:GmbH|AG)(?: ?& ?Co\.? ?KG)?", r"mbH", r"Ges\.?m\.?b\.?H",
            r"UG \(haftungsbeschränkt\)", r"AG", r"KG", r"KGaA", r"UG", r"OHG", r"e\.K", r"e\.V", r"eG",
            r"a\.G", r"PartG(?: ?mbB)?",
        ),
        links=r"und | der | des | für | von",
        prepositions=r"Verkauft von | Zwischen | Von | An | Für",
        labels=r"Firma | Kunde",
        titles=r"Herrn? | Frau | Familie",
        couple=r"Frau", company_titles=("Firma",),
        street=r"strasse",
        for_=r"für",
        by=r"von",
        from_=r"von",
        on=r"am | den",
    ),
    labels=words.LabelWords(
        title_words=r"angebot | rechnung | auftrag | bestellung | datum | nummer | seite | kunde | lieferung"
        r" | preisliste | sehr geehrte\w* | visualisierung | verkaufer | kaufer | positionsdaten | gutschrift"
        r" | lieferschein | \w+(?:nummer|datum|angebot|vertrag|rechnung|bestatigung)",
        document_titles=r"angebot | kostenvoranschlag",
        premises=r"wohnung | stock",
        labels=r"nummer | globale nummer | name | anschrift | telefon | datum | kundennummer"
        r" | ansprechpartner | zahlungsart | zeitraum | laufzeit | periode | lieferschein | vertreter | kunde"
        r" | anbieter | lieferant | empfanger | (?:liefer|rechnungs)(?:adresse|anschrift)"
        r" | (?:[a-z'.-]+ ){1,3}(?:nr|nummer|datum) | \w+(?:datum|nummer|bedingung|bedingungen)"
        r" | (?:\w+ )?adresse | (?:ihre?|unsere?) (?:ref\w*|angebot|bestellung|anfrage|auftrag|zeichen)",
    ),
    columns=words.ColumnWords(
        position_alone=r"pos(?:ition)? ?(?:nr?|#)? | nr | lfd ?nr | lv ?nr | rang",
        description=r"buchungstext | auslagen | spesen | \w*beschreibung | \w*bezeichnung | leistungen"
        r" | leistung | positionstext | \w*tatigkeit(?:en)? | gegenstand",
        product_alone=r"produkte? | dienste? | modul",
        goods_alone=r"artikel | rolle | funktion | waren? | positionen | abonnements?",
        product=r"produkt",
        item_id=r"art(?:ikel)?[- ]*(?:nr|nummer|no|code) | referenz(?:en)? | bestellnr",
        item_alone=r"artikel",
        quantity=r"menge | \w*anzahl | anz | stuckzahl | stk | stuck",
        count_alone=r"bestellt | geliefert | bestatigt"
        r" | (?:tage?|std|stunden|nachte|verbrauch)(?: ?[(/]? ?k?wh\)?)? | lizenzen | nutzer",
        unit=r"mengeneinheit",
        unit_alone=r"einheit | einh | me | meng ?-? ?einheit | mengeneinheit",
        unit_price=r"\w*einzelpreis | (?:tages|stunden)satz(?: netto)? | stuckpreis | e ?- ?preis | ep"
        r" | nettopreis | einzelbetrag | preis ?/ ?(?:einheit|stuck) | preis (?:je|pro)(?: \w+)?",
        price=r"(?:pro|je) (?:monat|jahr|stuck|einheit|nutzer) | \w*preis | ansatz | tarif",
        fee=r"kosten | gebuhr",
        list_price=r"listenpreis | listenpr | katalogpreis | bruttopreis | grundpreis | uvp | basispreis",
        discount=r"rabatt | rab | nachlass",
        amount=r"(?:gesamt|zeilen|positions|zwischen)(?:preis|betrag|summe|kosten|wert)? | betrag | summe"
        r" | entgelt | nettobetrag | gp | netto | \w*betrag | \w*wert | belastung | honorar | soll",
        cost=r"preis | kosten",
        amount_for_term=r"(?:kosten|preis|summe) (?:fur|uber) \d+ (?:monate|jahre)",
        amount_to_date=r"(?:wert|betrag|summe|leistung) bis(?:her|lang| heute) | kumuliert\w*",
        quantity_to_date=r"menge bis(?:her|lang| heute)",
        months=r"monate? | laufzeit | dauer",
        years=r"jahre?",
        pace_alone=r"(?:pro|je) (?:tag|woche|wochenende|stunde)"
        r" | (?:tages?|wochen(?:end)?|monats|stunden)(?:satz|miete|preis|tarif)"
        r" | (?:(?:pro|je) )?(?:monat|jahr) | monatlich | jahrlich | einmalig(?:e kosten)?",
        beside_year=r"betrag | summe | menge",
        tier_from=r"ab | bis",
        tier_and_up=r"(?:und|oder) mehr",
        price_for=r"bei | fur",
        tier_over=r"uber | mehr als",
        tier_up_to=r"bis(?: zu)?",
        tier_steps=r"\w*staffel\w* | mindest\w* | mindestabnahme",
        basis=r"preisbasis\w* | basismenge | preis-?einheit\w* | ^pe$",
        tax=r"ust | mwst | mwst-? ?satz | steuer | steuersatz | umsatzsteuer",
        date=r"liefertermin",
        date_alone=r"von | bis | zeitraum | datum | liefer(?:datum|termin|woche) | periode",
        ignored=r"abrechnung | wahrung | hersteller | abrechnungsart | (?:wechsel|umrechnungs)kurs | kurs",
    ),
    totals=words.TotalWords(
        paid=r"bereits (?:be|ge)zahlt | (?:erhaltene )?anzahlung(?:en)? | vorauszahlung(?:en)?",
        adjustment=r"porto(?:kosten)? | verpackung | \w*einbehalt | \w*rabatt | \w*nachlass | abschlage"
        r" | abschlag | zuschlage? | versand\w* | fracht",
        tax_base=r"bemessungsgrundlage",
        withheld=r"quellensteuer | abzugsteuer",
        tax=r"(?:zzgl |summe |gesamt)?(?:mwst|mehrwertsteuer|ust|umsatzsteuer|steuerbetrag|steuern"
        r"|umsatzsteuerbetrag|mwst-?betrag)(?: betrag| in eur)?",
        contract_value=r"vertragswert | gesamtvertragswert",
        net=r"netto(?:betrag|summe|wert|total|preis)? | summe netto | gesamt ?netto | zwischensumme"
        r" | positionssumme | warenwert | rechnungssumme (?:netto|ohne) | ohne (?:ust|mwst)"
        r" | exkl (?:ust|mwst) | excl (?:mwst|ust) | nettogesamt\w*",
        net_to_pay=r"nettozahlbetrag",
        due=r"zahlbetrag | offener betrag | zu zahlen | fallig\w*",
        gross=r"(?:ins)?gesamt(?:betrag|summe|total|preis|kosten)? | summe | brutto(?:summe|betrag)?"
        r" | endbetrag | endsumme | \w*forderung"
        r" | (?:rechnungs|angebots|auftrags|vertrags)(?:betrag|summe|total) | totalbetrag",
        grand=r"brutto | inkl | gesamt",
        part=r"jahr",
        sum_nouns=r"betrag",
        offer_parts=r"lose?",
        holding=r"enthalten | beinhalten | einschlie | inkl",
        holding_not=r"nicht | kein\w* | exkl\w* | zzgl | zuzuglich | ohne",
    ),
    lines=words.LineWords(
        included=r"inbegriffen | inklusive | enthalten | kostenlos | kostenfrei | gratis | inkl"
        r" | ohne aufpreis",
        optional=r"(?:eventual|bedarfs)position(?:en)? | optionen"
        r" | optionale? \w+ | optional | nicht (?:im|in der) (?:gesamt\w*|summe) enthalten"
        r" | eventualposition(?:en)? | bedarfsposition(?:en)? | alternativ\w*",
        fee=r"\w*gebuhr(?:en)? | \w*pauschale | \w*vergutung | \w*entgelt | \w*miete | \w*honorar",
        in_case=r"falls | sofern | im falle | bei (?:kundigung|verzug|verspat\w+)",
        carried=r"ubertrag\w*",
        discount=r"\w*rabatt | \w*nachlass | abzgl | abzuglich",
        times=r"zu(?: je)? | je",
        once=r"einmalig\w* | pauschal\w*",
        part_of_above=r"inkl | davon",
        bundle=r"\w*paket\w* | \w*bundle\w* | \w*set",
        cents=r"cts? | rp | rappen",
    ),
    clauses=words.ClauseWords(
        percent=r"prozent",
        least_paid=r"mindest(?:umsatz|abnahme(?:wert|summe|betrag)?|verbrauch|volumen|bestellwert|vergutung"
        r"|jahresumsatz|jahresvolumen)\w* | jahrlicher? mindestumsatz",
        free=r"(?:kosten|gebuhren|beitrags)?frei(?:e[rn]?)? | kostenlos\w* | gratis | unentgeltlich"
        r" | nicht (?:berechnet|in rechnung)",
        first=r"ersten?",
        last=r"letzten?",
        renewal=r"verlanger | erneuer | lauft\b.*\bweiter",
        renewal_noun=r"verlangerung",
        automatic=r"automati\w+",
        renews=r"lauft\b.*\bweiter | sonst verlanger | automatisch\w* (?:um|verlang) | verlangert sich"
        r" | verlangerung:? ja | stillschweigend",
        renews_not=r"verlangerung (?:ist )?ausgeschlossen | nicht automatisch | keine automatische"
        r" | verlangerung (?:erfolgt|findet) nicht | verlangerung:? nein"
        r" | endet (?:automatisch|mit ablauf|zum ende|ohne) | kein automatischer | nicht verlang",
        without=r"ohne",
        no=r"nein | keine | manuell\w*",
        only=r"nur",
        ends=r"endet",
        term=r"(?:vertrags|mindest(?:vertrags)?|erst)?laufzeit | (?:mindest)?vertrags(?:dauer|lange) | dauer",
        term_noun=r"laufzeit | dauer",
        term_after=r"laufzeit | vertragslaufzeit | vertrag"
        r" | ab (?:\w+ )?(?:aktivierung|freischaltung|bereitstellung|vertragsbeginn|unterzeichnung)",
        term_prepositions=r"fur",
        term_fillers=r"eine | einen | von",
        ends_verb=r"endet",
        after=r"nach",
        after_term=r"nach (?:ablauf|ende)",
        renewal_term=r"verlangerungs(?:laufzeit|zeitraum)",
        other_spans=r"haftung | geheim | vertraulich | gewahrleist | garantie",
        payment_forms=(
            r"\b(?P<days>\d{1,3})\)? tagen? (?:net(?:to)?|nach|ab|ohne abzug)\b",
            r"(?:zahlbar|zahlungsziel|zahlung|zahlungsbedingung\w*|fallig|uberweisen|begleichen)"
            r"[^.%]{0,50}?(?P<days>\d{1,3}) tage",
        ),
        payable=r"fallig | zahlbar | zahlung",
        other_deadlines=r"kundig | gultig",
        payable_at_once=r"sofort (?:fallig|zahlbar) | zahlbar sofort",
        rise=r"erhoh | steig | anheb | anzuheb | preisanpassung | nicht mehr als",
        price=r"preis | entgelt | gebuhr | verlanger",
        no_rise=r"verzug | skonto | haftung",
        within_year=r"im (?:jahr)?",
        cap_before=r"hochsten | bis zu | begrenz | nicht (?:\w+ ){0,4}(?:mehr als|uber) | gedeckelt"
        r" | obergrenze",
        cap_after=r"hochstens",
        floor=r"mindestens",
        notice=r"kundbar | kundig | gekundigt | frist",
        notice_before=r"frist von | mindestens | spatestens | frist:?",
        notice_after=r"vor | vorher | zum | (?:kundigungs)?frist",
        other_notice=r"zahlungsfrist | verstoss",
        offer=r"angebot | offerte | preise",
        holds=r"(?:gultig\w*|bindefrist|gebunden)(?: fur)?",
        holds_after=r"gebunden | gultig",
    ),
    billing=words.BillingWords(
        upfront=r"gesamte[nr]? laufzeit | vorauszahlung | einmalig im voraus",
        quarterly=r"vierteljahr | quartal | alle (?:drei|3) m",
        monthly=r"monat",
        annual=r"(?<!viertel)(?<!halb)jahr(?:lich|esr)",
        label=r"abrechnung(?:szeitraum|sart)? | rechnungsstellung | zahlungsweise | zahlung"
        r" | berechn(?:ung|et) | abgerechnet | verrechn(?:en|et|ung) | fakturier(?:ung|t)"
        r" | (?:monats|quartals|jahres)rechnung",
        strong_label=r"abrechn | abgerechn | rechnungsstellung | fakturier",
    ),
    units=UnitWords(
        units={
            "user": "nutzer | benutzer | lizenz | platz | arbeitsplatz", "employee": "mitarbeiter",
            "member": "mitglied", "device": "gerat", "account": "konto", "pack": "paket",
            "day": "tag | manntag | personentag", "hour": "stunde | std", "month": "monat", "year": "jahr",
            "project": "projekt", "site": "standort",
        },
        counts=r"stuck | stk | einheit | menge | anzahl",
        fillers=r"pro | je",
    ),
    line_roles=LineRoleWords(
        shipping=r"versand\w* | fracht\w* | liefer(?:ung|kosten|pauschale) | porto\w* | verpackung\w*"
        r" | zustellung",
        shipping_after=r"und | kosten | verpackung | nach",
        service=r"schulung\w* | einrichtung\w* | implementierung\w* | einfuhrung\w* | beratung\w*"
        r" | inbetriebnahme\w* | projektleitung | projektmanagement | installation | dienstleistung\w*"
        r" | anpassung\w*",
        charge=r"pfand | zuschlag | gebuhr\w* | bearbeitungsgebuhr | mindermengenzuschlag",
        rounding=r"rundung\w*",
        tax=r"mwst | ust | umsatzsteuer | mehrwertsteuer",
        sum=r"zwischensumme | summe",
        once=r"einmalig\w*",
        recurring=r"abonnement\w* | abo | monatlich\w* | jahrlich\w* | pro (?:monat|jahr) | wartung\w*",
    ),
    entries=EntryWords(
        periods=r"monate?n? | jahre?n?", frequencies=r"jährlich | monatlich", before_period=r"für",
        after_period=r"laufzeit", counted=r"stk\.?", editions=r"ausgabe", price_periods=r"monat | jahr",
    ),
    currencies={"CHF": r"schweizer franken", "EUR": r"\beuro\b"},
)  # fmt: skip
