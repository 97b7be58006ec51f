# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tool wrote of one process: JSON Lines of schema 1, read line by line into totals."""

import dataclasses
import json
from typing import NamedTuple

SCHEMA = 1
PROOFS = ("ADVISORY", "LIKELY", "PROVEN")  # how sure a finding is, upwards


class Fault(Exception):
    """What is wrong, in one line."""


class Sort(NamedTuple):
    """What the events of a row have in common."""

    kind: str
    direction: str
    label: str
    space: str
    source: str
    source_space: str
    region: str
    upper_bound: bool

    @property
    def flow(self):
        return f"{self.kind} {self.direction}".rstrip()


@dataclasses.dataclass
class Totals:
    count: int = 0
    bytes: int = 0
    seconds: float = 0.0

    def add(self, other):
        self.count += other.count
        self.bytes += other.bytes
        self.seconds += other.seconds


class History:
    """The bytes that had moved, by flow, at up to 2 * LIMIT times: where there are more, every second one goes."""

    LIMIT = 200
    KINDS = ("transfer", "copy", "fill", "alias")

    def __init__(self):
        self.so_far = {}
        self.time = 0.0
        self._samples = []
        self._seen = 0
        self._every = 1

    def add(self, sort, size):
        if sort.kind in self.KINDS:
            self.so_far[sort.flow] = self.so_far.get(sort.flow, 0) + size

    def end_of_line(self, time):
        self.time = time
        self._seen += 1
        if self._seen % self._every == 0:
            self._samples.append((time, dict(self.so_far)))
        if len(self._samples) >= 2 * self.LIMIT:
            self._samples = self._samples[1::2]
            self._every *= 2

    def samples(self):
        last = self._samples[-1:] == [(self.time, self.so_far)]
        return self._samples if last else [*self._samples, (self.time, dict(self.so_far))]


@dataclasses.dataclass
class Ledger:
    path: str
    start: dict = None
    rows: dict = dataclasses.field(default_factory=dict)  # Totals by Sort
    peaks: dict = dataclasses.field(default_factory=dict)  # bytes by memory space
    findings: dict = dataclasses.field(default_factory=dict)  # by their number
    spreads: dict = dataclasses.field(default_factory=dict)  # by Sort; of merged ledgers alone
    problems: list = dataclasses.field(default_factory=list)
    end: dict = None
    is_cut: bool = False  # the last line is not whole, as after kill -9
    history: History = dataclasses.field(default_factory=History)

    @property
    def name(self):
        """The process among those of its run."""
        rank = self.start.get("rank")
        return f"process {self.start.get('pid')}" if rank is None else f"rank {rank}"

    def total(self, condition):
        sum_of = Totals()
        for sort, totals in self.rows.items():
            if condition(sort):
                sum_of.add(totals)
        return sum_of


def first_line(path):
    """The entry that a ledger begins with."""
    try:
        with open(path, "rb") as file:
            line = file.readline()
    except OSError as error:
        raise Fault(f"{path}: {error.strerror}") from None
    if not line:
        raise Fault(f"{path}: empty")
    entry = _entry(line)
    if entry is None or entry.get("type") != "start":
        raise Fault(f"{path}: not a ledger: its first line is no start of one")
    if entry.get("schema") != SCHEMA:
        raise Fault(f"{path}: of schema {entry.get('schema')}, and this onetrip-ledger reads {SCHEMA}")
    return entry


def read(path):
    path = str(path)
    reader = _Reader(Ledger(path, first_line(path)))
    try:
        with open(path, "rb") as file:
            file.readline()
            for number, line in enumerate(file, 2):
                entry = _entry(line)
                if entry is None and not line.endswith(b"\n"):
                    reader.ledger.is_cut = True
                    break
                if entry is None:
                    raise Fault(f"{path}:{number}: not a JSON object")
                try:
                    reader.take(entry)
                except (AttributeError, KeyError, TypeError, ValueError):
                    raise Fault(f"{path}:{number}: not a line of schema {SCHEMA}") from None
                except Fault as fault:
                    raise Fault(f"{path}:{number}: {fault}") from None
    except OSError as error:
        raise Fault(f"{path}: {error.strerror}") from None
    return reader.ledger


def _entry(line):
    try:
        entry = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _whole(number):
    if type(number) is not int or number < 0:
        raise ValueError
    return number


class _Reader:
    def __init__(self, ledger):
        self.ledger = ledger
        self._sorts = {}  # by the row's number
        self._latest = {}  # likewise, its totals

    def take(self, entry):
        take = getattr(self, f"_take_{entry['type']}", None)
        if take is not None:  # a later version may have more
            take(entry)

    def _take_start(self, _):
        raise Fault("a second process begins here: each needs a file of its own, by %r or %p in its name")

    def _take_row(self, entry):
        texts = ("kind", "direction", "label", "space", "source", "source_space", "region")
        sort = Sort(*(str(entry.get(name) or "") for name in texts), bool(entry.get("upper_bound")))
        self._sorts[_whole(entry["row"])] = sort
        self._latest[entry["row"]] = Totals()
        self.ledger.rows.setdefault(sort, Totals())

    def _take_counts(self, entry):
        for row, count, size, seconds in entry["rows"]:
            sort, before = self._sorts[row], self._latest[row]
            now = Totals(_whole(count), _whole(size), float(seconds))
            gain = Totals(now.count - before.count, now.bytes - before.bytes, now.seconds - before.seconds)
            self.ledger.rows[sort].add(gain)
            self.ledger.history.add(sort, gain.bytes)
            self._latest[row] = now
        self.ledger.history.end_of_line(float(entry["t"]))

    def _take_memory(self, entry):
        self.ledger.peaks[str(entry["space"])] = _whole(entry["peak"])

    def _take_finding(self, entry):
        PROOFS.index(entry["proof"])
        for name in ("count", "bytes", "count_saved", "bytes_saved"):
            _whole(entry[name])
        self.ledger.findings[_whole(entry["finding"])] = entry

    def _take_spread(self, entry):
        self.ledger.spreads[self._sorts[entry["row"]]] = entry

    def _take_problem(self, entry):
        self.ledger.problems.append(str(entry["text"]))

    def _take_end(self, entry):
        self.ledger.end = entry
