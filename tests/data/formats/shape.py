# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of a JSON record: one line per field in the order of the file, numbers masked.

shape.py < RECORD: path and kind. Elements of a list of objects must have the same fields in the same order and become
one; where their kinds differ, all are named. Words that depend on the machine, the moment or a version are masked; of
the host's facts, which a machine may not tell, only the names are looked at.
"""
import json
import sys

MASKED = {"version", "started", "statement_hash", "argv"}
HOST = "host"


def kind(value, path):
    name = path.rsplit(".", 1)[-1].rstrip("[]")
    if path.startswith(HOST + "."):
        return "ANY"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return "N"
    return "TEXT" if name in MASKED else json.dumps(value)


def walk(values, path, out):
    """The values found at one path."""
    if all(isinstance(v, dict) for v in values):
        keys = list(values[0])
        for v in values:
            if list(v) != keys:
                raise SystemExit(f"{path}: fields {list(v)} beside {keys}")
        if not keys:
            out.append(f"{path} {{}}")
        for key in keys:
            walk([v[key] for v in values], f"{path}.{key}".lstrip("."), out)
    elif all(isinstance(v, list) for v in values):
        items = [x for v in values for x in v]
        if not items or path.startswith(HOST + "."):
            out.append(f"{path}[]")
        else:
            walk(items, path + "[]", out)
    else:
        out.append(f"{path} {'|'.join(dict.fromkeys(sorted(kind(v, path) for v in values)))}")


lines = []
walk([json.load(sys.stdin)], "", lines)
print("\n".join(lines))
