import numpy as np

file = np.memmap($file$, dtype="u1", mode="r")
$name$ = np.ndarray(($shape_tuple$), dtype=$dtype$, buffer=file, offset=$offset$, strides=($strides$))
