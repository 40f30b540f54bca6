# SPDX-License-Identifier: GPL-3.0-or-later
"""How public tools read the reports of sysbench and pgbench: their regular expressions, retold.

parsers.py KIND < REPORT: every parser of the kind must find its figures, and those that several find must agree.
"""
import re
import sys


def all_of(patterns, text, flags=0):
    found = {}
    for name, pattern in patterns.items():
        match = re.search(pattern, text, flags)
        if not match:
            raise SystemExit(f"no {name}: {pattern}")
        found[name] = match.group(1)
    return found


# A cloud benchmarker's package for sysbench: the report's blocks by label.
def blocks(text):
    return all_of({
        "transactions": r"transactions: *([0-9]*) ",
        "tps": r"transactions: *[0-9]* *\(([0-9]*[.]?[0-9]+) per sec.\)",
        "qps": r"queries: *[0-9]* *\(([0-9]*[.]?[0-9]+) per sec.\)",
        "min": r"min: *([0-9]*[.]?[0-9]+)",
        "avg": r"avg: *([0-9]*[.]?[0-9]+)",
        "max": r"max: *([0-9]*[.]?[0-9]+)",
        "p95": r"95th percentile: *([0-9]*[.]?[0-9]+)",
        "sum": r"sum: *([0-9]*[.]?[0-9]+)",
    }, text)


# A test suite's result parser: words of single lines.
def words(text):
    found = {}
    for line in text.splitlines():
        cells = line.split()
        if line.strip().startswith("transactions:"):
            found["transactions"], found["tps"] = cells[1], cells[2].lstrip("(")
        if line.strip().startswith("total time:"):
            found["total_time"] = cells[2].rstrip("s")
        if line.strip().startswith("total number of events:"):
            found["events"] = cells[4]
    assert set(found) == {"transactions", "tps", "total_time", "events"}, found
    assert found["events"] == found["transactions"]
    return {k: found[k] for k in ("transactions", "tps")}


# A plotting script's parser of interval lines.
def intervals(text):
    line = re.compile(
        r"^\[ *(\d+)s \] thds: (\d+) tps: ([\d.]+) qps: ([\d.]+) "
        r"\(r/w/o: ([\d.]+)/([\d.]+)/([\d.]+)\) lat \(ms, ?(\d+)%\): ([\d.]+) err/s:? ([\d.]+) reconn/s: ([\d.]+)",
        re.M)
    rows = line.findall(text)
    if not rows:
        raise SystemExit("no interval lines")
    for row in rows:
        assert abs(float(row[3]) - sum(float(x) for x in row[4:7])) < 0.05, row
    return {}


# A results database's importer of pgbench's summary.
def summary(text):
    return all_of({
        "scale": r"^scaling factor: (\d+)$",
        "mode": r"^query mode: (\S+)$",
        "clients": r"^number of clients: (\d+)$",
        "threads": r"^number of threads: (\d+)$",
        "processed": r"^number of transactions actually processed: (\d+)(?:/\d+)?$",
        "failed": r"^number of failed transactions: (\d+) \([\d.]+%\)$",
        "latency": r"^latency average = ([\d.]+) ms$",
        "connection": r"^initial connection time = ([\d.]+) ms$",
        "tps": r"^tps = ([\d.]+) \(without initial connection time\)$",
    }, text, re.M)


# A test suite's parser of pgbench: tps of old and new releases, and the average.
def tps(text):
    return all_of({
        "tps": r"tps = ([0-9.]+) \((?:excluding connections establishing|without initial connection time)\)",
        "latency": r"latency average[ =:]+([0-9.]+) ?ms",
    }, text)


KINDS = {"sysbench": [blocks, words, intervals], "pgbench": [summary, tps]}


def main():
    text = sys.stdin.read()
    merged = {}
    for parser in KINDS[sys.argv[1]]:
        for name, value in parser(text).items():
            if merged.setdefault(name, value) != value:
                raise SystemExit(f"{parser.__name__}: {name} is {value}, another parser found {merged[name]}")


main()
