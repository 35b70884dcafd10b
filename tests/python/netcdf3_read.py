"""What netCDF4 finds in files: a line of JSON for each line of standard input, which is a path and a folder.

The bytes of each variable are written there, big-endian. Each file is opened in a process of its own: the library
ends with some that are damaged, for which the line is null.
"""

import json
import os
import sys

import netCDF4
import numpy


def attribute(value):
    if isinstance(value, str):
        return value
    values = numpy.atleast_1d(value)
    if values.dtype.kind == "S":
        return b"".join(values).decode()
    if values.dtype.kind != "f":
        return [int(it) for it in values]
    return [float(it) if numpy.isfinite(it) else str(float(it)) for it in values]


def attributes(of):
    return {name: attribute(of.getncattr(name)) for name in of.ncattrs()}


def variables(file, folder):
    for number, (name, variable) in enumerate(file.variables.items()):
        values = numpy.asarray(variable[...])
        path = os.path.join(folder, str(number))
        with open(path, "wb") as out:
            out.write(values.astype(values.dtype.newbyteorder(">")).tobytes())
        yield {
            "name": name,
            "type": values.dtype.str[1:],
            "shape": list(variable.shape),
            "dims": list(variable.dimensions),
            "attributes": attributes(variable),
            "bytes": path,
        }


def show(path, folder):
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        file.set_auto_chartostring(False)
        if not file.data_model.startswith("NETCDF3"):
            return None
        dims = {name: len(dim) for name, dim in file.dimensions.items()}
        found = list(variables(file, folder))
        return {"attributes": attributes(file), "dims": dims, "variables": found}


for line in sys.stdin:
    path, folder = line.rstrip("\n").split("\t")
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            print(json.dumps(show(path, folder)), flush=True)
            status = 0
        except Exception as error:
            print(error, file=sys.stderr)
        finally:
            os._exit(status)
    if os.waitpid(child, 0)[1] != 0:
        print("null", flush=True)
