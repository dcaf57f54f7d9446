"""Reads a file of a table with a library of other authors, and prints its rows as JSON. Decimals are text with all digits."""

import base64
import datetime
import decimal
import json
import sys

library, path = sys.argv[1:]


def plain(value):
    if isinstance(value, (datetime.date, datetime.datetime, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return str(value)
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, bytes):
        return "bytes " + base64.b64encode(value).decode()
    if isinstance(value, int) and abs(value) > 2**53:
        return str(value)
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return str(value)
    return value


if library == "pyarrow":
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    types = [str(field.type) for field in table.schema]
    names, rows = table.column_names, [list(row.values()) for row in table.to_pylist()]
elif library == "duckdb":
    import duckdb

    duckdb.execute("SET TimeZone = 'UTC'")
    # Its client for Python needs another package for times with a zone.
    found = duckdb.sql("SELECT * FROM read_parquet('%s')" % path)
    zoned = [name for name, kind in zip(found.columns, found.types) if "ZONE" in str(kind)]
    if zoned:
        found = found.project("* REPLACE (%s)" % ", ".join("%s AT TIME ZONE 'UTC' AS %s" % (name, name) for name in zoned))
    names, types, rows = found.columns, [str(each) for each in found.types], found.fetchall()
else:
    import openpyxl

    sheet = openpyxl.load_workbook(path).worksheets[0]
    cells = [list(row) for row in sheet.iter_rows()]
    names, types = [cell.value for cell in cells[0]], [[cell.data_type for cell in row] for row in cells[1:]]
    rows = [[cell.value for cell in row] for row in cells[1:]]
print(json.dumps({"names": names, "types": types, "rows": [[plain(value) for value in row] for row in rows]}))
