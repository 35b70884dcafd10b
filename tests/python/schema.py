"""Validates what `dudc` printed: each file FORM.NUMBER.json against that form of the schema.

Prints what does not hold, and the forms that were seen. Keys that the schema does not describe are
faults here, though it allows them to others.
"""

import json
import pathlib
import sys

import jsonschema


def close(schema):
    """Makes all objects of a schema have the keys that it describes, and no others."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for part in list(schema.values()):
            close(part)
    elif isinstance(schema, list):
        for part in schema:
            close(part)


schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
close(schema["$defs"])
seen = set()
for path in sorted(pathlib.Path(".").glob("*.json")):
    form = path.name.split(".")[0]
    seen.add(form)
    part = {"$ref": f"#/$defs/{form}", "$defs": schema["$defs"]}
    validator = jsonschema.Draft202012Validator(part)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        print(f"{path.name}: {error}: {path.read_text(encoding='utf-8')[:500]}")
        continue
    for error in list(validator.iter_errors(found))[:3]:
        where = "/".join(str(step) for step in error.absolute_path)
        print(f"{path.name}: at {where}: {error.message[:300]}")
    whole = jsonschema.Draft202012Validator(schema)
    if next(whole.iter_errors(found), None):
        print(f"{path.name}: is no form of the schema as a whole")
forms = {part["$ref"].rsplit("/", 1)[1] for part in schema["anyOf"]}
if missing := sorted(forms - seen):
    print(f"not tried: {', '.join(missing)}")
