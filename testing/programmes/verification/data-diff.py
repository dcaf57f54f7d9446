"""Compares two tables with Datafold's data-diff, and prints the seconds and the keys of rows that differ as JSON.

The argument is JSON: `source` and `target`, each with `uri` and `table`, and `columns`, the first of which is the key.
"""

import json
import sys
import time

from data_diff import connect_to_table, diff_tables

job = json.loads(sys.argv[1])
key, *others = job["columns"]
since = time.perf_counter()
source, target = (
    connect_to_table(side["uri"], side["table"], key, extra_columns=tuple(others), thread_count=4)
    for side in (job["source"], job["target"])
)
found = list(diff_tables(source, target))
seconds = time.perf_counter() - since
keys = sorted({int(row[0]) for _sign, row in found})
print(json.dumps({"seconds": seconds, "keys": keys[:1000], "count": len(keys)}))
