# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of benchmark results: read, grouped, and reduced to medians.

A file holds Google Benchmark's JSON, as the benches and the peers' scripts write it, or such files joined by tools/bench,
or what `fusion --json` and `heat1d --json` write (docs/json.md). Rows are named <program>/<case>/<variant>/<type>/<size>;
no name is known here beforehand but those of the rows that others are compared with.
"""

import argparse
import dataclasses
import errno
import json
import math
import os
import re
from pathlib import Path
from statistics import median
from typing import NamedTuple

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
BASELINES = ("unfused", "mirror")  # what a speed-up is over
SUFFIXES = re.compile(r"(/(manual_time|real_time|process_time|(iterations|repeats|threads|min_\w+):[^/]*))+$")
NUMBERS = ("gb_per_s", "share_of_raw", "share_of_copy", "kernels", "steps", "bytes_read", "bytes_written", "flops")


class Fault(Exception):
    """What is wrong with a file, in one line."""


class Group(NamedTuple):
    """What variants are compared in."""

    program: str
    case: str
    type: str
    size: int

    def __str__(self):
        return f"{self.program} {self.case}, {self.type}, {size_text(self.size)}"


@dataclasses.dataclass
class Row:
    """One repetition."""

    name: str
    group: Group
    variant: str
    process: object
    seconds: float  # of one run; of one step where the run has steps
    members: dict


@dataclasses.dataclass
class Results:
    rows: list
    errors: list  # wrong answers, processes that failed
    notes: list
    contexts: list
    command: str | None = None
    date: str | None = None


@dataclasses.dataclass
class Summary:
    """A variant within its group. Times are in seconds; what is not known is None."""

    variant: str
    time: float  # the median over processes of their medians
    low: float
    high: float
    between: float | None  # the range of the processes' medians over their median
    members: dict  # NUMBERS, the same medians
    share_of_raw: float | None = None
    share_of_copy: float | None = None
    copy_rate: float | None = None  # GB/s: that of the group's copy, or else what the shares are of
    speedup: float | None = None


def size_text(size):
    power = size >= 1024 and size & (size - 1) == 0
    return f"2^{size.bit_length() - 1}" if power else str(size)


def digits(value, count=4):
    """In `count` significant digits, without an exponent."""
    before_point = math.floor(math.log10(value)) + 1 if value > 0 else count
    return f"{value:.{max(0, count - before_point)}f}"


def unit_of(summaries):
    """The unit that fits a group's times, and how many of it a second is."""
    per_step = "/step" if summaries[0].members["steps"] else ""
    unit, scale = ("us", 1e6) if max(s.time for s in summaries) < 1e-3 else ("ms", 1e3)
    return unit + per_step, scale


def a_regex(text):
    """For argparse: text that is a regular expression."""
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is no regular expression ({error})") from None
    return text


def text(context, benchmarks):
    """A file's text, with a line for each row."""
    lines = ",\n".join(json.dumps(row) for row in benchmarks)
    return f'{{"context": {json.dumps(context, indent=1)},\n"benchmarks": [\n{lines}\n]}}\n'


def write(path, text):
    """Under another name first: whatever happens, the file is whole, the new one or the old one."""
    part = writable(path)
    part.write_text(text)
    os.replace(part, path)


