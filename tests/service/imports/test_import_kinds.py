"""What a file is: proposed by its headings and changed by a person, in every format; and what is no file."""

import gzip
import io
import threading
import zipfile
from datetime import date
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa
from openpyxl import Workbook

from app.service.context import Context
from app.service.database.tables import task
from app.service.imports.file_kinds import match_kinds, recognise_kind
from tests.service.imports.import_driver import ImportDriver
from tests.service.interleaving import before_write

FILES = {
    "purchases": b"date,supplier,product,price\n2026-03-02,Acme,Desk,20\n",
    "catalog": b"name,domain\nAcme,acme.example\n",
    "rates": b"date,currency,rate\n2026-03-02,USD,1.25\n",
    "agreements": b"contract,vendor,end\nMilk,Acme,2026-12-31\n",
}
OTHERS = {
    "purchases": b"date,supplier,product,price\n2026-03-03,Acme,Chair,30\n",
    "catalog": b"name,domain\nBolt,bolt.example\n",
    "rates": b"date,currency,rate\n2026-03-03,USD,1.35\n",
    "agreements": b"contract,vendor,end\nBread,Acme,2026-11-30\n",
}
WIDE = 1_000
NOTE = "é".encode() * WIDE
"""A cell that no kind of file needs."""


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("date,supplier,product,price", "purchases"),
        ("when,vendor,item,price", "purchases"),
        ("DATE,SUPPLIER,SKU,QTY,VAT,PRICE", "purchases"),
        ("a,b,c", "purchases"),
        ("domain,name,product_names,website,category,parent_category,description", "catalog"),
        ("vendor,homepage", "catalog"),
        ("Date,USD,JPY,BGN,", "rates"),
        ("KEY,CURRENCY,CURRENCY_DENOM,TIME_PERIOD,OBS_VALUE", "rates"),
        ("date,currency,rate", "rates"),
        ("Date,Consultant,Project,Hours,Rate,Currency", "purchases"),
        ("Date,Supplier,Role,Rate,Currency", "purchases"),
        ("Role,Grade,Day rate (EUR),Currency", "purchases"),
        ("Contract,Vendor,Begin,End,Amount", "agreements"),
        ("name,supplier,notice_period,auto_renewal", "agreements"),
        ("date,vendor,item,price,quantity,start_date,end_date,currency", "purchases"),
        ("SupplierID,SupplierName,Region,SupplierRiskScore,OnTimeDeliveryRate", "catalog"),
        ("name,description,team,billing_period,price,currency", "agreements"),
        (
            "software,vendor,license_type,unit_cost_usd,seats_purchased,contract_start,contract_end",
            "agreements",
        ),
        ("supplier,service,annual value", "agreements"),
        ("Supplier,Article no,Description,List price,Discount,Net price", "catalog"),
        ("Leverantörsnr,Namn,Organisationsnr,Aktiv", "catalog"),
        ("Date,Currency,Unit,Buying,Selling,Middle", "rates"),
        ("Country,Currency,Amount,Code,Rate", "rates"),
        ("Date,Amount,Currency", "purchases"),
        ("date,supplier,product,billing_period,price", "purchases"),
    ],
)
def test_a_kind_is_proposed_by_the_headings(header: str, kind: str) -> None:
    assert recognise_kind(header.split(",")).name == kind


@pytest.mark.parametrize(
    ("header", "fits"),
    [
        ("SupplierID,SupplierName,Region,SupplierRiskScore", False),
        ("name,owner,cost center", False),
        ("vendor,product,unit,currency", False),
        ("contract,vendor", True),
        ("vendor,contract value", True),
        ("name,end", True),
        ("software,seats", True),
    ],
)
def test_agreements_are_offered_where_a_column_is_of_contracts(header: str, fits: bool) -> None:
    missing = {one.kind: one.missing for one in match_kinds(header.split(","))}["agreements"]
    assert (missing == []) is fits


