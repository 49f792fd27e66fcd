"""Sentences that the model of clauses is trained with, its training and its scores.

Each `<language>.txt` is a grammar of fragments: a line is a sentence with alternatives in brackets,
`[This quote|Our offer] is valid for {validity}[| from today].`, and with figures in braces, each named for
the clause that it states (`app.service.documents.fields.clause_model.CLASSES`). A figure of no clause is
`{span}`, `{percent}`, `{date}`, `{money}` or `{number}`; `{payment#}` is a bare number, `{term:my}` months or
years. Lines below `= renews, annual` say so of renewal and billing; below `=` they say nothing of either.
"""
