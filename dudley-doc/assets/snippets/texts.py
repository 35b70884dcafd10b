$name$ = np.reshape(
    [$text$$name$[i].tobytes()$end$.rstrip("\0") for i in np.ndindex($name$.shape[:-1])],
    $name$.shape[:-1],
)
