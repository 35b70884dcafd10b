"""Files of other formats as their libraries write them; prints what is in them."""

import json
import wave

import meshio
import numpy as np
import scipy.io
import segyio
import xdrlib3
from PIL import Image

values = {}

# A width whose rows are padded, and one whose rows are not.
for width in (5, 8):
    pixels = np.arange(3 * width * 3, dtype="u1").reshape(3, width, 3)
    Image.fromarray(pixels, "RGB").save(f"{width}.bmp")
    # Rows from the bottom, blue first.
    values[f"{width}.bmp"] = pixels[::-1, :, ::-1].tolist()

samples = np.array([[0, 1], [-32768, 32767], [-2, 3]], dtype="<i2")
spec = segyio.spec()
spec.format, spec.sorting, spec.samples = 5, 2, range(0, 40, 4)
spec.ilines, spec.xlines, spec.iline, spec.xline = [1, 2], [10, 20, 30], 189, 193
traces = np.arange(60, dtype="f4").reshape(6, 10) / 8
with segyio.create("lines.segy", spec) as file:
    for number, trace in enumerate(traces):
        file.header[number] = {189: 1 + number // 3, 193: 10 * (number % 3 + 1), 73: 1000 + number}
        file.trace[number] = trace
    # The revision, and that all traces have the same length, which segyio leaves out.
    file.bin.update({3501: 256, 3503: 1})
with segyio.open("lines.segy") as file:
    values["lines.segy"] = {
        "data": file.trace.raw[:].tolist(),
        "crossline": file.attributes(193)[:].tolist(),
        "source_x": file.attributes(73)[:].tolist(),
    }

with wave.open("two.wav", "wb") as file:
    file.setnchannels(2)
    file.setsampwidth(2)
    file.setframerate(8000)
    file.writeframes(samples.tobytes())
values["two.wav"] = samples.tolist()

points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype="f4")
corners = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3]])
meshio.Mesh(points, [("triangle", corners)]).write("mesh.stl", file_format="stl", binary=True)
values["mesh.stl"] = points[corners].tolist()

texts = ["", "a", "four", "a text", "Größe"]
packer = xdrlib3.Packer()
packer.pack_array(texts, lambda text: packer.pack_string(text.encode()))
with open("texts.xdr", "wb") as file:
    file.write(packer.get_buffer())
values["texts.xdr"] = texts

matrices = {"a": np.arange(6.0).reshape(2, 3), "longer": np.array([[1 + 2j, 3 - 4j]])}
scipy.io.savemat("two.mat", matrices, format="4")
values["two.mat"] = {name: [a.real.tolist(), a.imag.tolist()] for name, a in matrices.items()}

print(json.dumps(values))
