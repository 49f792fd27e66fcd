"""Supplier and buyer: the best of the candidates for each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

from app.service.documents.extraction import Kind, Provenance
from app.service.documents.fields.buyer_candidates import ADDRESSED, buyer_candidates, find_honoured
from app.service.documents.fields.candidates import Candidate, best
from app.service.documents.fields.contract_parties import AgreedParties, find_agreed_parties
from app.service.documents.fields.identity import answers_order
from app.service.documents.fields.party_features import PartyName, describe_names
from app.service.documents.fields.party_labels import find_labelled_names
from app.service.documents.fields.party_model import ChosenParties, are_forms, choose_parties
from app.service.documents.fields.supplier_candidates import supplier_candidates
from app.service.documents.layout.address_blocks import AddressBlock, find_address_blocks
from app.service.documents.layout.pages import Page
from app.service.documents.layout.rows import Row
from app.service.documents.layout.sentences import Paragraph
from app.service.documents.lexicon.letters import strip_subject
from app.service.documents.lexicon.party_words import PURCHASE, SUPPLIER
from app.service.documents.values.company_names import COMPANY, fold_name
from app.service.values.folding import fold


@dataclass(frozen=True)
class Parties:
    supplier: str | None = None
    buyer: str | None = None
    provenance: dict[str, Provenance] = field(default_factory=dict[str, Provenance])


_AGREED = 5.0
_STRONG_LABEL = 3.0
"""The weight above which a label calls somebody the seller, where `From` only says who wrote."""
_HIGHEST_ON_PAGE = 3.0
_SURE_BUYER, _LIKELY_BUYER = 3.0, 1.5
"""Scores from which a buyer outweighs the party of an agreement, and from which a name is a buyer's."""
_BELOW_HEAD = frozenset({"legal form", "top", "top line"})
"""All that is known of a company that may be who a bill is sent to."""
_HEADLINE = 1.1
"""How many times larger than others the letters of who heads a page are."""
_LOWEST_WINDOW = 0.7
"""The share of a page's height above which the window of a letter stands."""
_VERIFIED_SCORE, _VERIFIED_LEAD = 5.0, 2.0
"""The score of a supplier that is beyond doubt, and its distance to the next."""
_RECOGNISED = 0.9
_BUYER_CONFIDENCE = 0.8
_SUPPLIER_CONFIDENCE = {True: 0.95, False: 0.65}


def find_parties(
    pages: Sequence[Page], rows: Sequence[Row], paragraphs: Sequence[Paragraph], kind: Kind = "other"
) -> Parties:
    """Who sells and who buys in a document of this kind."""
    ruled = _weigh_rules(pages, rows, paragraphs, kind)
    names = _describe(pages, rows, ruled, kind)
    chosen = choose_parties(names)
    if ruled.is_purchase:
        chosen = _settle_order(rows, ruled, names, chosen)
    elif kind in ("invoice", "quote"):
        chosen = _settle_head(rows, ruled, chosen)
    one = ruled.supplier
    labelled = one is not None and "label" in one.reasons
    if one and (_is_longer(one.value, chosen.supplier) or (labelled and chosen.supplier is None)):
        # The rules know where a name ends, and a label names somebody, whatever is probable.
        alike = chosen.buyer and are_forms(fold_name(chosen.buyer.name), fold_name(one.value))
        chosen = ChosenParties(
            PartyName(one.value, one.provenance), None if alike else chosen.buyer, chosen.certain
        )
    if ruled.agreed and ruled.agreed.defined:  # a contract says itself who sells and who buys
        place = ruled.agreed.cell.locate(1.0)
        seller, buyer = (PartyName(name, place) for name in ruled.agreed[:2])
        alike = chosen.supplier and are_forms(fold_name(chosen.supplier.name), fold_name(seller.name))
        chosen = ChosenParties(seller, buyer, chosen.certain and bool(alike))
    return _parties(ruled, chosen)


def _is_longer(name: str, chosen: PartyName | None) -> bool:
    return chosen is not None and fold_name(chosen.name) in fold_name(name)


def describe_parties(
    pages: Sequence[Page], rows: Sequence[Row], paragraphs: Sequence[Paragraph], kind: Kind
) -> list[PartyName]:
    """The names among which `find_parties` chooses, for the training of the model."""
    return _describe(pages, rows, _weigh_rules(pages, rows, paragraphs, kind), kind)


@dataclass(frozen=True)
class _Ruled:
    """What labels, places and forms of names speak for."""

    supplier: Candidate[str] | None
    buyer: Candidate[str] | None
    suppliers: Sequence[Candidate[str]]
    buyers: Sequence[Candidate[str]]
    is_purchase: bool
    is_order: bool
    """Whether it is an order, whoever wrote it, and not the seller's answer to one."""
    agreed: AgreedParties | None


