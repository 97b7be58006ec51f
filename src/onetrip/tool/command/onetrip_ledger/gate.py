# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program may move: budgets and findings, judged for one process."""

import re
from typing import NamedTuple

from . import text
from .ledger_file import PROOFS, Fault

# What a budget counts. Those that move or ask bytes have a second kind, with -bytes at its end.
COUNTED = {
    "to-device": lambda sort: sort.flow == "transfer to device",
    "to-host": lambda sort: sort.flow == "transfer to host",
    "transfers": lambda sort: sort.kind == "transfer",
    "aliases": lambda sort: sort.kind == "alias",
    "kernels": lambda sort: sort.kind == "kernel",
    "fences": lambda sort: sort.kind == "fence",
    "allocations": lambda sort: sort.kind == "allocation",
}
SIZED = ("to-device", "to-host", "transfers", "aliases", "allocations")
UNITS = {"": 1, "B": 1}
UNITS.update({f"{letter}B": 1000 ** (i + 1) for i, letter in enumerate("kMGT")})
UNITS.update({f"{letter}iB": 1024 ** (i + 1) for i, letter in enumerate("KMGT")})
KINDS = ", ".join([*COUNTED, *(f"{kind}-bytes" for kind in SIZED), "peak:SPACE"])


class Budget(NamedTuple):
    kind: str
    limit: int
    words: str

    @property
    def is_size(self):
        return self.kind.endswith("-bytes") or self.kind.startswith("peak:")


def budget(words):
    """KIND=LIMIT: at most so many events, or so many bytes."""
    kind, _, limit = words.partition("=")
    base = kind[: -len("-bytes")] if kind.endswith("-bytes") else None
    if kind not in COUNTED and base not in SIZED and not re.fullmatch("peak:.+", kind):
        raise Fault(f"--budget {words}: not KIND=LIMIT with one of {KINDS}")
    found = Budget(kind, 0, words)
    if not found.is_size:
        if not re.fullmatch(r"\d+", limit, re.ASCII):
            raise Fault(f"--budget {words}: the limit is no whole number")
        return found._replace(limit=int(limit))
    number = re.fullmatch(r"(\d+)(?:\.(\d+))?([A-Za-z]*)", limit, re.ASCII)
    if number is None or number[3] not in UNITS:
        raise Fault(f"--budget {words}: the limit is no size like 1500, 1.5MB or 4GiB")
    fraction = number[2] or ""
    return found._replace(limit=int(number[1] + fraction) * UNITS[number[3]] // 10 ** len(fraction))


def breaches(ledger, budgets, least):
    """A line for each budget that is passed, and for each finding that is as sure as this or surer."""
    found = []
    for one in budgets:
        bound = ""
        if one.kind.startswith("peak:"):
            space = one.kind[len("peak:") :]
            if space not in ledger.peaks:
                spaces = ", ".join(map(text.clean, sorted(ledger.peaks))) or "none"
                found.append(f"{one.kind}: nothing was allocated in a space of this name (spaces: {spaces})")
                continue
            value = ledger.peaks[space]
        else:
            condition = COUNTED[one.kind[: -len("-bytes")] if one.is_size else one.kind]
            totals = ledger.total(condition)
            value = totals.bytes if one.is_size else totals.count
            if one.is_size and ledger.total(lambda sort: condition(sort) and sort.upper_bound).bytes:
                bound = ", an upper bound"
        if value > one.limit:
            unit = " B" if one.is_size else ""
            found.append(f"{one.kind}: {value}{unit}{bound}; the budget is {one.limit}{unit}")
    if least is not None:
        for entry in ledger.findings.values():
            if PROOFS.index(entry["proof"]) >= PROOFS.index(least):
                saved = f"saves {entry['count_saved']} events, {text.size(entry['bytes_saved'])}"
                found.append(f"{text.finding(entry)} ({saved})")
    return found
