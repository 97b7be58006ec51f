# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All rows of a benchmark at small sizes, once: what is in the JSON, none of it about time."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "common"))

from program import PROGRAM, ProgramTest, main

SIZE_OF = {"double": 8, "float": 4}
EVERY_ROW = {"kernels", "bytes_read", "bytes_written", "gb_per_s", "share_of_copy", "max_error"}
STEPPING = {"steps", "us_per_step", "gcell_per_s", "transfers_to_device", "transfers_to_host", "transfer_bytes"}
GOOGLES = {"name", "run_name", "run_type", "repetitions", "repetition_index", "threads", "iterations", "real_time"}
GOOGLES |= {"cpu_time", "time_unit", "family_index", "per_family_instance_index", "label"}
CONTEXT = {"program", "version", "git", "host_name", "device", "kokkos", "backend", "threads", "compiler", "flags"}
EPSILON = {"double": 2.0**-52, "float": 2.0**-23}


class Rows(ProgramTest):
    def rows(self, *arguments):
        """The context, and the rows by their names without Google Benchmark's suffixes."""
        found = json.loads(self.run_rows("--benchmark_format=json", *arguments))
        self.assertEqual({row["run_type"] for row in found["benchmarks"]}, {"iteration"})
        rows = {}
        for row in found["benchmarks"]:
            rows.setdefault("/".join(row["name"].split("/")[:5]), []).append(row)
        return found["context"], rows

    def run_rows(self, *arguments):
        run = self.run_program(*arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def check_row(self, row, reads, writes, kernels):
        self.assertNotIn("error_occurred", row)
        self.assertEqual((row["bytes_read"], row["bytes_written"], row["kernels"]), (reads, writes, kernels))
        self.assertEqual((row["iterations"], row["time_unit"]), (1, "us"))
        self.assertGreater(row["real_time"], 0)
        self.assertAlmostEqual(row["gb_per_s"] * row["real_time"] / (1e-3 * (reads + writes)), 1)
        self.assertGreater(row["share_of_copy"], 0)


class Common(Rows):
    SMALL = ["--sizes=3", "--benchmark_repetitions=1"]

    def test_context(self):
        context, _ = self.rows(*self.SMALL, "--benchmark_filter=/copy/")
        self.assertLessEqual(CONTEXT, set(context))
        self.assertEqual(context["program"], PROGRAM.name)

    def test_repetitions(self):
        for given, expected in [([], 15), (["--benchmark_repetitions=2"], 2)]:
            _, rows = self.rows("--sizes=3", "--benchmark_filter=/copy/copy/float", *given)
            self.assertEqual([len(r) for r in rows.values()], [expected])

    def test_a_file_has_no_aggregates(self):
        self.run_rows("--sizes=3", "--benchmark_filter=/copy/", "--benchmark_repetitions=2", "--benchmark_out=out.json")
        rows = json.loads((self.folder / "out.json").read_text())["benchmarks"]
        self.assertEqual([row["run_type"] for row in rows], 4 * ["iteration"])

    def test_bad_input(self):
        smallest = 3 if PROGRAM.name == "heat1d_bench" else 1
        for value in ["0", "2^41", "many", "8,0", ""]:
            wrong = value.split(",")[-1]
            self.assert_refuses([f"--sizes={value}"], f"--sizes: '{wrong}' is not a whole number from {smallest} to 2^40, in digits or as 2^K")
        self.assert_refuses(["--foo"], "The following argument was not expected: --foo")
        self.assert_refuses(["foo"], "The following argument was not expected: foo")
        run = self.run_program("--sizes=2^40")
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, rf"{PROGRAM.name}: needs \d+\.0 GiB of (host|device) memory, \d+\.\d GiB available\n$")
        self.assertEqual(self.run_program("--benchmark_filter=none").returncode, 2)

    def test_help(self):
        text = self.run_rows("--help")
        self.assertIn("--sizes", text)
        self.assertIn("--benchmark_filter", text)


# Arrays read and written, and kernels.
ONCE = {"copy/copy": (1, 1, 0)}
OPTIONAL = {"scaled_sum/eigen": (3, 1, 1), "chain/eigen": (1, 1, 1), "scaled_sum/xtensor": (3, 1, 1)}
for case, fused, unfused, kernels in [
    ("scaled_sum", (3, 1, 1), (5, 3, 3), (5, 3, 3)),
    ("chain", (1, 1, 1), (32, 32, 32), None),
    ("norm", (2, 0, 1), (5, 3, 4), (3, 1, 2)),
    ("adamw", (4, 3, 1), (21, 16, 16), (7, 3, 3)),
]:
    ONCE |= {f"{case}/{variant}": fused for variant in ["raw", "fused", "expression"]} | {f"{case}/unfused": unfused}
    OPTIONAL |= {f"{case}/kernels": kernels} if kernels else {}
