# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys
import unittest
import xml.etree.ElementTree
import zlib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

from results import TOP, ResultsTest, repetitions

try:
    from matplotlib.figure import Figure
except ImportError:
    print("no matplotlib")
    sys.exit(77)

import rows


def rows_of(size):
    moved = {"bytes_read": 24 * size, "bytes_written": 8 * size, "gb_per_s": 10.0, "share_of_copy": 0.8}
    chain = {"bytes_read": 8 * size, "bytes_written": 8 * size, "gb_per_s": 10.0}
    heat = {"steps": 10, "bytes_read": 80 * size, "bytes_written": 80 * size, "gb_per_s": 5.0}
    return [
        *repetitions(f"fusion/copy/copy/double/{size}", [1.0], gb_per_s=12.5),
        *repetitions(f"fusion/scaled_sum/raw/double/{size}", [1.0, 1.5], **moved),
        *repetitions(f"fusion/scaled_sum/new_variant/double/{size}", [2.0], **moved),
        *repetitions(f"fusion/chain/fused/double/{size}", [2.0], **chain),
        *repetitions(f"fusion/unknown/fused/double/{size}", [2.0], **chain),
        *repetitions(f"heat1d/step/raw/float/{size}", [2.0], **heat),
    ]


def is_png(path):
    """By its first and its last chunk."""
    data = path.read_bytes()
    header, check = data[12:29], data[29:33]
    first = header.startswith(b"IHDR") and zlib.crc32(header).to_bytes(4, "big") == check
    return data.startswith(b"\x89PNG\r\n\x1a\n") and first and data.endswith(b"IEND" + zlib.crc32(b"IEND").to_bytes(4, "big"))


class Plots(ResultsTest):
    def plot(self, *arguments):
        return self.run_tool(TOP / "tools" / "plot", *arguments)

    def drawn(self, prefix="out/"):
        """The texts of the SVGs in the folder, whose words stand in comments; each is whole and has a whole PNG beside it."""
        found = {}
        for svg in self.folder.glob(f"{prefix}*.svg"):
            root = xml.etree.ElementTree.parse(svg).getroot()
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertTrue(is_png(svg.with_suffix(".png")), svg)
            found[svg.stem] = svg.read_text()
        self.assertEqual(len(list(self.folder.glob(f"{prefix}*"))), 2 * len(found))
        return found

    def test_every_kind(self):
        self.file("in.json", rows_of(1024) + rows_of(4096))
        run = self.plot("in.json", "--output", "out/")
        self.assertEqual(run.returncode, 0, run.stderr)
        groups = ["fusion-scaled_sum-double", "fusion-chain-double", "fusion-unknown-double", "heat1d-step-float"]
        names = [f"{kind}-{group}" for kind in ("bars", "scaling") for group in groups]
        found = self.drawn()
        self.assertEqual(sorted(found), sorted([*names, "roofline-fusion-double", "roofline-heat1d-float"]))
        for words in ["new_variant", "raw", "1.250   10.00 GB/s", "ms, median; the line from the least to the most"]:
            self.assertIn(words, found["bars-fusion-scaled_sum-double"])
        for words in ["new_variant", "copy", "GB/s, read and written", "elements"]:
            self.assertIn(words, found["scaling-fusion-scaled_sum-double"])
        self.assertIn("µs/step", found["scaling-heat1d-step-float"])
        for words in ["copy, 12.50 GB/s", "scaled_sum new_variant", "chain fused", "GFLOP/s"]:
            self.assertIn(words, found["roofline-fusion-double"])
        self.assertEqual(run.stderr.splitlines(), [
            "plot: roofline: left out, for want of operations or bytes: fusion/unknown/fused/double",
            "plot: roofline: no copy rate of heat1d in float, so no roof",
        ])

    def test_places_under_the_roof(self):
        spec = spec_from_loader("plot", SourceFileLoader("plot", str(TOP / "tools" / "plot")))
        plot = module_from_spec(spec)
        spec.loader.exec_module(plot)
        found = rows.read([self.file("in.json", rows_of(1024))]).rows
        axes = Figure().subplots()
        plot.roofline(rows.summarize(found), plot.Styles({row.variant: None for row in found}), lambda name, inches: axes)
        places = {line.get_label(): (line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines}
        for label, intensity, rate in [
            ("scaled_sum raw", 3 / 32, 3 * 1024 / 1.25e-3 / 1e9),
            ("chain fused", 64 / 16, 64 * 1024 / 2e-3 / 1e9),
            ("step raw", 5 / 16, 5 * 10 * 1024 / 2e-3 / 1e9),
        ]:
            self.assertAlmostEqual(places[label][0], intensity)
            self.assertAlmostEqual(places[label][1], rate)
        x, y = places["copy, 12.50 GB/s"]
        self.assertAlmostEqual(y, 12.5 * x)

    def test_a_row_may_know_its_operations(self):
        self.file("in.json", [{**row, "flops": 7} for row in rows_of(1024)])
        run = self.plot("in.json", "--kind", "roofline", "--filter", "unknown|copy", "--output", "out/")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("unknown fused", self.drawn()["roofline-fusion-double"])

    def test_one_size_has_no_scaling(self):
        self.file("in.json", rows_of(1024))
        run = self.plot("in.json", "--kind", "scaling", "--output", "out/")
        self.assertEqual((run.returncode, run.stderr), (1, "plot: nothing to draw as scaling\n"))
        self.assertEqual(self.drawn(), {})

    def test_the_largest_size_or_another(self):
        self.file("in.json", rows_of(1024) + rows_of(4096))
        for arguments, power in [([], "{12}"), (["--filter", "/1024$"], "{10}")]:
            self.assertEqual(self.plot("in.json", "--kind", "bars", *arguments, "--output", "out/x-").returncode, 0)
            self.assertIn(f"2^{power}", self.drawn("out/x-")["x-bars-fusion-chain-double"])

    def test_the_programs_own(self):
        seconds = {"min": 1.0, "median": 2.0, "max": 6.0}
        variants = [{"name": name, "cells": 9, "steps": 4, "seconds": seconds} for name in ("mirror", "resident")]
        document = {"schema": 1, "program": "heat1d", "settings": {"type": "double"}, "variants": variants}
        self.file("in.json", json.dumps(document))
        self.assertEqual(self.plot("in.json", "--kind", "bars", "--output", "out/").returncode, 0)
        self.assertEqual(list(self.drawn()), ["bars-heat1d-run-double"])

    def test_refusals(self):
        self.file("other.json", [{"name": "copy_event/iterations:200000", "real_time": 1}])
        self.file("empty.json", "")
        for arguments, words in [
            (["none.json"], "none.json: No such file or directory"),
            (["empty.json"], "empty.json: empty"),
            (["other.json"], "other.json: 'copy_event' is not named <program>/<case>/<variant>/<type>/<size>"),
        ]:
            run = self.plot(*arguments)
            self.assertEqual((run.returncode, run.stderr), (2, f"plot: {words}\n"))
        for arguments in [["--kind", "pie"], ["--filter", "("]]:
            self.assertEqual(self.plot("empty.json", *arguments).returncode, 2)
        self.file("in.json", rows_of(1024))
        run = self.plot("in.json", "--kind", "bars", "--output", "in.json/")
        self.assertEqual((run.returncode, run.stderr), (2, "plot: in.json: File exists\n"))


if __name__ == "__main__":
    unittest.main()
