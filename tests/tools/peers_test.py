# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers' inputs and answers, and their scripts where the frameworks are."""

import json
import math
import sys
import unittest
from fractions import Fraction
from unittest import mock

from results import TOP, ResultsTest

try:
    import numpy as np
except ImportError:
    print("no NumPy")
    sys.exit(77)

sys.path.insert(0, str(TOP / "bench" / "peers"))

import cases

MASK = (1 << 64) - 1


def input_exactly(which, i):
    return 1 + Fraction(((3 * i + which) * 0x9E3779B97F4A7C15 & MASK) >> 44, 1 << 20)


class Inputs(unittest.TestCase):
    def test_by_hand(self):
        # the top 20 bits of the multiples 0, 3, 6 and 9 of 0x9e3779b97f4a7c15, and of itself
        top_bits = (cases.fusion_input(0, 0, 4, np.float64) - 1) * (1 << 20)
        self.assertEqual(list(top_bits), [0x00000, 0xDAA66, 0xB54CD, 0x8FF34])
        self.assertEqual((cases.fusion_input(1, 0, 1, np.float64)[0] - 1) * (1 << 20), 0x9E377)

    def test_exactly(self):
        for dtype in (np.float32, np.float64):
            for which in range(3):
                for begin in (0, 12345, (1 << 28) - 7, (1 << 40) + 1):
                    values = cases.fusion_input(which, begin, begin + 50, dtype)
                    exactly = [input_exactly(which, begin + k) for k in range(50)]
                    self.assertEqual([Fraction(float(value)) for value in values], exactly)
                    self.assertEqual(values.dtype, dtype)

    def test_in_pieces(self):
        size = 2 * cases.PIECE + 5
        array = cases.fusion_array(2, size, np.float32)
        np.testing.assert_array_equal(array, cases.fusion_input(2, 0, size, np.float32))


class Answers(unittest.TestCase):
    def test_scaled_sum(self):
        values = cases.scaled_sum_answer(7, 27, np.float64)
        for k, value in enumerate(values):
            a, b, c = (input_exactly(which, 7 + k) for which in range(3))
            self.assertLess(abs(Fraction(float(value)) / ((a + b) * c / 3) - 1), 2**-52)

    def test_chain(self):
        for dtype, eps in ((np.float32, 2**-23), (np.float64, 2**-52)):
            m, c = Fraction(float(dtype(0.9))), Fraction(float(dtype(0.15)))
            for k, value in enumerate(cases.chain_answer(7, 27, dtype)):
                x = input_exactly(0, 7 + k)
                for _ in range(32):
                    x = m * x + c
                self.assertLess(abs(Fraction(float(value)) / x - 1), cases.CHAIN_BOUND / 2 * eps)

    def test_norm(self):
        for size in (1, 7, cases.PIECE + 3):
            means = [(input_exactly(0, i) + input_exactly(1, i)) / 2 for i in range(size)]
            self.assertEqual(cases.norm_answer(size), float(sum(mean * mean for mean in means)))
        # A term too few shows.
        self.assertLess(cases.norm_bound(1 << 24, np.float64) * 2**-52, 2**-26)

    def test_adamw(self):
        for k, found in enumerate(zip(*(cases.adamw_answer(which, 7, 27) for which in range(3)))):
            g, theta, m, v = (input_exactly(which, 7 + k) for which in range(4))
            m, v = Fraction(9, 10) * m + g / 10, Fraction(999, 1000) * v + g * g / 1000
            m_hat, v_hat = m / (1 - Fraction(9, 10) ** 10), v / (1 - Fraction(999, 1000) ** 10)
            theta -= (m_hat / (Fraction(math.sqrt(v_hat)) + Fraction(1, 10**8)) + theta / 100) / 1000
            for value, expected in zip(found, (m, v, theta)):
                self.assertLess(abs(Fraction(float(value)) / expected - 1), 4 * 2**-52)

    def test_heat(self):
        for dtype in (np.float32, np.float64):
            for cells, steps in ((3, 10), (101, 10), (1000, 400)):
                first = u = cases.heat_state(0, cells, cells, steps, 0, dtype)
                for _ in range(steps):
                    u = np.concatenate([u[:1], u[1:-1] + dtype(0.25) * (u[:-2] - 2 * u[1:-1] + u[2:]), u[-1:]])
                bound = cases.heat_bound(steps) * np.finfo(dtype).eps
                answer = lambda done: lambda begin, end: cases.heat_state(begin, end, cells, steps, done, dtype)
                self.assertLess(cases.largest_error(u, answer(steps)), bound)
                # A step too few would show, and so would none.
                if cells > 3:
                    self.assertGreater(cases.largest_error(u, answer(steps - 1)), bound)
                    self.assertGreater(cases.largest_error(first, answer(steps)), 0.1)

    def test_errors_are_found(self):
        size = cases.PIECE + 3
        answer = lambda begin, end: cases.scaled_sum_answer(begin, end, np.float64)
        array = cases.filled(size, np.float64, answer)
        self.assertEqual(cases.largest_error(array, answer), 0)
        array[size - 1] *= 1 + 1e-9
        self.assertTrue(math.isclose(cases.largest_error(array, answer), 1e-9, rel_tol=1e-3))
        array[5] = np.nan
        self.assertEqual(cases.largest_error(array, answer), math.inf)


