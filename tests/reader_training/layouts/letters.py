"""Letters whose figures stand in sentences."""

from collections.abc import Mapping

from tests.reader_training.draft import Draft
from tests.reader_training.goods import charge_months, make_lines
from tests.reader_training.letterheads import draw_letterhead
from tests.reader_training.names import invented_word, person_name
from tests.reader_training.paper import Run
from tests.reader_training.purchases import Line
from tests.reader_training.terms import draw_terms
from tests.reader_training.totals import choose_tax


def prose_letter(layout: str, seed: int) -> Draft:
    """A letter that offers one to four things in sentences, its total in another."""
    draft = Draft(layout, seed, "quote")
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    purchase.lines = make_lines(draft, rng.choice((1, 1, 2, 2, 3, 4)))
    for line in purchase.lines:
        line.detail = line.item_id = None
        if line.sold_by == "seat" and draft.chance(0.5):
            charge_months(draft, line, rng.choice((12, 24, 36)))
        elif line.sold_by == "work" and draft.chance(0.3):
            line.quantity = line.unit_price = line.unit = None
    choose_tax(draft)
    draw_letterhead(draft)
    opening = words.any("letter", "opening").format(name=invented_word(rng))
    draft.write_paragraph(opening)
    draft.y += draft.step * 0.5
    draft.write_paragraph(words.any("letter", "intro"))
    together = draft.chance(0.3)
    sentences: list[list[Run]] = [
        _sentence(draft, number, line) for number, line in enumerate(purchase.lines)
    ]
    sentences.append(_total_sentence(draft))
    if together:
        draft.y += draft.step * 0.5
        draft.write_paragraph([run for sentence in sentences for run in (*sentence, Run(" "))])
    else:
        bullet = rng.choice(("", "– ", "• "))
        for sentence in sentences:
            draft.y += draft.step * 0.5
            draft.write_paragraph([Run(bullet), *sentence] if bullet else sentence)
    draw_terms(draft, subscription=draft.chance(0.5))
    draft.y += draft.step
    draft.write_paragraph(words.any("letter", "closing"))
    draft.y += draft.step * 2
    draft.write_paragraph(person_name(rng))
    return draft


def fill(template: str, values: Mapping[str, Run]) -> list[Run]:
    """The template with runs in the places of its names in braces."""
    runs: list[Run] = []
    for index, part in enumerate(template.replace("}", "{").split("{")):
        if index % 2:
            runs.append(values[part])
        elif part:
            runs.append(Run(part))
    return runs


def _sentence(draft: Draft, number: int, line: Line) -> list[Run]:
    words, notation = draft.words, draft.notation
    assert line.amount is not None
    values = {
        "item": Run(line.description, "item", number),
        "amount": Run(notation.with_sign(line.amount), "amount", number),
    }
    if line.quantity is None or line.unit_price is None:
        return fill(words.any("letter", "flat"), values)
    values |= {
        "quantity": Run(notation.number(line.quantity), "quantity", number),
        "price": Run(notation.with_sign(line.unit_price), "unit_price", number),
        "months": Run(notation.number(line.multiplier), "period", number),
        "unit": Run(line.unit or ""),
        "units": Run((line.unit if line.quantity == 1 else line.units) or ""),
    }
    key = "line_months" if line.price_period == "month" else "line"
    return fill(words.any("letter", key), values)


def _total_sentence(draft: Draft) -> list[Run]:
    words, notation, purchase = draft.words, draft.notation, draft.purchase
    values = {"total": Run(notation.with_sign(purchase.total), "total")}
    if purchase.tax is None or purchase.tax_rate is None:
        return fill(words.any("letter", "total"), values)
    values |= {
        "net": Run(notation.with_sign(purchase.net), "subtotal"),
        "tax": Run(notation.with_sign(purchase.tax), "tax"),
        "rate": Run(notation.number(purchase.tax_rate)),
    }
    return fill(words.any("letter", "total_tax"), values)
