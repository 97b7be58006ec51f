# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is not as it was: a ledger beside an earlier one."""

from . import text
from .ledger_file import PROOFS, Totals


def compare(before, after):
    """Lines that tell the differences; none where there is none. Times are not compared: no two runs take the same."""
    lines = []
    flows = list(dict.fromkeys(sort.flow for ledger in (before, after) for sort in ledger.rows))
    lines += _part("totals", [
        change for flow in flows
        if (change := _totals(*(ledger.total(lambda sort: sort.flow == flow) for ledger in (before, after)), flow))
    ])
    sorts = list(dict.fromkeys([*before.rows, *after.rows]))
    pairs = [(before.rows.get(sort, Totals()), after.rows.get(sort, Totals()), sort) for sort in sorts]
    pairs.sort(key=lambda pair: (-abs(pair[1].bytes - pair[0].bytes), -abs(pair[1].count - pair[0].count)))
    lines += _part("rows", [change for b, a, sort in pairs if (change := _totals(b, a, text.sort(sort)))])
    lines += _part("peaks", [
        f"{text.change(b, a)}  {text.clean(space)}" for space in sorted({*before.peaks, *after.peaks})
        if (b := before.peaks.get(space, 0)) != (a := after.peaks.get(space, 0))
    ])
    lines += _part("findings", list(_findings(before, after)))
    return lines


def _part(title, lines):
    return [title, *(f"  {line}" for line in lines)] if lines else []


def _totals(before, after, what):
    if (before.count, before.bytes) == (after.count, after.bytes):
        return None
    sizes = f", {text.change(before.bytes, after.bytes)}" if before.bytes or after.bytes else ""
    return f"{before.count} -> {after.count}{sizes}  {what}"


def _key(entry):
    return tuple(entry.get(name) for name in ("id", "label", "source", "space", "source_space", "region"))


def _findings(before, after):
    old, new = ({_key(entry): entry for entry in ledger.findings.values()} for ledger in (before, after))
    order = sorted({**old, **new}.items(), key=lambda item: -PROOFS.index(item[1]["proof"]))
    for key, entry in order:
        if key not in old:
            yield f"new   {text.finding(entry)}"
        elif key not in new:
            yield f"gone  {text.finding(entry)}"
        elif any(old[key][name] != entry[name] for name in ("proof", "count", "bytes", "count_saved", "bytes_saved")):
            yield (f"was   {old[key]['proof']}, {old[key]['count']} events, {text.size(old[key]['bytes'])}; "
                   f"is {entry['count']} events, {text.size(entry['bytes'])}: {text.finding(entry)}")
