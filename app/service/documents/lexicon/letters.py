"""How letters begin and end: a greeting, thanks for an enquiry, a closing. Matched against folded text.

They say nothing of what is offered, so no line is called by them.
"""

import re
from collections.abc import Sequence

from app.service.documents.lexicon.phrases import either
from app.service.values.folding import fold

_GREETINGS = either(
    r"dear | hello | hi | hey | good (?:day|morning|afternoon|evening) | to whom it may concern"
    r" | sehr geehrte[rs]? | geehrte[rs]? | liebe[rs]? | hallo | guten (?:tag|morgen|abend) | gru(?:ss|ezi)"
    r" | bonjour | bonsoir | cher(?:e|s|es)? | madame | monsieur | mesdames | geachte | beste"
    r" | goede(?:morgen|middag|ndag|navond)? | goedendag | hola | estimad[oa]s? | apreciad[oa]s?"
    r" | buen(?:os|as) (?:dias|tardes) | gentil[ei](?:ssim[oaie])? | egregi[oa]? | spett(?:abile|\.? ?le)"
    r" | buon(?:giorno|asera) | car[oaie] | prezad[oa]s? | caros? | caras? | ola | bo(?:m dia|a tarde)"
    r" | exm[oa]s?\.?"
)
_SURE_GREETINGS = either(
    r"dear | hi | hello | hey | beste | say[ıi]n(?= yetkili) | szanown[aiy] | k(?:ae|æ)re | kj(?:ae|æ)re"
    r" | hej | hei | hallo | bonjour | hola"
)
_SUBJECTS = either(
    "subject | subj? | re | betreff | betr(?:ifft)? | objet | asunto | oggetto | onderwerp | betreft"
    " | assunto | arende | emne | vedr(?:orende)? | aihe | predmet | temat | dotyczy | targy | konu | тема"
    " | subiect | θεμα | 件名 | 主[题題] | 제목"
)
_TITLES = either(
    r"mrs?\.? | ms\.? | miss | sirs? | madam | team | dr\.? | herrn? | frau | damen | madame | monsieur"
    r" | messieurs | heer | mevrouw | heren | senor(?:a|es|as)? | sra?\.? | signor[ae]? | sig\.? | dott\.?"
    r" | senhor(?:a|es|as)?"
)
_THANKS = either(
    r"(?:many )?thanks | thank you | with thanks | we (?:thank|refer|are pleased|would like to thank)"
    r" | (?:further|with reference|in (?:response|reply|answer)|following|referring) to your | please find"
    r" | (?:as (?:requested|discussed)|i hope|it was a pleasure|we are (?:happy|delighted|glad))"
    r" | (?:vielen|besten|herzlichen) dank | danke | wir (?:danken|bedanken|beziehen|freuen) | bezugnehmend"
    r" | (?:gerne|hiermit) | wie (?:besprochen|gewunscht|telefonisch)"
    r" | (?:here|below) (?:is|are) (?:the|our|your|a) | (?:anbei|nachfolgend|nachstehend|im folgenden)"
    r" | voici (?:notre|nos|la|le|les) | ci-(?:joint|dessous) | merci"
    r" | nous (?:vous remercions|avons le plaisir) | suite a votre | comme convenu | veuillez trouver"
    r" | (?:hartelijk )?(?:dank|bedankt) | naar aanleiding van | hierbij | graag | (?:muchas )?gracias"
    r" | (?:le|les) agradec\w+ | en respuesta a | (?:adjunto|nos complace) | (?:molte )?grazie"
    r" | la ringrazi\w+ | vi ringrazi\w+ | in riferimento a | siamo lieti | (?:muito )?obrigad[oa]"
    r" | agradec\w+ | em resposta a | temos o (?:prazer|gosto)"
)
_CLOSINGS = either(
    r"(?:kind|best|warm|many) regards | regards | (?:yours )?(?:sincerely|faithfully|truly) | best wishes"
    r" | mit (?:freundlichen|besten) gru(?:ss|ß)en | (?:beste|viele|freundliche) gru(?:ss|ß)e | cordialement"
    r" | (?:bien|tres) a vous | veuillez agreer | met vriendelijke groet(?:en)?"
    r" | (?:un )?(?:cordial )?saludos? | atentamente | cordiali saluti | distinti saluti"
    r" | (?:com os )?(?:melhores|cordiais) cumprimentos | atenciosamente"
    r" | (?:med )?(?:vanlig|venlig|vennlig) h[ai]ls(?:ning(?:ar)?|en) | ystavallisin terveisin"
    r" | (?:z powazaniem|pozdrawiam) | s pozdravem | s pozdravom | udvozlettel | tisztelettel"
    r" | (?:o zi (?:buna|frumoasa)|cu (?:stima|respect|drag)) | saygilar(?:imla|imizla) | с уважением"
    r" | з повагою | με εκτιμηση | tran trong | hormat kami | s postovanjem | lep pozdrav"
)
_ABBREVIATED = r"\.(?! |$)|(?<=[^a-z][a-z]{2})\.(?= )|(?<=[^a-z][a-z]{3})\.(?= )"
"""A dot that ends no sentence: `03.03.2026`, `Ms. Lee`, `no. 7`."""
_GREETING = re.compile(
    rf"{_GREETINGS}(?![a-z0-9])(?P<name>(?:[^,.!?:;]|{_ABBREVIATED}){{0,60}}?)(?P<end>[,!:] *|$)"
)
_GREETS = re.compile(rf"{_SURE_GREETINGS}(?: [^\W\d]+){{0,3}} ?[,!]?")
_TITLE = re.compile(rf"(?<![a-z]){_TITLES}(?![a-z])")
_THANKING = re.compile(rf"{_THANKS}(?![a-z0-9])(?:[^.!?:]|{_ABBREVIATED}){{0,300}}(?:[.!?:] *|$)")
_CLOSING = re.compile(rf"{_CLOSINGS}[,.! ]*$")
_MONEY = re.compile(
    r"(?<![\d.,])\d[\d.,' ]*[.,]\d\d(?!\.?\d)|[$€£¥]|(?<![a-z])(?:eur|usd|gbp|chf|cad)(?![a-z])"
)
_MOST_PARTS = 4
_WROTE = either(
    "wrote | schrieb | a ecrit | escribio | ha scritto | schreef | escreveu | skrev | napisal\\w* | kirjoitti"
    " | irta | написал\\w* | пишет | a scris | yazdi | 写道 | 작성"
)
_ORIGINAL = either(
    "original message | ursprungliche nachricht | message d'origine | mensaje original | messaggio originale"
    " | oorspronkelijk bericht | mensagem original | oprindelig meddelelse | opprinnelig melding"
    " | ursprungligt meddelande | alkuperainen viesti | wiadomosc oryginalna | puvodni zprava"
)
_FORWARDED = either(
    "(?:begin )?forwarded (?:message|by) | weitergeleitete nachricht | message transfere | mensaje reenviado"
    " | messaggio inoltrato | doorgestuurd bericht | mensagem encaminhada | vidarebefordrat meddelande"
    " | videresendt (?:meddelelse|melding) | valitetty viesti | przekazana wiadomosc | preposlana zprava"
    " | tovabbitott uzenet | пересылаемое сообщение | iletilen ileti | 转发(?:的)?邮件"
    " | 転送(?:された)?メッセージ"
)
_HANDED_ON = either(
    "fwd? | wg | tr | rv | enc | vs | vb | pd | doorst | tovabbitas | ilt | i | 转发 | 轉寄 | 転送 | 전달"
)
_FROM = either(
    "from | von | de | da | van | fra | fran | od | lahettaja | felado | от | від | kimden | 发件人 | 差出人"
    " | 보낸 ?사람"
)
_OLDER_MAIL = re.compile(
    rf"(?=.*\d).*\b{_WROTE}\W*$|\W*(?:{_ORIGINAL}|{_FORWARDED})\W*$|\W*{_FROM} ?[:：] ?(?P<header>.)"
)
_FORWARDS = re.compile(rf"{_HANDED_ON} ?[:：]|\W*{_FORWARDED}\W*$")
_SUBJECT = re.compile(rf"^{_SUBJECTS} ?[:：] ?")
_FIELD_OF_MAIL = re.compile(r"\W*[^\W\d](?:\w| ){0,12}[:：] ")
_MOST_FIELDS = 4


