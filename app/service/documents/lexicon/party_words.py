"""The words around names of suppliers and buyers, as data.

Matched against `plain` text, except for the sentences that name both.
"""

import re

BUYER = re.compile(
    r"(?:informationen zum |information on the )?"
    r"(?:(?P<strong>bill(?:ed|ing)? ?to(?: address)?|(?:billing|invoice) address|sold ?to"
    r"|invoiced? ?to|customer(?: name| information)?"
    r"|client(?: name)?|guest(?: name)?|buyer(?: name)?"
    r"|prepared (?:exclusively |especially )?for|(?:quot(?:e|ation|ed)|estimate|order|offer) (?:to|for)"
    r"|proposal for|purchaser(?: billing info(?:rmation)?)?|your (?:company )?name"
    r"|account(?: name)?|licensee|subscriber"
    r"|credit(?:ed)? to"
    r"|gast|rechnungsempfanger|rechnung an|angebot (?:fur|an)|kunde|kaufer(?:/leistungsempfanger)?"
    r"|auftraggeber|besteller|leistungsempfanger"
    r"|facture a|facturer a|vendu a|adresse a|devis pour|destinataire|acheteur|adresse de facturation"
    r"|preparado para"
    r"|prepare pour|etabli pour|opgesteld voor"
    r"|rechnungs(?:adresse|anschrift)|factuuradres|direccion de facturacion"
    r"|klant|contractant|factuur aan|koper|afnemer|cliente|comprador|facturar a|erstellt fur)"
    r"|(?P<weak>company(?: name)?|address|for|to|attn|attention|fao|z\. ?hd\.?"
    r"|ship ?to|deliver(?:ed|y)? ?to(?: \(\w+\))?|end ?user"
    r"|an(?=\s*:)|aan|voor|t\.a\.v\.|para|pour|fur|a l'attention de|empfanger|adresse de livraison"
    r"|lieferung an|(?:delivery|shipping) address|(?:liefer|versand)(?:adresse|anschrift)"
    r"|(?:aflever|bezorg)adres"
    r"|direccion de entrega))"
    r"(?: ?\([^)]*\))?(?=\s*$|\s*[:#]|\s+\S)"
)
SUPPLIER = re.compile(
    r"(?:informationen zum |information on the )?"
    r"(?:(?P<strong>supplier(?: name)?|vendor(?: name)?|seller(?: name)?|sold by|issued by"
    r"|(?:service )?provider|licensor|payable to|remit to"
    r"|verkauft von|vendu par|verkocht door|vendido por"
    r"|lieferant|verkaufer|rechnungs(?:er)?steller|anbieter|auftragnehmer|leistungserbringer"
    r"|fournisseur|vendeur|emetteur|prestataire"
    r"|leverancier|verkoper|proveedor|vendedor|emisor)"
    r"|(?P<author>(?:quot(?:e|ation) |proposal |offer )?(?:created|prepared|offered) by"
    r"|(?:angebot )?erstellt von|etabli par|emis par|opgesteld door"
    r"|(?:propuesta )?(?:cread[ao]|elaborad[ao]) por"
    r"|(?:propuesta )?preparada por)|(?P<weak>company|from"
    r"|absender|de|von|van|reseller))"
    r"(?=\s*$|\s*:|(?:(?<=sold by)|(?<=verkauft von)|(?<=vendu par)|(?<=verkocht door)|(?<=vendido por))\s)"
)
BETWEEN = re.compile(
    r"(?:[Bb]etween|[Zz]wischen|[Ee]ntre|[Tt]ussen)\s+(?P<one>.{3,80}?)(?:,| \("
    r"|\s+of\b).*?(?:\)|\s)\s*(?:and|und|et|en|y)\s+(?P<two>[A-ZÄÖÜÉ].{2,80}?)(?:,| \(|\s+of\b)"
)
_NAME = r"[A-ZÄÖÜÉ].{2,70}?"
PAIR = re.compile(
    rf"(?:[Bb]etween|[Zz]wischen|[Ee]ntre|[Tt]ussen)\s+(?P<one>{_NAME})\s+(?:and|und|et|en|y)\s+(?P<two>{_NAME})$"
)
FOR_BY = re.compile(
    rf"\b(?:for|für|pour|voor|para)\s+(?P<two>{_NAME})\s+(?:by|von|par|door|por)\s+(?P<one>{_NAME})"
    r"(?=$|,| (?:on|am|le|op|el)\b| [-–])"
)
QUOTES_TO = re.compile(
    r"(?P<one>[A-ZÄÖÜÉ].{2,80}?) (?:is|are) (?:\w+ )?(?:pleased|happy|glad|delighted) to (?:quote"
    r"|offer|propose)(?: to)? (?P<two>[A-ZÄÖÜÉ].{2,70}?)(?: as follows| the following|[:.]|$)"
)
PREPOSITION = re.compile(r"\b(?:for|to|fur|an|a|pour|para|voor|aan)\s*$")
ATTENTION = re.compile(r"(?:attn|attention|att|fao|z\.? ?hd|zu handen|t\.?a\.?v|a l'attention|c/o)\b")
# What stands over the name on an envelope, what before it, and where in a house a letter goes.
SALUTATION = re.compile(
    r"(?:to|an|a|aan|an (?:den|die) \w+"
    r"|firma|familie|herrn?|frau|herrn und frau|messrs\.?|m/s\.?|the manager|monsieur|madame"
    r"|mevrouw|de heer|senor(?:es)?|senora)[,:.]?"
)
TITLED = re.compile(
    r"(?:Mr|Mrs|Ms|Miss|Messrs|M/s|Herrn?|Frau|Familie|Mme|Mlle|Monsieur|Madame|Mevrouw|Mevr|Mw|Dhr|De heer"
    r"|Sra?|D[ñª]?[aª]?)\.?(?: (?:&|and|und|et|en|y) (?:Mrs|Frau|Mme|Mevr|Sra)\.?)? [A-ZÄÖÜÉ]"
)
DEPARTMENT = re.compile(
    r"^(?:accounts? (?:payable|department)|purchasing|procurement|finance|einkauf|buchhaltung|projektleitung"
    r"|service (?:achats|comptabilite)|comptabilite|inkoop|dienst aankoop|administratie|crediteuren"
    r"|administracion|compras|contabilidad|practice manager|the head)\b|\bdepartment$"
)
SENDER = re.compile(r"\s[·|•]\s|,\s|\s[-–]\s")
FOOTER = re.compile(
    r"www\.|@|reg(?:\.|istered|ister)|hrb|hra|ust|vat|siret|tva|kvk|btw|iban|cif|nif|abn"
    r"|company no|amtsgericht",
    re.IGNORECASE,
)
# A line of registrations or bank details, which no recipient has below his name.
REGISTERED = re.compile(r"\b(?:siren|siret|vat|ust|tva|kvk|btw|cif|nif|abn|hr[ab]|company no|st\.?-?nr)\b")
BANK_ACCOUNT = re.compile(r"\W*(?:iban|bic|swift|konto|account|sort code)\b")
# The title of an order that the buyer writes, and of the answer to it.
PURCHASE = re.compile(
    r"(?:purchase order|bestellung|bestelling|inkooporder|commande d['’]achat|orden de compra"
    r"|pedido de compra)"
    r"(?: ?(?:no|nr|n°|number|#)?[.:]? ?\S*\d\S*)?"
)
ANSWER = re.compile(
    r"(?:order (?:confirmation|response|acknowledg\w+)|auftragsbestatigung|orderbevestiging"
    r"|confirmation de commande|confirmacion de pedido)\b"
)
# The words that a contract defines for the two who make it.
ROLE = re.compile(
    r"[\"“”„«»'‘’]\s?(?:the |le |la |l'|de |der |die |el )?"
    r"(?:(?P<buyer>customer|client|licensee|subscriber|buyer"
    r"|purchaser|kunde|auftraggeber|lizenznehmer|preneur|klant|opdrachtgever|afnemer|cliente|comprador)"
    r"|supplier|vendor|provider|service provider|licensor|seller|anbieter|auftragnehmer|lizenzgeber"
    r"|prestataire|fournisseur|leverancier|opdrachtnemer|proveedor|prestador)\s?[\"“”„«»'‘’]"
)
