"""What the fields of files to import mean: a field's words, and those of one record where they differ."""

IMPORT_FIELDS = {
    "sheet": "The sheet of a workbook that is read.",
    "encoding": "The encoding of a text, such as utf_8 or cp1250.",
    "numberFormat": "Which mark parts the decimals: a point in 1,234.50, a comma in 1.234,50.",
    "pricePer": "What the price of something that is bought for a term is for.",
    "states": "Whether orders in a state are purchases, by the state's word in the file.",
    "blankCells": "Whether blank suppliers and days are those of the row above.",
    "asks": "What the file does not say and a person must, before anything is imported.",
    "leftOut": "Columns without a place whose values look as if they mattered.",
}
RECORDS_OF_IMPORTS = {
    "ImportColumn.suggestion": "A field that the heading resembles, for a person to choose.",
    "ImportOption.meaning": "What the answer would mean, with an example of the file.",
    "ImportOption.value": "The value to send.",
    "ImportPreview.headerLine": "The line of the headings.",
    "ImportPreview.notes": "What was stepped over or left out before the rows.",
    "ImportPreview.sentences": "What three of the rows would put on record.",
    "ImportPreview.sheets": "All sheets of a workbook.",
    "ImportRows.rows": "The values of each row, or why it is refused.",
    "ImportSheet.columns": "The headings of its table; none where it holds no table.",
    "ImportSheet.hidden": "Whether it is hidden.",
    "ImportSheet.rows": "How many rows it has, with those above and of the headings.",
    "ImportTable.columns": "What each column holds.",
    "ImportTable.header": "The line of the headings.",
    "ImportTable.missing": "Needed fields that no column was recognised for.",
    "ImportTable.notes": "What was stepped over or left out before the rows.",
    "ImportTable.recognisedAs": "The kind of file.",
    "LeftOutColumn.looksLike": "What its values look like.",
}
