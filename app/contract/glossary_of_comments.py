"""What a field means in the records of comments and histories, as `Record.field`."""

COMMENT_FIELDS = {
    "Comment.author": "Who wrote it: the name of the person or API key at that time.",
    "Comment.authorKind": "Whether a person or an API key wrote it.",
    "Comment.createdAt": "When it was written.",
    "Comment.mayDelete": "Whether the caller may delete it.",
    "Comment.onBehalfOf": "On whose behalf: the e-mail address or identifier of the end user.",
    "Comment.text": "What was written, as plain text.",
    "Comment.named": "Whom it names by `@` and a name or an e-mail address.",
    "CommentPage.mailAvailable": "Whether this deployment has a mail server.",
    "HistoryEntry.actor": "Who did it: the name of the person or API key at that time.",
    "HistoryEntry.actorKind": "Whether a person, an API key or the background did it.",
    "HistoryEntry.at": "When it was done.",
    "HistoryEntry.commentId": "The comment that it tells of, by its id, while it is there.",
    "HistoryEntry.text": "What was done, as a sentence.",
    "NamedPerson.email": "The address to which the mail goes.",
    "NamedPerson.name": "The person's name.",
    "NewComment.text": "What to write, as plain text; `@` before a name or an address names somebody.",
}
