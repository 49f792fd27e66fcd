"""English."""

from app.service.documents.lexicon import lexicon as words
from app.service.documents.lexicon.scope_words import EntryWords, LineRoleWords, UnitWords

_EXTENDS = r"extend(?:s|ed) (?:automatically|for (?:another|a further))"
_GOES_ON = (
    r"continues? (?:(?:from )?(?:year|month) to|on an? |for (?:\w+ )?(?:another|a further|successive"
    r"|consecutive))"
)
_NAME = r"[A-ZÀ-ÖØ-Þ].{2,70}?"

EN = words.Lexicon(
    code="en",
    common_words=(
        "the and of to for is in with by date amount price quantity invoice quote term payment days months"
        " year total description customer unit not this prices"
    ),
    dates=words.DateWords(
        after_noun=r"of | dated | on",
        date=r"dates?", until=r"to | through | thru | until", since=("from",), of=r"of | dated",
        your=r"your(?! \w+ (?:ends|expires)\b)",
        valid_until=r"valid(?:ity)?(?: date| period| for \d+ (?:days|weeks|months),?)?(?: until| through"
        r"| thru| to| till| up to)? | expir\w*(?: date| on)? | good (?:until|through|thru|till)"
        r" | offer ends(?: on)? | open (?:for (?:acceptance|signature) )?(?:until|through|till)"
        r" | (?:offer|quote|quotation|proposal|prices|pricing) (?:[a-z]+ ){1,4}(?:until|through|till)"
        r" | held until | accept\w* (?:by|before) | (?:purchase order|order|signed copy) before"
        r" | (?:respond|reply|answer|sign|return|decide)\w* by | if unsigned after",
        due=r"due(?: date| on| by)? | date due | pay(?:able|ment)? by | payment due"
        r" | (?:direct debit|debited|collected|charged)(?: on)?",
        other=r"deliver\w*(?: date| on)? | ship\w*(?: date| on)? | pick-?up\w*(?: date)? | printed(?: on)?"
        r" | (?:purchase )?order date | p\.?o\.? date | (?:run|print|renewal) date | birth\w* | last \w+"
        r" | (?:valuation|survey|inspection|visit|value) date"
        r" | (?:no\.?|number) (?:&|and) date of (?:contract|order|p\.?o\.?|l ?/ ?c|sales contract)"
        r" | sailing(?: on)? | on or about | et[ad]"
        r" | (?:requested|required|target|promised|milestone)\w*(?: \w+)?(?: date)?"
        r" | order no[^a-z]*(?: of| dated)? | version\w* | (?:ver|version|rev|revision)\.? ?date",
        ends=r"end of (?:the )?\w+ | ends?(?: date| on)? | ending(?: on)? | (?:end|completion) date | until"
        r" | through | thru | to | termination date | expiry",
        starts=r"start\w*(?: date| on)? | begin\w*(?: on| date)? | commenc\w*(?: on| date)? | from"
        r" | subscription start | subscription term | initial term | term | service (?:period|dates?|term)"
        r" | coverage(?: period)? | period | billing period | effective from | go-live",
        document_date=r"date of (?:issue|invoice|quote) | (?:invoice|quote|quotation|order|document|bill"
        r"|offer|proposal|estimate|issue|agreement|contract)(?: form)? date | issued?(?: on| date)?"
        r" | tax point(?: date)? | created(?: on)? | prepared(?: on)? | made on | made"
        r" | entered into(?: as of| on)? | as of | effective(?: date| as of)? | on | invoice | quote"
        r" | quotation | receipt | dated? | sent",
        order_date=r"order date | p\.?o\.? date | date of order",
        weak_document_words=("on", "as", "of", "effective", "made", "receipt", "sent"),
    ),
    durations=words.DurationWords(
        numbers={
            1: "one | a | an", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight",
            9: "nine", 10: "ten", 12: "twelve", 14: "fourteen", 15: "fifteen", 18: "eighteen",
            20: "twenty", 24: "twenty-four", 30: "thirty", 36: "thirty-six", 45: "forty-five",
            60: "sixty", 90: "ninety", 120: "one-hundred-twenty", 180: "one-hundred-eighty",
        },
        month=r"month | mo | mth", year=r"year | yr | annum", per=r"per | a | each | p", every=("every",),
        monthly=r"monthly | mrc | pcm\b | p/m\b",
        yearly=r"annual(?:ly)? | yearly | p/a\b | (?<![.])p\.a\b", and_=r"and",
        qualifiers=r"calendar | business | full | written | consecutive", half=r"half",
    ),
    documents=words.DocumentWords(
        price_list=r"price ?(?:list|file) | tariff(?: \d+)? | rate card | price ?book",
        order_form=r"order form | subscription order | service order | ordering document",
        quote=r"quote | quotation | proposal | estimate | offer | budgetary | pro ?-?forma"
        r" | bid (?:form|sheet)",
        invoice=r"invoice | receipt | bill | (?:credit|debit) (?:note|memo) | adjustment note"
        r" | statement(?! of work)"
        r" | folio | check(?= #)", contract=r"agreement | contract | statement of work",
        order=r"purchase order | order(?: confirmation| response| change| acknowledg\w+)?"
        r" | (?<!\w )p\.?o\.?(?!\.? ?box)",
        titles=r"(?:(?:tax|vat|sales|commercial|service) )?invoice | (?:sales )?quot(?:e|ation) | order form"
        r" | order (?:response|change|confirmation) | purchase order | estimate | proposal | offer"
        r" | agreement | contract | bill | receipt | credit (?:note|memo) | statement | folio | check"
        r" | ticket | price ?list | pro ?-?forma | p\.?i\.?(?= ?(?:no|number|#))", number_noun=r"number",
        number=r"number | numbers | no | num | # | n[. ]?[ºo°] | n° | id | ref | reference",
        abbreviated_order=r"l?\.?p\.?o\.?",
        own_number=r"our order | p/?i ?(?:number|no|num|#)"
        r" | (?:inv|est|qtn|qte|quot)\.? ?(?:number|no|num|#)",
        of_the=r"of(?: the)?", document_noun=r"document | reference", our=r"our",
        your=r"your", customer=r"customer", purchase_order=r"l?\.?p\.?o\.? | purchase order",
        order_noun=r"(?:sales )?order", transaction=r"reference",
        of_another=r"(?:to|against|ref\w*|of|from|your|customer|per)(?: (?:tax|sales|the))*",
        contact=r"tel | phone | fax | registered | registration | company (?:n|reg) | reg\.? ?(?:#|n)",
        purchase_order_title=r"(?:(?:local|blanket|standard|service) )?purchase order(?: form)? | work order"
        r" | sub-?contract order | (?:rate|load) confirmation(?: sheet)? | load tender",
        order_answer_title=r"order (?:confirmation|response|acknowledg\w+) | sales order",
        credit_note=r"credit (?:note|memo(?:randum)?|invoice|advice) | adjustment note | goods return note"
        r" | refund (?:note|invoice|receipt|advice|statement)",
        credit_alone=r"refund | return(?: note| receipt)?", self_billing=r"self[- ]bill(?:ing|ed)",
    ),
    parties=words.PartyWords(
        about=r"information on the",
        buyer=r"bill(?:ed|ing)? ?to(?: address)? | (?:billing|invoice) (?:address|info(?:rmation)?)"
        r" | sold ?to | invoiced? ?to | (?:customer|client|buyer)(?: name| details| address| information)?"
        r" | guest(?: name)? | (?:proposal )?submitted to | prepared (?:exclusively |especially )?for"
        r" | (?:quot(?:e|ation|ed)|estimate|order|offer) (?:to|for) | proposal for"
        r" | purchaser(?: billing info(?:rmation)?)? | your (?:company )?name | account(?: name)?"
        r" | send invoices? to | advertiser | licensee | subscriber | credit(?:ed)? to",
        buyer_weak=r"owner | company(?: name)? | address | for | to | attn | attention | fao | ship ?to"
        r" | send (?:goods|materials?|items) to | deliver(?:ed|y)? ?to(?: \(\w+\))? | end ?user"
        r" | (?:delivery|shipping) (?:address|info(?:rmation)?)",
        supplier=r"(?:party [ab] ?\()?(?:supplier|vendor|seller)\)?(?: name| details| address| information)?"
        r" | issued by | (?:sub-?)?contractor(?: ?/ ?offeror)? | bidder | tenderer | bill(?:ed)? from"
        r" | (?:service )?provider | licensor | payable to | remit to",
        sold_by=("sold by",),
        author=r"(?:quot(?:e|ation) |proposal |offer )?(?:created|prepared|offered) by",
        supplier_weak=r"company | from | reseller", label_ends=r"for | to", name=r"(?:company )?name",
        attention=r"attn | attention | att | fao | c/o",
        salutation=r"to | messrs\.? | m/s\.? | the (?:manager|principal|director|secretary|registrar|head)",
        department=r"accounts? (?:payable|dep(?:artmen)?t) | purchasing | procurement | finance"
        r" | practice manager | customer (?:services?|care|support) | sales (?:team|desk|office) | billing"
        r" | accounts receivable | the head | .*\bdepartment$",
        clerk=r"buyer", registration=r"company no | authori[sz]ed(?: and regulated)? by",
        bank_account=r"account | sort code",
        delivery=r"deliver | ship | goods | dispatch",
        contract_buyer=r"customer | client | licensee | subscriber | buyer | purchaser",
        contract_supplier=r"supplier | consultant | contractor | vendor | provider | service provider"
        r" | licensor | seller",
        articles=r"the", between=r"between", and_=r"and",
    ),
    names=words.NameWords(
        legal_forms=(
            r"Inc", r"LLC", r"L\.L\.C", r"Ltd", r"LTD", r"Limited", r"PLC", r"plc", r"LLP", r"LP", r"L\.P",
            r"Pty\.?,? ?Ltd", r"Pte\.?,? ?Ltd", r"Pvt\.?,? ?Ltd", r"ULC", r"Corp", r"Corporation",
            r"Incorporated", r"Company", r"Co(?!\.? [A-Z][a-z])", r"DAC", r"CLG", r"Holdings", r"Group",
            r"INC", r"CORP", r"CO(?=\.?(?:$|,? (?:INC|LTD|LLC)))",
        ),
        links=r"of | and | the",
        prepositions=r"(?:(?:Prepared |Created |Issued |Sold )?[Bb]y|Between|From|For|To|And)",
        labels=r"Company | Name | Customer | Client",
        titles=r"Mr | Mrs | Ms | Miss | Messrs | M/s", couple=r"Mrs",
        company_titles=(r"M/s\.?", r"Messrs\.?"),
        street=r"street | road | avenue | lane | box | suite | floor",
        for_=r"for", by=r"by", from_=r"from | by", on=r"on", of_place=r"of",
        quotes_to=(
            r"(?P<one>[A-ZÀ-ÖØ-Þ].{2,80}?) (?:is|are) (?:\w+ )?(?:pleased|happy|glad|delighted) to (?:quote"
            rf"|offer|propose)(?: to)? (?P<two>{_NAME})(?: as follows| the following|[:.]|$)",
        ),
    ),
    labels=words.LabelWords(
        title_words=r"invoice | quote | quotation | order(?: form| confirmation)? | proposal | estimate"
        r" | price list | agreement | contract | date | number | page | bill | ship | customer | prepared"
        r" | renewal | summary | tax | receipt | statement | attention | terms | total | due | details"
        r" | subscription | product | service | pricing | dear | offer | copy | original | duplicate | draft"
        r" | confidential | information | reference | phone | seller | buyer | version | profile | sheet"
        r" | stylesheet",
        document_titles=r"(?:(?:sales|price|customer|renewal|subscription) )?(?:quot(?:e|ation)|proposal"
        r"|estimate|order form)", premises=r"unit | suite | level | floor | flat | building",
        labels=r"prepared by | prepared for | notify(?: party)? | bill to | ship to | sold to | date | number"
        r" | no | id | name | address | contact | phone | tel | fax | email | terms | payment | total"
        r" | currency | subscription term | term | billing | reference | attention | attn | account manager"
        r" | customer id | vat(?: id| no)? | tax id | invoice | quote | order | page | po number"
        r" | date of issue | (?:issue|invoice|due|quote|order) date | (?:receive|ship|deliver) (?:by|via)"
        r" | payment method | (?:invoice|order|quote) # \d+ | expires | valid (?:until|for|to|through)"
        r" | your (?:sales |account )?representative | customer | supplier | vendor | seller | provider"
        r" | buyer | client | from | to | (?:company|account|customer|client|contact) name | issued"
        r" | (?:delivery|billing|shipping|invoice) address"
        r" | (?:[a-z'.-]+ ){1,3}(?:no|num|number|date|ref|reference|terms|rep|information|details)"
        r" | (?:\w+ )?total | (?:your|our) (?:ref\w*|order|enquiry|offer|quote|contact)",
    ),
    columns=words.ColumnWords(
        position_alone=r"pos(?:ition)? ?(?:n[or]|#)? | # | no | n | ln | line ?(?:no|#|item|number)?"
        r" | item ?(?:no|#) | s ?[lr]? ?no | sr | sl | s ?/ ?n",
        description=r"descriptions? | details | coverages? | particulars | expenses? | disbursements?"
        r" | narrative | designation | activit(?:y|ies) | specifications?",
        product_alone=r"(?:licensed )?(?:products?|services?|modules?|plans?|subscriptions?|software"
        r"|solution|name|title|offering|package|edition|component)(?: ?/ ?\w+| ?(?:name|title|and services?"
        r"|description))? | what you get | what's included | line items? | subscription service"
        r" | products? (?:and|&|or|/) (?:services?|plans?)",
        goods_alone=r"items? | grades? | articles? | goods | work | tasks? | jobs? | text | material"
        r" | deliverables? | milestones? | phases? | stages? | charges? | fees? | licen[cs]es? | resources?"
        r" | roles? | labou?r categor(?:y|ies) | routes? | lanes? | from ?[-–/] ?to",
        product=r"product | service | subscription | (?:course|job) title | plan | item",
        item_id=r"sku | skus | item (?:id|code|no|number|#) | part (?:no|number|#|code|num)"
        r" | mfr part ?(?:no|#|number)? | mpn | p/n | product (?:id|code|no|number|#)"
        r" | catalog(?:ue)? (?:no|number) | model(?: no)? | ean | gtin | code | material (?:no|number)"
        r" | ref | reference | references", item_alone=r"items? | articles?",
        quantity=r"qty | qtys | quantity | quantities | quant | hrs | hours | units ordered | no of units"
        r" | units | count | volume | committed | delivered | shipped | consumption | usage(?: limit)?"
        r" | (?:no|number|#) of (?!months|years|periods)\w+",
        count_alone=r"ordered | confirmed | lines | (?:ad )?impressions"
        r" | (?:weight|wt) \(?(?:mt|kgs?|tons?|tonnes?)\)?"
        r" | number | (?:days|nights|pcs|pieces|pax)(?: ?[(/]? ?k?wh\)?)? | k?wh | (?:no of |number of "
        r"|# of |# )?(?:licen[cs]es|users|seats|agents|employees|hosts|nodes|devices|endpoints|contacts"
        r"|subscriptions)(?: ordered)? | (?:named|concurrent) users | entitlements?",
        unit=r"unit of (?:measure|issue)",
        unit_alone=r"units? | uom | u ?/ ?m | unit of (?:measure|issue|measurement)"
        r" | (?:licen[cs]e |charge |billing )?metric | billing unit | measure | (?:licen[cs]e|user|unit) type"
        r" | per | basis | each of",
        unit_price=r"cpm | unit (?:price|cost|rate|net|fee|amount|value) | price (?:per|/) ?\w+"
        r" | (?:day|daily|hourly) rate | (?:price|cost|rate) each | net (?:unit )?price | your price"
        r" | price/?unit | cost ?/ ?unit | price after discount | sales? price | selling price"
        r" | unit/? ?price | (?:monthly|annual|yearly|month|year) ?/? ?unit price | customer price"
        r" | price offered | new (?:\w+ )?(?:price|charge|rate|fee) | trade price | ^trade$",
        price=r"each | rate | price | prices | per (?:user|seat|unit|licen[cs]e|month|year|item|agent|host)"
        r" | (?:monthly|annual|yearly|per month|per year) (?:price|rate|fee|cost|licen[cs]e fee)(?: per unit"
        r"| each)?",
        fee=r"fees? | cost | charge | monthly | annual | mrc | nrc",
        list_price=r"list | (?:list|trade) price | msrp | rrp | srp | gross (?:unit )?price | standard price"
            r" | retail | book price | before discount"
            r" | (?:regular|catalog(?:ue)?|base|original|published|full) price | standard rate",
        discount=r"disc | disc ?% | discount | discounts | adjust(?:ment)? | savings? | reduction | rebate"
        r" | % off",
        amount=r"amount | amounts | total | totals | ext | extended | extension | subtotal | sub total"
        r" | line total | line net | net amount | net value | tcv | sum | value | acv | arr | debits?",
        cost=r"cost | charges? | fees? | price | premium | annual (?:fee|charge) | net",
        amount_for_term=r"(?:\d+[- ](?:month|year)|term|contract) (?:total|amount|cost|price|fee)"
        r" | (?:total|cost|price|fees?) (?:for|over) (?:the |\d+ )?(?:term|months|years)",
        amount_to_date=r"(?:value|amount|total|gross|cost|work|sum|net|billed|charged) to date"
        r" | cumulative(?: (?:value|amount))?",
        quantity_to_date=r"(?:qty|quantity|hours|units) to date",
        months=r"(?:(?:#|no|number) of )?months? | mths? | mos? | term | periods? | duration",
        years=r"years?(?! ?\d) | yrs?",
        pace_alone=r"one-?(?:off|time) | set-?up | (?:per )?(?:day|week|weekend|hour)(?: hire| price)?"
        r" | (?:\d+[ -]?)?(?:half[ -]day|day|daily|hour(?:ly)?|week(?:ly|end)?|month(?:ly)?|annual) rate"
        r" | (?:price |billed |paid )?(?:monthly|annual(?:ly)?|yearly|quarterly|(?:per |a )?(?:month|year"
        r"|quarter))",
        year_of=r"contract | subscription | service",
        beside_year=r"fees? | total | amount | subtotal | cost | qty | quantity | users | seats",
        tier_from=r"from | over | up to | starting (?:at|from)",
        tier_and_up=r"(?:and|or) (?:up|over|above|more)",
        tier_over=r"over | above | more than", tier_up_to=r"up to | until | below", price_for=r"for",
        tier_steps=r"breaks? | tiers? | bands? | min(?:imum)? | moq | volume",
        basis=r"price base(?: qty)? | price unit | base (?:qty|quantity) | price basis | per qty",
        tax=r"tax | taxes | tax % | tax rate | vat | vat % | gst | hst | sales tax",
        date=r"(?:start|end|delivery|begin) date | from date | to date",
        date_alone=r"(?:\w+ )?(?:starts?|ends?|begin|from|to|date|dates|delivery|service period|valid)"
        r"(?: date)?",
        ignored=r"(?:min|max|minimum|maximum)(?: qty| quantity| users| participants| years| education)?"
        r" | volume band | tier | band | break | from qty | to qty | (?:charge |item |billing )type"
        r" | billing(?: frequency)? | frequency | status | currency | category | weight | page"
        r" | l\.?r\.? ?no | (?:vehicle|truck)(?: ?no)?"
        r" | invoice number | notes? | vendor | manufacturer | supporting \w+ | experience | education"
        r" | limits?(?: of \w+)? | deductibles? | excess | sum insured | ex(?:ch(?:ange)?)? rate"
        r" | rate of exchange | roe",
    ),
    totals=words.TotalWords(
        paid=r"amount paid | paid | payments?(?: received| made)? | deposit | prepaid | previous balance"
        r" | change(?: due)? | cash | tendered?(?: amount)? | credit card | visa | mastercard",
        adjustment=r"discounts? | charges amount | (?<![a-z] )charges(?! [a-z]) | allowances? | shipping"
        r" | freight | delivery | handling | carriage | postage(?: (?:and|&) packing)? | p&[pf]"
        r" | packing (?:and|&) forwarding | savings? | you save | surcharge | tip | (?:less )?retention",
        tax_base=r"taxable (?:base|basis)",
        withheld=r"withh(?:olding|eld)\w*(?: tax)? | wht | tds | cis deduction",
        tax=r"(?:total |plus |add |less |sales |estimated |state |local |consumption |goods and services "
        r"|value added )?(?:tax|taxes|vat|v\.a\.t|gst|hst|pst|qst|sst|cgst|sgst|igst)(?: amount| total| due)?"
        r" | includ(?:es|ed|ing) (?:vat|gst|hst|tax) of",
        contract_value=r"contract value | total contract | tcv | commitment",
        net=r"sub ?-?s?totals? | goods value | value of goods | taxable amount | nett? (?:total|amount|value"
        r"|price|sum|due before tax) | net | total (?:net|excl\w*|exc|before tax|without (?:vat|tax)"
        r"|fees,? net) | total amount (?:of lines|without vat) | ex (?:vat|gst|tax) | excl (?:vat|gst|tax)"
        r" | excluding (?:tax|vat|gst|taxes) | before (?:tax|vat|taxes) | exclusive of (?:vat|tax|taxes)",
        net_to_pay=r"net (?:amount )?payable",
        due=r"to pay | balance due | amount due | total due | due | balance | pay this amount",
        gross=r"grand total | gross (?:total|amount) | total | totals | total(?:s)? (?:gross|incl\w*|payable"
        r"|amount|price|value|order|invoice|quote|bid|cost|fees|due|charge)(?: amount)? | amount payable"
        r" | (?:invoice|quote|order|offer|estimate) (?:total|amount|value|sum) | base proposal",
        grand=r"grand | payable | incl | to pay",
        part=r"year | month | page | qty | quantity | items? | lines? | units? | hours",
        sum_nouns=r"amount | value | total", offer_parts=r"opti\w* | offer\w* | lot\w* | phase\w*",
        holding_not=r"not | no | never | exclu\w* | extra | (?<!value[- ])added | plus | additional\w*",
        holding=r"includ | inclusive | incl | contain",
    ),
    lines=words.LineWords(
        included=r"included | incl | inclusive | no charge | free of charge | free | n ?/ ?c | complimentary"
        r" | at no (?:extra )?(?:charge|cost) | bundled | waived",
        optional=r"optional(?: items?| services?| add-ons?)? | options?(?! \d)"
        r" | not included in (?:the )?total | alternatives? | add-ons? available | not included in the price"
        r" | is (?:also )?available (?:\w+ ){0,3}(?:at|for) | if you (?:want|wish|would like)",
        fee=r"fees? | rent | retainer | charge",
        in_case=r"if | in case | in the event | late | overdue | upon termination",
        carried=r"(?:carried|brought|balance) (?:forward|over|to (?:the )?next page) | carry ?over",
        discount=r"discount | less | reduction", times=r"at | a | per | by", once=r"one-?(?:off|time)",
        part_of_above=r"incl | including | thereof | of which",
        bundle=r"bundle[sd]? | packages? | kits? | suites? | combo | packs?", cents=r"p | cents?",
    ),
    clauses=words.ClauseWords(
        percent=r"percent | per ?cent",
        least_paid=r"minimum (?:\w+ ){0,2}(?:commitment|spend|spending|billing|consumption|turnover|revenue)"
        r" | (?:annual |monthly |total )?(?:committed|commitment to) spend | spend commitment"
        r" | minimum annual fees? | take[- ]or[- ]pay(?: amount| commitment)?",
        free=r"free(?: of charge)? | (?:at )?no (?:extra |additional )?(?:charge|cost) | without charge"
        r" | waived | complimentary | not (?:be )?(?:charged|billed|invoiced)",
        first=r"first | initial",
        last=r"last | final",
        renewal=r"renew | successive | non-?renewal | roll(?:s|ed)? over | automatically (?:be )?extend"
        rf" | {_EXTENDS} | {_GOES_ON} | automatic (?:continuation|for)",
        renewal_noun=r"renew(?!able)\w*", automatic=r"auto\w*",
        renews=r"auto\w*[- ](?:\w+ )?renew | renew\w* (?:each|every) | renew\w* (?:\w+ )?auto"
        r" | renew\w*:? (?:yes|automatic) | (?:shall|will) renew | renews for | evergreen | rolls? over"
        rf" | automatically (?:be )?extend | {_EXTENDS} | {_GOES_ON} | renew for",
        renews_not=r"not (?:be )?(?:auto\w*[- ])?renew | not (?:\w+ ){0,3}auto\w*[- ]renew | \bno auto"
        r" | auto\w*[- ]?renew\w*(?: is| are|:)? (?:switched |turned )?(?:no|none|off|disabled)\b"
        r" | without auto | non[- ]renewing | does not auto"
        r" | unless (?:the parties|both parties|you renew|renewed)"
        r" | ends? (?:automatically )?on (?:the|its) end date | expires? at the end of the (?:\w+ )?term"
        r" | \bends automatically | no automatic continuation | without (?:automatic )?renewal",
        without=r"without", no=r"no | none | off | manual\w*", only=r"only", ends=r"\bends?\b | expire",
        term=r"(?:initial |subscription |order |contract |licen[cs]e |service |minimum |committed |renewal "
        r"|next |this )*term(?: length| of service)? | (?:contract|agreement) (?:length|period|duration)"
        r" | duration | commitment(?: period| term)? | runs for | period of | subscription period"
        r" | coverage(?: period)? | length of (?:the )?(?:term|agreement|contract) | services? period",
        term_noun=r"term",
        term_after=r"(?:initial |subscription |contract |fixed |licen[cs]e |minimum |committed |renewal )*"
        r"(?:term|subscription|agreement|contract|commitment|licen[cs]e)"
        # `12 months from the date of activation`
        r" | from (?:the )?(?:date of |day of )?(?:activation|commencement|go-?live|signature|signing|"
        r"(?:start|effective|service) date)",
        term_prepositions=r"for | over | of | \b(?:runs|covers)",
        term_fillers=r"a | an | the | period | term | initial | further | next | another | of",
        ends_verb=r"ends", after=r"after(?: the first)?",
        after_term=r"after | following | at the end of | on expiry of",
        renewal_term=r"next term | renewal (?:term|covers|runs) | initial",
        other_spans=r"liabil | expire[sd]? after | retention | preceding | interest | warrant"
        r" | after termination | confidential | disclos | secret | uptime | availab | support hours | payable"
        r" | due within | history",
        payment_forms=(
            r"\bnet(?:to)?[ -]{0,2}(?:[a-z-]+ \()?(?P<days>\d{1,3})\b(?! ?%|[.,]\d)",
            r"\b(?P<days>\d{1,3})\)? (?:calendar )?days? (?:(?:due )?net|from|after|of|following|date)",
            r"\b(?P<days>\d{1,3})[ -]day (?:payment )?terms",
            r"\b(?:due|payable|payment|pay|terms|settle(?:ment)?|invoiced)\b"
            r"[^.%]{0,50}?\b(?P<days>\d{1,3})\)? (?:calendar )?days",
        ),
        payable=r"due | payable | invoiced | net", other_deadlines=r"cancel | terminat | renewal | valid",
        payable_at_once=r"\b(?:due|payable) (?:up)?on receipt\b",
        rise=r"increas | uplift | \brise | raise | escalat | exceed | \bcap(?:ped)?\b | adjust | price change"
        r" | indexation | (?:no|not) (?:be )?more than",
        price=r"price | pricing | index | (?:annual|yearly) (?:increase|uplift|rise) | fee | rate | charge"
        r" | renew",
        no_rise=r"liabil | interest | \blate\b | uptime | availab | service credit | discount of | vat\b"
        r" | sales tax",
        within_year=r"in (?:contract )?(?:year)?",
        cap_before=r"\blimit | maxim | \bmax\b | \bcap(?:ped)?\b | (?:not|never) (?:\w+ ){0,3}exceed"
        r" | at most | up to | (?:no|not)\b.{0,40}\bmore than | lesser of | lower of",
        cap_after=r"maximum | max\b | at most | or less | cap\b",
        floor=r"(?:greater|higher|larger) of | at least",
        notice=r"notice | notif | cancel | terminat | non-?renewal | in writing | says? otherwise"
        r" | turn(?:ed)? off | switch off | disabled? | opts? out | tells? us | lets? us know | rescind",
        notice_before=r"notice(?: period)?[ :of]* | least[ a-z]* | up to | than | notice of non-renewal:?",
        notice_after=r"(?:written )?notice | prior | before | ahead | in advance | advance",
        other_notice=r"prices?\b.{0,60}\bchange | price change | breach | cure | remedy",
        offer=r"quot(?:e|ation) | offer | proposal | estimate | prices",
        holds=r"(?:valid(?:ity)?|open)(?: period)?(?: for acceptance)?(?: for)?(?: a period of)?",
        holds_after=r"valid | open for acceptance",
    ),
    billing=words.BillingWords(
        upfront=r"up ?-?front(?! deposit) | in full (?:in advance|on|upon|at) | full term | (?:entire|whole"
        r"|full) (?:initial |renewal )?(?:term|period) | prepaid | (?:one|single) (?:invoice|payment)",
        quarterly=r"quarter | every (?:three|3) m", monthly=r"month",
        annual=r"annual | yearly | (?:per|each|once a) year",
        label=r"bill(?:ed|ing)?(?: frequency| terms| period| cycle| schedule| method)?"
        r" | invoic(?:e|ed|ing)(?: frequency| terms)? | payment (?:frequency|schedule) | payment | paid"
        r" | payable | collected",
        strong_label=r"bill",
    ),
    units=UnitWords(
        units={
            "user": "user | seat | license | licence | subscriber", "employee": "employee",
            "member": "member", "agent": "agent", "host": "host | server", "device": "device | endpoint",
            "account": "account", "pack": "pack | package | bundle | block | box | pallet | lot",
            "day": "day", "hour": "hour", "month": "month", "year": "year", "project": "project",
            "site": "site",
        },
        counts=r"unit | each | ea | piece | pcs? | x | item | qty | quantity | number | count",
        fillers=r"named | active | per | full | concurrent | paid | of | the",
    ),
    line_roles=LineRoleWords(
        shipping=r"shipping | freight | delivery | postage | handling | carriage | courier | transport"
        r" | packing (?:and|&) forwarding",
        shipping_before=r"standard | express | free | courier | ground | air | sea | overnight",
        shipping_after=r"and | charges? | costs? | fees? | handling | packing | packaging | insurance | door"
        r" | prepaid | rates?",
        shipping_to=r"to",
        service=r"trainings? | workshops? | onboarding | implementation | set[ -]?up | installation"
        r" | migration | consulting | consultancy | professional services?(?! automation)"
        r" | project management | quick ?start | configuration | customi[sz]ation | \w+ build"
        r" | template design | launch package | change requests? | go-live | architecture review | conversion"
        r" | deployment package | services? days? | support days?",
        charge=r"(?:processing|handling|admin\w*|service|booking|bank|card|environmental|eco|recycling)"
        r" (?:fees?|charges?) | surcharge | contingency | deposit | misc\w* (?:fees?|charges?)",
        rounding=r"rounding | round(?:ing|ed)?[ -]?(?:off|adj\w*)", tax=r"sales tax | vat | gst | hst | tax",
        rate_at=r"at", sum=r"sub-?total | total$",
        once=r"one[- ]time | once | one-off | non-recurring | set-?up | nrc",
        recurring=r"mrc | subscriptions? | per (?:month|year|annum) | monthly | annual(?:ly)? | yearly"
        r" | maintenance | renewal | saas",
    ),
    entries=EntryWords(
        periods=r"months? | years?", frequencies=r"annual | monthly | yearly", before_period=r"for | over",
        after_period=r"term | subscription", named=r"named",
        counted=r"pcs?\.? | seats? | users? | licen[cs]es?", of=r"of",
        editions=r"edition | plan | tier | version", price_periods=r"month | year | mo | yr",
    ),
    currencies={
        "USD": r"\bu\.?\s?s\.? dollars? | united states dollars? | us[- ]dollars?",
        "AUD": r"australian dollars?", "CAD": r"canadian dollars?", "NZD": r"new zealand dollars?",
        "SGD": r"singapore dollars?", "HKD": r"hong kong dollars?",
        "GBP": r"pounds? sterling | british pounds? | \bsterling\b", "EUR": r"\beuros?\b",
        "CHF": r"swiss francs?", "JPY": r"japanese yen | \byen\b", "INR": r"indian rupees?",
        "SEK": r"swedish kron(?:or|a)", "DKK": r"danish kroner?", "NOK": r"norwegian kroner?",
        "$": r"\bdollars?\b",
    },
)  # fmt: skip
