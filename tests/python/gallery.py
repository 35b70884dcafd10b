"""Files of other formats as their libraries write them; prints what is in them."""

import json
import wave

import meshio
import numpy as np
import scipy.io
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
