# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ledgers of a run's processes as one, in the same schema: sums, and who had least and most."""

import json

from .ledger_file import PROOFS, SCHEMA, Fault, Totals

SAME = ("id", "proof", "label", "source", "space", "source_space", "region")  # what makes findings of two ranks one
SUMMED = ("count", "bytes", "count_saved", "bytes_saved")


def merge(ledgers):
    """The merged ledger's lines."""
    _check(ledgers)
    names = [ledger.start["rank"] if ledger.start.get("rank") is not None else ledger.start.get("pid") for ledger in ledgers]
    time = max(ledger.history.time for ledger in ledgers)
    yield _start(ledgers)

    sorts = list(dict.fromkeys(sort for ledger in ledgers for sort in ledger.rows))
    counts, spreads = [], []
    for number, sort in enumerate(sorts):
        yield {"type": "row", "row": number, **sort._asdict()}
        each = [ledger.rows.get(sort, Totals()) for ledger in ledgers]
        counts.append([number, sum(t.count for t in each), sum(t.bytes for t in each), sum(t.seconds for t in each)])
        spread = {"type": "spread", "row": number}
        for what, values in (("count", [t.count for t in each]), ("bytes", [t.bytes for t in each])):
            low, high = values.index(min(values)), values.index(max(values))
            spread[what] = {"min": values[low], "min_rank": names[low], "max": values[high], "max_rank": names[high]}
        spreads.append(spread)
    yield {"type": "counts", "t": time, "rows": counts}
    yield from spreads

    for space in sorted({space for ledger in ledgers for space in ledger.peaks}):
        peaks = [ledger.peaks.get(space, 0) for ledger in ledgers]
        most = peaks.index(max(peaks))
        yield {"type": "memory", "t": time, "space": space, "bytes": peaks[most], "peak": peaks[most], "rank": names[most]}

    yield from _findings(ledgers, time)
    for ledger in ledgers:
        for problem in ledger.problems:
            yield {"type": "problem", "text": f"{ledger.name}: {problem}"}
    if all(ledger.end for ledger in ledgers):
        ends = [ledger.end for ledger in ledgers]
        events, finalized = sum(end.get("events", 0) for end in ends), all(end.get("finalized") for end in ends)
        yield {"type": "end", "t": max(end.get("t", 0) for end in ends), "events": events, "finalized": finalized}


def _check(ledgers):
    seen = {}
    for ledger in ledgers:
        if "merged" in ledger.start:
            raise Fault(f"{ledger.path}: merged already")
        rank = ledger.start.get("rank")
        if rank is not None and rank in seen:
            raise Fault(f"{seen[rank]} and {ledger.path} are both of rank {rank}")
        seen[rank] = ledger.path


def _start(ledgers):
    def common(name):
        values = [ledger.start.get(name) for ledger in ledgers]
        return values[0] if values.count(values[0]) == len(values) else None

    start = {"type": "start", "schema": SCHEMA, "version": common("version"), "program": common("program")}
    start.update(host=common("host"), pid=None, rank=None, ranks=common("ranks"))
    start["time"] = min(str(ledger.start.get("time")) for ledger in ledgers)
    start.update({name: common(name) for name in ("settings", "contents", "interface")})
    return {**start, "merged": len(ledgers)}


def _findings(ledgers, time):
    found = {}
    for ledger in ledgers:
        for entry in ledger.findings.values():
            key = tuple(entry.get(name) for name in SAME)
            if key not in found:
                found[key] = {**entry, "t": time, "finding": len(found), "ranks": 1}
                continue
            found[key]["ranks"] += 1
            for name in SUMMED:
                found[key][name] += entry[name]
    yield from sorted(found.values(), key=lambda entry: (-PROOFS.index(entry["proof"]), -entry["bytes_saved"]))


def write(lines, path):
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(content)