def strip_letter_words(text: str) -> str:
    """A text without the greeting and the thanks that it begins with; empty where it is nothing else.

    A sentence with a sum of money stays, for it is the offer.
    """
    for _ in range(_MOST_PARTS):
        found = _find_beginning(fold(text))
        if not found:
            break
        text = text[found:]
    return text


def strip_subject(text: str) -> str:
    """A text (folded) without the label of the subject of a letter before it."""
    return _SUBJECT.sub("", text)


def is_greeting(text: str) -> bool:
    """Whether a text is but a greeting, with a comma or without: `Kære Lars`."""
    return _GREETS.fullmatch(fold(text)) is not None


def is_closing(text: str) -> bool:
    """Whether a text closes a letter: `Kind regards,`."""
    return _CLOSING.match(fold(text)) is not None


def opens_older_mail(lines: Sequence[str], at: int) -> bool:
    """Whether a line is over an older mail: `On 3 May 2025, Jo Seller wrote:`, or `From:` above two other
    fields of a mail."""
    found = _OLDER_MAIL.match(fold(lines[at]))
    fields = [line for line in lines[at + 1 : at + _MOST_FIELDS] if _FIELD_OF_MAIL.match(line)]
    return found is not None and (found["header"] is None or len(fields) > 1)


def forwards_mail(text: str) -> bool:
    """Whether the subject of a mail, or the line over one within it, says that it is handed on."""
    return _FORWARDS.match(fold(text)) is not None


def states_money(text: str) -> bool:
    """Whether a text states a sum of money."""
    return _MONEY.search(fold(text)) is not None


def is_of_letter(text: str) -> bool:
    """Whether a text is a greeting, thanks or a closing and nothing else."""
    return bool(text) and not strip_letter_words(text)


def _find_beginning(text: str) -> int:
    """How long the greeting, the thanks or the closing is that a text (folded) begins with."""
    if closing := _CLOSING.match(text):
        return closing.end()
    greeting = _GREETING.match(text)
    if greeting and (greeting["end"].strip() in (",", "!") or _TITLE.search(greeting["name"])):
        return greeting.end()
    thanks = _THANKING.match(text)
    return thanks.end() if thanks and not _MONEY.search(thanks[0]) else 0
