import numpy as np

$name$ = np.fromfile($file$, dtype=$dtype$, count=1, offset=$address$)[0]
