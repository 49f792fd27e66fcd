"""Terms of a purchase: sentences and labelled values; what is printed is set in the purchase."""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

from tests.reader_training.draft import Draft
from tests.reader_training.extras import draw_extras
from tests.reader_training.paper import Text

BILLINGS = ("annual", "quarterly", "monthly", "upfront")


def add_months(day: date, months: int) -> date:
    month = day.month - 1 + months
    return date(day.year + month // 12, month % 12 + 1, min(day.day, 28))


def draw_terms(draft: Draft, *, subscription: bool = False, share: float = 0.5) -> None:
    """A few sentences, in random order, among others that state nothing asked for. Before them, in some
    documents, a table of figures that are not asked for either."""
    draw_extras(draft)
    sentences = [write(draft) for write in _choose(draft, subscription, share)]
    sentences += [_noise(draft) for _ in range(draft.rng.choice((0, 1, 1, 2, 3)))]
    draft.rng.shuffle(sentences)
    if not sentences:
        return
    draft.y += draft.step
    form = draft.rng.choice(("paragraph", "rows", "bullets", "numbers"))
    if form == "paragraph":
        draft.write_paragraph(" ".join(sentences))
        return
    for number, sentence in enumerate(sentences, 1):
        mark = {
            "rows": "",
            "bullets": "• ",
            "numbers": f"{number}. ",
        }[form]
        draft.write_paragraph(mark + sentence)


def _choose(draft: Draft, subscription: bool, share: float) -> list[Callable[[Draft], str]]:
    purchase = draft.purchase
    chosen: list[Callable[[Draft], str]] = []
    if purchase.kind == "quote" and purchase.valid_until is None and draft.chance(share):
        chosen.append(say_validity)
    if purchase.payment_terms_days is None and draft.chance(share):
        chosen.append(say_payment)
    if not subscription:
        return chosen
    if purchase.term_months is None and draft.chance(share):
        chosen.append(say_term)
    writers = [say_notice, say_renewal, say_uplift, *([] if purchase.billing else [say_billing])]
    return [*chosen, *(write for write in writers if draft.chance(share))]


def say_validity(draft: Draft) -> str:
    days = draft.rng.choice((14, 30, 60, 90))
    draft.purchase.valid_until = draft.today + timedelta(days=days)
    return draft.words.any("clauses", "validity").format(date=draft.date(draft.purchase.valid_until))


def say_payment(draft: Draft) -> str:
    days = draft.rng.choice((7, 10, 14, 15, 20, 30, 30, 45, 60, 90))
    draft.purchase.payment_terms_days = days
    return draft.words.any("clauses", "payment").format(n=days)


def say_term(draft: Draft) -> str:
    months = draft.months or draft.rng.choice((12, 12, 24, 36, 48, 6, 18))
    draft.purchase.term_months = months
    return draft.words.any("clauses", "term").format(n=months)


def say_notice(draft: Draft) -> str:
    draft.purchase.notice_days = draft.rng.choice((30, 60, 90, 45, 120))
    return draft.words.any("clauses", "notice").format(n=draft.purchase.notice_days)


def say_renewal(draft: Draft) -> str:
    draft.purchase.auto_renew = draft.chance(0.6)
    return draft.words.any("clauses", "renewal" if draft.purchase.auto_renew else "no_renewal")


def say_uplift(draft: Draft) -> str:
    draft.purchase.renewal_uplift_percent = Decimal(draft.rng.choice(("3", "4", "5", "7", "3.5", "8", "2.5")))
    percent = draft.notation.number(draft.purchase.renewal_uplift_percent)
    return draft.words.any("clauses", "uplift").format(p=percent)


def say_billing(draft: Draft) -> str:
    draft.purchase.billing = draft.rng.choice(BILLINGS[:3])
    return draft.words.any("clauses", f"billing_{draft.purchase.billing}")


def _noise(draft: Draft) -> str:
    rng = draft.rng
    return draft.words.any("clauses", "noise").format(
        n=rng.choice((12, 24, 50, 100)),
        m=rng.randrange(2, 5),
        k=rng.randrange(6, 20),
        year=rng.randrange(2012, 2026),
    )


def draw_small_print(draft: Draft, sentences: int) -> None:
    """General terms in small letters, in one column or two: many figures, none of them asked for."""
    size, columns = draft.rng.choice((6.0, 6.5, 7.0)), draft.rng.choice((1, 2))
    width = (draft.right - draft.left - 16 * (columns - 1)) / columns
    top = draft.y
    for number in range(1, sentences + 1):
        second = columns == 2 and number * 2 > sentences
        if second and (number - 1) * 2 <= sentences:
            draft.y = top
        x = draft.left + (width + 16 if second else 0)
        draft.write_paragraph(f"{number}. {_noise(draft)} {_noise(draft)}", x=x, width=width, size=size)


def list_term_facts(draft: Draft) -> list[tuple[str, Text]]:
    """Labelled values of a subscription: start, end, term, billing, payment. Sets what it lists."""
    purchase, words, rng = draft.purchase, draft.words, draft.rng
    facts: list[tuple[str, Text]] = []
    months = draft.months or rng.choice((12, 24, 36))
    purchase.term_months = months
    facts.append((words.label("term"), words.label("months").format(n=months)))
    if draft.chance(0.6):
        purchase.start_date = add_months(draft.today.replace(day=1), rng.choice((1, 2, 3)))
        facts.append((words.label("start"), draft.date(purchase.start_date)))
        if draft.chance(0.7):
            purchase.end_date = add_months(purchase.start_date, months) - timedelta(days=1)
            facts.append((words.label("end"), draft.date(purchase.end_date)))
    if draft.chance(0.6):
        index = rng.randrange(4)
        purchase.billing = BILLINGS[index]
        facts.append((words.label("billing"), words.list("labels", "billed")[index]))
    if draft.chance(0.5):
        purchase.payment_terms_days = rng.choice((14, 30, 45, 60))
        facts.append(
            (words.label("payment"), words.label("payment_value").format(days=purchase.payment_terms_days))
        )
    return facts