def _settle_order(
    rows: Sequence[Row], ruled: _Ruled, names: Sequence[PartyName], chosen: ChosenParties
) -> ChosenParties:
    """The parties of an order that no label names. Whom it is sent to sells to who writes it, where they are
    taken the other way round. Else who writes it stands in its head and again where the goods or the bill go,
    and the one other company that stands once sells."""
    if ruled.supplier and ADDRESSED in ruled.supplier.reasons:
        pairs = ((chosen.buyer, ruled.supplier), (chosen.supplier, ruled.buyer))
        if all(a and b and are_forms(fold_name(a.name), fold_name(b.value)) for a, b in pairs):
            return ChosenParties(chosen.buyer, chosen.supplier, certain=False)
    if any("label" in one.reasons for one in ruled.suppliers):
        return chosen
    texts = [fold_name(row.text) for row in rows]
    heads = {fold_name(block.name) for block in find_address_blocks(rows)}
    often = {
        one: sum(fold_name(one.name) in text for text in texts)
        for one in names
        if COMPANY.fullmatch(one.name) or fold_name(one.name) in heads
    }
    writer = max(often, key=lambda one: often[one], default=None)
    if writer is None:
        return chosen
    others = [one for one in often if not are_forms(fold_name(one.name), fold_name(writer.name))]
    others = others or [one for one in names if "supplier" in one.ruled and " " in one.name]
    if len(others) != 1 or often.get(others[0], 1) > 1 or often[writer] == 1:
        return chosen
    return replace(chosen, supplier=others[0], buyer=writer)


def _settle_head(rows: Sequence[Row], ruled: _Ruled, chosen: ChosenParties) -> ChosenParties:
    """The parties of a bill or an offer that no label names. Who heads the page in the largest letters sells,
    be it the authority of a town, and the company below, of which nothing says that it does, buys."""
    supplier, buyer = chosen.supplier, chosen.buyer
    if supplier is None or any("label" in one.reasons for one in (*ruled.suppliers, *ruled.buyers)):
        return chosen
    top, known = rows[0].cells(1.2)[0], {one.value: one for one in ruled.suppliers}
    head, below = known.get(top.text), known.get(supplier.name)
    if head is None or below is None or head is below:
        return chosen
    sizes = [row.size for row in rows]
    is_headline = "top line" in head.reasons and top.size >= max(*sizes, _HEADLINE * median(sizes))
    is_company = "legal form" in below.reasons and _BELOW_HEAD.issuperset(below.reasons)
    is_bought = buyer is not None and buyer.name != head.value and COMPANY.fullmatch(buyer.name)
    is_same = fold(supplier.name).split()[0] == fold(head.value).split()[0]
    if is_bought or is_same or not (is_headline and is_company):
        return chosen
    return ChosenParties(PartyName(head.value, head.provenance), supplier, certain=False)


def _describe(pages: Sequence[Page], rows: Sequence[Row], ruled: _Ruled, kind: Kind) -> list[PartyName]:
    return describe_names(
        pages,
        rows,
        {"supplier": ruled.suppliers, "buyer": ruled.buyers},
        {"supplier": ruled.supplier, "buyer": ruled.buyer},
        "order" if ruled.is_purchase else kind,
    )


def _weigh_rules(
    pages: Sequence[Page], rows: Sequence[Row], paragraphs: Sequence[Paragraph], kind: Kind
) -> _Ruled:
    agreed = next(find_agreed_parties(rows, paragraphs), None)
    heights = {page.number: page.height for page in pages}
    is_purchase = _is_purchase(rows, kind)
    addressees = list(find_honoured(rows))
    honoured = [] if is_purchase else [*addressees]
    blocks = list(find_address_blocks(rows))
    buyers = sorted((*honoured, *buyer_candidates(rows, heights)), key=lambda one: -one.score)
    if is_purchase:
        addressees += [one for one in buyers if ADDRESSED in one.reasons]
        buyers = [one for one in buyers if ADDRESSED not in one.reasons]
    bought = {fold_name(one.value) for one in buyers if one.score > _LIKELY_BUYER}
    if agreed:
        bought.add(fold_name(agreed.buyer))
    bought |= {fold_name(one.name) for one in blocks if one.addressed}
    suppliers = supplier_candidates(pages, rows, bought, heights, is_purchase=is_purchase)
    if is_purchase:  # whom an order is to sells
        suppliers |= {
            fold_name(one.value): Candidate(one.value, {"label": _AGREED, ADDRESSED: 0.0}, one.provenance)
            for one in addressees
        }
    if agreed:
        key, place = fold_name(agreed.supplier), agreed.cell.locate(1.0)
        one = suppliers.get(key) or Candidate(agreed.supplier, {}, place)
        # What is but the end of that name, where a line breaks it, is no other.
        suppliers = {other: named for other, named in suppliers.items() if other not in key}
        suppliers[key] = one.with_reason("agreed", _AGREED)
    # In an order everything else speaks for the buyer, who writes it.
    labelled = [one for one in suppliers.values() if one.reasons.get("label", 0.0) > _STRONG_LABEL]
    supplier = best((is_purchase and labelled) or suppliers.values())
    if supplier:
        buyers = [one for one in buyers if fold_name(one.value) not in fold_name(supplier.value)]
    buyer = buyers[0] if buyers else None
    if agreed and (not buyers or buyers[0].score < _SURE_BUYER):
        buyer = Candidate(agreed.buyer, {}, agreed.cell.locate(1.0))
    if supplier and is_purchase:
        writer = _writer(suppliers.values()) or supplier
        seller = _addressee(blocks, writer, heights) if "label" not in supplier.reasons else None
        supplier = seller.with_reason(ADDRESSED, 0.0) if seller else supplier
        unnamed = not buyers or buyers[0].score < _LIKELY_BUYER
        if writer is not supplier and (seller or (unnamed and _place(writer) < _place(supplier))):
            buyer = writer
    if supplier and (buyer is None or "person" in buyer.reasons):
        buyer = _addressee(blocks, supplier, heights) or buyer or _other_company(suppliers.values(), supplier)
    is_order = is_purchase or (kind == "order" and not answers_order(rows))
    return _Ruled(supplier, buyer, tuple(suppliers.values()), tuple(buyers), is_purchase, is_order, agreed)


