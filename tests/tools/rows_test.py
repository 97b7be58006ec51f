# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import unittest

from results import ResultsTest, repetitions

import rows

SUM = "fusion/scaled_sum/{}/double/1024".format


class Reading(ResultsTest):
    def read(self, *contents):
        return rows.read([self.file(f"{i}.json", content) for i, content in enumerate(contents)])

    def test_names(self):
        for suffix in ["", "/iterations:1/manual_time", "/min_time:0.100/repeats:15/real_time", "/threads:2"]:
            (row,) = self.read([{"name": SUM("fused") + suffix, "real_time": 2, "time_unit": "us"}]).rows
            self.assertEqual(row.name, SUM("fused"))
            self.assertEqual((row.group, row.variant), (("fusion", "scaled_sum", "double", 1024), "fused"))
            self.assertAlmostEqual(row.seconds, 2e-6)

    def test_units(self):
        for unit, seconds in {"ns": 5e-9, "us": 5e-6, "ms": 5e-3, "s": 5}.items():
            (row,) = self.read([{"name": SUM("raw"), "real_time": 5, "time_unit": unit}]).rows
            self.assertAlmostEqual(row.seconds, seconds, 15)
        (row,) = self.read([{"name": SUM("raw"), "real_time": 5}]).rows
        self.assertAlmostEqual(row.seconds, 5e-9, 15)

    def test_aggregates_are_not_rows(self):
        self.assertEqual(self.read([{"name": SUM("raw"), "run_type": "aggregate", "real_time": 1}]).rows, [])

    def test_times_are_those_of_a_step(self):
        (row,) = self.read([{"name": "heat1d/run/raw/float/64", "real_time": 8, "time_unit": "s", "steps": 4}]).rows
        self.assertEqual(row.seconds, 2)

    def test_errors(self):
        wrong = {"name": SUM("fused") + "/repeats:15", "run_name": SUM("fused"), "error_occurred": True, "error_message": "no"}
        found = self.read([wrong, wrong, *repetitions(SUM("raw"), [1])])
        self.assertEqual((found.errors, len(found.rows)), ([SUM("fused") + ": no"], 1))

    def test_faults(self):
        row = {"name": SUM("raw"), "real_time": 1}
        cases = {
            "": "empty",
            " \n": "empty",
            '{"benchmarks": [': "not JSON (Expecting value: line 1 column 17 (char 16))",
            "[]": "has no list 'benchmarks'",
            '{"benchmarks": 3}': "has no list 'benchmarks'",
            '{"schema": 1, "variants": [{}]}': "not as docs/json.md says ('program')",
            json.dumps({"benchmarks": [{**row, "name": "copy_event/iterations:200000"}]}):
                "'copy_event' is not named <program>/<case>/<variant>/<type>/<size>",
            json.dumps({"benchmarks": [{**row, "name": SUM("raw") + "x"}]}):
                f"'{SUM('raw')}x' is not named <program>/<case>/<variant>/<type>/<size>",
            json.dumps({"benchmarks": [{**row, "real_time": float("nan")}]}): f"{SUM('raw')}: real_time is nan, not a number",
            json.dumps({"benchmarks": [{"name": SUM("raw")}]}): f"{SUM('raw')}: real_time is None, not a number",
            json.dumps({"benchmarks": [{**row, "real_time": 0}]}): f"{SUM('raw')}: real_time is not above 0",
            json.dumps({"benchmarks": [{**row, "gb_per_s": float("inf")}]}): f"{SUM('raw')}: gb_per_s is inf, not a number",
            json.dumps({"benchmarks": [{**row, "steps": "2"}]}): f"{SUM('raw')}: steps is 2, not a number",
            json.dumps({"benchmarks": [{**row, "time_unit": "h"}]}): f"{SUM('raw')}: no time unit 'h'",
        }
        for text, message in cases.items():
            with self.assertRaises(rows.Fault) as raised:
                self.read(text)
            self.assertEqual(str(raised.exception), f"{self.folder}/0.json: {message}")
        with self.assertRaises(rows.Fault) as raised:
            rows.read([self.folder / "none.json"])
        self.assertEqual(str(raised.exception), f"{self.folder}/none.json: No such file or directory")
        (self.folder / "binary.json").write_bytes(b"\xff\xfe")
        with self.assertRaises(rows.Fault) as raised:
            rows.read([self.folder / "binary.json"])
        self.assertEqual(str(raised.exception), f"{self.folder}/binary.json: not a text")

    def test_the_programs_own(self):
        seconds = {"min": 1.0, "median": 2.0, "max": 6.0}
        fusion = {"schema": 1, "program": "fusion", "settings": {"type": "double"}, "variants": [
            {"case": "chain", "name": "fused", "type": "float", "size": 8, "kernels": 1, "seconds": seconds, "gb_per_s": 3, "copy_share": 0.5}]}
        heat1d = {"schema": 1, "program": "heat1d", "settings": {"type": "double"}, "variants": [
            {"name": "mirror", "cells": 9, "steps": 4, "seconds": seconds}]}
        groups = rows.summarize(self.read(json.dumps(fusion), json.dumps(heat1d)).rows)
        self.assertEqual(list(groups), [("fusion", "chain", "float", 8), ("heat1d", "run", "double", 9)])
        (fused,), (mirror,) = groups.values()
        self.assertEqual((fused.variant, fused.time, fused.low, fused.high), ("fused", 2, 1, 6))
        self.assertEqual((fused.share_of_copy, fused.copy_rate, fused.members["kernels"]), (0.5, 6, 1))
        self.assertEqual((mirror.variant, mirror.time), ("mirror", 0.5))

    def test_cut_off(self):
        text = json.dumps({"context": {"a": {"b": 1}}, "benchmarks": repetitions(SUM("raw"), [1, 2, 3])}, indent=1)
        whole = rows.load(self.file("whole.json", text))
        for end in range(len(text) + 1):
            part = rows.load_cut_off(self.file("part.json", text[:end]))
            count = len(part["benchmarks"])
            self.assertEqual(part["benchmarks"], whole["benchmarks"][:count])
        self.assertEqual(part, whole)
        self.assertEqual(rows.load_cut_off(self.folder / "none"), {"context": {}, "benchmarks": []})