def as_workbook(*rows: list[Any]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def as_open_document(*rows: list[str]) -> bytes:
    """A sheet of LibreOffice with these texts."""
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "manifest")
    )
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    body = "".join(f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>" for row in rows)
    sheet = f'<table:table table:name="A">{body}</table:table>'
    media_type = "application/vnd.oasis.opendocument.spreadsheet"
    entry = f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{media_type}"/>'
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", media_type)
        archive.writestr(
            "content.xml",
            f"<office:document-content{names}><office:body><office:spreadsheet>{sheet}</office:spreadsheet>"
            "</office:body></office:document-content>",
        )
        archive.writestr("META-INF/manifest.xml", f"<manifest:manifest{names}>{entry}</manifest:manifest>")
    return made.getvalue()


def as_parquet(**columns: list[Any]) -> bytes:
    made = io.BytesIO()
    pq.write_table(pa.table(columns), made)
    return made.getvalue()


sqlite_only = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
campaign = pytest.mark.campaign


@pytest.mark.campaign
@sqlite_only
def test_every_format_is_taken(imports: ImportDriver) -> None:
    taken = {
        "a.csv": FILES["rates"],
        "b.csv.gz": gzip.compress(FILES["catalog"]),
        "c.xlsx": as_workbook(["date", "USD"], [date(2026, 3, 2), 1.25], [None, None], ["2026-03-03", 2]),
        "d.parquet": as_parquet(date=[date(2026, 3, 2)], currency=["USD"], rate=[1.25]),
        "e.parquet": as_parquet(name=["Acme", None], domain=["acme.example", "b.example"]),
        "g.ods": as_open_document(["supplier", "website"], ["Acme", "acme.example"]),
        "h.xls": b"<table><tr><th>supplier<th>website</tr><tr><td>Acme<td>acme.example</tr></table>",
        "f.xlsx": as_workbook(["supplier", "website"], ["Acme", "acme.example"], ["=RAND()", "b.example"]),
    }
    found = {name: imports.check(content, name) for name, content in taken.items()}
    told = {
        name: (one["kind"], one["preview"]["new"], one["preview"]["refused"]) for name, one in found.items()
    }
    assert told == {
        "a.csv": ("rates", 1, 0),
        "b.csv.gz": ("catalog", 1, 0),
        "c.xlsx": ("rates", 2, 0),
        "d.parquet": ("rates", 1, 0),
        "e.parquet": ("catalog", 1, 1),
        "f.xlsx": ("catalog", 1, 1),
        "g.ods": ("catalog", 1, 0),
        "h.xls": ("catalog", 1, 0),
    }
    for content in (
        gzip.compress(b"\x00\x01 a program"),
        gzip.compress(b""),
        b"\x1f\x8b nothing",
        b"PAR1 nothing",
    ):
        refused = imports.api.post("/v1/files/upload", files={"file": ("x.csv.gz", content)})
        assert refused.status_code == 415
        assert "CSV.gz, ODS or Parquet" in refused.json()["detail"]


@pytest.mark.campaign
@sqlite_only
def test_a_file_of_no_kind_says_what_each_kind_needs(imports: ImportDriver) -> None:
    one = imports.check(b"colour,size\nred,7\n")
    assert one["status"] == "incomplete"
    assert one["preview"]["kinds"] == [
        {"kind": "purchases", "missing": ["purchase_date", "supplier", "product", "unit_price"]},
        {"kind": "catalog", "missing": ["name"]},
        {"kind": "rates", "missing": ["date", "currency", "rate"]},
        {"kind": "agreements", "missing": ["name"]},
    ]
    one = imports.check(b"colour,size\nred,7\n", kind="catalog", mapping={"name": "colour"})
    assert (one["status"], one["preview"]["new"]) == ("ready", 1)
    wrong = imports.check(FILES["purchases"], kind="rates")
    assert (wrong["status"], wrong["preview"]["missing"]) == ("incomplete", ["currency", "rate"])


BAD_INPUT: list[tuple[bytes, str, Any]] = [
    (b"name,domain\n", "ready", {"total": 0, "new": 0}),
    (b"date,currency,rate\n", "ready", {"total": 0, "new": 0}),
    (b"name,domain,Domain\nA,a.example,b.example\n", "ready", {"total": 1, "new": 1}),
    (b"date,USD,USD\n2026-03-02,1,2\n", "failed", "The column 'USD' is there twice."),
    (b",,\n1,2,3\n", "failed", "The file has no header row."),
    (b"name,Note,Note\nAcme,a,b\n", "ready", {"total": 1, "new": 1}),
    ("date,USD\n2026-03-02,2\n".encode("utf-16"), "ready", {"total": 1, "new": 1}),
    (
        "name,domain\nk\u0117d\u0117,\n".encode("cp1257"),
        "incomplete",
        {
            "asks": [
                {
                    "name": "encoding",
                    "question": "Which of these is how the file's words are spelled?",
                    "options": [
                        {"value": "cp1252", "meaning": "këdë"},
                        {"value": "cp1257", "meaning": "kėdė"},
                    ],
                }
            ]
        },
    ),
    (
        b"name,note\nAcme,a\nGr\xc3\xbcn,g\n" + b"Acme,%s\n" % (b"x" * 9_000) * 30 + b"Gr\xfcn,h\n",
        "ready",
        {
            "line": 34,
            "reason": "is not in the encoding of the file's other lines",
        },
    ),
    (
        b"date,currency,rate\n9999-12-31,USD,1\n",
        "ready",
        {"line": 2, "column": "date", "reason": "date '9999-12-31' is not before 2100"},
    ),
    (
        b"Tag;Datum;Kurs;quote\nx;02.03.2026;1e400;USD\n",
        "ready",
        {"line": 2, "column": "Kurs", "reason": "Kurs '1e400' is out of bounds"},
    ),
    (
        b"date,supplier,product,price\n2026-03-02,Acme,Desk,1e400\n",
        "ready",
        {"line": 2, "column": "price", "reason": "price '1e400' is out of bounds"},
    ),
    (
        b"date,supplier,product,price\n9999-12-31,Acme,Desk,1\n",
        "ready",
        {"line": 2, "column": "date", "reason": "date '9999-12-31' is not before 2100"},
    ),
]


@pytest.mark.campaign
@sqlite_only
def test_bad_input_is_named(imports: ImportDriver) -> None:
    for content, status, told in BAD_INPUT:
        one = imports.check(content)
        assert one["status"] == status, content[:80]
        if status == "failed":
            assert one["error"] == told
        elif "line" in told:
            assert told in one["preview"]["refusals"]
        else:
            assert {**one["preview"], **told} == one["preview"]
        imports.delete(one["id"])


@pytest.mark.parametrize(
    "kind", ["purchases", *(pytest.param(kind, marks=campaign) for kind in FILES if kind != "purchases")]
)
def test_the_text_that_files_unfold_to_has_a_quota(
    kind: str, imports: ImportDriver, context: Context
) -> None:
    def pack(file: bytes) -> bytes:
        header, *rows = file.splitlines()
        return gzip.compress(b"\n".join([header + b",Note", *(b"%b,%b" % (row, NOTE) for row in rows)]))

    content = pack(FILES[kind])
    context.settings.max_import_bytes = 2 * WIDE
    one = imports.check(content, "wide.csv.gz", kind=kind)
    assert "PARLEY_MAX_IMPORT_BYTES" in imports.confirm(one["id"], 409)["detail"]
    context.settings.max_import_bytes = 3 * WIDE
    imports.confirm(one["id"])
    imports.work()
    second = imports.check(pack(OTHERS[kind]), "second.csv.gz", kind=kind)
    imports.confirm(second["id"], 409)
    imports.undo(one["id"])
    imports.confirm(second["id"])


@pytest.mark.campaign
@pytest.mark.parametrize("kind", FILES)
def test_two_who_confirm_at_once_import_once(kind: str, imports: ImportDriver, context: Context) -> None:
    one = imports.check(FILES[kind])
    assert one["kind"] == kind
    answers: list[int] = []

    def confirm() -> None:
        answers.append(imports.api.post(f"/v1/imports/{one['id']}/confirm").status_code)

    people = [threading.Thread(target=confirm) for _ in range(4)]
    for person in people:
        person.start()
    for person in people:
        person.join(60)
    assert sorted(answers) == [200, 409, 409, 409]
    with context.database.reading() as connection:
        asked = sa.select(sa.func.count()).where(task.c.kind == "import", task.c.subject_id == one["id"])
        assert connection.scalar(asked) == 1
    imports.work()
    assert imports.get(one["id"])["result"]["imported"] == 1


@pytest.mark.parametrize(
    "kind",
    [*(pytest.param(kind, marks=campaign) for kind in ("purchases", "catalog", "agreements")), "rates"],
)
def test_cancelling_meets_confirming(kind: str, imports: ImportDriver, context: Context) -> None:
    """Whichever comes first, nothing of the import stays."""
    first = imports.check(FILES[kind])
    imports.delete(first["id"])
    assert "cancelled" in imports.confirm(first["id"], 409)["detail"]
    second = imports.check(FILES[kind])
    imports.confirm(second["id"])
    imports.delete(second["id"])
    imports.work()
    ended = imports.get(second["id"])
    assert ended["status"] == "cancelled"
    assert (ended["removal"]["rows"], ended["removal"]["entries"]) == (0, 0)
    third = imports.check(FILES[kind])
    assert third["preview"]["new"] == 1
    imports.confirm(third["id"])
    cancelling = threading.Thread(target=imports.delete, args=(third["id"],))

    def cancel() -> None:
        cancelling.start()
        cancelling.join(60)

    with before_write(context, 1, cancel) as met:
        imports.work()
    assert met
    imports.work()
    assert imports.get(third["id"])["status"] == "cancelled"
    assert imports.check(FILES[kind])["preview"]["new"] == 1