class Rows(ResultsTest):
    def peer(self):
        arguments = ["x_rows.py", "--sizes=8,2^4", f"--benchmark_out={self.folder}/out.json"]
        with mock.patch.object(sys, "argv", arguments):
            return cases.Peer(cases.options_of(""), {"framework": "X"}, False, lambda run, count: 0.01 * count, np.asarray)

    def add(self, peer, result, **members):
        with mock.patch("sys.stderr"):
            answer = lambda begin, end: np.ones(end - begin)
            peer.add("fusion/chain/x_jit/double/16", lambda: [result], [answer], 2, (3, 1), **members)
        return json.loads((self.folder / "out.json").read_text())["benchmarks"]

    def test_rows(self):
        peer = self.peer()
        self.assertEqual(peer.sizes, [8, 16])
        found = self.add(peer, np.ones(16), steps=5)
        self.assertEqual([row["repetition_index"] for row in found], list(range(15)))
        self.assertEqual({row["name"] for row in found}, {"fusion/chain/x_jit/double/16"})
        first = found[0]
        self.assertEqual((first["bytes_read"], first["bytes_written"], first["max_error"]), (3 * 16 * 8, 16 * 8, 0))
        self.assertAlmostEqual(first["real_time"], 1e7)
        self.assertAlmostEqual(first["gb_per_s"], 512 / 0.01 / 1e9)
        self.assertAlmostEqual(first["us_per_step"], 2000)
        self.assertEqual(peer.finish(), 0)

    def test_a_wrong_answer(self):
        peer = self.peer()
        (row,) = self.add(peer, np.full(16, 1 + 1e-9))
        self.assertTrue(row["error_occurred"])
        self.assertEqual(row["error_message"], "wrong answer: relative error 1e-09, allowed 4.44e-16")
        self.assertEqual(peer.finish(), 1)

    def test_cases(self):
        """Each case and type once, with the inputs of the case; a part of the answer that is wrong fails the row."""
        peer = self.peer()
        seen = []

        def variants(name):
            def make(*inputs):
                size, dtype = inputs[0].size, inputs[0].dtype.type
                answers = next(case for case in cases.FUSION if case.name == name).answers(size, dtype)
                results = [answer(0, 1 if name == "norm" else size).astype(dtype) for answer in answers]
                seen.append((name, len(inputs), dtype, size, len(results)))
                results[-1] = results[-1] * (1 + (size == 8) * 1e-5)
                return lambda: results

            return [("x_jit", make, None)]

        with mock.patch("sys.stderr"):
            peer.fusion(lambda array: array, {case.name: variants(case.name) for case in cases.FUSION})
        shapes = {"scaled_sum": (3, 1), "chain": (1, 1), "norm": (2, 1), "adamw": (4, 3)}
        expected = [(n, i, d, s, r) for d in (np.float64, np.float32) for s in (8, 16) for n, (i, r) in shapes.items()]
        self.assertEqual(seen, [made for made in expected if made[0] != "adamw" or made[2] is np.float32])
        failed = {row["name"] for row in peer.rows if "error_occurred" in row}
        self.assertEqual(failed, {row["name"] for row in peer.rows if row["name"].endswith("/8")})
        adamw = next(row for row in peer.rows if row["name"] == "fusion/adamw/x_jit/float/16")
        self.assertEqual((adamw["bytes_read"], adamw["bytes_written"]), (4 * 64, 3 * 64))

    def test_sizes(self):
        for text in ("2", "x", "2^32", "", "1e3", "-4"):
            with mock.patch.object(sys, "argv", ["x", f"--sizes=8,{text}"]), mock.patch("sys.stderr"):
                self.assertRaises(SystemExit, cases.options_of, "")


class Scripts(ResultsTest):
    def test_runs_or_says_what_is_missing(self):
        for script, framework, variants in [("jax_rows.py", "jax", 9), ("torch_rows.py", "torch", 5)]:
            # torch.compile takes its time; the eager rows show that the script works
            flags = ["--sizes=1003", "--benchmark_out=out.json"]
            flags += ["--benchmark_filter=" + {"torch": "eager/double|adamw/torch_eager", "jax": "double|adamw"}[framework]]
            run = self.run_tool(TOP / "bench" / "peers" / script, *flags)
            if run.returncode == 77:
                self.assertEqual(run.stderr, f"{framework}: not installed (pip install {framework})\n")
                continue
            self.assertEqual(run.returncode, 0, run.stderr)
            found = json.loads((self.folder / "out.json").read_text())["benchmarks"]
            self.assertEqual(len({row["name"] for row in found}), variants)


if __name__ == "__main__":
    unittest.main()
