"""What a field means in the records of people, keys and the audit log, by its name on the wire, and as
`Record.field` where it is not what its name means elsewhere."""

PEOPLE_FIELDS = {
    "action": "What was done, as the id of the operation, or `service.` and a word for what the service did.",
    "actor": "Who did it.",
    "hint": "How the key begins.",
    "ended": "How many sessions ended.",
    "revokedAt": "When it was revoked; absent while it is in use.",
    "sessions": "How many sessions of the person are in use.",
    "signedInAt": "When the person last signed in, as far as the audit log says.",
}

RECORDS_OF_PEOPLE = {
    "ApiKey.key": "The key itself, in the answer that makes it and in no other.",
    "ApiKey.own": "Whether the call is made with this key, or by who signed in with it.",
    "ApiKey.role": "What it may do: each role may do what those before it may.",
    "Member.role": "What the groups of the person gave them at the last sign-in.",
    "NewKey.role": "What it may do, at most as much as who makes it.",
    "Actor.id": "The id of the person or key; absent at the command line and where the service did it.",
    "Actor.kind": "Whether a person, an API key, a command of the operator or the service by itself did it.",
    "Actor.name": "What they were called at that time.",
    "AuditEntry.askedBy": "Whose call the work of the service began with; absent where that is not certain.",
    "AuditEntry.at": "When it was done.",
    "AuditEntry.fields": "The names of the fields that came with the call.",
    "AuditEntry.object": "What was changed.",
    "AuditEntry.requestId": "The id of the request, or of that which asked for the work; else empty.",
    "AuditEntry.summary": "What was done, in words.",
    "AuditPage.data": "The entries of this page.",
    "AuditPage.next": "The entry to continue after, as `before` of the next call; absent at the end.",
    "AuditedObject.kind": "What kind of thing it is.",
    "AuditedObject.name": "What it was called in the answer; absent where that had no name.",
    "AuditedObject.path": "Where it can be read, while it exists.",
}