def _writer(suppliers: Iterable[Candidate[str]]) -> Candidate[str] | None:
    """Return who wrote an order, which is the buyer: the letterhead names him, and the addressee sells."""
    written = [one for one in suppliers if one.reasons.get("label", 0.0) <= _STRONG_LABEL]
    highest = min(map(_place, written), default=None)
    return max(written, key=lambda one: one.score + _HIGHEST_ON_PAGE * (_place(one) == highest), default=None)


def _place(one: Candidate[str]) -> tuple[int, float]:
    seen = one.provenance
    return seen.page or 0, seen.box.top if seen.box else 0.0


def _parties(ruled: _Ruled, chosen: ChosenParties) -> Parties:
    """The parties that the model chose; only what the rules say too is sure."""
    provenance: dict[str, Provenance] = {}
    if buyer := chosen.buyer:
        provenance["buyer"] = replace(
            buyer.provenance, confidence=_BUYER_CONFIDENCE * buyer.provenance.confidence
        )
    if supplier := chosen.supplier:
        seen = supplier.provenance
        verified = chosen.certain and seen.confidence > _RECOGNISED and _is_beyond_doubt(ruled, supplier.name)
        provenance["supplier"] = replace(seen, confidence=_SUPPLIER_CONFIDENCE[verified], verified=verified)
    return Parties(supplier.name if supplier else None, buyer.name if buyer else None, provenance)


def _is_beyond_doubt(ruled: _Ruled, name: str) -> bool:
    """Whether much more speaks for a supplier than for any other."""
    one = ruled.supplier
    if one is None or one.value != name:
        return False
    next_best = max((other.score for other in ruled.suppliers if other is not one), default=0.0)
    return (
        one.score >= _VERIFIED_SCORE
        and one.score - next_best >= _VERIFIED_LEAD
        and ("label" in one.reasons or not ruled.is_order)
        and ("label" in one.reasons or COMPANY.fullmatch(name) is not None)
    )


def _is_purchase(rows: Sequence[Row], kind: Kind) -> bool:
    """Whether the buyer wrote a document: its title is that of an order, or an order names who sells."""
    cells = (fold(cell.text) for row in rows[:20] for cell in row.cells(1.2))
    titles = (strip_subject(one) for one in cells)
    if kind == "order" and any(label["strong"] for label, _ in find_labelled_names(rows, SUPPLIER)):
        return not answers_order(rows)
    return any(PURCHASE.fullmatch(one) for one in titles) and not answers_order(rows)


def _addressee(
    blocks: Sequence[AddressBlock], supplier: Candidate[str], heights: Mapping[int, float]
) -> Candidate[str] | None:
    """The head of an address block that is not the supplier's: the window of a letter. At the foot of a page
    it is small print."""
    own = fold_name(supplier.value)
    others = [
        one
        for one in blocks
        if fold_name(one.name) != own
        and not own.startswith(fold_name(one.name))
        and (one.addressed or one.cell.box.middle < _LOWEST_WINDOW * heights[one.cell.page])
    ]
    block = min(others, key=lambda one: not one.addressed, default=None)
    return Candidate(block.name, {}, block.cell.locate(1.0)) if block else None


def _other_company(found: Iterable[Candidate[str]], supplier: Candidate[str]) -> Candidate[str] | None:
    """The other company that the top of the first page names."""
    others = [one for one in found if {"legal form", "top"} <= one.reasons.keys() and one is not supplier]
    return best(
        one
        for one in others
        if fold_name(one.value.split()[0]) != fold_name(supplier.value.split()[0])
        and fold_name(supplier.value) not in fold_name(one.value)
    )
