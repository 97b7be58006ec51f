# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the scripts of the peers share: the cases with their inputs and answers, the clock, and the rows.

Answers are checked element by element against NumPy. Other compilers contract and reorder, so that the bits differ; the
bounds below follow from the number of roundings, each at most half an eps, relative, in the peer and as many in NumPy.
"""

import argparse
import concurrent.futures
import datetime
import functools
import itertools
import math
import os
import platform
import re
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rows

PIECE = 1 << 16  # elements, so that NumPy's temporaries stay in the cache
REPETITIONS = 15
SHORTEST_BATCH = 5e-3  # seconds: the fence at its end is nothing in it
LONGEST = 20  # seconds for a row's repetitions, after which three will do
TYPES = {"double": np.float64, "float": np.float32}

# fusion


def fusion_input(which, begin, end, dtype):
    """Elements of an input: from 1 up to, not including, 2, exact in float."""
    bits = np.arange(begin, end, dtype=np.uint64) * np.uint64(3) + np.uint64(which)
    bits *= np.uint64(0x9E3779B97F4A7C15)
    return (bits >> np.uint64(44)).astype(dtype) / dtype(1 << 20) + dtype(1)


DIVISOR = 3.0


def scaled_sum_answer(begin, end, dtype):
    a, b, c = (fusion_input(which, begin, end, dtype) for which in range(3))
    return (a + b) * c / dtype(DIVISOR)


SCALED_SUM_BOUND = 3.0  # eps: the sum is exact, the product and the quotient round, the inverse of s may as well

OPS, FACTOR, OFFSET = 32, 0.9, 0.15


def chain_answer(begin, end, dtype):
    x = fusion_input(0, begin, end, dtype)
    for _ in range(OPS):
        x = x * dtype(FACTOR) + dtype(OFFSET)
    return x


CHAIN_BOUND = 20.0  # eps: two roundings an operation, each damped by 0.9 in all that follow: 2 / (1 - 0.9) = 20 of half an eps


def norm_answer(size):
    """The exact sum of ((a + b) / 2)^2: each mean is a whole number of 2^-21, below 2, so that integers hold it."""

    def of_piece(begin, end):
        means = (fusion_input(0, begin, end, np.float64) + fusion_input(1, begin, end, np.float64)) * (1 << 20)
        return int(np.sum(means.astype(np.uint64) ** 2))

    return sum(in_pieces(size, of_piece)) / (1 << 42)


def norm_bound(size, dtype):
    """In eps: a square rounds, and each addition in double."""
    return 0.5 + size / 2 * np.finfo(np.float64).eps / np.finfo(dtype).eps


RATE, BETA1, BETA2, EPSILON, DECAY = 1e-3, 0.9, 0.999, 1e-8, 0.01
STEP = 10
CORRECT1, CORRECT2 = 1 / (1 - BETA1**STEP), 1 / (1 - BETA2**STEP)


def adamw_answer(which, begin, end):
    """m, v or the parameter after the step, in double."""
    gradient, parameter, m, v = (fusion_input(which, begin, end, np.float64) for which in range(4))
    m = BETA1 * m + (1 - BETA1) * gradient
    v = BETA2 * v + (1 - BETA2) * gradient * gradient
    parameter -= RATE * (CORRECT1 * m / (np.sqrt(CORRECT2 * v) + EPSILON) + DECAY * parameter)
    return (m, v, parameter)[which]


ADAMW_BOUND = 2.0  # eps: v rounds four times; what is taken off a parameter is below a thousandth of it


class Case(NamedTuple):
    """answers(size, dtype): a function of begin and end for each result; bound(size, dtype): in eps of dtype; traffic:
    arrays read and written in one kernel."""

    name: str
    inputs: int
    answers: object
    bound: object
    traffic: tuple
    types: tuple = ("double", "float")


def constant(value, begin, end):
    return np.full(end - begin, value)


def bounded(bound):
    return lambda size, dtype: bound


FUSION = [
    Case(
        "scaled_sum",
        3,
        lambda size, dtype: [functools.partial(scaled_sum_answer, dtype=dtype)],
        bounded(SCALED_SUM_BOUND),
        (3, 1),
    ),
    Case("chain", 1, lambda size, dtype: [functools.partial(chain_answer, dtype=dtype)], bounded(CHAIN_BOUND), (1, 1)),
    Case("norm", 2, lambda size, dtype: [functools.partial(constant, norm_answer(size))], norm_bound, (2, 0)),
    Case(
        "adamw",
        4,
        lambda size, dtype: [functools.partial(adamw_answer, which) for which in range(3)],
        bounded(ADAMW_BOUND),
        (4, 3),
        ("float",),
    ),
]

# heat1d

R = 0.25


def heat_steps(cells, on_gpu):
    """As many as the benches take; on CPUs fewer where the bar is long. What is compared is the time of one step."""
    if on_gpu:
        return 2000 if cells < 1 << 24 else 100
    return min(2000, max(10, (1 << 28) // cells))


def heat_state(begin, end, cells, steps, steps_done, dtype):
    """1 plus half a sine, which the ends cut at its zeros: a mode of the discrete equation, of a length that decays by
    half in `steps`. Exact for any number of steps done."""
    angle = 2 * math.asin(math.sqrt(math.log(2) / steps / (4 * R)))
    mode = max(1, round(angle / math.pi * (cells - 1)))
    decay = 1 - 4 * R * math.sin(math.pi * mode / (2 * (cells - 1))) ** 2
    phase = np.arange(begin, end, dtype=np.int64) * mode % (2 * (cells - 1))  # exact, so the sine is
    sine = np.sin(phase * (math.pi / (cells - 1)))
    return (1 + 0.5 * decay**steps_done * sine).astype(dtype)


def heat_bound(steps):
    """In eps: a step rounds the neighbours' sum, up to 3, of which a quarter counts, and the value, up to 1.5: by 2.25 of
    half an eps in all, or 2.25 eps relative to values from 0.5 on. The answer's own powers add less than the rest."""
    return 3.0 * (steps + 1)


