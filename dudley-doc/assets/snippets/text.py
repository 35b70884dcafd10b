with open($file$, "rb") as file:
    file.seek($address$)
    $name$ = $text$file.read($bytes$)$end$.rstrip("\0")
