"""Italian."""

from app.service.documents.lexicon import lexicon as words
from app.service.documents.lexicon.scope_words import EntryWords, LineRoleWords, UnitWords

IT = words.Lexicon(
    code="it",
    common_words=(
        "il lo la gli le di del della dei delle che con una è sono fattura preventivo offerta prezzo"
        " quantità importo totale pagamento giorni mesi anno descrizione cliente durata contratto"
    ),
    dates=words.DateWords(
        date=r"data",
        until=r"al? | fino al?",
        since=("dal",),
        of=r"del",
        your=r"vostr[oa] | vs\.?",
        valid_until=r"valid[oaie](?: fino)?(?: al)? | validita(?: (?:dell')?offerta)?(?: fino)?(?: al)?"
        r" | scadenza (?:dell')?(?:offerta|preventivo|validita)"
        r" | (?:offerta|preventivo|prezzi) (?:[a-z]+ ){1,4}fino al"
        r" | (?:accetta\w*|conferma\w*|firma\w*) entro(?: il)?",
        due=r"scadenza(?: il)? | data (?:di )?scadenza | paga(?:re|bile|mento) entro(?: il)?",
        other=r"consegna(?: prevista)?(?: il)? | data (?:di )?consegna | ordine(?: del)? | data (?:d')?ordine"
        r" | spedizione | stampat[oa](?: il)? | (?:vostra )?richiesta del",
        ends=r"fine(?: \w+)? | data (?:di )?fine | al | fino al | termina il | scade il | cessa il",
        starts=r"inizio | data (?:di )?inizio | decorrenza(?: dal)? | dal | a (?:partire|decorrere) dal"
        r" | periodo",
        document_date=r"data(?: (?:di )?(?:emissione|documento|fattura|preventivo|offerta))?$"
        r" | emess[oa](?: il)? | redatt[oa](?: il)? | li | preventivo | offerta | fattura",
        order_date=r"data (?:d'|dell'|di )?ordine",
        weak_document_words=("li", "il"),
    ),
    durations=words.DurationWords(
        numbers={
            1: "un | uno | una", 2: "due", 3: "tre", 4: "quattro", 5: "cinque", 6: "sei", 7: "sette",
            8: "otto", 9: "nove", 10: "dieci", 12: "dodici", 14: "quattordici", 15: "quindici",
            18: "diciotto", 20: "venti", 24: "ventiquattro", 30: "trenta", 36: "trentasei",
            45: "quarantacinque", 60: "sessanta", 90: "novanta", 120: "centoventi", 180: "centottanta",
        },
        month=r"mese",
        year=r"anno",
        per=r"al | all' | per",
        every=("ogni",),
        monthly=r"mensil[ei]",
        yearly=r"annual[ei] | annu[aoi]",
        and_=r"e(?!-)",
    ),
    documents=words.DocumentWords(
        price_list=r"listino(?: prezzi)?",
        order_form=r"modulo (?:d'|di )ordine",
        quote=r"preventivo | offerta | proposta | quotazione | computo metrico(?: estimativo)?",
        invoice=r"fattura | ricevuta | nota di credito | scontrino | parcella",
        contract=r"contratto | accordo",
        order=r"ordine | conferma (?:d'|di )?ordine",
        titles=r"offerta (?:economica|commerciale) | proposta commerciale | ordine(?: (?:d'|di )acquisto)?"
        r" | conferma (?:d'|di )?ordine",
        number_noun=r"numero",
        number=r"numero | nr | n(?=\.) | n° | rif | riferimento | protocollo",
        abbreviated_order=r"o\.?d\.?a\.?",
        own_number=r"nostro riferimento | numero (?:del )?documento",
        of_the=r"di | del | della",
        document_noun=r"documento",
        our=r"nostr[oa] | ns\.?",
        your=r"vostr[oa] | vs\.?",
        customer=r"cliente | codice cliente",
        purchase_order=r"ordine (?:d'|di )acquisto",
        order_noun=r"ordine",
        transaction=r"pratica",
        of_another=r"vostr[oa] | vs\.? | su | relativ[oa] a(?:lla)?",
        contact=r"telefono | cell\b | partita iva | p\.? ?iva | codice fiscale | c\.f\b | rea\b",
        purchase_order_title=r"ordine (?:d'|di )acquisto | ordine (?:a )?fornitore",
        order_answer_title=r"conferma (?:d'|di )?ordine",
        credit_note=r"nota (?:di )?(?:credito|accredito)",
        credit_alone=r"storno | rimborso",
        self_billing=r"autofattura",
    ),
    parties=words.PartyWords(
        about=r"(?:dati|identificazione) (?:del(?:la|l')?|di)",
        buyer=r"spett(?:abile|\.? ?le)(?: ditta| societa| azienda)? | cliente | committente | acquirente"
        r" | destinatario | intestatario | cessionario(?:/committente)? | fatturare a | intestat[oa] a"
        r" | indirizzo di fatturazione | (?:preventivo|offerta) per",
        buyer_weak=r"per(?=\s*:) | alla c\.? ?a\.? | indirizzo di consegna | destinazione(?: merce)?",
        supplier=r"fornitore | venditore | cedente(?:/prestatore)? | emittente | prestatore",
        sold_by=("venduto da",),
        author=r"(?:preventivo |offerta )?(?:redatt[oa]|preparat[oa]|emess[oa]) da",
        supplier_weak=r"mittente | da",
        label_ends=r"per | a | le | spettabile",
        name=r"(?:ragione sociale|denominazione|nome)",
        attention=r"alla c\.? ?a | alla cortese attenzione | c\.a",
        salutation=r"spett(?:abile|\.? ?le)(?: ditta| societa| azienda)? | gentile \w+ | egregi[oa]? \w+"
        r" | egr\.? \w+\.?",
        department=r"ufficio (?:acquisti|contabilita|amministrazione|vendite|commerciale) | amministrazione"
        r" | contabilita | servizio clienti",
        clerk=r"responsabile acquisti",
        registration=r"partita iva | p\.? ?iva | codice fiscale | registro (?:delle )?imprese"
        r" | capitale sociale",
        bank_account=r"conto | c/c",
        delivery=r"consegna",
        contract_buyer=r"cliente | committente | licenziatario",
        contract_supplier=r"fornitore | prestatore | licenziante",
        articles=r"il | lo | la | l'",
        between=r"tra | fra",
        and_=r"e",
    ),
    names=words.NameWords(
        legal_forms=(
        r"S\.r\.l\.s", r"S\.r\.l", r"Srl", r"SRL", r"S\.p\.A", r"SpA", r"S\.n\.c", r"S\.a\.s",
        r"Soc\. Coop", r"srl", r"snc",
        ),
        links=r"e | di | del | della | dei | degli | delle",
        prepositions=r"Venduto da | Tra | Fra | Per | Da",
        labels=r"Cliente | Azienda | Ragione sociale | Spett(?:abile|\.? ?le)(?: Ditta)?",
        titles=r"Sig | Sig\.ra | Dott | Dott\.ssa | Ing | Avv",
        couple=r"Sig\.ra",
        street=r"(?-i:Via) | viale | piazza | corso | vicolo",
        for_=r"per",
        by=r"da",
        from_=r"da | da parte di",
        on=r"il",
    ),
    labels=words.LabelWords(
        title_words=r"preventivo | offerta | fattura | ordine | cliente | spettabile | spett | pagina"
        r" | oggetto | gentile | egregi[oa]? | fornitura | contratto | totale | listino | imponibile"
        r" | descrizione",
        document_titles=r"preventivo | offerta(?: economica| commerciale)? | proposta(?: commerciale)?",
        premises=r"interno | piano | scala",
        labels=r"numero | data | cliente | fornitore | oggetto | riferimento | valuta | consegna"
        r" | partita iva | p\.? ?iva | codice fiscale | telefono | indirizzo | pagina | imponibile | durata"
        r" | decorrenza | scadenza | pagamento | destinatario | mittente | validita(?: offerta)?"
        r" | (?:condizioni|modalita|termini) di \w+ | data (?:di |d')?(?:emissione|scadenza|consegna"
        r"|documento|fattura|preventivo|offerta|ordine|inizio|fine)"
        r" | numero (?:di |d')?(?:documento|fattura|preventivo|offerta|ordine|cliente)"
        r" | (?:vostr[oa]|nostr[oa]|vs|ns)\.? (?:rif\w*|ordine|offerta|richiesta)"
        r" | indirizzo di (?:consegna|fatturazione)",
    ),
    columns=words.ColumnWords(
        position_alone=r"pos(?:izione)? | riga",
        description=r"descrizione | denominazione | prestazion[ei] | dettaglio",
        product_alone=r"prodott[oi] | servizi[oi]? | modulo | voce",
        goods_alone=r"articol[oi] | merce | licenz[ae] | abbonament[oi] | attivita",
        product=r"prodotto",
        item_id=r"codice(?: articolo)? | cod(?: art)? | riferimento | rif",
        item_alone=r"articol[oi]",
        quantity=r"quantita | q ?ta | qt",
        count_alone=r"ordinat[oa] | evas[oa] | consegnat[oa]"
        r" | (?:giornate|giorni|ore|notti|consumo)(?: ?[(/]? ?k?wh\)?)?"
        r" | (?:n )?(?:licenze|utenti|postazioni)",
        unit=r"unita di misura",
        unit_alone=r"unita | u ?m | udm",
        unit_price=r"(?:prezzo|costo|importo|canone) unit\w* | prezzo netto | prezzo per \w+ | p ?unit\w*",
        price=r"prezz[oi] | tariffa | (?:al|per) (?:mese|utente|unita) | all'anno",
        fee=r"costo | canone | quota",
        list_price=r"(?:prezzo )?(?:di )?listino | prezzo (?:lordo|base|pieno)",
        discount=r"scont[oi] | sc",
        amount=r"importo | totale | tot | imponibile | valore | subtotale",
        cost=r"prezzo | costo",
        amount_for_term=r"(?:costo|prezzo|totale|canone) (?:per|su) \d+ (?:mesi|anni)",
        amount_to_date=r"(?:importo|totale|valore) (?:progressivo|cumulato)",
        quantity_to_date=r"quantita (?:progressiva|cumulata)",
        months=r"mes[ei] | durata",
        years=r"ann[oi]",
        pace_alone=r"(?:prezzo )?(?:al |a )(?:giorno|settimana) | giornaliero | settimanale"
        r" | (?:(?:al|per) )?(?:mese|anno) | mensile | annuale | una tantum | canone (?:mensile|annuo)",
        beside_year=r"importo | totale",
        tier_from=r"(?:a partire )?da | oltre | fino a",
        tier_and_up=r"e oltre | o piu",
        price_for=r"per",
        tier_over=r"oltre | piu di",
        tier_up_to=r"fino a",
        tier_steps=r"scaglion[ei] | fasc(?:ia|e) | minim[oa]",
        basis=r"base (?:di )?prezzo | unita di prezzo",
        tax=r"iva | aliquota | imposta",
        date=r"data (?:di )?(?:inizio|fine|consegna)",
        date_alone=r"dal | al | consegna | periodo",
        ignored=r"fatturazione | valuta | cambio | note | fornitore | peso",
    ),
    totals=words.TotalWords(
        paid=r"acconto | gia (?:pagato|versato) | pagato | caparra",
        adjustment=r"sconto | trasporto | spese di (?:trasporto|spedizione|imballo) | imball(?:o|aggio)"
        r" | spedizione | ritenuta(?: d'acconto| a garanzia)? | maggiorazione | arrotondamento",
        tax_base=r"(?:base )?imponibile",
        withheld=r"ritenut[ae]",
        tax=r"(?:totale |importo )?(?:iva|i\.v\.a|impost[ae])",
        contract_value=r"valore (?:totale |complessivo )?(?:del )?contratto | totale contratto",
        net=r"(?:totale |importo )?netto | sub ?-?totale | totale (?:merce|senza iva)",
        net_to_pay=r"netto a pagare",
        due=r"da pagare | saldo | (?:totale|importo) dovuto",
        gross=r"totale(?: (?:complessivo|generale|documento|fattura|preventivo|offerta|ordine|ivato|lordo))?"
        r" | importo (?:totale|complessivo)",
        grand=r"ivato | complessivo | generale | da pagare",
        part=r"mese | anno | pagina | quantita",
        sum_nouns=r"importo | totale | somma",
        offer_parts=r"lott[oi]",
        holding=r"inclu | comprend | compres", holding_not=r"non | senza | esclu\w*",
    ),
    lines=words.LineWords(
        included=r"inclus[oaie] | compres[oaie] | gratuit[oaie] | omaggio | senza costi aggiuntivi",
        optional=r"opzional[ei] | opzion[ei](?! \d) | facoltativ[oaie] | non (?:inclus|compres)[oaie]",
        fee=r"canone | compenso | corrispettivo | onorario",
        in_case=r"se | in caso | qualora",
        carried=r"riporto | a riportare",
        discount=r"sconto | abbuono",
        times=r"a | per",
        once=r"una ?tantum | unic[oa]",
        part_of_above=r"di cui",
        bundle=r"pacchett[oi] | kit",
        cents=r"centesim[oi]",
    ),
    clauses=words.ClauseWords(
        percent=r"per ?cento",
        least_paid=r"(?:impegno|consumo|spesa|fatturato) (?:\w+ )?minim[oa] | minimo garantito",
        free=r"gratis | gratuit[oiae] | omaggio",
        first=r"prim[oi]",
        last=r"ultim[oi]",
        renewal=r"rinnov | prorog",
        renewal_noun=r"rinnovo | proroga",
        automatic=r"automatic\w+ | tacit\w+",
        renews=r"tacito rinnovo | rinnovo (?:\w+ ){0,2}(?:automatico|tacito) | si rinnov\w+ | si prorog\w+"
        r" | rinnovat\w* (?:auto|tacit) | (?:auto|tacit)\w* (?:rinnovat|prorogat|rinnov)\w*",
        renews_not=r"non (?:si |e |sara )?(?:auto\w* |tacit\w* )?(?:rinnov|prorog|soggett\w+ a)"
        r" | senza (?:tacito )?rinnovo | non (?:\w+ ){0,3}(?:tacito )?rinnovo | rinnovo escluso"
        r" | esclus[oa] (?:il |ogni )?(?:tacito )?rinnovo | nessun (?:tacito )?rinnovo",
        without=r"senza",
        no=r"no | nessuno | manuale",
        only=r"solo | soltanto | esclusivamente",
        ends=r"termina | cessa | scade",
        term=r"durata(?: (?:iniziale|minima|contrattuale|(?:del |dell'|di )?\w+))?"
        r" | periodo (?:iniziale|contrattuale|minimo) | vincolo",
        term_noun=r"durata",
        term_after=r"di (?:durata|abbonamento|contratto) | (?:a (?:decorrere|partire) )?dall[a'] ?"
        r"(?:data (?:di |d'))?(?:attivazione|sottoscrizione|firma|avvio)",
        term_prepositions=r"per(?= un) | (?:durata|abbonamento|contratto|licenza|canone) (?:di|per)",
        term_fillers=r"un | una | periodo | durata | iniziale | di | complessiva",
        ends_verb=r"termina | cessa | scade",
        after=r"dopo | trascorsi",
        after_term=r"al termine | alla scadenza | decorsi",
        renewal_term=r"durata del rinnovo",
        other_spans=r"garanzi | riservat | interess | preceden | responsabilit",
        payment_forms=(
        r"\b(?P<days>\d{1,3}) ?(?:giorni|gg)\.? (?:data (?:della )?fattura|d\.? ?f\b|dalla data|fine mese"
        r"|f\.? ?m\b|netti|dal ricevimento|dalla fattura|dall'emissione)",
        r"(?:pagament|pagabil|pagar|bonifico|rimessa diretta|ri\.?ba)\w*[^.%]{0,50}?"
        r"(?P<days>\d{1,3}) ?(?:giorni|gg)\b",
        ),
        payable=r"pagabil[ei] | pagamento",
        other_deadlines=r"disdett | recess",
        payable_at_once=r"a vista\b | pagamento immediato | a ricevimento fattura",
        rise=r"aument | increment | adegu | rivalut | indicizz",
        price=r"prezz | canon | tariff | corrispettiv | rinnov",
        no_rise=r"interess | \bmora\b | penal | responsabilit",
        within_year=r"nel(?:l'anno)?",
        cap_before=r"non (?:\w+ ){0,4}(?:super|ecced)\w* | massim | fino al? | al piu | tetto"
        r" | non (?:\w+ ){0,4}(?:piu del|oltre il)",
        cap_after=r"(?:al |come )?massimo",
        floor=r"almeno | il maggiore (?:tra|fra)",
        notice=r"preavviso | disdett | recess",
        notice_before=r"preavviso(?: scritto| minimo)?(?: di| di almeno)?:? | almeno | entro"
        r" | disdetta(?: di)?:? | non inferiore a",
        notice_after=r"prima | di preavviso | di anticipo | dalla scadenza | antecedenti",
        other_notice=r"termin[ei] di pagamento",
        offer=r"preventivo | offerta | proposta | quotazione | prezzi",
        holds=r"(?:valid[oaie]|validita(?: (?:dell'|del )?(?:offerta|preventivo|proposta))?|vincolante)"
        r"(?: (?:e )?(?:per|di))?",
        holds_after=r"di validita",
    ),
    billing=words.BillingWords(
        upfront=r"unica soluzione | pagamento anticipato | interamente anticip",
        quarterly=r"trimestr | ogni (?:tre|3) mesi",
        monthly=r"mensil",
        annual=r"annual | all'anno",
        label=r"fatturazione | fatturat[oaie] | pagament[oi] | addebit[oi] | canon[ei]",
        strong_label=r"fatturazione",
    ),
    units=UnitWords(
        units={
            "user": "utente | utenti | licenza | licenze | postazione | postazioni",
            "employee": "dipendente | dipendenti", "member": "membro | membri", "host": "server",
            "device": "dispositivo | dispositivi", "pack": "pacchetto | pacchetti | confezione | confezioni",
            "day": "giorno | giorni | giornata | giornate", "hour": "ora | ore", "month": "mese | mesi",
            "year": "anno | anni", "project": "progetto | progetti", "site": "sede | sedi",
        },
        counts=r"unita | pezz[oi] | pz | quantita | numero",
        fillers=r"per | al | di",
    ),
    line_roles=LineRoleWords(
        shipping=r"(?:spese|costi) di (?:spedizione|trasporto|consegna|imballo) | spedizione | trasporto"
        r" | consegna | imballaggio",
        shipping_after=r"e | imballo | imballaggio | consegna",
        service=r"formazione | installazione | configurazione | implementazione | consulenza | avviamento"
        r" | migrazione | attivazione | personalizzazione | messa in servizio",
        charge=r"contributo (?:integrativo|cassa|inarcassa|enpam|previdenziale) | rivalsa"
        r" | spese (?:bancarie|di incasso|amministrative|di gestione) | supplemento | cauzione",
        rounding=r"arrotondament[oi]",
        tax=r"iva",
        rate_at=r"al",
        sum=r"subtotale | totale$ | somma$",
        once=r"una ?tantum",
        recurring=r"abbonament[oi] | mensil[ei] | annual[ei] | al mese | all'anno | manutenzione",
    ),
    entries=EntryWords(
        periods=r"mes[ei] | ann[oi]", frequencies=r"mensil[ei] | annual[ei]", before_period=r"per",
        after_period=r"di (?:abbonamento|contratto) | abbonamento",
        counted=r"pezzi | utenti | licenz[ae] | postazioni", of=r"di",
        editions=r"edizione | piano | versione", price_periods=r"mese | anno",
    ),
    currencies={
        "EUR": r"\beuro\b", "USD": r"dollar[oi] (?:statunitens[ei]|american[oi]|usa)",
        "CHF": r"franch?[io] svizzer[oi]",
    },
)  # fmt: skip
