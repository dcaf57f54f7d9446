"""Reads every entity set with python-odata, and prints the rows as JSON by the name of the set."""

import json
import os
import sys

import requests
from odata import ODataService

session = requests.Session()
session.auth = ("anyone", os.environ["ODATA_TOKEN"])
service = ODataService(os.environ["ODATA_SERVICE"], session=session, reflect_entities=True)

found = {}
for name, entity in service.entities.items():
    rows = []
    for row in service.query(entity):
        rows.append({key: value for key, value in row.__odata__.data.items() if not key.startswith("@")})
    found[name] = rows
json.dump(found, sys.stdout, default=str)
