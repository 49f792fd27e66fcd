"""What a file does not say and a person must, before its rows count: each question once, with an example
of the file."""

from collections.abc import Sequence

from app.contract.imports import ImportOption, ImportQuestion, QuestionName
from app.contract.money import format_exact_quantity
from app.service.table_files.notation import FileNotation
from app.service.tables.table import TableHead
from app.service.values.currencies import list_possible
from app.service.values.dates import describe_dates
from app.service.values.numbers import describe_readings

MAX_OPTIONS = 100
_ALIKE = 0.8


class Questions:
    """The questions of one file, in the order in which they came up. `wait` says that nothing is imported
    before they are answered."""

    def __init__(self, *, wait: bool = True) -> None:
        self.wait = wait
        self._asked: dict[QuestionName, ImportQuestion] = {}

    @property
    def asked(self) -> Sequence[ImportQuestion]:
        """All of them."""
        return list(self._asked.values())

    def ask(self, name: QuestionName, question: str, options: Sequence[ImportOption] = ()) -> None:
        """Ask unless it was asked before."""
        if name not in self._asked:
            self._asked[name] = ImportQuestion(name=name, question=question, options=list(options))

    def ask_about_table(self, head: TableHead, sheet: str | None) -> None:
        """Ask which of several sheets alike is meant, unless `sheet` is, and in which encoding a text is
        whose bytes do not say."""
        alike = [one for one in head.sheets if not one.hidden and _are_alike(one.headings, head.headings)]
        if sheet is None and len(alike) > 1:
            options = [ImportOption(value=one.name, meaning=f"{one.name}: {one.rows} rows") for one in alike]
            self.ask("sheet", "Several sheets have the same headings. Which is meant?", options[:MAX_OPTIONS])
        if head.alternatives:
            options = [ImportOption(value=one.encoding, meaning=one.example) for one in head.alternatives]
            self.ask("encoding", "Which of these is how the file's words are spelled?", options)

    def ask_notation(self, notation: FileNotation) -> None:
        """Ask what no number and no date of the file decides."""
        if (number := notation.ambiguous_number) is not None:
            readings = {"point": number.point, "comma": number.comma}
            options = [
                ImportOption(value=name, meaning=f"{number.text} is {format_exact_quantity(value)}")
                for name, value in readings.items()
                if value is not None
            ]
            self.ask("number_format", f"{describe_readings(number)}. Which is meant?", options)
        if (day := notation.ambiguous_date) is not None:
            options = [
                ImportOption(value="day_first", meaning="The day comes first"),
                ImportOption(value="month_first", meaning="The month comes first"),
            ]
            self.ask("date_order", f"{describe_dates(day)}. Which is meant?", options)

    def ask_currency(self, usual: str, sign: str | None) -> None:
        """Ask for the currency of prices that name none, or the sign of several countries."""
        if sign is None:
            question = "No column, heading or price names the currency. Which is it?"
            options = [ImportOption(value=usual, meaning=f"{usual}, the usual currency here")]
        else:
            question = f"{sign} is the sign of several currencies. Which is it?"
            options = [ImportOption(value=code, meaning=code) for code in sorted(list_possible(sign))]
        self.ask("currency", question, options[:MAX_OPTIONS])

    def ask_price_per(self, term_months: int) -> None:
        """Ask what the price of something bought for a term is for."""
        self.ask(
            "price_per",
            f"Something is bought for {term_months} months. What is its unit price for?",
            [
                ImportOption(value="month", meaning="One month"),
                ImportOption(value="quarter", meaning="A quarter"),
                ImportOption(value="half_year", meaning="Half a year"),
                ImportOption(value="year", meaning="One year"),
                ImportOption(value="term", meaning="The whole term"),
            ],
        )

    def ask_blank_cells(self, headings: Sequence[str], line: int) -> None:
        """Ask whether blank cells of columns are those of the row above."""
        self.ask(
            "blank_cells",
            f"{' and '.join(headings)}: blank in line {line} and others below a row that has it. Are they"
            " those of the row above?",
            [
                ImportOption(value="above", meaning="They are those of the row above"),
                ImportOption(value="missing", meaning="They are not known"),
            ],
        )

    def ask_state(self, heading: str, state: str) -> None:
        """Ask whether orders in a state are purchases."""
        self.ask("states", f"Which of these words in {heading} are on orders that are purchases?")
        options = self._asked["states"].options
        if len(options) < MAX_OPTIONS and all(one.value != state for one in options):
            options.append(ImportOption(value=state, meaning=state))


def _are_alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two tables have most of their headings in common."""
    return len({*one} & {*other}) >= _ALIKE * max(len({*one}), len({*other}), 1)
