with open($file$, "rb") as file:
    file.seek($address$)
    $name$ = file.read($bytes$).decode("$encoding$").rstrip("\0")