def writable(path):
    """The other name, as an empty file in the folder, which is made: an OSError tells early that nothing can be there."""
    if Path(path).is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    part = Path(f"{path}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    part.touch()
    return part


def load(path):
    """The object in a file."""
    try:
        text = Path(path).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise Fault(f"{path}: {getattr(error, 'strerror', None) or 'not a text'}") from None
    try:
        document = json.loads(text)
    except ValueError as error:
        raise Fault(f"{path}: not JSON ({error})" if text.strip() else f"{path}: empty") from None
    if isinstance(document, dict) and "schema" in document and isinstance(document.get("variants"), list):
        document = of_program(document, path)
    if not isinstance(document, dict) or not isinstance(document.get("benchmarks"), list):
        raise Fault(f"{path}: has no list 'benchmarks'")
    return document


def load_cut_off(path):
    """What is whole in a file that a bench was writing when it ended."""
    try:
        text = Path(path).read_text()
    except OSError:
        return {"context": {}, "benchmarks": []}
    decoder, found = json.JSONDecoder(), {"context": {}, "benchmarks": []}
    for part in re.finditer(r'"context": (?=\{)|^\s*(?=\{\s*"name")', text, re.MULTILINE):
        try:
            value, _ = decoder.raw_decode(text, part.end())
        except ValueError:
            break
        if "context" in part[0]:
            found["context"] = value
        else:
            found["benchmarks"].append(value)
    return found


def of_program(document, path):
    """The JSON of a program as rows: three for a variant, its smallest, median and largest time."""
    context = {name: value for name, value in document.items() if name != "variants"}
    benchmarks = []
    try:
        program, type_name = document["program"], document["settings"]["type"]
        for variant in document["variants"]:
            size = variant.get("size", variant.get("cells"))
            own_type = variant.get("type", type_name)
            row = {"name": f"{program}/{variant.get('case', 'run')}/{variant['name']}/{own_type}/{size}"}
            row |= {name: variant[name] for name in NUMBERS if variant.get(name) is not None}
            if "copy_share" in variant:
                row["share_of_copy"] = variant["copy_share"]
            for seconds in variant["seconds"].values():
                benchmarks.append({**row, "real_time": seconds, "time_unit": "s"})
    except (KeyError, TypeError, AttributeError) as error:
        raise Fault(f"{path}: not as docs/json.md says ({error})") from None
    return {"context": context, "benchmarks": benchmarks}


def row_of(entry, path):
    name = SUFFIXES.sub("", str(entry.get("run_name", entry.get("name"))))
    parts = name.split("/")
    if len(parts) != 5 or not parts[4].isdecimal():
        raise Fault(f"{path}: '{name}' is not named <program>/<case>/<variant>/<type>/<size>")
    program, case, variant, type_name, size = parts
    members = {member: entry[member] for member in ("real_time", *NUMBERS) if entry.get(member) is not None}
    for member, value in {"real_time": None, **members}.items():
        if not isinstance(value, (int, float)) or not math.isfinite(value):
            raise Fault(f"{path}: {name}: {member} is {value}, not a number")
    if entry.get("time_unit", "ns") not in SECONDS:
        raise Fault(f"{path}: {name}: no time unit '{entry['time_unit']}'")
    seconds = members.pop("real_time") * SECONDS[entry.get("time_unit", "ns")]
    if seconds <= 0:
        raise Fault(f"{path}: {name}: real_time is not above 0")
    group = Group(program, case, type_name, int(size))
    return Row(name, group, variant, (path, entry.get("process")), seconds / (members.get("steps") or 1), members)


def read(paths):
    """All rows of these files. Those of files without processes count as a process each."""
    found = Results([], [], [], [])
    for path in paths:
        document = load(path)
        context = document.get("context", {})
        found.contexts += context.get("contexts", [context])
        found.errors += context.get("errors", [])
        found.notes += context.get("notes", [])
        found.command = found.command or context.get("command")
        found.date = found.date or context.get("date")
        for entry in document["benchmarks"]:
            if entry.get("error_occurred"):
                found.errors.append(f"{entry.get('run_name', entry.get('name'))}: {entry.get('error_message')}")
            elif entry.get("run_type", "iteration") == "iteration":
                found.rows.append(row_of(entry, path))
    found.errors = list(dict.fromkeys(found.errors))
    found.notes = list(dict.fromkeys(found.notes))
    return found


def medians(rows, value):
    """Of each process that has the value."""
    values = {}
    for row in rows:
        if value(row) is not None:
            values.setdefault(row.process, []).append(value(row))
    return [median(of_process) for of_process in values.values()]


def without_copies(groups):
    """Less the copies, whose rate is in the shares of the others at their size."""
    compared = {group._replace(case="copy") for group in groups if group.case != "copy"}
    return {group: summaries for group, summaries in groups.items() if group not in compared}


def summary(variant, rows):
    times = medians(rows, lambda row: row.seconds)
    members = {}
    for name in NUMBERS:
        values = medians(rows, lambda row: row.members.get(name))
        members[name] = median(values) if values else None
    seconds = [row.seconds for row in rows]
    between = (max(times) - min(times)) / median(times) if len(times) > 1 else None
    return Summary(variant, median(times), min(seconds), max(seconds), between, members)


def summarize(rows):
    """Group -> summaries of its variants, in the order in which they came; sizes ascend."""
    variants = {}
    for row in rows:
        variants.setdefault(row.group, {}).setdefault(row.variant, []).append(row)
    groups = {group: [summary(*item) for item in of_group.items()] for group, of_group in variants.items()}
    for group, summaries in groups.items():
        time = {s.variant: s.time for s in summaries}
        baseline = next((time[name] for name in BASELINES if name in time), None)
        copies = [s.members["gb_per_s"] for s in groups.get(group._replace(case="copy"), [])]
        known = [s.members for s in summaries if s.members["gb_per_s"] is not None and s.members["share_of_copy"]]
        rates = [rate for rate in copies if rate] or [m["gb_per_s"] / m["share_of_copy"] for m in known]
        copy_rate = median(rates) if rates else None
        for s in summaries:
            # As measured within one process, where the rows say; else against the medians of the whole run.
            s.share_of_raw, s.share_of_copy = s.members["share_of_raw"], s.members["share_of_copy"]
            if s.share_of_raw is None and "raw" in time:
                s.share_of_raw = time["raw"] / s.time
            if s.share_of_copy is None and copy_rate and s.members["gb_per_s"] is not None:
                s.share_of_copy = s.members["gb_per_s"] / copy_rate
            s.copy_rate = copy_rate
            s.speedup = baseline / s.time if baseline else None
    cases = list(dict.fromkeys((group.program, group.case) for group in groups))
    return dict(sorted(groups.items(), key=lambda item: (cases.index(item[0][:2]), item[0].type, item[0].size)))


def least_speedups(rows):
    """Variant -> its least speed-up and the group that has it; of all but the baselines."""
    least = {}
    for group, summaries in summarize(rows).items():
        for s in summaries:
            if s.speedup and s.variant not in BASELINES and s.speedup < least.get(s.variant, (math.inf,))[0]:
                least[s.variant] = s.speedup, group
    return least
