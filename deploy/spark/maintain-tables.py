"""Maintains Iceberg tables of Tributary that are too large for its daily maintenance, on a Spark cluster.

    spark-submit --packages org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0 --conf … maintain-tables.py --namespace sales.eu

docs/grow.md has the settings of the catalog. Each table is compacted and sorted by its key, its manifests are joined, old snapshots are
removed, and then the files that no snapshot refers to. Each step is one or several commits of Iceberg, which keep the properties of the
table: the checkpoint and the fence of its connector. A run of the connector may take place at the same time. Of two commits that
change the same files, the later one is made again (Tributary) or left to the next job (this script).

Every argument has an environment variable, such as TRIBUTARY_SPARK_RETAIN_HOURS for --retain-hours. The exit code is 1 if a
table failed; the others are maintained all the same.
"""

import argparse
import datetime
import os
import sys

from pyspark.sql import SparkSession


def main():
    options = parse_options()
    session = SparkSession.builder.appName("Maintenance of Tributary's Iceberg tables").getOrCreate()
    try:
        failed = [name for name in list_tables(session, options) if not try_table(session, options, name)]
    finally:
        session.stop()
    if failed:
        sys.exit(f"{len(failed)} tables failed: {', '.join(failed)}")


def parse_options():
    parser = argparse.ArgumentParser(description="Maintains Iceberg tables of Tributary on a Spark cluster.")

    def add(name, help, default=None, **more):
        variable = "TRIBUTARY_SPARK_" + name.upper().replace("-", "_")
        value = os.environ.get(variable, default)
        if value is not None and "type" in more:
            value = more["type"](value)
        parser.add_argument("--" + name, help=help, default=value, required=value is None, **more)

    add("catalog", "name of the catalog in the settings of Spark (default: lake)", "lake")
    add("namespace", "namespace of the connector, with dots between its levels, such as sales.eu")
    add("tables", "names of tables, with commas between them (default: all that Tributary has created)", "")
    add("file-mb", "size that data files should have (default: 128)", 128, type=at_least(16))
    add("group-gb", "what is sorted and committed together, within a partition (default: 10)", 10, type=at_least(1))
    add("retain-hours", "younger snapshots stay (default: 24)", 24, type=at_least(4))
    add("orphan-days", "younger files stay, because a run may still commit them (default: 3)", 3, type=at_least(2))
    return parser.parse_args()


def at_least(least):
    def parse(text):
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"must be {least} or more")
        return number

    return parse


def list_tables(session, options):
    """Names of tables that connectors have filled. The table of a connector's runs is small, and each run maintains it."""
    wanted = {name.strip() for name in options.tables.split(",") if name.strip()}
    found = session.sql(f"SHOW TABLES IN {quote(options.catalog, *options.namespace.split('.'))}").collect()
    names = [row["tableName"] for row in found if "tributary.stream" in properties_of(session, options, row["tableName"])]
    missing = wanted.difference(names)
    if missing:
        sys.exit(f"Not among the tables of Tributary in {options.namespace}: {', '.join(sorted(missing))}")
    return [name for name in names if not wanted or name in wanted]


def properties_of(session, options, name):
    rows = session.sql(f"SHOW TBLPROPERTIES {quote(options.catalog, *options.namespace.split('.'), name)}").collect()
    return {row["key"]: row["value"] for row in rows}


def try_table(session, options, name):
    try:
        maintain(session, options, name)
        return True
    except Exception as error:  # One table must not keep the others from being maintained.
        print(f"{name}: failed: {error}", file=sys.stderr, flush=True)
        return False


def maintain(session, options, name):
    table = quote(*options.namespace.split("."), name)

    def call(procedure, *arguments):
        procedure = f"{quote(options.catalog)}.system.{procedure}"
        return session.sql(f"CALL {procedure}({', '.join((f'table => {text(table)}', *arguments))})").collect()

    # The table's order is its key; a table without a key has none.
    strategy = "sort" if "sort-order" in properties_of(session, options, name) else "binpack"
    rewriting = {
        "target-file-size-bytes": options.file_mb * 1_048_576,
        "max-file-group-size-bytes": options.group_gb * 1_073_741_824,
        "min-input-files": 2,
        # What other programs have deleted by delete files is applied, so that runs accept the table again.
        "delete-file-threshold": 1,
        "remove-dangling-deletes": "true",
        # A run that changes files of one group costs that group only.
        "partial-progress.enabled": "true",
    }
    pairs = ", ".join(f"{text(key)}, {text(value)}" for key, value in rewriting.items())
    (files,) = call("rewrite_data_files", f"strategy => '{strategy}'", f"options => map({pairs})")
    (manifests,) = call("rewrite_manifests", "use_caching => false")
    now = datetime.datetime.now(datetime.timezone.utc)
    before = timestamp(now - datetime.timedelta(hours=options.retain_hours))
    (expired,) = call("expire_snapshots", f"older_than => {before}", "retain_last => 1", "stream_results => true")
    # Listed by the client of the catalog, because Spark alone has no client of S3 or of Azure.
    old = timestamp(now - datetime.timedelta(days=options.orphan_days))
    orphans = call("remove_orphan_files", f"older_than => {old}", "prefix_listing => true")
    print(
        f"{name}: {files['rewritten_data_files_count']} data files became {files['added_data_files_count']}"
        f" (failed: {files['failed_data_files_count']}), {manifests['rewritten_manifests_count']} manifests became"
        f" {manifests['added_manifests_count']}, {expired['deleted_data_files_count']} files of old snapshots and"
        f" {len(orphans)} files without a snapshot removed.",
        flush=True,
    )


def quote(*names):
    return ".".join("`" + name.replace("`", "``") + "`" for name in names)


def text(value):
    return "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"


def timestamp(moment):
    return f"TIMESTAMP '{moment:%Y-%m-%d %H:%M:%S}+00:00'"


main()