# Of 1003 elements: all but one, every second, 60 x 14 of 62 x 16, and 15 x 8 x 8.
LAYOUTS = {"rank1_misaligned": 1002, "rank1_stride2": 501, "rank2_subview": 840, "rank3_contiguous": 960}
LAYOUTS |= {"rank3_permuted": 960}
NORM_EPSILONS = 502  # a sum of 1003 in double: half an epsilon each


class Fusion(Rows):
    def test_rows(self):
        _, rows = self.rows("--sizes=1,1003", "--benchmark_repetitions=1")
        built = {"/".join(name.split("/")[1:3]) for name in rows if "/layout_" not in name}
        self.assertLessEqual(set(ONCE), built)
        self.assertLessEqual(built, set(ONCE | OPTIONAL))
        names = {f"fusion/{v}/{t}/{n}" for v in built for t in SIZE_OF for n in [1, 1003] if v[:5] != "adamw" or t == "float"}
        layouts = [f"layout_{which}/{v}" for which in LAYOUTS for v in ["fused", "expression"]]
        self.assertEqual(set(rows), names | {f"fusion/{v}/{t}/1003" for v in layouts for t in SIZE_OF})
        for name, (row,) in rows.items():
            _, case, variant, type_name, size = name.split("/")
            elements, (reads, writes, kernels) = int(size), (3, 1, 1)
            if case.startswith("layout_"):
                elements = LAYOUTS[case.removeprefix("layout_")]
            else:
                reads, writes, kernels = (ONCE | OPTIONAL)[f"{case}/{variant}"]
            array = elements * SIZE_OF[type_name]
            self.check_row(row, reads * array, writes * array, kernels)
            has_raw = case != "copy" and not case.startswith("layout_")
            self.assertEqual(set(row) - GOOGLES, EVERY_ROW | ({"share_of_raw"} if has_raw else set()))
            allowed = {"scaled_sum/kernels": 2, "chain/eigen": 32}.get(f"{case}/{variant}", 0) * EPSILON[type_name]
            if case == "norm":
                allowed = NORM_EPSILONS * EPSILON["double"] + (variant in ["unfused", "kernels"]) * EPSILON[type_name] / 2
            self.assertLessEqual(row["max_error"], 2 * EPSILON["float"] if case == "adamw" else allowed)
            self.assertEqual(row.get("label", ""), row["label"] if variant in ["eigen", "xtensor"] else "")


class Heat1d(Rows):
    def test_rows(self):
        context, rows = self.rows("--sizes=3,1003", "--benchmark_repetitions=1")
        variants = ["copy/copy", "step/raw", "step/resident", "step/march"]
        variants += ["step/raw_march" if context["backend"] == "Cuda" else "step/in_cache"]
        variants += ["run/raw", "run/mirror", "run/resident", "run/region-per-step", "run/region", "run/march"]
        self.assertEqual(set(rows), {f"heat1d/{v}/{t}/{n}" for v in variants for t in SIZE_OF for n in [3, 1003]})
        for name, (row,) in rows.items():
            _, case, variant, type_name, size = name.split("/")
            cells, steps = (1024 * int(context["threads"]), 20_000) if variant == "in_cache" else (int(size), 2000)
            array = cells * SIZE_OF[type_name]
            if case == "copy":
                self.check_row(row, array, array, 0)
                self.assertEqual(set(row) - GOOGLES, EVERY_ROW)
                continue
            passes = 2 if variant == "march" else steps # a small array is one piece
            self.check_row(row, passes * array, passes * array, 1 if variant == "in_cache" else passes)
            self.assertEqual(set(row) - GOOGLES, EVERY_ROW | STEPPING | {"share_of_raw"})
            transfers = {"step": 0, "run": 4000 if variant in ["mirror", "region-per-step"] else 1}[case]
            self.assertEqual((row["transfers_to_device"], row["transfers_to_host"]), (transfers, transfers))
            self.assertEqual(row["transfer_bytes"], 2 * transfers * array)
            self.assertEqual((row["steps"], row["max_error"]), (steps, 0))
            self.assertAlmostEqual(row["us_per_step"] * steps / row["real_time"], 1)
            self.assertAlmostEqual(row["gcell_per_s"] * row["real_time"] / (1e-3 * steps * cells), 1)


del globals()["Heat1d" if PROGRAM.name == "fusion_bench" else "Fusion"]

if __name__ == "__main__":
    main()
