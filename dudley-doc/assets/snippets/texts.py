$name$ = np.reshape(
    [$name$[i].tobytes().decode("$encoding$").rstrip("\0") for i in np.ndindex($name$.shape[:-1])],
    $name$.shape[:-1],
)
