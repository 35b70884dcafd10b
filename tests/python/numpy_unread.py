"""Says what a module answers for items that cannot be read, a line for each."""

import sys

sys.path.insert(0, ".")

import unread  # noqa: E402

small = unread.open(bytes(64), raw=True, params={"P": 1})
large = unread.open(bytes(64), raw=True)
calls = [
    lambda: unread.open(bytes(64), raw=True, params={"N": 4}).x,
    lambda: large.y,
    lambda: large.z,
    lambda: large.q,
    lambda: large.w,
    lambda: small.item("/l/x"),
    lambda: small.item("/l/2/t/u"),
    lambda: small.item("/v").data,
    lambda: small.item("/v").value,
]
for call in calls:
    try:
        found = call()
    except Exception as error:
        found = f"{type(error).__name__}: {error.args[0]}"
    print(found)
