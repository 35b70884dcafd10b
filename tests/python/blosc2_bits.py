"""Opens arrays that another program wrote with filters that cut bits off, and compares each with what the C
library makes of the same numbers and the same argument."""

import json
import pathlib

import blosc2
import numpy

FILTERS = {"trunc_prec": blosc2.Filter.TRUNC_PREC, "int_trunc": blosc2.Filter.INT_TRUNC}

wrong = []
for entry in json.loads(pathlib.Path("listed.json").read_text()):
    raw = numpy.fromfile(entry["name"] + ".raw", dtype=entry["dtype"])
    cparams = {"filters": [FILTERS[entry["filter"]]], "filters_meta": [entry["bits"]]}
    wanted = blosc2.asarray(raw, cparams=cparams)[:]
    try:
        found = blosc2.open(entry["name"] + ".b2nd")[:]
        if found.tobytes() != wanted.tobytes() or (found == raw).all():
            wrong.append(entry["name"])
    except Exception as error:
        wrong.append(f"{entry['name']}: {error!r}")
print(json.dumps(wrong))
