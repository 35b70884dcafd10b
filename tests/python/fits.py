"""Compares what dudc reads of FITS files with what astropy does: fits.py DUDC FILE...

Of each file: all arrays, tables column by column, cells of the heap; as they are stored, and scaled;
through the format, and through the layout that `describe` prints of it. Prints a line for each file, with the cards.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from astropy.io import fits

warnings.simplefilter("ignore")
dudc, *files = sys.argv[1:]
folder = pathlib.Path(tempfile.mkdtemp())
LAYOUT = {
    "SIMPLE", "XTENSION", "BITPIX", "NAXIS", "PCOUNT", "GCOUNT", "GROUPS", "TFIELDS", "THEAP", "EXTEND", "CHECKSUM",
    "DATASUM", "COMMENT", "HISTORY", "", "CONTINUE",
}
COLUMNS = "TTYPE TFORM TUNIT TNULL TSCAL TZERO TDISP TDIM TBCOL TCOMM TLMIN TLMAX TDMIN TDMAX TCTYP TCUNI TCRPX TCRVL TCDLT TRPOS TUCD TUTYP".split()


def run(*arguments):
    done = subprocess.run([dudc, *map(str, arguments)], capture_output=True)
    assert done.returncode == 0, (arguments, done.stderr.decode())
    return done.stdout


def quoted(name):
    """A name as paths have it."""
    if name and not name[0].isdigit() and all(c.isascii() and (c.isalnum() or c == "_") for c in name):
        return name
    return json.dumps(name, ensure_ascii=False)


def paths(hdus):
    """The paths that docs/fits.md says."""
    names = ["PRIMARY" if not at else hdu.header.get("EXTNAME", "").strip() or f"HDU{at}" for at, hdu in enumerate(hdus)]
    found, taken = [], set()
    for at, name in enumerate(names):
        if names.count(name) == 1:
            found.append([name])
            continue
        version = str(hdus[at].header.get("EXTVER", 1))
        if (name, version) in taken:
            version = f"HDU{at}"
        taken.add((name, version))
        found.append([name, version])
    return found


def path(parts):
    return "".join("/" + quoted(part) for part in parts)


def distinct(names):
    taken = []
    for name in names:
        free, number = name, 2
        while free in taken:
            free, number = f"{name}_{number}", number + 1
        taken.append(free)
    return taken


def numbered(keyword, roots, most):
    root = keyword.rstrip("0123456789")
    return root in roots and keyword != root and int(keyword[len(root):]) <= most


class Compared:
    def __init__(self, file, source, layout):
        self.file, self.source, self.layout, self.count = file, source, layout, 0

    def same(self, where, expected):
        """The stored bytes, big-endian as they are."""
        out = folder / "out.raw"
        for options in [], ["--raw", "--layout", self.layout]:
            run("get", self.source, where, "-o", out, "--force", *options)
            got = out.read_bytes()
            assert got == expected, (self.file, where, options, got[:40], expected[:40])
        self.count += 1

    def scaled(self, where, expected):
        """The physical values: integers as they are, floats as astropy computes them in 8 bytes."""
        out = folder / "out.npy"
        run("get", self.source, where, "--scaled", "-o", out, "--force")
        got, expected = np.load(out), np.asarray(expected)
        assert got.shape == expected.shape, (self.file, where, got.shape, expected.shape)
        if expected.dtype.kind in "iu" and got.dtype.kind in "iu":
            assert np.array_equal(got, expected), (self.file, where)
        else:
            near = 1e-6 if expected.dtype.itemsize <= 4 else 1e-15
            np.testing.assert_allclose(got, expected, rtol=near, atol=0, err_msg=f"{self.file} {where}")
        self.count += 1


def cards(hdu, columns):
    """Header cards as attributes."""
    found = {}
    image = isinstance(hdu, (fits.PrimaryHDU, fits.ImageHDU))
    for card in hdu.header.cards:
        keyword = card.keyword
        known = keyword in LAYOUT or numbered(keyword, ["NAXIS"], 999) or image and keyword in ("BSCALE", "BZERO", "BLANK", "BUNIT")
        if known or numbered(keyword, COLUMNS, columns) or isinstance(hdu, fits.GroupsHDU) and numbered(keyword, ["PTYPE", "PSCAL", "PZERO"], 999):
            continue
        value = hdu.header[keyword]
        if value is None or isinstance(value, fits.card.Undefined):
            value = []
        if isinstance(value, complex):
            value = [value.real, value.imag]
        found[keyword] = value
    return found


for file in files:
    layout = folder / "described.dud"
    layout.write_bytes(run("describe", file))
    done = Compared(pathlib.Path(file).name, file, layout)
    found = {}
    raw = dict(do_not_scale_image_data=True, disable_image_compression=True, character_as_bytes=True, memmap=False)
    with fits.open(file, **raw) as hdus, fits.open(file, disable_image_compression=True, memmap=False) as physical:
        for hdu, scaled, parts in zip(hdus, physical, paths(hdus)):
            where = path(parts)
            # astropy knows nothing of what does not call itself FITS.
            if not isinstance(hdu, (fits.PrimaryHDU, fits.ImageHDU, fits.BinTableHDU, fits.TableHDU, fits.GroupsHDU)):
                continue
            header = hdu.header
            columns = header.get("TFIELDS", 0)
            found[where] = cards(hdu, columns)
            if isinstance(hdu, fits.GroupsHDU):
                if not header.get("GCOUNT", 1) or header["NAXIS"] == 0 or hdu.data is None:
                    continue
                rows = np.asarray(hdu.data)
                own = distinct([header.get(f"PTYPE{at}", f"par{at}").strip() for at in range(1, header["PCOUNT"] + 1)] + ["DATA"])
                for name, stored in zip(own, rows.dtype.names):
                    done.same(f"{where}.{quoted(name)}", rows[stored].tobytes())
            elif isinstance(hdu, (fits.PrimaryHDU, fits.ImageHDU)):
                if header["NAXIS"] == 0 or hdu.data is None:
                    continue
                done.same(where, hdu.data.astype(hdu.data.dtype.newbyteorder(">")).tobytes())
                if ("BZERO" in header or "BSCALE" in header) and hdu.data.size:
                    done.scaled(where, scaled.data)
            else:
                ascii_table = isinstance(hdu, fits.TableHDU)
                names = distinct([header.get(f"TTYPE{at}", "").strip() or f"col{at}" for at in range(1, columns + 1)])
                rows = hdu._get_raw_data(hdu._nrows, hdu.columns.dtype, hdu._data_offset)
                for at, name in enumerate(names):
                    field = f"{where}.{quoted(name)}"
                    column = hdu.columns[at]
                    stored = rows[rows.dtype.names[at]]
                    done.same(field, stored.tobytes())
                    form = header[f"TFORM{at + 1}"].strip().lstrip("0123456789")[0]
                    if form in "PQ":
                        cells = scaled.data.field(at)
                        heap = path(parts[:-1] + [parts[-1] + "_heap", name])
                        logical = column.format.p_format == "L" if hasattr(column.format, "p_format") else False
                        for row in range(len(cells)):
                            cell = np.asarray(cells[row])
                            if logical or cell.dtype.kind in "SU":
                                continue
                            linear = {f"TSCAL{at + 1}", f"TZERO{at + 1}"} & set(header)
                            if linear:
                                done.scaled(f"{heap}/{row}", cell)
                            else:
                                done.same(f"{heap}/{row}", cell.astype(cell.dtype.newbyteorder(">")).tobytes())
                    elif ascii_table and form != "A":
                        done.scaled(field, scaled.data.field(at))
                    elif not ascii_table and form in "BIJKED" and {f"TSCAL{at + 1}", f"TZERO{at + 1}"} & set(header) and stored.size:
                        expected = scaled.data.field(at)
                        if f"TNULL{at + 1}" in header and form in "BIJK":
                            expected = np.where(stored == header[f"TNULL{at + 1}"], np.nan, expected)
                        done.scaled(field, expected.reshape(stored.shape))
    print(json.dumps({"file": file, "arrays": done.count, "cards": found}))
