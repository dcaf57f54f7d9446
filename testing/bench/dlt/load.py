"""Loads the documents of the API into PostgreSQL with dlt's rest_api source, and prints seconds and memory as JSON.

The argument is JSON: `url`, `database`, `dataset`, `folder`, `paging` (`links` or `pages`), `way`, and whether it is the `first` load.
The ways: `example` is configured as in the documentation of rest_api and of incremental loading; `tuned` adds types, deletions, an overlap,
a first load without a merge, files for COPY and two processes; `exact` also parses numbers as decimals.
"""

import decimal
import json
import os
import resource
import sys
import time

job = json.loads(sys.argv[1])
is_tuned = job["way"] != "example"
if is_tuned:
    os.environ.update(
        NORMALIZE__LOADER_FILE_FORMAT="csv",
        NORMALIZE__WORKERS="2",
        NORMALIZE__START_METHOD="fork",
        EXTRACT__DATA_WRITER__FILE_MAX_ITEMS="10000",
        EXTRACT__DATA_WRITER__BUFFER_MAX_ITEMS="10000",
        NORMALIZE__DATA_WRITER__BUFFER_MAX_ITEMS="10000",
        LOAD__WORKERS="4",
    )
os.environ.update(RUNTIME__DLTHUB_TELEMETRY="false", RUNTIME__LOG_LEVEL="ERROR", DESTINATION__POSTGRES__CREDENTIALS=job["database"])

import dlt  # noqa: E402
from dlt.sources.rest_api import rest_api_source  # noqa: E402


def parse_exactly(response, *_args, **_kwargs):
    response.json = lambda: json.loads(response.content, parse_float=decimal.Decimal)
    return response


def decimals(name):
    return {"name": name, "data_type": "decimal", "precision": 38, "scale": 10}


paginators = {
    "links": {"type": "json_link", "next_url_path": "next"},
    "pages": {"type": "page_number", "base_page": 1, "total_path": None, "page_param": "page", "stop_after_empty_page": True},
}
documents = {
    "name": "document",
    "primary_key": "id",
    "write_disposition": "merge",
    "endpoint": {
        "path": {"links": "changes", "pages": "documents"}[job["paging"]],
        "data_selector": "data",
        "paginator": paginators[job["paging"]],
        "incremental": {
            "cursor_path": "changed",
            "initial_value": "1970-01-01T00:00:00Z",
            "start_param": "changed_since",
            **({"lag": 300} if is_tuned else {}),
        },
    },
}
if is_tuned:
    documents["columns"] = {
        "id": {"data_type": "bigint"},
        "total": decimals("total"),
        "rate": decimals("rate"),
        "changed": {"data_type": "timestamp"},
        "deleted": {"data_type": "bool", "hard_delete": True},
    }
    documents["nested_hints"] = {"lines": {"columns": {"amount": decimals("amount")}}}
if job["way"] == "exact":
    documents["endpoint"]["response_actions"] = [parse_exactly]

since = time.perf_counter()
pipeline = dlt.pipeline("documents", destination="postgres", dataset_name=job["dataset"], pipelines_dir=job["folder"])
source = rest_api_source({"client": {"base_url": job["url"]}, "resources": [documents]})
# Otherwise the second load fails, because lines of a replacement do not know their document.
source.root_key = is_tuned
options = {"write_disposition": "replace"} if is_tuned and job["first"] else {}
pipeline.run(source, **options)
seconds = time.perf_counter() - since
usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
itself, largest_child = (usage.ru_maxrss / 1024 for usage in usages)
# Two processes normalise at the same time.
peak = itself + (2 * largest_child if is_tuned else 0)
cpu = sum(usage.ru_utime + usage.ru_stime for usage in usages)
print(json.dumps({"seconds": seconds, "peakMb": peak, "cpuSeconds": cpu}))
