"""Faults cross the pipe between a service and its reading processes."""

import pickle

from app.service.documents.faults import DocumentFault, UnreadableDocument, UnsupportedDocument


def test_a_fault_keeps_its_kind_and_reason_when_it_is_sent() -> None:
    for fault in (UnreadableDocument("It is cut off."), UnsupportedDocument("This is JSON.")):
        sent = pickle.loads(pickle.dumps(fault))
        assert type(sent) is type(fault)
        assert isinstance(sent, DocumentFault)
        assert (sent.reason, str(sent)) == (fault.reason, fault.reason)
