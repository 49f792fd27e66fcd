"""The sums below a table, in one of several arrangements."""

from dataclasses import dataclass
from decimal import Decimal

from app.service.documents.extraction import Box
from tests.reader_training.draft import Draft
from tests.reader_training.generated import Role
from tests.reader_training.names import price
from tests.reader_training.paper import Run
from tests.reader_training.purchases import rounded

TAX_RATES = {
    "en": ("20", "8.25", "10", "5", "0"),
    "de": ("19", "7"),
    "fr": ("20", "10"),
    "es": ("21", "10"),
    "it": ("22", "10"),
    "nl": ("21", "9"),
    "pt": ("23", "13"),
    "pl": ("23", "8"),
    "sv": ("25", "12"),
    "da": ("25",),
}


@dataclass(frozen=True, slots=True)
class Sum:
    """A labelled sum. `strong` ones are set bold and sometimes larger."""

    label: str
    value: Decimal
    role: Role
    strong: bool = False

    def figure(self, draft: Draft) -> list[Run]:
        return [Run(draft.money(self.value, total=True), self.role)]


def choose_tax(draft: Draft, share: float = 0.55) -> None:
    """Taxes the purchase in this share of documents."""
    if draft.chance(share):
        draft.purchase.tax_rate = Decimal(draft.rng.choice(TAX_RATES[draft.purchase.language]))


def choose_document_discount(draft: Draft, share: float = 0.15) -> None:
    if draft.chance(share):
        part = Decimal(draft.rng.choice((2, 3, 5, 10)))
        draft.purchase.document_discount = rounded(
            draft.purchase.gross_of_discount * part / 100, draft.notation.step
        )


def list_sums(draft: Draft) -> list[Sum]:
    """The sums of the purchase in the order in which they are added up."""
    purchase, words = draft.purchase, draft.words
    sums: list[Sum] = []
    if purchase.document_discount:
        sums += [
            Sum(words.label("subtotal"), purchase.gross_of_discount, "subtotal"),
            Sum(words.label("document_discount"), -purchase.document_discount, "discount"),
        ]
    taxes = purchase.taxes
    if purchase.taxed_within:
        sums.append(Sum(words.label("total"), purchase.total, "total", True))
        return [*sums, *(_tax_sum(draft, rate, tax) for rate, _, tax in taxes)]
    if not taxes:
        if not purchase.document_discount and draft.chance(0.2):
            sums.append(Sum(words.label("subtotal"), purchase.net, "subtotal"))
        return [*sums, Sum(words.label("total"), purchase.total, "total", True)]
    label = words.label("subtotal") if not purchase.document_discount else words.any("labels", "subtotal")
    sums.append(Sum(label, purchase.net, "subtotal"))
    sums += [_tax_sum(draft, rate, tax) for rate, _, tax in taxes]
    return [*sums, Sum(words.label("gross"), purchase.total, "total", True)]


def _tax_sum(draft: Draft, rate: Decimal, tax: Decimal) -> Sum:
    label = draft.words.label("tax").replace("{rate}", draft.notation.number(rate))
    if draft.purchase.taxed_within:
        label = f"{draft.words.list('labels', 'included')[0]} {label}"
    return Sum(label, tax, "tax")


def draw_totals(draft: Draft, *, prepaid: bool | None = None) -> None:
    """Draws the sums; an invoice may go on with a prepayment and the amount that is left to pay."""
    rng, words, purchase = draft.rng, draft.words, draft.purchase
    sums = list_sums(draft)
    invoice = purchase.kind == "invoice"
    if prepaid if prepaid is not None else (invoice and draft.chance(0.15)):
        part = price(rng, float(purchase.total) * 0.1 + 1, float(purchase.total) * 0.6 + 2, whole=True)
        sums.append(Sum(words.label("prepaid"), -part, "other"))
        sums.append(Sum(words.label("due"), purchase.total - part, "other", draft.chance(0.5)))
    draft.ensure((len(sums) + 2) * draft.step * 1.5)
    draft.y += draft.step * rng.uniform(0.3, 1.5)
    arrange = rng.choices((_column, _box, _row, _sentence_like), (6, 2, 1, 2))[0]
    if arrange is _row and len(sums) > 4:
        arrange = _column
    arrange(draft, sums)
    if draft.chance(0.5) or draft.notation.sign in ("$", "kr", "kr."):
        draft.y += draft.step
        draft.write_currency_note()


