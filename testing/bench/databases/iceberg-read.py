"""Reads every value of an Iceberg table by DuckDB, in the best of three attempts, and prints the seconds as JSON.

Usage: iceberg-read.py METADATA_FILE
"""

import json
import os
import sys
import time

import duckdb
import duckdb_extension_avro
import duckdb_extension_iceberg


def extension_file(module):
    for folder, _, names in os.walk(os.path.dirname(module.__file__)):
        for name in names:
            if name.endswith(".duckdb_extension"):
                return os.path.join(folder, name)
    raise FileNotFoundError(f"{module.__name__} has no extension file")


connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
# The extension for Iceberg needs that for Avro.
for extension in (duckdb_extension_avro, duckdb_extension_iceberg):
    connection.execute(f"LOAD '{extension_file(extension)}'")
query = """SELECT count(*), sum(total), sum(quantity), max(epoch_us(changed_at)), max(placed_on), count_if(is_paid), sum(length(customer)),
  sum(length(note)), sum(id) FROM iceberg_scan(?)"""
seconds = []
for _ in range(3):
    since = time.perf_counter()
    connection.execute(query, [sys.argv[1]]).fetchall()
    seconds.append(time.perf_counter() - since)
print(json.dumps({"seconds": min(seconds)}))