class Summaries(ResultsTest):
    def summarize(self, *processes):
        """Of files with a process each."""
        paths = [self.file(f"{i}.json", content) for i, content in enumerate(processes)]
        return rows.summarize(rows.read(paths).rows)

    def test_median_of_medians(self):
        # The medians are 2, 11 and 5; over all nine it would be 4.
        ((s,),) = self.summarize(*(repetitions(SUM("raw"), ms) for ms in ([1, 2, 3], [11, 12, 4], [5, 2, 9]))).values()
        self.assertAlmostEqual(s.time, 5e-3)
        self.assertAlmostEqual(s.low, 1e-3)
        self.assertAlmostEqual(s.high, 12e-3)
        self.assertAlmostEqual(s.between, 9 / 5)

    def test_processes_of_a_joined_file(self):
        content = [row for p, ms in enumerate(([1, 1], [3, 3], [8, 8])) for row in repetitions(SUM("raw"), ms, process=p)]
        ((s,),) = self.summarize(content).values()
        self.assertAlmostEqual(s.time, 3e-3)
        self.assertAlmostEqual(s.between, 7 / 3)

    def test_one_process(self):
        ((s,),) = self.summarize(repetitions(SUM("raw"), [1, 2])).values()
        self.assertAlmostEqual(s.time, 1.5e-3)
        self.assertIsNone(s.between)

    def test_shares(self):
        content = [
            *repetitions("fusion/copy/copy/double/1024", [1], gb_per_s=100.0),
            *repetitions(SUM("raw"), [2], gb_per_s=80.0),
            *repetitions(SUM("unfused"), [6], gb_per_s=70.0),
            *repetitions(SUM("fused"), [2.5], gb_per_s=60.0, share_of_raw=0.9, share_of_copy=0.5),
            *repetitions(SUM("jax_jit"), [4], gb_per_s=40.0),
            *repetitions("fusion/scaled_sum/jax_jit/double/2048", [4], gb_per_s=40.0),
        ]
        groups = self.summarize(content)
        found = {s.variant: s for s in groups["fusion", "scaled_sum", "double", 1024]}
        self.assertEqual({v: (s.share_of_raw, s.share_of_copy) for v, s in found.items()},
                         {"raw": (1, 0.8), "unfused": (2 / 6, 0.7), "fused": (0.9, 0.5), "jax_jit": (0.5, 0.4)})
        self.assertEqual({v: round(s.speedup, 12) for v, s in found.items()},
                         {"raw": 3, "unfused": 1, "fused": 2.4, "jax_jit": 1.5})
        self.assertEqual({s.copy_rate for s in found.values()}, {100})
        (alone,) = groups["fusion", "scaled_sum", "double", 2048]
        self.assertEqual((alone.share_of_raw, alone.share_of_copy, alone.speedup), (None, None, None))

    def test_a_copy_rate_without_a_copy(self):
        content = [
            *repetitions(SUM("fused"), [2.5], gb_per_s=60.0, share_of_copy=0.5),
            *repetitions(SUM("jax_jit"), [4], gb_per_s=30.0),
        ]
        ((fused, jax_jit),) = self.summarize(content).values()
        self.assertEqual((fused.copy_rate, jax_jit.copy_rate, jax_jit.share_of_copy), (120, 120, 0.25))

    def test_a_speedup_is_that_of_a_step(self):
        content = [
            *repetitions("heat1d/run/mirror/double/64", [100], steps=10),
            *repetitions("heat1d/run/resident/double/64", [100], steps=50),
        ]
        ((_, resident),) = self.summarize(content).values()
        self.assertAlmostEqual(resident.speedup, 5)

    def test_what_is_unknown_stays(self):
        content = [*repetitions("new/case/variant/half/7", [1]), *repetitions("new/case/other/half/7", [2], more=1)]
        groups = self.summarize(content)
        found = {str(group): [s.variant for s in summaries] for group, summaries in groups.items()}
        self.assertEqual(found, {"new case, half, 7": ["variant", "other"]})

    def test_order(self):
        names = ["b/y/v/float/64", "b/y/v/float/8", "b/y/v/double/8", "b/x/v/float/8", "a/z/v/float/8"]
        groups = self.summarize([row for name in names for row in repetitions(name, [1])])
        self.assertEqual([str(group) for group in groups],
                         ["b y, double, 8", "b y, float, 8", "b y, float, 64", "b x, float, 8", "a z, float, 8"])


class Texts(unittest.TestCase):
    def test_sizes(self):
        for size, text in {1000: "1000", 512: "512", 1024: "2^10", 1025: "1025", 1 << 28: "2^28"}.items():
            self.assertEqual(rows.size_text(size), text)

    def test_digits(self):
        texts = {0: "0", 0.00012344: "0.0001234", 0.5: "0.5000", 9.9994: "9.999", 1234.4: "1234", 123456: "123456"}
        for value, text in texts.items():
            self.assertEqual(rows.digits(value), text)


class Writing(ResultsTest):
    def test_a_file_appears_whole(self):
        path = self.folder / "new" / "out.json"
        rows.write(path, "text")
        rows.write(path, "other")
        self.assertEqual(path.read_text(), "other")
        self.assertEqual([p.name for p in path.parent.iterdir()], ["out.json"])


if __name__ == "__main__":
    unittest.main()