def _column(draft: Draft, sums: list[Sum]) -> None:
    """Labels before figures at the right edge, with or without rules."""
    rng, right = draft.rng, draft.right
    ruled, filled, gap = draft.chance(0.4), draft.chance(0.25), rng.choice((12, 30, 60))
    larger = rng.choice((1.0, 1.0, 1.15, 1.3))
    colon = ":" if draft.chance(0.25) else ""
    figures = [
        draft.width_of(
            "".join(run.text for run in one.figure(draft)), bold=True, size=draft.look.size * larger
        )
        for one in sums
    ]
    edge = right - max(figures) - gap
    labels_right = draft.chance(0.5)
    widest = max(draft.width_of(one.label + colon, bold=True, size=draft.look.size * larger) for one in sums)
    edge = max(edge, draft.left + widest)
    for one in sums:
        size = draft.look.size * (larger if one.strong else 1)
        height = draft.step * (1.25 if one.strong else 1.05)
        if one.strong and filled:
            box = Box(edge - widest - 4, draft.y + 3, right + 3, draft.y + height + 4)
            draft.paper.frame(box, fill=draft.look.shade)
        elif one.strong and ruled:
            draft.paper.rule(edge - widest, draft.y + 3, right, draft.y + 3)
        draft.y += height
        x = edge if labels_right else edge - widest
        draft.write(
            x,
            draft.y,
            one.label + colon,
            bold=one.strong,
            size=size,
            align="right" if labels_right else "left",
        )
        draft.write(right, draft.y, one.figure(draft), bold=one.strong, size=size, align="right")
    draft.y += draft.step


def _box(draft: Draft, sums: list[Sum]) -> None:
    """A table of two columns, left or right, with frames."""
    width = max(draft.width_of(one.label, bold=True) for one in sums) + 24
    figures = max(draft.width_of(draft.money(one.value, total=True), bold=True) for one in sums) + 24
    left = draft.right - width - figures if draft.chance(0.7) else draft.left
    height = draft.step * 1.4
    for one in sums:
        draft.paper.frame(Box(left, draft.y, left + width, draft.y + height), stroke=draft.look.accent)
        draft.paper.frame(
            Box(left + width, draft.y, left + width + figures, draft.y + height), stroke=draft.look.accent
        )
        baseline = draft.y + height * 0.7
        draft.write(left + 5, baseline, one.label, bold=one.strong)
        draft.write(left + width + figures - 5, baseline, one.figure(draft), bold=one.strong, align="right")
        draft.y += height


def _row(draft: Draft, sums: list[Sum]) -> None:
    """The labels in one row, the figures below them."""
    width = (draft.right - draft.left) / len(sums)
    top = draft.y + draft.step
    for index, one in enumerate(sums):
        x = draft.left + (index + 1) * width
        size = draft.look.size * min(1.0, width / (draft.width_of(one.label, bold=True) + 8))
        draft.write(x, top, one.label, bold=True, size=size, align="right")
        draft.write(x, top + draft.step, one.figure(draft), align="right", bold=one.strong)
    draft.y = top + draft.step


def _sentence_like(draft: Draft, sums: list[Sum]) -> None:
    """Label, colon and figure, one below the other at the left or the right edge."""
    right = draft.chance(0.5)
    for one in sums:
        draft.y += draft.step * 1.1
        text = [Run(f"{one.label}: "), *one.figure(draft)]
        x = draft.right if right else draft.left
        draft.write(x, draft.y, text, bold=one.strong, align="right" if right else "left")