# Arrays


def in_pieces(size, work):
    """work(begin, end) over all elements, by as many threads as there are CPUs."""
    pieces = [(begin, min(begin + PIECE, size)) for begin in range(0, size, PIECE)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda piece: work(*piece), pieces))


def filled(size, dtype, values):
    """An array of values(begin, end)."""
    array = np.empty(size, dtype)

    def fill(begin, end):
        array[begin:end] = values(begin, end)

    in_pieces(size, fill)
    return array


def fusion_array(which, size, dtype):
    return filled(size, dtype, lambda begin, end: fusion_input(which, begin, end, dtype))


def largest_error(array, answer):
    """The largest difference from answer(begin, end), relative to it; infinite where one is not a number."""

    def of_piece(begin, end):
        expected = answer(begin, end).astype(np.float64)
        error = np.abs(array[begin:end] - expected) / np.abs(expected)
        return float(np.max(np.where(np.isnan(error), np.inf, error)))

    return max(in_pieces(array.size, of_piece))


# Rows


def device_name(gpu):
    """The GPU's name, or without one the CPU's, as the benches say it."""
    if gpu:
        return gpu
    try:
        return re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1]
    except (OSError, TypeError):
        return platform.machine()


class Peer:
    """One script's run. The framework's part of it:
    timed(run, count): seconds of `count` runs in a row, waited for; to_numpy(result) of one of a run's results."""

    def __init__(self, options, context, on_gpu, timed, to_numpy):
        self.options, self.on_gpu, self.timed = options, on_gpu, timed
        self.to_numpy = lambda results: [np.atleast_1d(to_numpy(result)) for result in results]
        self.sizes = options.sizes or [1 << power for power in (16, 20, 24, 28 if on_gpu else 26)]
        self.context = {
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "host_name": platform.node(),
            "num_cpus": os.cpu_count(),
            **context,
        }
        self.rows = []
        self.write()

    def fusion(self, to_device, variants):
        """Adds the rows of fusion. variants: for each case, (variant, make, traffic); make(inputs) returns a function
        that makes a run and returns its results; traffic None: that of one kernel."""
        for type_name, dtype in TYPES.items():
            for size, case in itertools.product(self.sizes, FUSION):
                named = [(f"fusion/{case.name}/{variant}/{type_name}/{size}", *rest) for variant, *rest in variants[case.name]]
                named = [variant for variant in named if self.wants(variant[0]) and type_name in case.types]
                if not named:
                    continue
                inputs = [to_device(fusion_array(which, size, dtype)) for which in range(case.inputs)]
                answers, bound = case.answers(size, dtype), case.bound(size, dtype)
                for name, make, traffic in named:
                    self.add(name, make(*inputs), answers, bound, traffic or case.traffic)

    def heat1d(self, to_device, variants):
        """Adds the rows of heat1d. variants: (variant, make, traffic of a step); make(state, steps) as above."""
        for type_name, dtype in TYPES.items():
            for cells, (variant, make, traffic) in itertools.product(self.sizes, variants):
                name = f"heat1d/step/{variant}/{type_name}/{cells}"
                if not self.wants(name):
                    continue
                steps = heat_steps(cells, self.on_gpu)
                state = functools.partial(heat_state, cells=cells, steps=steps, dtype=dtype)
                run = make(to_device(filled(cells, dtype, functools.partial(state, steps_done=0))), steps)
                answer = functools.partial(state, steps_done=steps)
                self.add(name, run, [answer], heat_bound(steps), [steps * arrays for arrays in traffic], steps=steps)

    def wants(self, name):
        return re.search(self.options.filter, name)

    def add(self, name, run, answers, bound, traffic, **members):
        """Checks the answers of the first run(), times more of them, and adds rows. traffic: arrays read and written in
        one run; bound: in eps."""
        *_, type_name, size = name.split("/")
        dtype, size = TYPES[type_name], int(size)
        row = {"name": name, "run_name": name, "run_type": "iteration", "threads": 1}
        try:
            error = max(itertools.starmap(largest_error, zip(self.to_numpy(run()), answers, strict=True)))
            if not error <= bound * np.finfo(dtype).eps:
                raise RuntimeError(f"wrong answer: relative error {error:.3g}, allowed {bound * np.finfo(dtype).eps:.3g}")
            count, samples = self.samples(run)
        except (RuntimeError, MemoryError) as failure:
            words = " ".join(str(failure).split())[:200] or type(failure).__name__
            self.rows.append({**row, "error_occurred": True, "error_message": words})
            print(f"{name}: {words}", file=sys.stderr)
            self.write()
            return
        read, written = (arrays * size * np.dtype(dtype).itemsize for arrays in traffic)
        for index, seconds in enumerate(samples):
            row |= {"repetitions": len(samples), "repetition_index": index, "iterations": count}
            row |= {"real_time": seconds * 1e9, "time_unit": "ns"}
            row |= {"bytes_read": read, "bytes_written": written, "gb_per_s": (read + written) / seconds / 1e9}
            row |= {"max_error": error, **members}
            if "steps" in members:
                per_step = seconds / members["steps"]
                row |= {"us_per_step": per_step * 1e6, "gcell_per_s": size / per_step / 1e9}
            self.rows.append(dict(row))
        print(f"{name}: {median(samples) * 1e3:.4g} ms, error {error:.2g}", file=sys.stderr, flush=True)
        self.write()

    def samples(self, run):
        """Runs in a batch, and the seconds of one run in each of the batches."""
        count = 1
        while self.timed(run, count) < SHORTEST_BATCH:  # warms up, too
            count *= 2
        start, samples = time.monotonic(), []
        while len(samples) < REPETITIONS and (len(samples) < 3 or time.monotonic() - start < LONGEST):
            samples.append(self.timed(run, count) / count)
        return count, samples

    def write(self):
        if self.options.benchmark_out:
            rows.write(self.options.benchmark_out, rows.text(self.context, self.rows))

    def finish(self):
        """Returns the exit status."""
        if not self.options.benchmark_out:
            print(rows.text(self.context, self.rows), end="")
        return 1 if any("error_occurred" in row for row in self.rows) else 0


def a_size(text):
    match = re.fullmatch(r"2\^(\d{1,2})|(\d+)", text)
    size = 0 if not match else 1 << int(match[1]) if match[1] else int(match[2])
    if not 3 <= size <= 1 << 31:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 3 to 2^31, in digits or as 2^K")
    return size


def options_of(description):
    parser = argparse.ArgumentParser(description=description)
    sizes = lambda text: [a_size(part) for part in text.split(",")]
    parser.add_argument("--sizes", type=sizes, metavar="LIST", help="elements, such as 2^16,2^20,1000")
    parser.add_argument("--benchmark_filter", dest="filter", default="", type=rows.a_regex, metavar="REGEX")
    parser.add_argument("--benchmark_out", metavar="FILE", help="where the rows go (default: stdout)")
    return parser.parse_args()
