"""The first sheet of a spreadsheet (.xlsx) as CSV.

It runs in the sandbox, alone: an .xlsx is an archive of XML, and it comes from elsewhere.  The file
is open at descriptor 3, and table.csv is written into the working folder.  Exit codes: 0 done; 1
refused, and the one line printed says why; 3 our trouble.
"""

import csv
import datetime
import mimetypes
import sys

ROWS_MAX, COLUMNS_MAX = 20001, 1001  # one more than a table may have


def N_(english: str) -> str:
    """Marks a text that is looked up when it is shown."""
    return english


def text_of(value: object) -> str:
    """The text that a cell shows, on one line; whole numbers have no decimals."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    return " ".join(str(value).split())


def main() -> int:
    mimetypes.knownfiles.clear()  # openpyxl would read them, which the box refuses
    try:
        import openpyxl
    except ModuleNotFoundError:
        print(N_("openpyxl is missing here: run `make setup` first"))
        return 3
    try:
        with open(3, "rb") as file, open("table.csv", "w", encoding="utf-8", newline="") as out:
            sheet = openpyxl.load_workbook(file, read_only=True, data_only=True).worksheets[0]
            writer = csv.writer(out, lineterminator="\n")
            for row in sheet.iter_rows(max_row=ROWS_MAX, values_only=True):
                cells = [text_of(value) for value in row[:COLUMNS_MAX]]
                while cells and not cells[-1]:
                    cells.pop()
                writer.writerow(cells)
    except Exception:  # the file is foreign, and openpyxl raises many kinds
        print(N_("not a spreadsheet that can be read; save it as CSV in UTF-8 (Excel: CSV UTF-8)"))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
