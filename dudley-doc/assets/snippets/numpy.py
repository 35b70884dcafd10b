import numpy as np

$name$ = np.memmap($file$, dtype=$dtype$, mode="r", offset=$address$, shape=($shape_tuple$))
