"""States of orders: whether an order that is cancelled, a draft or rejected counts as a purchase. Pure.

A column is one of states by its heading and its values together: a heading alone may be a state of the
United States, and a word alone may stand anywhere. Of a value that nobody here knows nothing is assumed.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from app.service.table_files.cells import format_cell
from app.service.text_folding import fold_text

StateMeaning = Literal["counts", "does not count", "not known"]

_SEPARATORS = re.compile(r"[\s_\-–./]+")
_HEADINGS = frozenset(
    _SEPARATORS.sub("", fold_text(word))
    for word in (
        *("status", "state", "stage", "order status", "order state", "po status", "po state", "line status"),
        *("purchase order status", "purchase status", "invoice status", "approval status", "document status"),
        *("delivery status", "item status", "status description", "current status", "workflow status"),
        *("Status der Bestellung", "Bestellstatus", "Auftragsstatus", "Belegstatus", "Zustand", "Stand"),
        *("statut", "état", "statut de la commande", "état de la commande", "statut commande"),
        *("estado", "estado del pedido", "estado de la orden", "situación", "estatus"),
        *("situação", "situação do pedido", "estado da encomenda", "status do pedido"),
        *("stato", "stato ordine", "stato dell'ordine"),
        *("orderstatus", "bestelstatus", "toestand"),
        *("stan", "status zamówienia", "stan zamówienia"),
        *("stav", "stav objednávky"),
        *("tillstånd", "ordertillstånd", "tilstand", "ordrestatus", "tilauksen tila", "tila"),
        *("durum", "sipariş durumu", "durumu"),
        *("статус", "статус заказа", "состояние", "стан"),
        *("状态", "订单状态", "狀態", "状況", "ステータス", "注文状況", "상태", "주문상태"),
    )
)

_NOT_COUNTED = (
    *("cancelled", "canceled", "cancel", "cancelled by buyer", "cancelled by supplier", "cancellation"),
    *("draft", "in draft", "saved", "rejected", "declined", "refused", "denied", "disapproved"),
    *("void", "voided", "withdrawn", "deleted", "revoked", "annulled", "abandoned", "expired", "lapsed"),
    *("not approved", "not accepted", "not ordered", "quote", "quoted", "quotation", "requested", "proposal"),
    *("storniert", "storno", "abgebrochen", "entwurf", "abgelehnt", "zurückgewiesen", "zurückgezogen"),
    *("gelöscht", "ungültig", "annulliert", "verworfen", "nicht genehmigt", "nicht freigegeben"),
    *("annulé", "annulée", "brouillon", "rejeté", "rejetée", "refusé", "refusée", "supprimé", "supprimée"),
    *("cancelado", "cancelada", "anulado", "anulada", "borrador", "rechazado", "rechazada", "denegado"),
    *("denegada", "eliminado", "eliminada", "desierto", "desierta"),
    *("rascunho", "rejeitado", "rejeitada", "recusado", "recusada", "excluído", "excluída"),
    *("annullato", "annullata", "bozza", "rifiutato", "rifiutata", "respinto", "respinta", "stornato"),
    *("stornata", "cancellato", "cancellata", "eliminato", "eliminata"),
    *("geannuleerd", "concept", "afgewezen", "geweigerd", "vervallen", "verwijderd", "ingetrokken"),
    *("anulowane", "anulowany", "anulowana", "anulowano", "szkic", "wersja robocza", "odrzucone"),
    *("odrzucony", "odrzucona", "odrzucono", "usunięte", "wycofane"),
    *("zrušeno", "zrušená", "zrušena", "zrušený", "koncept", "zamítnuto", "zamítnuta", "stornováno"),
    *("avbruten", "makulerad", "annullerad", "utkast", "avvisad", "avslagen", "annulleret", "kladde"),
    *("afvist", "kansellert", "avvist", "peruttu", "luonnos", "hylätty"),
    *("iptal", "iptal edildi", "taslak", "reddedildi", "silindi"),
    *("отменен", "отменён", "отменена", "отменено", "черновик", "отклонен", "отклонён", "отклонена"),
    *("аннулирован", "аннулировано", "удален", "удалён", "скасовано", "чернетка", "відхилено"),
    *(
        "已取消",
        "取消",
        "草稿",
        "已拒绝",
        "已拒絕",
        "作废",
        "作廢",
        "已作废",
        "キャンセル",
        "キャンセル済み",
        "下書き",
        "却下",
    ),
    *("취소", "취소됨", "임시저장", "거절", "거부", "반려"),
)
_COUNTED = (
    *(
        "ordered",
        "placed",
        "approved",
        "confirmed",
        "accepted",
        "open",
        "sent",
        "issued",
        "released",
        "active",
    ),
    *("delivered", "received", "partially received", "partially delivered", "fully received", "shipped"),
    *("invoiced", "partially invoiced", "paid", "partially paid", "closed", "completed", "complete", "done"),
    *("fulfilled", "finished", "final", "booked", "posted", "acknowledged", "billed", "in transit"),
    *("bestellt", "genehmigt", "freigegeben", "bestätigt", "offen", "versendet", "geliefert", "erhalten"),
    *("teilgeliefert", "berechnet", "fakturiert", "bezahlt", "abgeschlossen", "erledigt", "gebucht"),
    *("commandé", "commandée", "approuvé", "approuvée", "validé", "validée", "confirmé", "confirmée"),
    *("ouvert", "ouverte", "livré", "livrée", "reçu", "reçue", "facturé", "facturée", "payé", "payée"),
    *("terminé", "terminée", "clôturé", "clôturée", "soldé", "soldée"),
    *("pedido", "aprobado", "aprobada", "confirmado", "confirmada", "abierto", "abierta", "entregado"),
    *("entregada", "recibido", "recibida", "facturado", "facturada", "pagado", "pagada", "cerrado"),
    *("cerrada", "completado", "completada", "adjudicado", "adjudicada"),
    *("aprovado", "aprovada", "aberto", "aberta", "entregue", "recebido", "recebida", "faturado"),
    *("faturada", "pago", "paga", "fechado", "fechada", "concluído", "concluída", "finalizado", "finalizada"),
    *("ordinato", "ordinata", "approvato", "approvata", "confermato", "confermata", "aperto", "aperta"),
    *("consegnato", "consegnata", "ricevuto", "ricevuta", "fatturato", "fatturata", "pagato", "pagata"),
    *("chiuso", "chiusa", "completato", "completata", "evaso", "evasa"),
    *("besteld", "goedgekeurd", "bevestigd", "geleverd", "ontvangen", "gefactureerd", "betaald", "gesloten"),
    *("afgerond", "voltooid", "zamówione", "zatwierdzone", "zatwierdzony", "potwierdzone", "otwarte"),
    *("dostarczone", "odebrane", "zafakturowane", "zapłacone", "opłacone", "zamknięte", "zrealizowane"),
    *("objednáno", "schváleno", "potvrzeno", "otevřená", "dodáno", "přijato", "fakturováno", "zaplaceno"),
    *("uzavřeno", "dokončeno", "beställd", "godkänd", "bekräftad", "öppen", "levererad", "mottagen"),
    *("fakturerad", "betald", "avslutad", "bestilt", "godkendt", "godkjent", "leveret", "levert", "betalt"),
    *("afsluttet", "avsluttet", "tilattu", "hyväksytty", "toimitettu", "maksettu", "valmis"),
    *("sipariş verildi", "onaylandı", "teslim edildi", "ödendi", "tamamlandı", "kapatıldı"),
    *(
        "заказан",
        "заказано",
        "утвержден",
        "утверждён",
        "утверждено",
        "подтвержден",
        "подтверждён",
        "доставлен",
    ),
    *(
        "доставлено",
        "получен",
        "получено",
        "оплачен",
        "оплачено",
        "закрыт",
        "закрыто",
        "выполнен",
        "выполнено",
    ),
    *("затверджено", "доставлено", "оплачено", "закрито", "виконано"),
    *("已下单", "已批准", "已确认", "已发货", "已收货", "已付款", "已完成", "已关闭", "已完了", "承認済み"),
    *(
        "発注済み",
        "納品済み",
        "支払済み",
        "完了",
        "승인",
        "승인됨",
        "주문완료",
        "배송완료",
        "결제완료",
        "완료",
    ),
)
_COUNTS: StateMeaning = "counts"
_COUNTS_NOT: StateMeaning = "does not count"
_MEANINGS: Mapping[str, StateMeaning] = {
    **dict.fromkeys(map(fold_text, _COUNTED), _COUNTS),
    **dict.fromkeys(map(fold_text, _NOT_COUNTED), _COUNTS_NOT),
}
_CODE = re.compile(r"[0-9a-z]{1,3}\s*[-–:.)]\s*(?=\S{3})")
"""The number or letters of a state before its word: `9 - Cancelled`."""
MIN_KNOWN_SHARE = 0.5
"""Of the different values of a column of states, at least so many are words that are known."""


@dataclass(frozen=True, slots=True)
class OrderState:
    """A value of a column of states, with how many rows it stands in and what it means."""

    value: str
    rows: int
    meaning: StateMeaning


@lru_cache(maxsize=4_096)
def read_state(value: str) -> StateMeaning:
    """Return whether an order in this state counts as a purchase."""
    folded = fold_text(value)
    for text in (folded, _CODE.sub("", folded, count=1)):
        word = _SEPARATORS.sub(" ", text).strip(" ()[]*!")
        if (meaning := _MEANINGS.get(word)) is not None:
            return meaning
    return "not known"


def is_state_heading(heading: str) -> bool:
    """Return whether a column of this name may hold the states of orders."""
    return _SEPARATORS.sub("", fold_text(heading)) in _HEADINGS


def find_state_column(
    header: Sequence[str], rows: Iterable[Sequence[object]], taken: Collection[int] = ()
) -> int | None:
    """Return the position of the column of states; None where there is none, or where several leave out
    orders: which of them counts is for a person to say. `taken` holds columns with another meaning."""
    columns = [at for at, heading in enumerate(header) if at not in taken and is_state_heading(heading)]
    if not columns:
        return None
    sample = list(rows)
    states = {at: list_states(format_cell(row[at]) for row in sample if at < len(row)) for at in columns}
    found = [at for at in columns if _are_states(states[at])]
    leaving_out = [at for at in found if any(one.meaning == "does not count" for one in states[at])]
    candidates = leaving_out or found
    return candidates[0] if len(candidates) == 1 else None


def list_states(values: Iterable[str]) -> list[OrderState]:
    """Return the different values of a column of states, as they were first written, the most frequent
    first."""
    counts: dict[str, tuple[str, int]] = {}
    for value in values:
        if text := value.strip():
            first, rows = counts.get(fold_text(text), (text, 0))
            counts[fold_text(text)] = first, rows + 1
    states = [OrderState(text, rows, read_state(text)) for text, rows in counts.values()]
    return sorted(states, key=lambda state: -state.rows)


@dataclass(frozen=True, slots=True)
class OrderStates:
    """The column of states of a file: `heading` at the position `at`. `decided` says of states whether their
    orders count, as a person did; it goes before what the words mean."""

    heading: str
    at: int
    decided: Mapping[str, bool]

    @classmethod
    def find(
        cls, columns: Mapping[str, int], rows: Iterable[Sequence[object]], decided: Mapping[str, bool]
    ) -> "OrderStates | None":
        """Find it among columns that have no other meaning, by their names. None where there is none."""
        names = {at: name for name, at in columns.items()}
        header = [names.get(at, "") for at in range(max(names, default=-1) + 1)]
        at = find_state_column(header, rows)
        known = {fold_text(state): counts for state, counts in decided.items()}
        return None if at is None else cls(names[at], at, known)

    def read(self, cells: Sequence[object]) -> tuple[StateMeaning, str]:
        """Return whether an order counts, and its state. One without a state counts."""
        state = format_cell(cells[self.at]).strip() if self.at < len(cells) else ""
        decided = self.decided.get(fold_text(state))
        if decided is not None:
            return ("counts" if decided else "does not count"), state
        return ("counts" if not state else read_state(state)), state


def _are_states(states: Sequence[OrderState]) -> bool:
    known = sum(one.meaning != "not known" for one in states)
    return bool(states) and known >= MIN_KNOWN_SHARE * len(states)
