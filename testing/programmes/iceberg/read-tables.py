"""Reads Iceberg tables by a program of other authors and prints counts, sums and checksums of their columns as JSON.

Usage: read-tables.py pyiceberg|duckdb|spark METADATA_FILE...

A metadata file is the absolute path of a table's current metadata, or for PyIceberg an address in object storage, with the
properties of TRIBUTARY_ICEBERG_PROPERTIES (JSON). Spark runs the Iceberg runtime that TRIBUTARY_ICEBERG_RUNTIME names, with two
executors as processes of their own.
"""

import decimal
import hashlib
import json
import os
import struct
import sys
import uuid

import pyarrow as pa


def main(reader, metadata_files):
    read = {"pyiceberg": read_by_pyiceberg, "duckdb": read_by_duckdb, "spark": read_by_spark}[reader]
    print(json.dumps([figures(name, batches) for name, batches in read(metadata_files)]))


def read_by_pyiceberg(metadata_files):
    from pyiceberg.table import StaticTable

    properties = json.loads(os.environ.get("TRIBUTARY_ICEBERG_PROPERTIES", "{}"))
    for file in metadata_files:
        location = file if "://" in file else "file://" + file
        yield file, StaticTable.from_metadata(location, properties).scan().to_arrow_batch_reader()


def read_by_duckdb(metadata_files):
    import duckdb
    import duckdb_extension_avro
    import duckdb_extension_iceberg

    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    # The extension for Iceberg needs that for Avro.
    for extension in (duckdb_extension_avro, duckdb_extension_iceberg):
        connection.execute(f"LOAD '{extension_file(extension)}'")
    for file in metadata_files:
        yield file, connection.execute("SELECT * FROM iceberg_scan(?)", [file]).to_arrow_reader(10_000)


def extension_file(module):
    for folder, _, names in os.walk(os.path.dirname(module.__file__)):
        for name in names:
            if name.endswith(".duckdb_extension"):
                return os.path.join(folder, name)
    raise FileNotFoundError(f"{module.__name__} has no extension file")


def read_by_spark(metadata_files):
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.jars", os.environ["TRIBUTARY_ICEBERG_RUNTIME"])
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    try:
        for file in metadata_files:
            table = session.read.format("iceberg").load("file://" + os.path.dirname(os.path.dirname(file)))
            yield file, table.toArrow().to_reader()
    finally:
        session.stop()


def figures(name, batches):
    columns = {field.name: {"values": 0, "checksum": 0, "sum": None} for field in batches.schema}
    rows = 0
    for batch in batches:
        rows += batch.num_rows
        for field, values in zip(batch.schema, batch.columns):
            add_values(columns[field.name], field.type, values)
    for column in columns.values():
        column["checksum"] = str(column["checksum"])
        column["sum"] = None if column["sum"] is None else format(column["sum"], "f")
    return {"metadata": name, "rows": rows, "columns": columns}


# Wide enough for the sum of ten million decimals of 38 digits.
decimal.getcontext().prec = 60


def add_values(column, type, values):
    text = canonical_text(type)
    is_number = pa.types.is_integer(type) or pa.types.is_decimal(type)
    for value in comparable(type, values).to_pylist():
        if value is None:
            continue
        column["values"] += 1
        column["checksum"] += int(hashlib.md5(text(value)).hexdigest()[:15], 16)
        if is_number:
            column["sum"] = (column["sum"] or 0) + decimal.Decimal(value)


def comparable(type, values):
    """Days and microseconds since 1970 as integers: Python's own types end at the year 9999."""
    if pa.types.is_date(type):
        return values.cast(pa.int32())
    if pa.types.is_timestamp(type) or pa.types.is_time(type):
        return values.cast(pa.timestamp("us", type.tz) if pa.types.is_timestamp(type) else pa.time64("us")).cast(pa.int64())
    return values.storage if isinstance(type, pa.BaseExtensionType) else values


def canonical_text(type):
    if pa.types.is_boolean(type):
        return lambda value: b"true" if value else b"false"
    if pa.types.is_decimal(type):
        return lambda value: format(value, "f").encode()
    if pa.types.is_float64(type):
        return lambda value: struct.pack(">d", value).hex().encode()
    if pa.types.is_float32(type):
        return lambda value: struct.pack(">f", value).hex().encode()
    if isinstance(type, pa.BaseExtensionType):
        return lambda value: str(uuid.UUID(bytes=value)).encode()
    if pa.types.is_binary(type) or pa.types.is_large_binary(type) or pa.types.is_fixed_size_binary(type):
        return lambda value: bytes(value).hex().encode()
    return lambda value: str(value).encode()


main(sys.argv[1], sys.argv[2:])
