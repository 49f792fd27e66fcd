"""What people call the cells of a sheet: `B6`, `B6:B8`. Rows and columns are counted from 0."""


def name_cell(row: int, column: int) -> str:
    letters = ""
    left = column + 1
    while left:
        left, letter = divmod(left - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def name_range(row: int, column: int, last_row: int, last_column: int) -> str:
    return f"{name_cell(row, column)}:{name_cell(last_row, last_column)}"


def read_column(letters: str) -> int:
    """The number of the column that has these capital letters."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def name_column(column: int) -> str:
    """The letters of a column."""
    return name_cell(0, column).rstrip("0123456789")
